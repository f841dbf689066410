/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-topology-builder.h"

#include "ns3/input-number.h"

#include <algorithm>
#include <functional>
#include <numeric>

// Switches at the points of a grid, linked along its dimensions: in rings, or each with each.

namespace ns3
{

namespace
{

constexpr size_t MAX_DIMENSIONS = 16;

/** Extents of the dimensions, 2 or more each. Switch numbers count along the first one first. */
using Grid = std::vector<uint64_t>;

uint64_t
CountPoints(const Grid& grid)
{
    return std::accumulate(grid.begin(), grid.end(), uint64_t(1), std::multiplies<>());
}

[[noreturn]] void
FailGridSize(const InputSpec& spec)
{
    spec.FailValue("size",
                   "1 to " + std::to_string(MAX_DIMENSIONS) +
                       " whole numbers from 2 on, such as 4x4x4, with a product of at most " +
                       std::to_string(RDMA_MAX_GENERATED_NODES));
}

Grid
ReadGrid(InputSpec& spec, const std::string& defaultSize)
{
    const std::string text = spec.Word("size", defaultSize);
    Grid grid;
    uint64_t points = 1;
    for (size_t begin = 0; begin <= text.size();)
    {
        const size_t end = std::min(text.find('x', begin), text.size());
        uint64_t extent = 0;
        if (!ParseInteger(text.substr(begin, end - begin), extent) || extent < 2 ||
            extent > RDMA_MAX_GENERATED_NODES / points || grid.size() == MAX_DIMENSIONS)
        {
            FailGridSize(spec);
        }
        points *= extent;
        grid.push_back(extent);
        begin = end + 1;
    }
    return grid;
}

/** \return how many links a line of so many switches has */
using LinksOfLine = uint64_t (*)(uint64_t extent);

/** Links the switches of a line, the first of which is \p first, the next \p stride further on. */
using LinkLine = void (*)(RdmaTopologyBuilder& builder,
                          const RdmaTier& tier,
                          uint64_t first,
                          uint64_t stride,
                          uint64_t extent);

RdmaTopology
MakeGrid(InputSpec& spec, const std::string& defaultSize, LinksOfLine count, LinkLine link)
{
    const RdmaTier tier = RdmaHostTier(spec);
    const RdmaTier uplink = RdmaNamedTier(spec, "uplink", tier);
    const Grid grid = ReadGrid(spec, defaultSize);
    const uint64_t perSwitch = RdmaCountKey(spec, "hosts-per-switch", 1);
    spec.Finish();

    const uint64_t switches = CountPoints(grid);
    const uint64_t hosts = switches * perSwitch;
    uint64_t links = hosts;
    for (const uint64_t extent : grid)
    {
        links += switches / extent * count(extent);
    }
    RdmaTopologyBuilder builder(spec, {hosts, 0, switches, links});
    for (uint64_t host = 0; host < hosts; ++host)
    {
        builder.Link(host, builder.Switch(host / perSwitch), tier);
    }
    uint64_t stride = 1;
    for (const uint64_t extent : grid)
    {
        for (uint64_t i = 0; i < switches; ++i)
        {
            if (i / stride % extent == 0)
            {
                link(builder, uplink, i, stride, extent);
            }
        }
        stride *= extent;
    }
    return builder.Finish();
}

uint64_t
LinksOfRing(uint64_t extent)
{
    return extent == 2 ? 1 : extent;
}

void
LinkRing(RdmaTopologyBuilder& builder,
         const RdmaTier& tier,
         uint64_t first,
         uint64_t stride,
         uint64_t extent)
{
    for (uint64_t i = 0; i < LinksOfRing(extent); ++i)
    {
        builder.Link(builder.Switch(first + i * stride),
                     builder.Switch(first + (i + 1) % extent * stride),
                     tier);
    }
}

uint64_t
LinksOfMesh(uint64_t extent)
{
    return extent * (extent - 1) / 2;
}

void
LinkMesh(RdmaTopologyBuilder& builder,
         const RdmaTier& tier,
         uint64_t first,
         uint64_t stride,
         uint64_t extent)
{
    for (uint64_t i = 0; i < extent; ++i)
    {
        for (uint64_t j = i + 1; j < extent; ++j)
        {
            builder.Link(builder.Switch(first + i * stride),
                         builder.Switch(first + j * stride),
                         tier);
        }
    }
}

/** The k-ary n-cube of Dally, IEEE Transactions on Computers 39(6), 1990, with a switch for each
 * point; extents may differ, as in the 3D torus of Jouppi et al., "TPU v4", ISCA 2023. */
RdmaTopology
MakeTorus(InputSpec& spec)
{
    return MakeGrid(spec, "4x4x4", LinksOfRing, LinkRing);
}

/** HyperX of Ahn et al., SC 2009; Liao et al., "UB-Mesh", arXiv:2503.20377, 2025, call it
 * nD-FullMesh.
 */
RdmaTopology
MakeFullMesh(InputSpec& spec)
{
    return MakeGrid(spec, "4x4", LinksOfMesh, LinkMesh);
}

std::vector<RdmaTopologyKey>
GridKeys(const std::string& defaultSize)
{
    return RdmaHostTierKeys({
        {"uplink-rate", "rate", "rate of the links between switches"},
        {"uplink-delay", "delay", "delay of the links between switches"},
        {"size", defaultSize, "switches along each dimension, 2 or more each"},
        {"hosts-per-switch", "1", "number of hosts at each"},
    });
}

} // namespace

std::vector<RdmaTopologyKind>
RdmaGridTopologies()
{
    return {
        {"torus",
         "switches with hosts in rings along each dimension (k-ary n-cube)",
         GridKeys("4x4x4"),
         "torus:size=8x8,rate=400Gbps",
         MakeTorus},
        {"full-mesh",
         "switches with hosts, each linked to all others of its line (HyperX, UB-Mesh)",
         GridKeys("4x4"),
         "full-mesh:size=2x2x2x2,rate=400Gbps",
         MakeFullMesh},
    };
}

} // namespace ns3

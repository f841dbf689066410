/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology_probe.h"

#include "ns3/input-error.h"
#include "ns3/rdma-topology-generator.h"

#include <algorithm>
#include <numeric>
#include <sstream>

using namespace ns3;

namespace harness
{

std::string
Written(const RdmaTopology& topology)
{
    std::ostringstream out;
    WriteRdmaTopology(out, topology);
    return out.str();
}

std::string
SpecError(const std::string& spec)
{
    try
    {
        GenerateRdmaTopology(spec);
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "no error";
}

std::vector<size_t>
Degrees(const RdmaTopology& topology)
{
    std::vector<size_t> degrees(topology.nodes.size());
    for (const RdmaLinkSpec& link : topology.links)
    {
        ++degrees[link.a];
        ++degrees[link.b];
    }
    return degrees;
}

size_t
Parts(const RdmaTopology& topology)
{
    std::vector<size_t> parent(topology.nodes.size());
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](size_t node) {
        while (parent[node] != node)
        {
            node = parent[node] = parent[parent[node]];
        }
        return node;
    };
    size_t parts = parent.size();
    for (const RdmaLinkSpec& link : topology.links)
    {
        const size_t a = root(link.a);
        const size_t b = root(link.b);
        parts -= a != b;
        parent[a] = b;
    }
    return parts;
}

std::vector<ShortestWays>
WaysFrom(const RdmaTopology& topology, uint32_t from)
{
    std::vector<std::vector<uint32_t>> neighbours(topology.nodes.size());
    for (const RdmaLinkSpec& link : topology.links)
    {
        neighbours[link.a].push_back(link.b);
        neighbours[link.b].push_back(link.a);
    }
    std::vector<ShortestWays> ways(topology.nodes.size(), {UINT32_MAX, 0});
    ways[from] = {0, 1};
    std::vector<uint32_t> queue{from};
    for (size_t i = 0; i < queue.size(); ++i)
    {
        const ShortestWays here = ways[queue[i]];
        for (const uint32_t node : neighbours[queue[i]])
        {
            if (ways[node].links == UINT32_MAX)
            {
                ways[node].links = here.links + 1;
                queue.push_back(node);
            }
            if (ways[node].links == here.links + 1)
            {
                ways[node].count += here.count;
            }
        }
    }
    return ways;
}

uint32_t
SwitchDiameter(const RdmaTopology& topology)
{
    const auto isSwitch = [&](uint32_t node) {
        return topology.nodes[node] == RdmaNodeKind::SWITCH;
    };
    uint32_t most = 0;
    for (uint32_t from = 0; from < topology.nodes.size(); ++from)
    {
        if (!isSwitch(from))
        {
            continue;
        }
        const std::vector<ShortestWays> ways = WaysFrom(topology, from);
        for (uint32_t to = 0; to < topology.nodes.size(); ++to)
        {
            most = isSwitch(to) ? std::max(most, ways[to].links) : most;
        }
    }
    return most;
}

std::pair<uint64_t, uint64_t>
RatesBelowAndAbove(const RdmaTopology& topology, uint32_t node)
{
    std::pair<uint64_t, uint64_t> rates{0, 0};
    for (const RdmaLinkSpec& link : topology.links)
    {
        rates.first += link.b == node && link.a < node ? link.rate.GetBitRate() : 0;
        rates.second += link.a == node && link.b > node ? link.rate.GetBitRate() : 0;
    }
    return rates;
}

} // namespace harness

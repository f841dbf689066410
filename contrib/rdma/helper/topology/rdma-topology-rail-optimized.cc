/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-topology-leaf-spine.h"

#include <algorithm>
#include <optional>

namespace ns3
{

namespace
{

constexpr uint64_t SERVERS_PER_SEGMENT = 64;

/** What holds for keys that are not given. */
struct RailDefaults
{
    uint64_t gpus;
    uint64_t gpusPerServer;
    uint64_t rails; ///< 0 for as many as a server has GPUs
    bool nvlink;
    const char* rate;
    const char* nvlinkRate;
    const char* gpuType; ///< empty for one that SimAI does not know
};

constexpr RailDefaults SERVERS_OF_8{64, 8, 0, false, "100Gbps", "2880Gbps", "H100"};

/** NVIDIA, "GB200 NVL72": 72 GPUs on one NVLink switch fabric, 1.8 TB/s for each GPU, which is
 * 900 GB/s in each direction; a compute tray has 4 GPUs, each with a NIC of 400 Gb/s. */
constexpr RailDefaults NVL72{144, 72, 4, true, "400Gbps", "7200Gbps", ""};

/** \return the links to NVSwitches; absent without nvlink=1 */
std::optional<RdmaTier>
ReadNvlink(InputSpec& spec, const RailDefaults& defaults, double errorRate)
{
    const bool nvlink = spec.Flag("nvlink", defaults.nvlink);
    const RdmaTier tier = RdmaNamedTier(
        spec,
        "nvlink",
        {DataRate(defaults.nvlinkRate), NanoSeconds(RDMA_NVLINK_DELAY_NS), errorRate});
    for (const char* key : {"nvlink-rate", "nvlink-delay", "gpu-type"})
    {
        if (!nvlink && spec.Has(key))
        {
            spec.Fail(std::string(key) +
                      " has no effect without nvlink=1; add that, or leave it out");
        }
    }
    return nvlink ? std::optional<RdmaTier>(tier) : std::nullopt;
}

/** GPU i of every server of a segment is on the segment's leaf of rail i, modulo the rails. */
RdmaTopology
MakeRails(InputSpec& spec, const RailDefaults& defaults)
{
    const RdmaTier tier = RdmaHostTier(spec, {DataRate(defaults.rate), MicroSeconds(1)});
    const uint64_t gpus = RdmaCountKey(spec, "gpus", defaults.gpus);
    const uint64_t perServer = RdmaCountKey(spec, "gpus-per-server", defaults.gpusPerServer);
    const uint64_t rails = RdmaCountKey(spec, "rails", defaults.rails ? defaults.rails : perServer);
    if (gpus % perServer != 0)
    {
        spec.FailValue("gpus", "a multiple of gpus-per-server, " + std::to_string(perServer));
    }
    if (perServer % rails != 0)
    {
        spec.FailValue("rails", "a divisor of gpus-per-server, " + std::to_string(perServer));
    }
    const uint64_t servers = gpus / perServer;
    const uint64_t perSegment =
        RdmaCountKey(spec, "servers-per-segment", std::min(servers, SERVERS_PER_SEGMENT));
    const uint64_t gpusPerLeaf = perSegment * (perServer / rails);
    const RdmaUplinks uplinks = RdmaReadUplinks(spec, tier, gpusPerLeaf, gpusPerLeaf);
    const std::optional<RdmaTier> nvlink = ReadNvlink(spec, defaults, tier.errorRate);
    const std::string gpuType =
        spec.Has("gpu-type") ? spec.Choice("gpu-type", "", RdmaGpuTypes()) : defaults.gpuType;
    spec.Finish();

    const uint64_t leaves = (servers + perSegment - 1) / perSegment * rails;
    RdmaTopologyBuilder builder(spec,
                                {gpus,
                                 nvlink ? servers : 0,
                                 leaves + uplinks.spines,
                                 (nvlink ? 2 : 1) * gpus + uplinks.Count(leaves)});
    for (uint64_t gpu = 0; gpu < gpus; ++gpu)
    {
        const uint64_t server = gpu / perServer;
        if (nvlink)
        {
            builder.Link(gpu, builder.Nvswitch(server), *nvlink);
        }
        builder.Link(gpu, builder.Switch(server / perSegment * rails + gpu % rails), tier);
    }
    RdmaLinkSpines(builder, leaves, uplinks);
    RdmaTopology topology = builder.Finish();
    topology.gpusPerServer = nvlink ? uint32_t(perServer) : 0;
    topology.gpuType = nvlink ? gpuType : "";
    return topology;
}

RdmaTopology
MakeRailOptimized(InputSpec& spec)
{
    return MakeRails(spec, SERVERS_OF_8);
}

RdmaTopology
MakeNvl72(InputSpec& spec)
{
    return MakeRails(spec, NVL72);
}

std::vector<RdmaTopologyKey>
RailKeys(const RailDefaults& defaults)
{
    std::vector<RdmaTopologyKey> keys = RdmaHostTierKeys({
        {"gpus", std::to_string(defaults.gpus), "number of GPUs, each a host"},
        {"gpus-per-server", std::to_string(defaults.gpusPerServer), "GPUs that share NVLink"},
        {"rails",
         defaults.rails ? std::to_string(defaults.rails) : "gpus-per-server",
         "GPU i of a server is on rail i, modulo this"},
        {"servers-per-segment", "all, up to 64", "servers that share leaves, one leaf per rail"},
        {"nvlink", defaults.nvlink ? "1" : "0", "1 adds an NVSwitch to each server"},
        {"nvlink-rate", defaults.nvlinkRate, "rate of a GPU's link to its NVSwitch"},
        {"nvlink-delay", "25ns", "delay of that link"},
        {"gpu-type", defaults.gpuType, "a word for SimAI's file format, with nvlink=1"},
    });
    keys.front().defaultValue = defaults.rate;
    return RdmaUplinkKeys(keys, "enough for 1:1");
}

} // namespace

std::vector<RdmaTopologyKind>
RdmaRailOptimizedTopologies()
{
    return {
        {"rail-optimized",
         "GPU i of each server on the leaf of rail i, leaves linked by spines; a NIC per GPU",
         RailKeys(SERVERS_OF_8),
         "rail-optimized:gpus=256,rate=400Gbps,servers-per-segment=16,nvlink=1",
         MakeRailOptimized},
        {"nvl72",
         "rail-optimized for NVLink domains of 72 GPUs (GB200 NVL72), each taken as a server",
         RailKeys(NVL72),
         "nvl72:gpus=288,servers-per-segment=2,oversubscription=2",
         MakeNvl72},
    };
}

} // namespace ns3

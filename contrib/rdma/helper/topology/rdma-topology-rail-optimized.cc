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

/** \return the links to NVSwitches; absent without nvlink=1 */
std::optional<RdmaTier>
ReadNvlink(InputSpec& spec, double errorRate)
{
    const bool nvlink = spec.Flag("nvlink", false);
    const RdmaTier tier = RdmaNvlinkTier(spec, errorRate);
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

/** GPU i of every server of a segment is on the segment's i-th leaf, the switch of rail i. */
RdmaTopology
MakeRailOptimized(InputSpec& spec)
{
    const RdmaTier tier = RdmaHostTier(spec);
    const uint64_t gpus = RdmaCountKey(spec, "gpus", 64);
    const uint64_t rails = RdmaCountKey(spec, "gpus-per-server", 8);
    if (gpus % rails != 0)
    {
        spec.FailValue("gpus", "a multiple of gpus-per-server, " + std::to_string(rails));
    }
    const uint64_t servers = gpus / rails;
    const uint64_t perSegment =
        RdmaCountKey(spec, "servers-per-segment", std::min(servers, SERVERS_PER_SEGMENT));
    const RdmaUplinks uplinks = RdmaReadUplinks(spec, tier, perSegment, perSegment);
    const std::optional<RdmaTier> nvlink = ReadNvlink(spec, tier.errorRate);
    const std::string gpuType = spec.Choice("gpu-type", "H100", RdmaGpuTypes());
    spec.Finish();

    const uint64_t leaves = (servers + perSegment - 1) / perSegment * rails;
    RdmaTopologyBuilder builder(spec,
                                {gpus,
                                 nvlink ? servers : 0,
                                 leaves + uplinks.spines,
                                 (nvlink ? 2 : 1) * gpus + uplinks.Count(leaves)});
    for (uint64_t gpu = 0; gpu < gpus; ++gpu)
    {
        const uint64_t server = gpu / rails;
        if (nvlink)
        {
            builder.Link(gpu, builder.Nvswitch(server), *nvlink);
        }
        builder.Link(gpu, builder.Switch(server / perSegment * rails + gpu % rails), tier);
    }
    RdmaLinkSpines(builder, leaves, uplinks);
    RdmaTopology topology = builder.Finish();
    topology.gpusPerServer = nvlink ? uint32_t(rails) : 0;
    topology.gpuType = nvlink ? gpuType : "";
    return topology;
}

} // namespace

RdmaTopologyKind
RdmaRailOptimizedTopology()
{
    return {
        "rail-optimized",
        "GPU i of each server on the leaf of rail i, leaves linked by spines; a NIC per GPU",
        RdmaUplinkKeys(RdmaHostTierKeys({
                           {"gpus", "64", "number of GPUs, each a host"},
                           {"gpus-per-server", "8", "also the number of rails"},
                           {"servers-per-segment",
                            "all, up to 64",
                            "servers that share leaves, one leaf per rail"},
                           {"nvlink", "0", "1 adds an NVSwitch to each server"},
                           {"nvlink-rate", "2880Gbps", "rate of a GPU's link to its NVSwitch"},
                           {"nvlink-delay", "25ns", "delay of that link"},
                           {"gpu-type", "H100", "a word for SimAI's file format, with nvlink=1"},
                       }),
                       "enough for 1:1"),
        "rail-optimized:gpus=256,rate=400Gbps,servers-per-segment=16,nvlink=1",
        MakeRailOptimized};
}

} // namespace ns3

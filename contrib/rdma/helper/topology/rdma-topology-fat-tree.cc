/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-topology-builder.h"

#include <optional>

namespace ns3
{

namespace
{

/** A three-tier fat-tree of k-port switches, of which \p pods out of k pods are there. */
struct FatTree
{
    uint64_t half{0}; ///< k / 2: hosts per edge switch, and edge and aggregation switches per pod
    uint64_t pods{0};
};

/** \return the fat-tree of the smallest switches that has exactly so many hosts */
std::optional<FatTree>
FitFatTree(uint64_t hosts)
{
    for (uint64_t half = 1; half * half <= hosts; ++half)
    {
        const uint64_t perPod = half * half;
        if (hosts % perPod == 0 && hosts / perPod <= 2 * half)
        {
            return FatTree{half, hosts / perPod};
        }
    }
    return std::nullopt;
}

FatTree
FitFatTreeOrFail(const InputSpec& spec, uint64_t hosts)
{
    const auto tree = FitFatTree(hosts);
    if (!tree)
    {
        uint64_t more = hosts + 1;
        while (!FitFatTree(more))
        {
            ++more;
        }
        spec.FailValue(
            "hosts",
            "a multiple of (k/2)^2, up to k times that, for an even k; the next one is " +
                std::to_string(more));
    }
    return *tree;
}

FatTree
ReadFatTree(InputSpec& spec)
{
    if (spec.Has("hosts") && (spec.Has("k") || spec.Has("pods")))
    {
        spec.Fail("hosts chooses k and pods; give hosts, or k with or without pods");
    }
    const uint64_t hosts = RdmaCountKey(spec, "hosts", 0);
    const uint64_t k = RdmaCountKey(spec, "k", 4, 2);
    const uint64_t pods = spec.Integer("pods", k, 1, k);
    if (k % 2 != 0)
    {
        spec.FailValue("k", "an even number, as half of the ports go up and half down");
    }
    return hosts ? FitFatTreeOrFail(spec, hosts) : FatTree{k / 2, pods};
}

RdmaTopology
MakeFatTree(InputSpec& spec)
{
    const RdmaTier tier = RdmaHostTier(spec);
    const RdmaTier uplink = RdmaNamedTier(spec, "uplink", tier);
    const auto [half, pods] = ReadFatTree(spec);
    spec.Finish();

    const uint64_t edges = pods * half; // and as many aggregation switches
    const uint64_t hosts = edges * half;
    RdmaTopologyBuilder builder(spec, {hosts, 0, 2 * edges + half * half, 3 * hosts});
    for (uint64_t host = 0; host < hosts; ++host)
    {
        builder.Link(host, builder.Switch(host / half), tier);
    }
    for (uint64_t edge = 0; edge < edges; ++edge)
    {
        const uint64_t firstOfPod = edges + edge / half * half;
        for (uint64_t i = 0; i < half; ++i)
        {
            builder.Link(builder.Switch(edge), builder.Switch(firstOfPod + i), uplink);
        }
    }
    for (uint64_t aggregation = 0; aggregation < edges; ++aggregation)
    {
        const uint64_t firstCore = 2 * edges + aggregation % half * half;
        for (uint64_t i = 0; i < half; ++i)
        {
            builder.Link(builder.Switch(edges + aggregation),
                         builder.Switch(firstCore + i),
                         uplink);
        }
    }
    return builder.Finish();
}

} // namespace

RdmaTopologyKind
RdmaFatTreeTopology()
{
    return {"fat-tree",
            "three tiers of k-port switches: (k/2)^2 hosts a pod, (k/2)^2 cores",
            RdmaHostTierKeys({
                {"uplink-rate", "rate", "rate of the links between switches"},
                {"uplink-delay", "delay", "delay of the links between switches"},
                {"hosts", "", "number of hosts: sets pods and k, the smallest"},
                {"k", "4", "ports of a switch, even"},
                {"pods", "k", "number of pods, 1 to k"},
            }),
            "fat-tree:hosts=64,rate=400Gbps",
            MakeFatTree};
}

} // namespace ns3

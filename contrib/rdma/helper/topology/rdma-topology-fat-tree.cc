/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-topology-builder.h"

#include "ns3/rdma-traffic-random.h"

#include <numeric>
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

/** Which links between switches are not there. */
struct FailedLinks
{
    uint64_t count{0};
    uint64_t seed{1}; ///< of the draw, all of them being equally likely
};

FailedLinks
ReadFailedLinks(InputSpec& spec)
{
    FailedLinks failed;
    failed.count = RdmaCountKey(spec, "failed-links", 0, 0);
    failed.seed = spec.Integer("failed-seed", 1, 0, UINT64_MAX);
    if (spec.Has("failed-seed") && !spec.Has("failed-links"))
    {
        spec.Fail("failed-seed has no effect without failed-links; add that, or leave it out");
    }
    return failed;
}

/** \return whether the first \p hosts nodes reach one another */
bool
AreConnected(const RdmaTopology& topology, uint64_t hosts)
{
    std::vector<uint32_t> parent(topology.nodes.size());
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&parent](uint32_t node) {
        while (parent[node] != node)
        {
            node = parent[node] = parent[parent[node]];
        }
        return node;
    };
    for (const RdmaLinkSpec& link : topology.links)
    {
        parent[root(link.a)] = root(link.b);
    }
    for (uint32_t host = 1; host < hosts; ++host)
    {
        if (root(host) != root(0))
        {
            return false;
        }
    }
    return true;
}

/** Takes links between switches out, those behind the first \p hosts ones. */
void
FailLinks(const InputSpec& spec, const FailedLinks& failed, uint64_t hosts, RdmaTopology& topology)
{
    std::vector<RdmaLinkSpec>& links = topology.links;
    if (failed.count > links.size() - hosts)
    {
        spec.FailValue("failed-links",
                       "at most the " + std::to_string(links.size() - hosts) +
                           " links between switches");
    }
    std::vector<bool> isDown(links.size());
    RdmaTrafficRandom random(failed.seed, 0);
    for (uint64_t left = failed.count; left > 0;)
    {
        const uint64_t at = hosts + random.Below(links.size() - hosts);
        left -= !isDown[at];
        isDown[at] = true;
    }
    std::vector<RdmaLinkSpec> kept;
    for (size_t i = 0; i < links.size(); ++i)
    {
        if (!isDown[i])
        {
            kept.push_back(links[i]);
        }
    }
    links.swap(kept);
    if (!AreConnected(topology, hosts))
    {
        spec.FailValue("failed-links",
                       "so few that all hosts still reach each other; take fewer, or another "
                       "failed-seed");
    }
}

RdmaTopology
MakeFatTree(InputSpec& spec)
{
    const RdmaTier tier = RdmaHostTier(spec);
    const RdmaTier uplink = RdmaNamedTier(spec, "uplink", tier);
    const auto [half, pods] = ReadFatTree(spec);
    const FailedLinks failed = ReadFailedLinks(spec);
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
    RdmaTopology topology = builder.Finish();
    FailLinks(spec, failed, hosts, topology);
    return topology;
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
                {"failed-links", "0", "links between switches that are not there, drawn"},
                {"failed-seed", "1", "another one draws other links"},
            }),
            "fat-tree:hosts=64,rate=400Gbps",
            MakeFatTree};
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-topology-leaf-spine.h"

#include <cmath>

namespace ns3
{

namespace
{

/** Oversubscription is down / (spines * linksPerPair * uplink rate), which gives the one not given.
 */
void
ApplyOversubscription(InputSpec& spec, double down, double ratio, RdmaUplinks& uplinks)
{
    const double links = double(uplinks.linksPerPair);
    if (!spec.Has("spines"))
    {
        const double spines = down / (links * double(uplinks.tier.rate.GetBitRate()) * ratio);
        const double whole = std::round(spines);
        if (whole < 1 || whole > double(RDMA_MAX_GENERATED_NODES) ||
            std::abs(spines - whole) > 1e-6 * whole)
        {
            spec.FailValue("oversubscription",
                           "a ratio that gives a whole number of spines, or with spines=, from "
                           "which the uplinks' rate follows");
        }
        uplinks.spines = uint64_t(whole);
        return;
    }
    if (spec.Has("uplink-rate"))
    {
        spec.Fail(
            "oversubscription follows from spines and uplink-rate; leave out one of the three");
    }
    const double rate = std::round(down / (double(uplinks.spines) * links * ratio));
    if (rate < 1 || rate > 1e18)
    {
        spec.FailValue("oversubscription", "a ratio that gives uplinks from 1 bit/s to 1e18 bit/s");
    }
    uplinks.tier.rate = DataRate(uint64_t(rate));
}

RdmaTopology
MakeLeafSpine(InputSpec& spec)
{
    const RdmaTier tier = RdmaHostTier(spec);
    const uint64_t leaves = RdmaCountKey(spec, "leaves", 8);
    const uint64_t hostsPerLeaf = RdmaCountKey(spec, "hosts-per-leaf", 8);
    const RdmaUplinks uplinks = RdmaReadUplinks(spec, tier, hostsPerLeaf, 8);
    spec.Finish();

    const uint64_t hosts = leaves * hostsPerLeaf;
    RdmaTopologyBuilder builder(spec,
                                {hosts, 0, leaves + uplinks.spines, hosts + uplinks.Count(leaves)});
    for (uint64_t host = 0; host < hosts; ++host)
    {
        builder.Link(host, builder.Switch(host / hostsPerLeaf), tier);
    }
    RdmaLinkSpines(builder, leaves, uplinks);
    return builder.Finish();
}

} // namespace

RdmaUplinks
RdmaReadUplinks(InputSpec& spec, const RdmaTier& host, uint64_t hostsPerLeaf, uint64_t spines)
{
    RdmaUplinks uplinks;
    uplinks.tier = RdmaNamedTier(spec, "uplink", host);
    uplinks.spines = RdmaCountKey(spec, "spines", spines);
    uplinks.linksPerPair = RdmaCountKey(spec, "links-per-pair", 1);
    if (spec.Has("oversubscription"))
    {
        ApplyOversubscription(spec,
                              double(hostsPerLeaf) * double(host.rate.GetBitRate()),
                              spec.Number("oversubscription", 1, 0.001, 1000),
                              uplinks);
    }
    return uplinks;
}

void
RdmaLinkSpines(RdmaTopologyBuilder& builder, uint64_t leaves, const RdmaUplinks& uplinks)
{
    for (uint64_t leaf = 0; leaf < leaves; ++leaf)
    {
        for (uint64_t spine = 0; spine < uplinks.spines; ++spine)
        {
            for (uint64_t i = 0; i < uplinks.linksPerPair; ++i)
            {
                builder.Link(builder.Switch(leaf), builder.Switch(leaves + spine), uplinks.tier);
            }
        }
    }
}

std::vector<RdmaTopologyKey>
RdmaUplinkKeys(std::vector<RdmaTopologyKey> more, const std::string& spines)
{
    const std::vector<RdmaTopologyKey> uplinks{
        {"uplink-rate", "rate", "rate of the links between leaves and spines"},
        {"uplink-delay", "delay", "delay of the links between leaves and spines"},
        {"spines", spines, "number of spine switches, each linked to all leaves"},
        {"links-per-pair", "1", "parallel links between a leaf and a spine"},
        {"oversubscription", "", "down over up rate of a leaf: sets spines or uplink-rate"},
    };
    more.insert(more.end(), uplinks.begin(), uplinks.end());
    return more;
}

RdmaTopologyKind
RdmaLeafSpineTopology()
{
    return {"leaf-spine",
            "two tiers, every leaf linked to every spine",
            RdmaUplinkKeys(RdmaHostTierKeys({
                               {"leaves", "8", "number of leaf switches"},
                               {"hosts-per-leaf", "8", "number of hosts at each"},
                           }),
                           "8"),
            "leaf-spine:leaves=4,hosts-per-leaf=16,oversubscription=2",
            MakeLeafSpine};
}

} // namespace ns3

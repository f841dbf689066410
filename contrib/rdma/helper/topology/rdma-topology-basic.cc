/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-topology-builder.h"

namespace ns3
{

namespace
{

RdmaTopology
MakeStar(InputSpec& spec)
{
    const RdmaTier tier = RdmaHostTier(spec);
    const uint64_t hosts = RdmaCountKey(spec, "hosts", 16);
    spec.Finish();

    RdmaTopologyBuilder builder(spec, {hosts, 0, 1, hosts});
    for (uint64_t host = 0; host < hosts; ++host)
    {
        builder.Link(host, builder.Switch(0), tier);
    }
    return builder.Finish();
}

RdmaTopology
MakeDumbbell(InputSpec& spec)
{
    const RdmaTier tier = RdmaHostTier(spec);
    const RdmaTier bottleneck = RdmaNamedTier(spec, "bottleneck", tier);
    const uint64_t left = RdmaCountKey(spec, "left", 2);
    const uint64_t right = RdmaCountKey(spec, "right", 2);
    spec.Finish();

    const uint64_t hosts = left + right;
    RdmaTopologyBuilder builder(spec, {hosts, 0, 2, hosts + 1});
    for (uint64_t host = 0; host < hosts; ++host)
    {
        builder.Link(host, builder.Switch(host < left ? 0 : 1), tier);
    }
    builder.Link(builder.Switch(0), builder.Switch(1), bottleneck);
    return builder.Finish();
}

/** Switches one after the other; \p closing is 1 if the last is linked to the first. */
RdmaTopology
MakeChain(InputSpec& spec, uint64_t leastSwitches, uint64_t closing)
{
    const RdmaTier tier = RdmaHostTier(spec);
    const RdmaTier uplink = RdmaNamedTier(spec, "uplink", tier);
    const uint64_t switches = RdmaCountKey(spec, "switches", 4, leastSwitches);
    const uint64_t perSwitch = RdmaCountKey(spec, "hosts-per-switch", 1);
    spec.Finish();

    const uint64_t hosts = switches * perSwitch;
    RdmaTopologyBuilder builder(spec, {hosts, 0, switches, hosts + switches - 1 + closing});
    for (uint64_t host = 0; host < hosts; ++host)
    {
        builder.Link(host, builder.Switch(host / perSwitch), tier);
    }
    for (uint64_t i = 0; i + 1 < switches; ++i)
    {
        builder.Link(builder.Switch(i), builder.Switch(i + 1), uplink);
    }
    if (closing)
    {
        builder.Link(builder.Switch(0), builder.Switch(switches - 1), uplink);
    }
    return builder.Finish();
}

RdmaTopology
MakeLine(InputSpec& spec)
{
    return MakeChain(spec, 1, 0);
}

RdmaTopology
MakeRing(InputSpec& spec)
{
    return MakeChain(spec, 3, 1);
}

std::vector<RdmaTopologyKey>
ChainKeys()
{
    return RdmaHostTierKeys({
        {"uplink-rate", "rate", "rate of the links between switches"},
        {"uplink-delay", "delay", "delay of the links between switches"},
        {"switches", "4", "number of switches"},
        {"hosts-per-switch", "1", "number of hosts at each"},
    });
}

} // namespace

std::vector<RdmaTopologyKind>
RdmaBasicTopologies()
{
    return {
        {"star",
         "hosts around one switch",
         RdmaHostTierKeys({{"hosts", "16", "number of hosts"}}),
         "star:hosts=16",
         MakeStar},
        {"dumbbell",
         "two switches with hosts, and one link between them",
         RdmaHostTierKeys({
             {"bottleneck-rate", "rate", "rate of the link between the switches"},
             {"bottleneck-delay", "delay", "delay of the link between the switches"},
             {"left", "2", "number of hosts at the first switch"},
             {"right", "2", "number of hosts at the second switch"},
         }),
         "dumbbell:left=4,right=4,bottleneck-rate=40Gbps",
         MakeDumbbell},
        {"line", "switches in a line, with hosts", ChainKeys(), "line:switches=3", MakeLine},
        {"ring",
         "at least 3 switches in a ring, with hosts",
         ChainKeys(),
         "ring:switches=4,hosts-per-switch=2",
         MakeRing},
    };
}

} // namespace ns3

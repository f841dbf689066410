/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-topology-builder.h"

namespace ns3
{

namespace
{

constexpr uint64_t MAX_PER_GROUP = 1024; //!< routers; also their links to others

/** A dragonfly: Kim et al., "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA 2008,
 * section 3; the names are the paper's. */
struct Dragonfly
{
    uint64_t p{0};      ///< hosts at a router
    uint64_t a{0};      ///< routers of a group
    uint64_t h{0};      ///< links of a router to other groups
    uint64_t groups{0}; ///< g

    uint64_t Routers() const
    {
        return a * groups;
    }

    /** \return links between two groups */
    uint64_t LinksPerPair() const
    {
        return a * h / (groups - 1);
    }

    /** The links of a group to others are numbered from 0, h to a router. They lead to all other
     * groups in ascending order, and again, until none is left.
     * \return the router that has the link of number \p turn to \p to */
    uint64_t RouterTowards(uint64_t from, uint64_t to, uint64_t turn) const
    {
        const uint64_t link = turn * (groups - 1) + (to < from ? to : to - 1);
        return from * a + link / h;
    }
};

Dragonfly
ReadDragonfly(InputSpec& spec)
{
    Dragonfly fly;
    fly.p = RdmaCountKey(spec, "p", 2);
    fly.a = spec.Integer("a", 4, 1, MAX_PER_GROUP);
    fly.h = spec.Integer("h", 2, 1, MAX_PER_GROUP);
    const uint64_t most = fly.a * fly.h + 1;
    fly.groups = spec.Integer("groups", most, 2, most);
    if (fly.a * fly.h % (fly.groups - 1) != 0)
    {
        spec.FailValue("groups",
                       "1 more than a divisor of a*h, " + std::to_string(fly.a * fly.h) +
                           ", so that each two groups have as many links");
    }
    return fly;
}

RdmaTopology
MakeDragonfly(InputSpec& spec)
{
    const RdmaTier tier = RdmaHostTier(spec);
    const RdmaTier local = RdmaNamedTier(spec, "local", tier);
    const RdmaTier global = RdmaNamedTier(spec, "global", tier);
    const Dragonfly fly = ReadDragonfly(spec);
    spec.Finish();

    const uint64_t hosts = fly.Routers() * fly.p;
    const uint64_t locals = fly.Routers() * (fly.a - 1) / 2;
    const uint64_t globals = fly.groups * (fly.groups - 1) / 2 * fly.LinksPerPair();
    RdmaTopologyBuilder builder(spec, {hosts, 0, fly.Routers(), hosts + locals + globals});
    for (uint64_t host = 0; host < hosts; ++host)
    {
        builder.Link(host, builder.Switch(host / fly.p), tier);
    }
    for (uint64_t first = 0; first < fly.Routers(); first += fly.a)
    {
        for (uint64_t i = 0; i < fly.a; ++i)
        {
            for (uint64_t j = i + 1; j < fly.a; ++j)
            {
                builder.Link(builder.Switch(first + i), builder.Switch(first + j), local);
            }
        }
    }
    for (uint64_t from = 0; from < fly.groups; ++from)
    {
        for (uint64_t to = from + 1; to < fly.groups; ++to)
        {
            for (uint64_t turn = 0; turn < fly.LinksPerPair(); ++turn)
            {
                builder.Link(builder.Switch(fly.RouterTowards(from, to, turn)),
                             builder.Switch(fly.RouterTowards(to, from, turn)),
                             global);
            }
        }
    }
    return builder.Finish();
}

} // namespace

RdmaTopologyKind
RdmaDragonflyTopology()
{
    return {"dragonfly",
            "groups of routers, each linked to all of its group, and groups to each other",
            RdmaHostTierKeys({
                {"local-rate", "rate", "rate of the links within a group"},
                {"local-delay", "delay", "delay of the links within a group"},
                {"global-rate", "rate", "rate of the links between groups"},
                {"global-delay", "delay", "delay of the links between groups"},
                {"p", "2", "number of hosts at a router"},
                {"a", "4", "number of routers in a group"},
                {"h", "2", "links of a router to other groups"},
                {"groups", "a*h+1", "number of groups: 1 more than a divisor of a*h"},
            }),
            "dragonfly:p=4,a=8,h=4,groups=9,rate=200Gbps,global-delay=500ns",
            MakeDragonfly};
}

} // namespace ns3

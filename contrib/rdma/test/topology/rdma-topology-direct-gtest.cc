/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/topology_probe.h"

#include "ns3/rdma-topology-generator.h"

#include <gtest/gtest.h>
#include <set>

// Torus, full mesh, dragonfly, NVLink domains, and fat-trees with failed links: all counts by hand.

using namespace ns3;
using namespace harness;

namespace
{

struct GridCase
{
    std::string spec;
    uint32_t switches;
    size_t links; //!< between switches
    uint32_t diameter;
    uint32_t from; //!< switches, numbered from 0
    uint32_t to;
    uint32_t distance;
    uint64_t ways;
};

void
ExpectGrid(const GridCase& c)
{
    SCOPED_TRACE(c.spec);
    const RdmaTopology topology = GenerateRdmaTopology(c.spec);
    const uint32_t hosts = topology.Count(RdmaNodeKind::HOST);
    EXPECT_EQ(hosts, 2 * c.switches);
    EXPECT_EQ(topology.Count(RdmaNodeKind::SWITCH), c.switches);
    EXPECT_EQ(topology.links.size(), hosts + c.links);
    EXPECT_EQ(SwitchDiameter(topology), c.diameter);
    const ShortestWays ways = WaysFrom(topology, hosts + c.from)[hosts + c.to];
    EXPECT_EQ(ways.links, c.distance);
    EXPECT_EQ(ways.count, c.ways);
    const std::vector<size_t> degrees = Degrees(topology);
    EXPECT_EQ(std::set<size_t>(degrees.begin() + hosts, degrees.end()).size(), 1U);
}

} // namespace

TEST(TopologyDirect, LinksSwitchesOfATorusInRings)
{
    // A ring of k > 2 switches has k links, and its farthest are k/2 apart. To (2,2) in 4x4 there
    // are two directions in each dimension, and 4!/(2!2!) = 6 orders of the four steps: 24 ways. In
    // 3x4x5, (1,2,2) is one step in one direction, two in two, and two in one: 2 * 5!/(1!2!2!)
    // = 60. A ring of two has one link: 2x3 is three of these and two rings of three.
    for (const GridCase& c :
         {GridCase{"torus:size=4x4,hosts-per-switch=2", 16, 32, 4, 0, 2 + 4 * 2, 4, 24},
          GridCase{"torus:size=3x4x5,hosts-per-switch=2", 60, 180, 5, 0, 1 + 3 * 2 + 12 * 2, 5, 60},
          GridCase{"torus:size=2x3,hosts-per-switch=2", 6, 3 + 6, 2, 0, 5, 2, 2},
          GridCase{"torus:size=5,hosts-per-switch=2", 5, 5, 2, 1, 4, 2, 1}})
    {
        ExpectGrid(c);
    }
}

TEST(TopologyDirect, LinksSwitchesOfAFullMeshWithAllOfTheirLines)
{
    // A line of k switches has k(k-1)/2 links: 8 lines of 6 in 4x4; 20 of 3, 15 of 6 and 12 of 10
    // in 3x4x5. One step for each coordinate that differs, in any order: 2!, 3! and 4! ways.
    for (const GridCase& c :
         {GridCase{"full-mesh:size=4x4,hosts-per-switch=2", 16, 48, 2, 0, 1 + 4 * 3, 2, 2},
          GridCase{"full-mesh:size=3x4x5,hosts-per-switch=2", 60, 60 + 90 + 120, 3, 0, 59, 3, 6},
          GridCase{"full-mesh:size=2x2x2x2,hosts-per-switch=2", 16, 32, 4, 0, 15, 4, 24},
          GridCase{"full-mesh:size=7,hosts-per-switch=2", 7, 21, 1, 2, 6, 1, 1}})
    {
        ExpectGrid(c);
    }
}

TEST(TopologyDirect, WritesASmallTorus)
{
    EXPECT_EQ(Written(GenerateRdmaTopology("torus:size=2x3,uplink-rate=1Gbps,uplink-delay=2us")),
              "12 6 15\n6 7 8 9 10 11\n"
              "0 6 100Gbps 1000ns 0\n1 7 100Gbps 1000ns 0\n2 8 100Gbps 1000ns 0\n"
              "3 9 100Gbps 1000ns 0\n4 10 100Gbps 1000ns 0\n5 11 100Gbps 1000ns 0\n"
              "6 7 1Gbps 2000ns 0\n8 9 1Gbps 2000ns 0\n10 11 1Gbps 2000ns 0\n"
              "6 8 1Gbps 2000ns 0\n8 10 1Gbps 2000ns 0\n10 6 1Gbps 2000ns 0\n"
              "7 9 1Gbps 2000ns 0\n9 11 1Gbps 2000ns 0\n11 7 1Gbps 2000ns 0\n");
    const std::string expected =
        "1 to 16 whole numbers from 2 on, such as 4x4x4, with a product of at most 1048576";
    for (const char* size :
         {"4x", "1x4", "x4", "4X4", "1024x1025", "-2", "2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2"})
    {
        EXPECT_EQ(SpecError(std::string("torus:size=") + size),
                  std::string("torus: size=") + size + ", but must be " + expected);
    }
}

TEST(TopologyDirect, LinksGroupsOfADragonfly)
{
    struct Case
    {
        std::string keys;
        uint32_t groups;
        uint32_t linksPerPair; //!< 8 links of each group, over the others
    };

    for (const Case& c : {Case{"", 9, 1}, Case{"groups=5", 5, 2}, Case{"groups=3", 3, 4}})
    {
        SCOPED_TRACE(c.keys);
        const RdmaTopology topology = GenerateRdmaTopology("dragonfly:p=2,a=4,h=2," + c.keys +
                                                           (c.keys.empty() ? "groups=9" : ""));
        const uint32_t routers = 4 * c.groups;
        const uint32_t hosts = 2 * routers;
        EXPECT_EQ(topology.Count(RdmaNodeKind::HOST), hosts);
        EXPECT_EQ(topology.Count(RdmaNodeKind::SWITCH), routers);
        EXPECT_EQ(topology.links.size(), hosts + 6 * c.groups + 8 * c.groups / 2);
        EXPECT_LE(SwitchDiameter(topology), 3U); // in the group, between groups, in the group
        const std::vector<size_t> degrees = Degrees(topology);
        EXPECT_EQ(std::set<size_t>(degrees.begin() + hosts, degrees.end()),
                  std::set<size_t>{2 + 3 + 2});
        std::multiset<std::pair<uint32_t, uint32_t>> pairs;
        for (const RdmaLinkSpec& link : topology.links)
        {
            const uint32_t a = (link.a - hosts) / 4;
            const uint32_t b = (link.b - hosts) / 4;
            if (link.a >= hosts && a != b)
            {
                pairs.emplace(a, b);
            }
        }
        for (uint32_t a = 0; a < c.groups; ++a)
        {
            for (uint32_t b = a + 1; b < c.groups; ++b)
            {
                EXPECT_EQ(pairs.count({a, b}), c.linksPerPair);
            }
        }
    }
    EXPECT_EQ(SpecError("dragonfly:groups=4"),
              "dragonfly: groups=4, but must be 1 more than a divisor of a*h, 8, so that each two "
              "groups have as many links");
}

TEST(TopologyDirect, RoutesThroughADragonflyByHops)
{
    // Of 9 groups of 4 routers, group 0 has its links to 3 and 4 at router 1, and these two have
    // theirs to groups 0 and 1 at their first routers, 12 and 16; group 1 has those to 3 and 4 at
    // router 5. So 1-12-5 and 1-16-5 take two links between groups; the one way that takes one,
    // 1-0-4-5, is longer.
    const RdmaTopology topology = GenerateRdmaTopology("dragonfly");
    const uint32_t first = 72;
    EXPECT_EQ(WaysFrom(topology, first + 1)[first + 12].links, 1U);
    EXPECT_EQ(WaysFrom(topology, first + 16)[first + 5].links, 1U);
    EXPECT_EQ(WaysFrom(topology, first)[first + 4].links, 1U);
    const ShortestWays ways = WaysFrom(topology, first + 1)[first + 5];
    EXPECT_EQ(ways.links, 2U);
    EXPECT_EQ(ways.count, 2U);
}

TEST(TopologyDirect, JoinsDomainsOf72ByRails)
{
    const RdmaTopology topology = GenerateRdmaTopology("nvl72:gpus=288,servers-per-segment=2");
    // 4 domains in 2 segments of 4 rails: 8 leaves of 2 * 72 / 4 = 36 GPUs, and so 36 spines.
    EXPECT_EQ(topology.Count(RdmaNodeKind::HOST), 288U);
    EXPECT_EQ(topology.Count(RdmaNodeKind::NVSWITCH), 4U);
    EXPECT_EQ(topology.Count(RdmaNodeKind::SWITCH), 8U + 36);
    EXPECT_EQ(topology.links.size(), 288U + 288 + 8 * 36);
    EXPECT_EQ(topology.gpusPerServer, 72U);
    EXPECT_EQ(topology.gpuType, "");
    // GPU 149 is the 6th of domain 2: rail 1 of the second segment, leaf 4 + 1.
    const RdmaLinkSpec& nvlink = topology.links[2 * 149];
    EXPECT_EQ(nvlink.b, 288U + 2);
    EXPECT_EQ(nvlink.rate, DataRate("7200Gbps")); // 1.8 TB/s in both directions, 8 bits a byte
    EXPECT_EQ(topology.links[2 * 149 + 1].b, 288U + 4 + 5);
    EXPECT_EQ(topology.links[2 * 149 + 1].rate, DataRate("400Gbps"));
    const auto [below, above] = RatesBelowAndAbove(topology, 288 + 4);
    EXPECT_EQ(below, above);
    EXPECT_EQ(SpecError("nvl72:rails=5"),
              "nvl72: rails=5, but must be a divisor of gpus-per-server, 72");
    EXPECT_EQ(Written(GenerateRdmaTopology("rail-optimized:gpus=16,rails=8")),
              Written(GenerateRdmaTopology("rail-optimized:gpus=16")));
}

TEST(TopologyDirect, LeavesFailedLinksOut)
{
    const RdmaTopology whole = GenerateRdmaTopology("fat-tree:k=4");
    const RdmaTopology failed = GenerateRdmaTopology("fat-tree:k=4,failed-links=3");
    EXPECT_EQ(whole.links.size(), 48U);
    EXPECT_EQ(failed.links.size(), 45U);
    EXPECT_EQ(failed.nodes, whole.nodes);
    EXPECT_EQ(Parts(failed), 1U);
    for (uint32_t host = 0; host < 16; ++host)
    {
        EXPECT_EQ(failed.links[host].a, host); // no link of a host fails
    }
    EXPECT_EQ(Written(GenerateRdmaTopology("fat-tree:k=4,failed-links=3,failed-seed=1")),
              Written(failed));
    EXPECT_NE(Written(GenerateRdmaTopology("fat-tree:k=4,failed-links=3,failed-seed=2")),
              Written(failed));
    EXPECT_EQ(Written(GenerateRdmaTopology("fat-tree:k=4,failed-links=0,failed-seed=2")),
              Written(whole));
    EXPECT_EQ(SpecError("fat-tree:failed-links=33"),
              "fat-tree: failed-links=33, but must be at most the 32 links between switches");
    // 8 edge switches need a link each, and 3 more joins for the 4 pods: 31 failures leave 1.
    EXPECT_EQ(SpecError("fat-tree:failed-links=31"),
              "fat-tree: failed-links=31, but must be so few that all hosts still reach each "
              "other; take fewer, or another failed-seed");
    EXPECT_EQ(SpecError("fat-tree:failed-seed=2"),
              "fat-tree: failed-seed has no effect without failed-links; add that, or leave it "
              "out");
}

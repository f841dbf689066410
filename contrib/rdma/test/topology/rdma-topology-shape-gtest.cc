/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/topology_probe.h"

#include "ns3/rdma-topology-generator.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

using namespace ns3;
using namespace harness;

TEST(TopologyShape, LinksStarDumbbellLineAndRing)
{
    EXPECT_EQ(Written(GenerateRdmaTopology("star:hosts=1,rate=25Gbps,delay=0.5us,error=0.01")),
              "2 1 1\n1\n0 1 25Gbps 500ns 0.01\n");
    EXPECT_EQ(Written(GenerateRdmaTopology(
                  "dumbbell:left=1,right=2,bottleneck-rate=40Gbps,bottleneck-delay=5us")),
              "5 2 4\n3 4\n0 3 100Gbps 1000ns 0\n1 4 100Gbps 1000ns 0\n2 4 100Gbps 1000ns 0\n"
              "3 4 40Gbps 5000ns 0\n");
    EXPECT_EQ(Written(GenerateRdmaTopology("line:switches=1,hosts-per-switch=1")),
              "2 1 1\n1\n0 1 100Gbps 1000ns 0\n");
    EXPECT_EQ(Written(GenerateRdmaTopology("ring:switches=3,uplink-rate=1Gbps")),
              "6 3 6\n3 4 5\n0 3 100Gbps 1000ns 0\n1 4 100Gbps 1000ns 0\n2 5 100Gbps 1000ns 0\n"
              "3 4 1Gbps 1000ns 0\n4 5 1Gbps 1000ns 0\n3 5 1Gbps 1000ns 0\n");
}

TEST(TopologyShape, OversubscribesLeavesAsAsked)
{
    // 16 hosts of 100G under a leaf, 2:1: 800G up, which is 8 spines at 100G or 4 at 200G.
    struct Case
    {
        std::string keys;
        uint32_t spines;
        uint64_t uplinkGbps;
    };

    for (const Case& c : {Case{"oversubscription=2", 8, 100},
                          Case{"oversubscription=2,uplink-rate=200Gbps", 4, 200},
                          Case{"oversubscription=2,spines=4", 4, 200},
                          Case{"oversubscription=2,spines=2,links-per-pair=4", 2, 100},
                          Case{"spines=4,uplink-rate=200Gbps", 4, 200}})
    {
        SCOPED_TRACE(c.keys);
        const RdmaTopology topology =
            GenerateRdmaTopology("leaf-spine:leaves=2,hosts-per-leaf=16," + c.keys);
        EXPECT_EQ(topology.Count(RdmaNodeKind::SWITCH), 2 + c.spines);
        EXPECT_EQ(topology.links.back().rate, DataRate(c.uplinkGbps * 1'000'000'000));
        for (uint32_t leaf : {32, 33})
        {
            const auto [below, above] = RatesBelowAndAbove(topology, leaf);
            EXPECT_EQ(below, 1'600'000'000'000u);
            EXPECT_EQ(above, 800'000'000'000u);
        }
    }
    EXPECT_EQ(SpecError("leaf-spine:oversubscription=3"),
              "leaf-spine: oversubscription=3, but must be a ratio that gives a whole number of "
              "spines, or with spines=, from which the uplinks' rate follows");
    EXPECT_EQ(SpecError("leaf-spine:oversubscription=1,spines=8,uplink-rate=1Gbps"),
              "leaf-spine: oversubscription follows from spines and uplink-rate; leave out one of "
              "the three");
}

TEST(TopologyShape, MakesFatTreesOfTheRightSize)
{
    struct Case
    {
        std::string keys;
        uint32_t k;
        uint32_t pods;
    };

    for (const Case& c : {Case{"k=4", 4, 4},
                          Case{"k=2", 2, 2},
                          Case{"k=8,pods=3", 8, 3},
                          Case{"hosts=16", 4, 4},
                          Case{"hosts=64", 8, 4},
                          Case{"hosts=1024", 16, 16},
                          Case{"hosts=4096", 32, 16},
                          Case{"hosts=16384", 64, 16}})
    {
        SCOPED_TRACE(c.keys);
        const uint32_t half = c.k / 2;
        const uint32_t hosts = c.pods * half * half;
        const RdmaTopology topology = GenerateRdmaTopology("fat-tree:" + c.keys);
        EXPECT_EQ(topology.Count(RdmaNodeKind::HOST), hosts);
        EXPECT_EQ(topology.Count(RdmaNodeKind::SWITCH), c.pods * c.k + half * half);
        EXPECT_EQ(topology.links.size(), 3 * hosts);
        EXPECT_EQ(Parts(topology), 1u);
        const std::vector<size_t> degrees = Degrees(topology);
        for (uint32_t node = 0; node < topology.nodes.size(); ++node)
        {
            // A host has one port, a switch of a pod k, and a core one for each pod.
            const bool core = node >= hosts + c.pods * c.k;
            ASSERT_EQ(degrees[node], node < hosts ? 1 : core ? c.pods : c.k) << node;
        }
    }
    EXPECT_EQ(SpecError("fat-tree:hosts=17"),
              "fat-tree: hosts=17, but must be a multiple of (k/2)^2, up to k times that, for "
              "an even k; the next one is 18"); // k=6: 9 hosts a pod, 2 pods
    EXPECT_EQ(SpecError("fat-tree:k=5"),
              "fat-tree: k=5, but must be an even number, as half of the ports go up and half "
              "down");
    EXPECT_EQ(SpecError("fat-tree:k=4,pods=5"),
              "fat-tree: pods=5, but must be a whole number from 1 to 4");
    EXPECT_EQ(SpecError("fat-tree:hosts=16,k=4"),
              "fat-tree: hosts chooses k and pods; give hosts, or k with or without pods");
}

TEST(TopologyShape, LinksEachCoreOfAFatTreeToEachPodOnce)
{
    const RdmaTopology topology = GenerateRdmaTopology("fat-tree:k=6");
    const uint32_t hosts = 54;
    const uint32_t aggregations = hosts + 18; // 6 pods of 3 edge switches come before
    const uint32_t cores = aggregations + 18;
    std::set<std::pair<uint32_t, uint32_t>> podsOfCores;
    for (const RdmaLinkSpec& link : topology.links)
    {
        if (link.b >= cores)
        {
            EXPECT_TRUE(podsOfCores.emplace(link.b, (link.a - aggregations) / 3).second);
        }
    }
    EXPECT_EQ(podsOfCores.size(), 9u * 6);
}

TEST(TopologyShape, GeneratesALargeFatTree)
{
    const RdmaTopology topology = GenerateRdmaTopology("fat-tree:hosts=16384,rate=400Gbps");
    EXPECT_EQ(topology.links.size(), 3u * 16384);
}

TEST(TopologyShape, PutsEachGpuOnItsRail)
{
    const RdmaTopology topology =
        GenerateRdmaTopology("rail-optimized:gpus=48,gpus-per-server=4,servers-per-segment=8");
    // 12 servers, segments of 8 and 4 servers, 4 rails: 8 leaves; 8 spines for 8 GPUs below a leaf.
    EXPECT_EQ(topology.Count(RdmaNodeKind::HOST), 48u);
    EXPECT_EQ(topology.Count(RdmaNodeKind::NVSWITCH), 0u);
    EXPECT_EQ(topology.Count(RdmaNodeKind::SWITCH), 8u + 8);
    EXPECT_EQ(topology.links.size(), 48u + 8 * 8);
    EXPECT_EQ(topology.gpusPerServer, 0u); // and so HPCC's file format
    for (uint32_t gpu = 0; gpu < 48; ++gpu)
    {
        EXPECT_EQ(topology.links[gpu].a, gpu);
        EXPECT_EQ(topology.links[gpu].b, 48 + (gpu < 32 ? 0 : 4) + gpu % 4);
    }
    const auto [below, above] = RatesBelowAndAbove(topology, 48);
    EXPECT_EQ(below, above);
}

TEST(TopologyShape, AddsNvswitches)
{
    const RdmaTopology topology = GenerateRdmaTopology(
        "rail-optimized:gpus=8,gpus-per-server=4,nvlink=1,nvlink-rate=900Gbps,error=0.5");
    EXPECT_EQ(topology.Count(RdmaNodeKind::NVSWITCH), 2u);
    EXPECT_EQ(topology.gpusPerServer, 4u);
    EXPECT_EQ(topology.gpuType, "H100");
    // GPU 5 is on the second NVSwitch, node 9; its NIC is on the leaf of rail 1, node 11.
    const RdmaLinkSpec& nvlink = topology.links[10];
    EXPECT_EQ(nvlink.a, 5u);
    EXPECT_EQ(nvlink.b, 9u);
    EXPECT_EQ(nvlink.rate, DataRate("900Gbps"));
    EXPECT_EQ(nvlink.delay, NanoSeconds(25));
    EXPECT_EQ(nvlink.errorRate, 0.5);
    EXPECT_EQ(topology.links[11].b, 11u);
    EXPECT_EQ(SpecError("rail-optimized:nvlink-delay=1ns"),
              "rail-optimized: nvlink-delay has no effect without nvlink=1; add that, or leave it "
              "out");
}

TEST(TopologyShape, KeepsPlanesApart)
{
    // Without the GPUs, two planes have nothing in common.
    RdmaTopology topology = GenerateRdmaTopology("alibaba-hpn:gpus=256,planes=2,spines=4");
    const uint32_t first =
        topology.Count(RdmaNodeKind::HOST) + topology.Count(RdmaNodeKind::NVSWITCH);
    const auto toGpu = [&](const RdmaLinkSpec& link) { return link.a < first; };
    topology.links.erase(std::remove_if(topology.links.begin(), topology.links.end(), toGpu),
                         topology.links.end());
    EXPECT_EQ(Parts(topology) - first, 2u);
}

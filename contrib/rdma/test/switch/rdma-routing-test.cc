/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/boolean.h"
#include "ns3/rdma-topology-generator.h"

#include <set>

using namespace ns3;

namespace
{

constexpr uint32_t PORTS = 10000 | 100 << 16; // source and destination port of a first flow

uint32_t
NodeBehind(const RdmaPort* port)
{
    return port->GetPeer().GetOwner().GetRdmaId();
}

RDMA_TEST(RdmaRoutingAddresses, "addresses of hosts, there and back")
{
    NS_TEST_EXPECT_MSG_EQ(RdmaRouting::AddressOf(0), 0x0b000001, "11.0.0.1");
    NS_TEST_EXPECT_MSG_EQ(RdmaRouting::AddressOf(41), 0x0b002901, "41 = 0x29");
    NS_TEST_EXPECT_MSG_EQ(RdmaRouting::AddressOf(515), 0x0b020301, "515 = 2 * 256 + 3");
    RdmaTestNetwork net(RdmaTestStar(3));
    RdmaRouting& routing = net.network->GetRouting();
    NS_TEST_EXPECT_MSG_EQ(routing.NodeOf(0x0b000201), 2, "host 2");
    NS_TEST_EXPECT_MSG_EQ(routing.NodeOf(0x0b000301), UINT32_MAX, "a switch");
    NS_TEST_EXPECT_MSG_EQ(routing.NodeOf(0x0b000401), UINT32_MAX, "no node");
    NS_TEST_EXPECT_MSG_EQ(routing.NodeOf(0x0b000202), UINT32_MAX, "no address");
    NS_TEST_EXPECT_MSG_EQ(routing.NodeOf(0x0a000001), UINT32_MAX, "below");
}

/** Section 4 of the behaviour facts: verified in two simulators by packet trace. */
struct HashVector
{
    uint32_t source;
    uint32_t destination;
    uint32_t ports;
    uint32_t node;
    uint32_t hash;
    uint32_t index;
    uint32_t spine;
};

RDMA_TEST(RdmaRoutingHash, "hashes and spines as traced in public simulators")
{
    // 64 hosts, leaves 64 to 71, spines 72 to 79
    RdmaTestNetwork net(GenerateRdmaTopology("leaf-spine:leaves=8,hosts-per-leaf=8,spines=8"));
    RdmaRouting& routing = net.network->GetRouting();
    const uint32_t back = 100 | 10000 << 16;
    for (const HashVector& v : {HashVector{0, 41, PORTS, 64, 0x85f96705, 5, 74},
                                {1, 47, PORTS, 64, 0x0ced0466, 6, 73},
                                {0, 8, PORTS, 64, 0xa0d933f9, 1, 78},
                                {8, 16, PORTS, 65, 0xe15b16bc, 4, 75},
                                {56, 0, PORTS, 71, 0xaef1ce4e, 6, 73},
                                {63, 7, PORTS, 71, 0xb5d24508, 0, 79},
                                {41, 0, back, 69, 0x1b3e9140, 0, 79}})
    {
        const RdmaTuple tuple{RdmaRouting::AddressOf(v.source),
                              RdmaRouting::AddressOf(v.destination),
                              v.ports};
        NS_TEST_EXPECT_MSG_EQ(RdmaRouting::EcmpHash(tuple, v.node), v.hash, "hash");
        NS_TEST_EXPECT_MSG_EQ(v.hash % 8, v.index, "index among eight candidates");
        NS_TEST_EXPECT_MSG_EQ(NodeBehind(routing.NextPort(v.node, v.destination, tuple)),
                              v.spine,
                              v.source << " to " << v.destination);
        const auto route = routing.FindRoute(v.source, v.destination, tuple);
        RDMA_TEST_REQUIRE(EQ, route.size(), 4, "host, leaf, spine, leaf");
        NS_TEST_EXPECT_MSG_EQ(NodeBehind(route[1]), v.spine, "the route takes it");
        NS_TEST_EXPECT_MSG_EQ(NodeBehind(route[3]), v.destination, "and ends there");
    }
}

RDMA_TEST(RdmaRoutingOrder, "candidates come in descending order: 79, 78, ..., 72")
{
    RdmaTestNetwork net(GenerateRdmaTopology("leaf-spine:leaves=8,hosts-per-leaf=8,spines=8"));
    RdmaRouting& routing = net.network->GetRouting();
    std::set<uint32_t> used;
    for (uint32_t sport = 10000; sport < 10200; ++sport)
    {
        for (uint32_t leaf = 64; leaf < 72; ++leaf)
        {
            const uint32_t src = (leaf - 64) * 8;
            const uint32_t dst = (src + 13) % 64; // never at the same leaf
            const RdmaTuple tuple{RdmaRouting::AddressOf(src),
                                  RdmaRouting::AddressOf(dst),
                                  sport | 100 << 16};
            const uint32_t spine = NodeBehind(routing.NextPort(leaf, dst, tuple));
            NS_TEST_EXPECT_MSG_EQ(spine, 79 - RdmaRouting::EcmpHash(tuple, leaf) % 8, "spine");
            used.insert(spine);
        }
    }
    NS_TEST_EXPECT_MSG_EQ(used.size(), 8, "all of them are chosen by somebody");
}

RDMA_TEST(RdmaRoutingPathProperties, "round-trip times and bandwidth-delay products")
{
    // One switch: 2 links, so 2 * 2 * 1000 + 2 * floor(1000 * 8 / 100) = 4160 ns, and that times
    // 100 Gb/s / 8 = 52000 B. Two: 2 * 3 * 1000 + 3 * 80 = 6240, 78000. Three: 8320, 104000.
    for (uint32_t switches = 1; switches <= 3; ++switches)
    {
        RdmaTopology chain;
        chain.nodes = {RdmaNodeKind::HOST, RdmaNodeKind::HOST};
        for (uint32_t i = 0; i < switches; ++i)
        {
            chain.nodes.push_back(RdmaNodeKind::SWITCH);
            chain.links.push_back(RdmaTestLink(i ? 1 + i : 0, 2 + i));
        }
        chain.links.push_back(RdmaTestLink(1 + switches, 1));
        RdmaTestNetwork net(chain);
        const RdmaPathProperties facts = net.network->GetRouting().GetPathProperties(0, 1);
        NS_TEST_EXPECT_MSG_EQ(facts.reachable, true, "connected");
        NS_TEST_EXPECT_MSG_EQ(facts.GetRttNs(), 2080 * (switches + 1), "round trip");
        NS_TEST_EXPECT_MSG_EQ(facts.GetBdp(), 26000 * (switches + 1), "product");
        NS_TEST_EXPECT_MSG_EQ(facts.rate, 100000000000, "slowest link");
        int64_t rtt;
        uint64_t bdp;
        net.network->GetRouting().GetLargest(rtt, bdp);
        NS_TEST_EXPECT_MSG_EQ(rtt, 2080 * (switches + 1), "of the only pair");
        NS_TEST_EXPECT_MSG_EQ(bdp, 26000 * (switches + 1), "of the only pair");
        NS_TEST_EXPECT_MSG_EQ(net.network->GetRouting().GetPathProperties(0, 0).reachable,
                              false,
                              "itself");
        Simulator::Destroy();
    }
    // Links of 100, 25 and 400 Gb/s: 80 + 320 + 20 = 420 ns; 2 * 3000 + 420 = 6420 ns at 25 Gb/s:
    // 20062 B
    RdmaTopology mixed;
    mixed.nodes = {RdmaNodeKind::HOST,
                   RdmaNodeKind::HOST,
                   RdmaNodeKind::SWITCH,
                   RdmaNodeKind::SWITCH};
    mixed.links = {RdmaTestLink(0, 2), RdmaTestLink(2, 3), RdmaTestLink(3, 1)};
    mixed.links[1].rate = DataRate("25Gbps");
    mixed.links[2].rate = DataRate("400Gbps");
    RdmaTestNetwork net(mixed);
    const RdmaPathProperties facts = net.network->GetRouting().GetPathProperties(0, 1);
    NS_TEST_EXPECT_MSG_EQ(facts.GetRttNs(), 6420, "round trip");
    NS_TEST_EXPECT_MSG_EQ(facts.GetBdp(), 20062, "6420 * 25 / 8 = 20062.5");
}

RDMA_TEST(RdmaRoutingParallel, "parallel links: all of them, or only the last")
{
    RdmaTopology topology;
    topology.nodes = {RdmaNodeKind::HOST,
                      RdmaNodeKind::HOST,
                      RdmaNodeKind::SWITCH,
                      RdmaNodeKind::SWITCH};
    topology.links = {RdmaTestLink(0, 2),
                      RdmaTestLink(2, 3),
                      RdmaTestLink(2, 3),
                      RdmaTestLink(2, 3),
                      RdmaTestLink(3, 1)};
    for (const bool collapse : {false, true})
    {
        RdmaTestNetwork net(topology, [collapse](RdmaHelper& helper) {
            helper.SetNetworkAttribute("CollapseParallelLinks", BooleanValue(collapse));
        });
        std::set<uint32_t> used;
        for (uint32_t sport = 10000; sport < 10050; ++sport)
        {
            const RdmaTuple tuple{RdmaRouting::AddressOf(0),
                                  RdmaRouting::AddressOf(1),
                                  sport | 100 << 16};
            used.insert(net.network->GetRouting().NextPort(2, 1, tuple)->GetIndex());
        }
        // ports of node 2: 0 to the host, 1 to 3 to the other switch
        NS_TEST_EXPECT_MSG_EQ(
            (used == (collapse ? std::set<uint32_t>{3} : std::set<uint32_t>{1, 2, 3})),
            true,
            "collapse " << collapse);
        if (collapse)
        {
            // the last link stands for all, even if it is down
            net.network->SetLinkUp(3, false);
            NS_TEST_EXPECT_MSG_EQ(net.network->GetRouting().GetPathProperties(0, 1).reachable,
                                  false,
                                  "down");
        }
        Simulator::Destroy();
    }
}

RDMA_TEST(RdmaRoutingNvSwitch, "an NVSwitch is preferred to other ways of the same length")
{
    for (const bool inServer : {true, false})
    {
        RdmaTopology topology;
        topology.nodes = {RdmaNodeKind::HOST,
                          RdmaNodeKind::HOST,
                          inServer ? RdmaNodeKind::NVSWITCH : RdmaNodeKind::SWITCH,
                          RdmaNodeKind::SWITCH};
        topology.links = {RdmaTestLink(0, 2),
                          RdmaTestLink(1, 2),
                          RdmaTestLink(0, 3),
                          RdmaTestLink(1, 3)};
        RdmaTestNetwork net(topology);
        std::set<uint32_t> used;
        for (uint32_t sport = 10000; sport < 10050; ++sport)
        {
            const RdmaTuple tuple{RdmaRouting::AddressOf(0),
                                  RdmaRouting::AddressOf(1),
                                  sport | 100 << 16};
            const auto route = net.network->GetRouting().FindRoute(0, 1, tuple);
            RDMA_TEST_REQUIRE(EQ, route.size(), 2, "one switch");
            used.insert(NodeBehind(route[0]));
        }
        NS_TEST_EXPECT_MSG_EQ(
            (used == (inServer ? std::set<uint32_t>{2} : std::set<uint32_t>{2, 3})),
            true,
            "NVSwitch " << inServer);
        Simulator::Destroy();
    }
}

RDMA_TEST(RdmaRoutingUnreachable, "without a way there is no route, and hosts are no way")
{
    RdmaTopology topology; // 0 - switch 3 - 1 - switch 4 - 2
    topology.nodes = {RdmaNodeKind::HOST,
                      RdmaNodeKind::HOST,
                      RdmaNodeKind::HOST,
                      RdmaNodeKind::SWITCH,
                      RdmaNodeKind::SWITCH};
    topology.links = {RdmaTestLink(0, 3),
                      RdmaTestLink(1, 3),
                      RdmaTestLink(1, 4),
                      RdmaTestLink(2, 4)};
    RdmaTestNetwork net(topology);
    RdmaRouting& routing = net.network->GetRouting();
    const RdmaTuple tuple{1, 2, 3};
    NS_TEST_EXPECT_MSG_EQ(routing.FindRoute(0, 2, tuple).size(), 0, "only through host 1");
    NS_TEST_EXPECT_MSG_EQ(routing.GetPathProperties(0, 2).reachable, false, "so it is unreachable");
    NS_TEST_EXPECT_MSG_EQ(routing.FindRoute(0, 1, tuple).size(), 2, "1 itself is reachable");
    NS_TEST_EXPECT_MSG_EQ(routing.FindRoute(2, 1, tuple).size(), 2, "from both sides");
}

RdmaTestSuite<RdmaRoutingAddresses,
              RdmaRoutingHash,
              RdmaRoutingOrder,
              RdmaRoutingPathProperties,
              RdmaRoutingParallel,
              RdmaRoutingNvSwitch,
              RdmaRoutingUnreachable>
    g_rdmaRoutingSuite("rdma-routing");

} // namespace

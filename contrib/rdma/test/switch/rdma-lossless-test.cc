/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/sanitized.h"
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/rdma-fct-writer.h"
#include "ns3/rdma-loss-warnings.h"
#include "ns3/rdma-standalone.h"
#include "ns3/uinteger.h"

#include <array>
#include <random>
#include <string>

using namespace ns3;

namespace
{

// With the defaults of RdmaHelper and PFC no frame is lost to a full buffer, whatever the network;
// and no flow is faster than alone.

constexpr uint64_t SEEDS = harness::IsSanitized() ? 12 : 60;

RDMA_TEST(RdmaLosslessHeadroom, "a headroom by hand")
{
    // 100 Gb/s, 1 us. The largest frame is an ordinary packet, 1500 + 14 B, more than the 1090 B of
    // a full data frame with INT; it takes 121.12 ns, and the eight pauses of 43 B take 8 * 3.44
    // ns: cut to whole nanoseconds, as HPCC does, 121 and 24. In 2 * 1000 + 121 + 24 = 2145 ns
    // begin 18 frames (17.7); the frame that triggered the pause and the one under way are two
    // more.
    const RdmaTestNetwork net(RdmaTestStar(3));
    const auto& sw = dynamic_cast<const RdmaSwitch&>(net.network->GetRdmaNode(3));
    NS_TEST_EXPECT_MSG_EQ(sw.GetHeadroomNeed(net.Port(3)), 20 * 1514, "(18 + 2) frames");
    NS_TEST_EXPECT_MSG_EQ(sw.GetBuffer().GetPortHeadroom(0), 20 * 1514, "is given");
    NS_TEST_EXPECT_MSG_EQ(RdmaBufferWarnings(*net.network).size(), 0, "is enough");
}

RDMA_TEST(RdmaLosslessHpcc,
          "HPCC's headroom is too small for short links, which is said before and after")
{
    // In 10 ns a link of 100 Gb/s carries 125 B: 375 B of headroom hold no frame.
    RdmaTopology topology = RdmaTestStar(5);
    for (RdmaLinkSpec& link : topology.links)
    {
        link.delay = NanoSeconds(10);
    }
    RdmaTestNetwork net(topology, [](RdmaHelper& helper) {
        helper.SetSwitchAttribute("HeadroomFactor", DoubleValue(3));
        helper.SetSwitchAttribute("BufferSize", UintegerValue(400000));
    });
    const std::vector<std::string> before = RdmaBufferWarnings(*net.network);
    RDMA_TEST_REQUIRE(EQ, before.size(), 1, "of the headroom");
    NS_TEST_EXPECT_MSG_NE(before[0].find("5 switch ports"), std::string::npos, before[0]);
    NS_TEST_EXPECT_MSG_NE(before[0].find("has 375 of"), std::string::npos, before[0]);
    NS_TEST_EXPECT_MSG_EQ(RdmaLossWarnings(*net.network).size(), 0, "nothing is lost yet");
    for (uint32_t host = 0; host < 4; ++host)
    {
        net.Flow(host, 4, 300000);
    }
    net.Run(100000000);
    NS_TEST_EXPECT_MSG_GT(net.Counters().bufferDrops, 0, "frames are lost");
    const std::vector<std::string> after = RdmaLossWarnings(*net.network);
    RDMA_TEST_REQUIRE(EQ, after.size(), 1, "which is said");
    NS_TEST_EXPECT_MSG_EQ(after[0].find(std::to_string(net.Counters().bufferDrops) + " frames"),
                          0,
                          after[0]);
    NS_TEST_EXPECT_MSG_NE(after[0].find("at node 5 from node "), std::string::npos, after[0]);
}

/** Networks without loops: a star, a leaf-spine, or hosts on two switches each (dual ToR). */
RdmaTopology
DrawTopology(std::mt19937& random, uint32_t& hosts)
{
    hosts = 4 + random() % 5;
    const uint32_t kind = random() % 3;
    const uint32_t leaves = kind == 0 ? 1 : 2;
    RdmaTopology topology;
    topology.nodes.assign(hosts, RdmaNodeKind::HOST);
    topology.nodes.resize(hosts + leaves + (kind == 1 ? 2 : 0), RdmaNodeKind::SWITCH);
    const bool alike = random() % 2; // else each link has a rate and a delay of its own
    const uint64_t rates[] = {10, 25, 40, 100, 200, 400};
    const int64_t delays[] = {10, 100, 700, 1000, 5000};
    uint64_t rate = rates[random() % 6];
    int64_t delay = delays[random() % 5];
    const auto connect = [&](uint32_t a, uint32_t b) {
        rate = alike ? rate : rates[random() % 6];
        delay = alike ? delay : delays[random() % 5];
        topology.links.push_back({a, b, DataRate(rate * 1000000000), NanoSeconds(delay)});
    };
    for (uint32_t host = 0; host < hosts; ++host)
    {
        connect(host, hosts + host % leaves);
        if (kind == 2)
        {
            connect(host, hosts + 1 - host % leaves);
        }
    }
    for (uint32_t spine = 0; kind == 1 && spine < 2; ++spine)
    {
        connect(hosts, hosts + 2 + spine);
        connect(hosts + 1, hosts + 2 + spine);
    }
    return topology;
}

RDMA_TEST(RdmaLosslessRandom, "with the defaults nothing is lost, whatever the network")
{
    uint64_t pauses = 0;
    for (uint64_t seed = 0; seed < SEEDS; ++seed)
    {
        std::mt19937 random(static_cast<uint32_t>(seed));
        uint32_t hosts = 0;
        const RdmaTopology topology = DrawTopology(random, hosts);
        const char* const controls[] = {"",
                                        "",
                                        "ns3::RdmaHpcc",
                                        "ns3::RdmaDcqcn",
                                        "ns3::RdmaTimely",
                                        "ns3::RdmaDctcp",
                                        "ns3::RdmaSwift"};
        const std::string control = controls[random() % 7];
        const uint32_t payload = std::array<uint32_t, 3>{1000, 4096, 9000}[random() % 3];
        const uint64_t buffer =
            std::array<uint64_t, 4>{100000, 1000000, 3000000, 32 << 20}[random() % 4];
        const bool onePriority = random() % 2;
        {
            RdmaTestNetwork net(topology, [&](RdmaHelper& helper) {
                helper.SetNetworkAttribute("Timing", StringValue("exact"));
                helper.SetCongestionControl(control);
                helper.SetHostAttribute("PayloadSize", UintegerValue(payload));
                helper.SetSwitchAttribute("BufferSize", UintegerValue(buffer));
            });
            uint64_t completed = 0;
            const uint32_t target = random() % hosts;
            for (uint32_t i = 0; i < 3 * hosts; ++i)
            {
                RdmaFlow flow;
                flow.src = random() % hosts;
                flow.dst = random() % 3 ? target : random() % hosts;
                flow.bytes = random() % 400000;
                flow.priority = onePriority ? 3 : static_cast<uint8_t>(1 + random() % 7);
                if (flow.src == flow.dst)
                {
                    continue;
                }
                ++completed;
                flow.onEnd = [&](const RdmaQueuePair& qp) {
                    completed -= qp.GetState() == RdmaFlowState::COMPLETED;
                    NS_TEST_EXPECT_MSG_GT_OR_EQ(RdmaFctNs(*net.network, qp),
                                                RdmaStandaloneNs(qp),
                                                "seed " << seed << ": faster than alone");
                };
                net.network->StartFlow(flow);
            }
            net.Run();
            NS_TEST_EXPECT_MSG_EQ(net.Counters().bufferDrops, 0, "seed " << seed);
            NS_TEST_EXPECT_MSG_EQ(completed, 0, "seed " << seed << ": flows left");
            pauses += net.Counters().pauses;
        }
        Simulator::Destroy();
    }
    NS_TEST_EXPECT_MSG_GT(pauses, SEEDS * 150, "many of them pause");
}

RDMA_TEST(RdmaLosslessAlone, "a flow alone takes as long as is said, to the nanosecond")
{
    for (uint64_t seed = 0; seed < SEEDS; ++seed)
    {
        std::mt19937 random(static_cast<uint32_t>(seed));
        uint32_t hosts = 0;
        const RdmaTopology topology = DrawTopology(random, hosts);
        const std::string timing = random() % 2 ? "exact" : "hpcc";
        {
            RdmaTestNetwork net(topology, [&](RdmaHelper& helper) {
                helper.SetNetworkAttribute("Timing", StringValue(timing));
            });
            // nothing; a byte; a full packet; one byte more; many, the last of them short or full
            for (const uint64_t bytes : {0, 1, 1000, 1001, 47001, 300000})
            {
                uint64_t took = 0;
                uint64_t alone = 0;
                RdmaFlow flow;
                flow.dst = 1 + random() % (hosts - 1);
                flow.bytes = bytes;
                flow.onEnd = [&](const RdmaQueuePair& qp) {
                    took = RdmaFctNs(*net.network, qp);
                    alone = RdmaStandaloneNs(qp);
                };
                net.network->StartFlow(flow);
                net.Run(10000000);
                NS_TEST_EXPECT_MSG_EQ(alone, took, "seed " << seed << ", " << bytes << " bytes");
            }
        }
        Simulator::Destroy();
    }
}

RDMA_TEST(RdmaLosslessAloneByHand, "the time alone by hand")
{
    // Two packets, 1000 and 1 B, over host - switch - host at 100 Gb/s, 1 us. With 48 B of headers
    // they take 83.84 and 3.92 ns, here 84 and 4; at the switch the short one finds the long one
    // under way, so that it comes at 84 + 1000 + 84 + 4 + 1000 = 2172 ns. Its acknowledgement, 60 B
    // or 5 ns, finds that of the first, begun 4 ns earlier, and waits 1 ns, once: 2172 + 1 + 2 * (5
    // + 1000) = 4183 ns.
    RdmaTestNetwork net(RdmaTestStar(2), [](RdmaHelper& helper) {
        helper.SetNetworkAttribute("Timing", StringValue("exact"));
    });
    uint64_t alone = 0;
    RdmaFlow flow;
    flow.dst = 1;
    flow.bytes = 1001;
    flow.onEnd = [&](const RdmaQueuePair& qp) { alone = RdmaStandaloneNs(qp); };
    net.network->StartFlow(flow);
    net.Run();
    NS_TEST_EXPECT_MSG_EQ(alone, 4183, "2172 + 1 + 2010");
}

/** \return flows that complete within 16 ms where frames are lost without PFC */
size_t
CompletedUnderLoss(const RdmaTestNetwork::Setup& setup)
{
    RdmaTestNetwork net(RdmaTestStar(9), [&](RdmaHelper& helper) {
        helper.SetCongestionControl("ns3::RdmaDcqcn");
        helper.SetSwitchAttribute("Pfc", BooleanValue(false));
        helper.SetSwitchAttribute("BufferSize", UintegerValue(1000000));
        setup(helper);
    });
    for (uint32_t host = 0; host < 8; ++host)
    {
        net.Flow(host, 8, 10000000);
    }
    net.Run(16000000);
    return net.ends.size();
}

RDMA_TEST(RdmaLosslessCnp, "senders hear of marks on frames out of order, too")
{
    NS_TEST_EXPECT_MSG_EQ(CompletedUnderLoss([](RdmaHelper&) {}), 8, "by CNP frames");
    const auto hpcc = [](RdmaHelper& helper) {
        helper.SetHostAttribute("CnpInterval", TimeValue(Time(0)));
    };
    NS_TEST_EXPECT_MSG_LT(CompletedUnderLoss(hpcc), 8, "HPCC's variant livelocks");
}

RdmaTestSuite<RdmaLosslessHeadroom,
              RdmaLosslessHpcc,
              RdmaLosslessRandom,
              RdmaLosslessAlone,
              RdmaLosslessAloneByHand,
              RdmaLosslessCnp>
    g_rdmaLosslessSuite("rdma-lossless");

} // namespace

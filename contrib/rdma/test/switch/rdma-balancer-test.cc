/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/nstime.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <map>
#include <numeric>

using namespace ns3;

/*
 * Two leaves, spines between them, 100 Gb/s and 1000 ns everywhere: 83 ns per data frame, 4 ns per
 * acknowledgement.
 */

namespace
{

/** A leaf-spine network whose switches choose in a way of their own. */
class Balanced : public RdmaTestNetwork
{
  public:
    Balanced(const std::string& keys, const std::string& routing, const Setup& more = {})
        : RdmaTestNetwork(GenerateRdmaTopology("leaf-spine:leaves=2," + keys),
                          [&](RdmaHelper& helper) {
                              helper.SetSwitchAttribute("Routing", StringValue(routing));
                              if (more)
                              {
                                  more(helper);
                              }
                          })
    {
        for (uint32_t node = 0; node < network->GetNodeCount(); ++node)
        {
            if (network->GetHost(node))
            {
                ++m_hosts;
            }
        }
        for (uint32_t port = m_hosts / 2; port < Leaf().GetPorts().size(); ++port)
        {
            RdmaTestListen(Port(m_hosts, port).txBeginTrace, [this, port](const RdmaFrame& frame) {
                sent[port] += frame.kind == RdmaFrameKind::DATA;
            });
        }
    }

    std::map<uint32_t, uint64_t> sent; //!< data frames by uplink of the first leaf

  private:
    const RdmaNode& Leaf() const
    {
        return network->GetRdmaNode(m_hosts);
    }

    uint32_t m_hosts{0};
};

RDMA_TEST(RdmaBalancerSpray, "each frame by a draw, all ways being equally likely")
{
    // 4000 frames over 4 spines: 1000 each, with a standard deviation of sqrt(4000 / 4 * 3 / 4) =
    // 27; 120 are more than four of these. Alone on ways of equal length, they stay in order.
    std::vector<std::map<uint32_t, uint64_t>> runs;
    for (const uint64_t seed : {1, 1, 2})
    {
        Balanced net("hosts-per-leaf=1,spines=4", "spray", [seed](RdmaHelper& helper) {
            helper.SetNetworkAttribute("Seed", UintegerValue(seed));
        });
        net.Flow(0, 1, 4000000);
        net.Run();
        RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
        NS_TEST_EXPECT_MSG_EQ(net.ends[0].resent, 0, "in order");
        NS_TEST_EXPECT_MSG_EQ(net.ends[0].delivered, 4000 * 83 + 3 * 83 + 4000, "as by ECMP");
        NS_TEST_EXPECT_MSG_EQ(net.sent.size(), 4, "spines");
        for (const auto& [port, frames] : net.sent)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(double(frames), 1000.0, 120.0, "by uplink " << port);
        }
        runs.push_back(net.sent);
    }
    NS_TEST_EXPECT_MSG_EQ((runs[0] == runs[1]), true, "the same seed");
    NS_TEST_EXPECT_MSG_EQ((runs[0] == runs[2]), false, "another seed");
}

RDMA_TEST(RdmaBalancerEcmp, "ECMP keeps a flow on one way")
{
    Balanced net("hosts-per-leaf=1,spines=4", "ecmp");
    net.Flow(0, 1, 400000);
    net.Run();
    NS_TEST_EXPECT_MSG_EQ(net.sent.size(), 1, "one spine");
    NS_TEST_EXPECT_MSG_EQ((net.network->WhyEveryPacket() == nullptr), true, "fast-forward may");
}

RDMA_TEST(RdmaBalancerFlowlet, "a flow that does not pause keeps its way, one that does may not")
{
    // Frames come every 83 ns. With a gap of 100 ns they are one flowlet; with 50 ns each is one.
    for (const auto& [gap, spines] : {std::pair{100, 1U}, std::pair{50, 4U}})
    {
        Balanced net("hosts-per-leaf=1,spines=4", "flowlet", [gap = gap](RdmaHelper& helper) {
            helper.SetSwitchAttribute("FlowletGap", TimeValue(NanoSeconds(gap)));
        });
        net.Flow(0, 1, 400000);
        net.Run();
        NS_TEST_EXPECT_MSG_EQ(net.ends.size(), 1, "completed");
        NS_TEST_EXPECT_MSG_EQ(net.sent.size(), spines, "gap of " << gap << " ns");
    }
}

RDMA_TEST(RdmaBalancerFlowletShared, "flows of one entry of the table reach their own hosts")
{
    Balanced net("hosts-per-leaf=3,spines=2", "flowlet", [](RdmaHelper& helper) {
        helper.SetSwitchAttribute("FlowletEntries", UintegerValue(1));
    });
    for (uint32_t src = 0; src < 3; ++src)
    {
        net.Flow(src, 3 + src, 20000);
        net.Flow(src, (src + 1) % 3, 20000);
    }
    net.Run();
    NS_TEST_EXPECT_MSG_EQ(net.ends.size(), 6, "completed");
    NS_TEST_EXPECT_MSG_EQ(net.Counters().routeDrops, 0, "nothing went astray");
}

RDMA_TEST(RdmaBalancerAdaptive, "two flows at line rate take two ways, whatever the hash")
{
    // Their frames come to the leaf at the same time, each when both uplinks are free: the second
    // takes the one that the first has not. So each is as fast as alone: 100 frames, 3 more
    // transmissions and 4 links, and 4 acknowledgements of 1004 ns.
    for (const uint64_t seed : {1, 2, 3})
    {
        Balanced net("hosts-per-leaf=2,spines=2", "adaptive", [seed](RdmaHelper& helper) {
            helper.SetNetworkAttribute("Seed", UintegerValue(seed));
        });
        net.Flow(0, 2, 100000);
        net.Flow(1, 3, 100000);
        net.Run();
        RDMA_TEST_REQUIRE(EQ, net.ends.size(), 2, "completed");
        for (const RdmaTestEnd& end : net.ends)
        {
            NS_TEST_EXPECT_MSG_EQ(end.delivered, 103 * 83 + 4000, "as alone");
            NS_TEST_EXPECT_MSG_EQ(end.fct, 103 * 83 + 4000 + 4 * 1004, "as alone");
        }
    }
}

/** \return bytes sent again by four flows that all cross the spines, and how many ended */
std::pair<uint64_t, size_t>
ResentBySpraying(const std::string& recovery, uint32_t nackThreshold)
{
    Balanced net("hosts-per-leaf=4,spines=4", "spray", [&](RdmaHelper& helper) {
        helper.SetHostAttribute("Recovery", StringValue(recovery));
        helper.SetHostAttribute("NackThreshold", UintegerValue(nackThreshold));
    });
    for (uint32_t src = 0; src < 4; ++src)
    {
        net.Flow(src, 4 + src, 200000, 100000);
    }
    net.Run();
    uint64_t resent = 0;
    for (const RdmaTestEnd& end : net.ends)
    {
        resent += end.resent;
    }
    return {resent, net.ends.size()};
}

RDMA_TEST(RdmaBalancerReordering, "selective repeat keeps what spraying brings out of order")
{
    const auto [goBack, goBackEnds] = ResentBySpraying("go-back-n", 1);
    const auto [irn, irnEnds] = ResentBySpraying("irn", 1);
    const auto [patient, patientEnds] = ResentBySpraying("irn", 1000);
    NS_TEST_EXPECT_MSG_EQ(goBackEnds, 4, "all of go-back-N's");
    NS_TEST_EXPECT_MSG_EQ(irnEnds, 4, "all of IRN's");
    NS_TEST_EXPECT_MSG_EQ(patientEnds, 4, "all with a high threshold");
    NS_TEST_EXPECT_MSG_GT(irn, 0, "what overtakes is taken for a loss");
    NS_TEST_EXPECT_MSG_GT(goBack, irn, "go-back-N sends more again");
    NS_TEST_EXPECT_MSG_EQ(patient, 0, "nothing was lost, so nothing need be sent again");
}

RDMA_TEST(RdmaBalancerLinkDown, "a link that fails is no way any more")
{
    Balanced net("hosts-per-leaf=1,spines=2", "spray");
    net.Flow(0, 1, 1000000);
    net.At(20000, [&net]() { net.network->SetLinkUp(2, false); }); // the first leaf's to a spine
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ((net.ends[0].state == RdmaFlowState::COMPLETED), true, "all bytes");
}

/** Three switches (5 to 7), each linked to both others; two hosts at the first two (0 and 1, 2 and
 * 3), one at the third (4). Its switches choose ways as \p routing says; nothing is lost. */
class Triangle : public RdmaTestNetwork
{
  public:
    explicit Triangle(const std::string& routing, uint64_t seed = 1)
        : RdmaTestNetwork(Topology(), [&](RdmaHelper& helper) {
              helper.SetSwitchAttribute("Routing", StringValue(routing));
              helper.SetNetworkAttribute("Seed", UintegerValue(seed));
              helper.SetHostAttribute("Recovery", StringValue("irn"));
              helper.SetHostAttribute("NackThreshold", UintegerValue(1000000));
          })
    {
        for (uint32_t port = 2; port < 4; ++port)
        {
            RdmaTestListen(Port(5, port).txBeginTrace, [this, port](const RdmaFrame& frame) {
                (port == 2 ? direct : detours) += frame.kind == RdmaFrameKind::DATA;
            });
        }
    }

    uint64_t direct{0};  //!< data frames from the first switch to the second
    uint64_t detours{0}; //!< and to the third

  private:
    static RdmaTopology Topology()
    {
        RdmaTopology topology;
        topology.nodes.assign(5, RdmaNodeKind::HOST);
        topology.nodes.resize(8, RdmaNodeKind::SWITCH);
        for (const auto& [a, b] : std::vector<std::pair<uint32_t, uint32_t>>{{0, 5},
                                                                             {1, 5},
                                                                             {2, 6},
                                                                             {3, 6},
                                                                             {4, 7},
                                                                             {5, 6},
                                                                             {5, 7},
                                                                             {6, 7}})
        {
            topology.links.push_back({a, b, DataRate("100Gbps"), MicroSeconds(1)});
        }
        return topology;
    }
};

RDMA_TEST(RdmaBalancerValiant, "each frame by way of the switch of a drawn host")
{
    // Of five hosts, one is at the third switch: a fifth of 4000 frames makes the detour, with a
    // standard deviation of sqrt(4000 / 5 * 4 / 5) = 25; 100 are four of these. A flow of frames on
    // two ways takes the longer one's time at least: 4 links and 3 more transmissions.
    Triangle net("valiant");
    net.Flow(0, 2, 4000000);
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(net.direct + net.detours, 4000, "each once");
    NS_TEST_EXPECT_MSG_EQ_TOL(double(net.detours), 800.0, 100.0, "by way of the third switch");
    NS_TEST_EXPECT_MSG_EQ(net.Counters().routeDrops, 0, "nothing went astray");
    UseSimulator("ns3::DefaultSimulatorImpl");
    Triangle other("valiant", 2);
    other.Flow(0, 2, 4000000);
    other.Run();
    NS_TEST_EXPECT_MSG_NE(other.detours, net.detours, "another seed");
}

RDMA_TEST(RdmaBalancerValiantNear, "a frame for a host on its own switch may take one, too")
{
    Triangle net("valiant");
    net.Flow(0, 1, 4000000);
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    // by way of the two hosts at the second switch, and of that at the third
    NS_TEST_EXPECT_MSG_EQ_TOL(double(net.direct), 1600.0, 125.0, "two fifths");
    NS_TEST_EXPECT_MSG_EQ_TOL(double(net.detours), 800.0, 100.0, "a fifth");
}

RDMA_TEST(RdmaBalancerUgal, "detours are taken where the shortest way is more than twice as full")
{
    // One flow fills no queue, and takes no detour.
    Triangle one("ugal");
    one.Flow(0, 2, 4000000);
    one.Run();
    RDMA_TEST_REQUIRE(EQ, one.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(one.detours, 0, "no queue");
    // Two flows of 4000 frames for one link of 83 ns a frame: 664 us by the shortest way alone.
    // With detours for up to a fifth of the frames, 6400 at least are left: 531 us.
    UseSimulator("ns3::DefaultSimulatorImpl");
    Triangle two("ugal");
    two.Flow(0, 2, 4000000);
    two.Flow(1, 3, 4000000);
    two.Run();
    RDMA_TEST_REQUIRE(EQ, two.ends.size(), 2, "completed");
    const int64_t last = std::max(two.ends[0].delivered, two.ends[1].delivered);
    NS_TEST_EXPECT_MSG_EQ_TOL(double(two.detours), 1600.0, 150.0, "nearly all that are drawn");
    NS_TEST_EXPECT_MSG_LT(last, 8000 * 83 * 85 / 100, "faster than by the shortest way");
    NS_TEST_EXPECT_MSG_GT(last, 6400 * 83 - 150 * 83, "the link carries what is left");
}

RdmaTestSuite<RdmaBalancerSpray,
              RdmaBalancerEcmp,
              RdmaBalancerFlowlet,
              RdmaBalancerFlowletShared,
              RdmaBalancerAdaptive,
              RdmaBalancerReordering,
              RdmaBalancerLinkDown,
              RdmaBalancerValiant,
              RdmaBalancerValiantNear,
              RdmaBalancerUgal>
    g_rdmaBalancerSuite("rdma-balancer");

} // namespace

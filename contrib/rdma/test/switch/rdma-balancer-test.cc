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

RdmaTestSuite<RdmaBalancerSpray,
              RdmaBalancerEcmp,
              RdmaBalancerFlowlet,
              RdmaBalancerFlowletShared,
              RdmaBalancerAdaptive,
              RdmaBalancerReordering,
              RdmaBalancerLinkDown>
    g_rdmaBalancerSuite("rdma-balancer");

} // namespace

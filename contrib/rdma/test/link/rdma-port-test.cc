/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/nstime.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <vector>

using namespace ns3;

namespace
{

RDMA_TEST(RdmaPortTwoFrames, "two frames over a switch, serialization by hand")
{
    // A frame of 1000 B payload is 14 + 20 + 8 + 4 + 2 + 1000 = 1048 B: 83 ns (83.84 truncated) at
    // 100 Gb/s; an acknowledgement is 60 B: 4 ns. The first frame leaves the host from 0 to 83 and
    // is at the switch at 1083, at the receiver at 2 * 1083 = 2166. The second one leaves right
    // behind, 83 ns later everywhere. The acknowledgements take 2 * (4 + 1000) = 2008.
    RdmaTestNetwork net(RdmaTestStar(2));
    std::vector<int64_t> atSwitch;
    std::vector<int64_t> atReceiver;
    std::vector<int64_t> acks;
    RdmaTestListen(net.Port(2, 0).rxTrace,
                   [&](const RdmaFrame&) { atSwitch.push_back(net.Now()); });
    RdmaTestListen(net.Port(1).rxTrace, [&](const RdmaFrame& frame) {
        atReceiver.push_back(net.Now());
        NS_TEST_EXPECT_MSG_EQ(frame.wireBytes, 1048, "data frame");
    });
    RdmaTestListen(net.Port(0).rxTrace, [&](const RdmaFrame& frame) {
        acks.push_back(net.Now());
        NS_TEST_EXPECT_MSG_EQ(frame.wireBytes, 60, "acknowledgement");
        NS_TEST_EXPECT_MSG_EQ(frame.seq, 1000 * acks.size(), "next byte expected");
    });
    net.Flow(0, 1, 2000);
    net.Run();
    NS_TEST_EXPECT_MSG_EQ((atSwitch == std::vector<int64_t>{1083, 1166}), true, "at the switch");
    NS_TEST_EXPECT_MSG_EQ((atReceiver == std::vector<int64_t>{2166, 2249}), true, "received");
    NS_TEST_EXPECT_MSG_EQ((acks == std::vector<int64_t>{4174, 4257}), true, "2008 later");
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].delivered, 2249, "all bytes at the receiver");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].fct, 4257, "last acknowledgement");
    NS_TEST_EXPECT_MSG_EQ(net.Counters().packetHops, 4, "2 frames, 2 links");
    NS_TEST_EXPECT_MSG_EQ(net.Counters().ackHops, 4, "2 acknowledgements, 2 links");
    // 2 * 1048 B out of the host's port; 2 * 60 B out of the switch's towards it
    NS_TEST_EXPECT_MSG_EQ(net.Port(0).GetTxBytes(), 2096, "sent by the host");
    NS_TEST_EXPECT_MSG_EQ(net.Port(2, 0).GetTxBytes(), 120, "sent back by the switch");
    NS_TEST_EXPECT_MSG_EQ(net.network->GetContext().frames.GetOut(), 0, "no frame is left");
}

RDMA_TEST(RdmaPortThreeSwitches, "one frame over three switches, as in HPCC's simulator")
{
    RdmaTestNetwork net(GenerateRdmaTopology("leaf-spine:leaves=2,hosts-per-leaf=1,spines=1"));
    net.Flow(0, 1, 1000);
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].fct, 8348, "4 * (83 + 1000) + 4 * (4 + 1000)");
}

RDMA_TEST(RdmaPortSlowLink, "behind a slower link frames queue")
{
    // 1048 B take 335 ns at 25 Gb/s. Frame i reaches the switch at 83 (i + 1) + 1000 and leaves
    // when the link is free: from 1083 + 335 i on. While frame 9 arrives at 1830, frame 3 is
    // leaving since 1083 + 2 * 335 = 1753 (that is i = 2), so 7 wait, and no more ever.
    RdmaTopology topology = RdmaTestStar(2);
    topology.links[1].rate = DataRate("25Gbps");
    RdmaTestNetwork net(topology);
    uint64_t most = 0;
    RdmaTestListen(net.Port(2, 1).queueBytesTrace, [&](uint32_t queue, uint64_t, uint64_t after) {
        NS_TEST_EXPECT_MSG_EQ(queue, 3, "the flow's priority");
        most = std::max(most, after);
    });
    net.Flow(0, 1, 10000);
    net.Run();
    NS_TEST_EXPECT_MSG_EQ(most, 7 * 1048, "frames 3 to 9 wait");
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    // 1083 + 10 * 335 + 1000 to arrive; the acknowledgement takes 60 * 8 / 25 = 19 ns, then 4
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].delivered, 5433, "last frame");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].fct, 5433 + 1019 + 1004, "last acknowledgement");
}

/** \return frames that arrived at host 1 and that were lost on the way there */
std::pair<uint64_t, uint64_t>
LossyRun(uint64_t seed, double rate)
{
    RdmaTestNetwork net(RdmaTestPair(), [seed](RdmaHelper& helper) {
        helper.SetNetworkAttribute("Seed", UintegerValue(seed));
        helper.SetHostAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(50)));
    });
    net.Port(0).SetErrorRate(rate);
    uint64_t arrived = 0;
    uint64_t lost = 0;
    RdmaTestListen(net.Port(1).rxTrace, [&](const RdmaFrame&) { ++arrived; });
    RdmaTestListen(net.Port(0).dropTrace, [&](const RdmaFrame&, RdmaDropReason reason) {
        lost += reason == RdmaDropReason::LINK_ERROR;
    });
    net.Flow(0, 1, 20000000);
    net.Run();
    const bool complete = net.ends.size() == 1 && net.ends[0].state == RdmaFlowState::COMPLETED &&
                          net.Counters().linkErrors == lost;
    Simulator::Destroy();
    return complete ? std::make_pair(arrived, lost) : std::make_pair(uint64_t{0}, uint64_t{0});
}

RDMA_TEST(RdmaPortErrors, "a link's error rate: how many frames it loses, and always the same ones")
{
    const double rate = 0.01;
    const auto [arrived, lost] = LossyRun(1, rate);
    const auto n = static_cast<double>(arrived + lost);
    RDMA_TEST_REQUIRE(GT, n, 20000, "at least as many frames as there is data");
    // binomial: five standard deviations are exceeded once in 1.7 million times
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(lost),
                              n * rate,
                              5 * std::sqrt(n * rate * (1 - rate)),
                              "lost frames of " << n);
    NS_TEST_EXPECT_MSG_EQ((LossyRun(1, rate) == std::make_pair(arrived, lost)), true, "same seed");
    NS_TEST_EXPECT_MSG_EQ((LossyRun(2, rate) == std::make_pair(arrived, lost)),
                          false,
                          "other seed");
    NS_TEST_EXPECT_MSG_EQ(LossyRun(1, 0).second, 0, "no errors without a rate");
}

/** \return ends of flows; with \p watch, every transmitter's end is an event even if none needs it
 */
std::vector<RdmaTestEnd>
RunWatched(bool watch)
{
    RdmaTestNetwork net(GenerateRdmaTopology("leaf-spine:leaves=3,hosts-per-leaf=3,spines=2"),
                        [](RdmaHelper& helper) { helper.SetCongestionControl("ns3::RdmaDcqcn"); });
    for (uint32_t link = 0; watch && link < net.network->GetLinkCount(); ++link)
    {
        const auto ends = net.network->GetLink(link);
        for (RdmaPort* port : {ends.first, ends.second})
        {
            RdmaTestListen(port->txBeginTrace, [port](const RdmaFrame&) { port->WatchTxEnd(); });
        }
    }
    for (uint32_t i = 0; i < 60; ++i)
    {
        net.At(i * 1700, [&net, i] {
            const uint32_t src = i * 5 % 9;
            net.Flow(src, (src + 1 + i * 7 % 8) % 9, 1000 + i * 2777, i % 2 ? 50000 : 0);
        });
    }
    net.Run();
    std::vector<RdmaTestEnd> ends = net.ends;
    Simulator::Destroy();
    return ends;
}

RDMA_TEST(RdmaPortElision, "leaving out ends of transmission that nobody waits for changes nothing")
{
    const auto expected = RunWatched(true);
    NS_TEST_EXPECT_MSG_EQ(expected.size(), 60, "all completed");
    NS_TEST_EXPECT_MSG_EQ((RunWatched(false) == expected),
                          true,
                          "the same flows at the same times");
}

RdmaTestSuite<RdmaPortTwoFrames,
              RdmaPortThreeSwitches,
              RdmaPortSlowLink,
              RdmaPortErrors,
              RdmaPortElision>
    g_rdmaPortSuite("rdma-port");

} // namespace

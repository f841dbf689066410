/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/nstime.h"
#include "ns3/rdma-packet-state.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/uinteger.h"

#include <string>

using namespace ns3;

namespace
{

/** Time-outs soon enough for a short test. */
void
SoonTimeout(RdmaHelper& helper)
{
    helper.SetHostAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(100)));
    helper.SetHostAttribute("RetryCount", UintegerValue(20));
}

/** \return why the only unfinished flow has not ended; empty unless there is exactly one */
std::string
Reason(const RdmaTestNetwork& net)
{
    const auto flows = net.network->GetUnfinishedFlows();
    return flows.size() == 1 ? net.network->Explain(*flows[0]) : "";
}

bool
Contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

/** Hosts 0 and 1, each with a link to switch 2 and one to switch 3; links 0 to 3 in that order. */
RdmaTopology
TwoPlanes()
{
    RdmaTopology topology;
    topology.nodes = {RdmaNodeKind::HOST,
                      RdmaNodeKind::HOST,
                      RdmaNodeKind::SWITCH,
                      RdmaNodeKind::SWITCH};
    topology.links = {RdmaTestLink(0, 2),
                      RdmaTestLink(0, 3),
                      RdmaTestLink(1, 2),
                      RdmaTestLink(1, 3)};
    return topology;
}

RDMA_TEST(RdmaFailurePlanes, "with several NICs a flow moves when its link fails, and back")
{
    // 10 MB take 10000 * 83 ns = 830 us. At 200 us the plane in use fails, at 400 us it is back.
    for (const bool atSender : {true, false})
    {
        RdmaTestNetwork net(TwoPlanes(), SoonTimeout);
        RdmaQueuePair& qp = net.Flow(0, 1, 10000000);
        const uint32_t plane = qp.GetDataRoute().front()->GetIndex();
        const uint32_t link = atSender ? plane : 2 + plane;
        RdmaPort& used = net.Port(0, plane);
        RdmaPort& other = net.Port(0, 1 - plane);
        uint64_t usedBefore = 0;
        uint64_t otherDuring = 0;
        net.At(200000, [&] {
            usedBefore = used.GetTxBytes();
            net.network->SetLinkUp(link, false);
        });
        net.At(400000, [&] {
            otherDuring = other.GetTxBytes();
            net.network->SetLinkUp(link, true);
            NS_TEST_EXPECT_MSG_EQ(qp.GetDataRoute().front(), &used, "back on the former way");
        });
        net.Run();
        RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
        NS_TEST_EXPECT_MSG_EQ((net.ends[0].state == RdmaFlowState::COMPLETED), true, "completed");
        // 200 us / 83 ns = 2409 frames of 1048 B by each way, less a round trip and a time-out
        NS_TEST_EXPECT_MSG_GT(usedBefore, 2390 * 1048, "by the first way");
        NS_TEST_EXPECT_MSG_GT(otherDuring, 1100 * 1048, "by the second way");
        NS_TEST_EXPECT_MSG_GT(used.GetTxBytes(), usedBefore + 2000 * 1048, "and back");
        NS_TEST_EXPECT_MSG_GT(net.Counters().linkDownDrops, 5, "frames in flight are lost");
        NS_TEST_EXPECT_MSG_GT(net.ends[0].resent, 0, "and sent again");
        NS_TEST_EXPECT_MSG_LT(net.ends[0].fct, 830000 + 250000, "without much loss of time");
        NS_TEST_EXPECT_MSG_EQ(net.network->GetContext().frames.GetOut(), 0, "no frame is left");
        Simulator::Destroy();
    }
}

RDMA_TEST(RdmaFailureWaiting, "a flow without a route waits, and starts when there is one")
{
    RdmaTestNetwork net(RdmaTestPair());
    net.network->SetLinkUp(0, false);
    net.At(1000, [&net] { net.Flow(0, 1, 1000); });
    net.At(1000000, [&net, this] {
        NS_TEST_EXPECT_MSG_EQ(Reason(net), "no route from node 0 to node 1", "explained");
        const RdmaQueuePair& waiting = *net.network->GetUnfinishedFlows().at(0);
        NS_TEST_EXPECT_MSG_EQ(RdmaPacketState::GetDelivered(waiting), 0, "as progress asks");
        net.network->SetLinkUp(0, true);
    });
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].start, 1000, "counts from when it was asked for");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].fct, 999000 + 83 + 1000 + 4 + 1000, "2087 after the link");
}

RDMA_TEST(RdmaFailureMidway, "the only way fails with frames before, on and behind it")
{
    // Frames are on every link when the one in the middle fails: those behind it still arrive, and
    // the receiver has no way to acknowledge them.
    RdmaTestNetwork net(RdmaTestChain(), SoonTimeout);
    net.Flow(0, 1, 1000000);
    net.At(3000, [&net, this] {
        net.network->SetLinkUp(1, false);
        NS_TEST_EXPECT_MSG_EQ(Contains(Reason(net), "route lost"), true, Reason(net));
    });
    net.At(50000, [&net] { net.network->SetLinkUp(1, true); });
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ((net.ends[0].state == RdmaFlowState::COMPLETED), true, "completed");
    NS_TEST_EXPECT_MSG_GT(net.Counters().linkDownDrops, 0, "frames on the link");
    NS_TEST_EXPECT_MSG_GT(net.Counters().routeDrops, 0, "frames before it and replies behind it");
    NS_TEST_EXPECT_MSG_EQ(net.network->GetContext().frames.GetOut(), 0, "no frame is left");
}

RDMA_TEST(RdmaFailureForGood, "a flow whose way is lost for good is given up")
{
    RdmaTestNetwork net(RdmaTestChain(), [](RdmaHelper& helper) {
        SoonTimeout(helper);
        helper.SetHostAttribute("RetryCount", UintegerValue(3));
    });
    net.Flow(0, 1, 1000000);
    net.At(3000, [&net] { net.network->SetLinkUp(1, false); });
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "ended");
    NS_TEST_EXPECT_MSG_EQ((net.ends[0].state == RdmaFlowState::RETRY_ERROR), true, "in error");
    // nothing was acknowledged, so after 100 + 200 + 400 + 800 us
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].fct, 1500000, "the fourth time-out");
}

RDMA_TEST(RdmaFailurePausedNic, "a NIC that is paused and never resumed: the run ends and says so")
{
    RdmaTestNetwork net(RdmaTestStar(2));
    net.Flow(0, 1, 1000000);
    net.At(10000, [&net] { RdmaTestSendPfc(net.Port(2, 0), 3, true); });
    net.Run();
    NS_TEST_EXPECT_MSG_EQ(net.Counters().pauses, 1, "received");
    NS_TEST_EXPECT_MSG_EQ(net.ends.size(), 0, "stuck");
    NS_TEST_EXPECT_MSG_EQ(Contains(Reason(net), "NIC paused by PFC"), true, Reason(net));
    // a resume lets it go on
    RdmaTestSendPfc(net.Port(2, 0), 3, false);
    net.Run();
    NS_TEST_EXPECT_MSG_EQ(net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].resent, 0, "all that was on its way arrived");
}

RDMA_TEST(RdmaFailurePauseForgotten, "a pause ends when the link that brought it fails")
{
    RdmaTestNetwork net(RdmaTestStar(2), SoonTimeout);
    net.Flow(0, 1, 1000000);
    net.At(10000, [&net] { RdmaTestSendPfc(net.Port(2, 0), 3, true); });
    net.At(20000, [&net] { net.network->SetLinkUp(0, false); });
    net.At(30000, [&net] { net.network->SetLinkUp(0, true); });
    net.Run();
    NS_TEST_EXPECT_MSG_EQ(net.Counters().pauses, 1, "received, and no resume");
    NS_TEST_EXPECT_MSG_EQ(net.Counters().resumes, 0, "received, and no resume");
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed all the same");
    NS_TEST_EXPECT_MSG_EQ((net.ends[0].state == RdmaFlowState::COMPLETED), true, "completed");
}

RDMA_TEST(RdmaFailureStorm, "a receiver that pauses its switch for ever: the storm is explained")
{
    // what is in flight (a window of 20 kB) does not fill the switch, so only its port is paused
    RdmaTestNetwork net(RdmaTestStar(2), [](RdmaHelper& helper) {
        helper.SetHostAttribute("RetransmissionTimeout", TimeValue(Time(0)));
    });
    net.Flow(0, 1, 1000000, 20000);
    net.At(10000, [&net] { RdmaTestSendPfc(net.Port(1), 3, true); });
    net.Run();
    NS_TEST_EXPECT_MSG_EQ(Contains(Reason(net), "node 2 on its way paused by PFC"),
                          true,
                          Reason(net));
    Simulator::Destroy();

    // without a window the switch fills and pauses the sender; with time-outs the flow is given up
    RdmaTestNetwork full(RdmaTestStar(2), [](RdmaHelper& helper) {
        SoonTimeout(helper);
        helper.SetHostAttribute("RetryCount", UintegerValue(2));
        helper.SetSwitchAttribute("BufferSize", UintegerValue(1 << 20));
    });
    std::string reason;
    full.Flow(0, 1, 1000000);
    full.At(10000, [&full] { RdmaTestSendPfc(full.Port(1), 3, true); });
    full.At(90000, [&full, &reason] { reason = Reason(full); });
    full.Run();
    NS_TEST_EXPECT_MSG_EQ(Contains(reason, "NIC paused by PFC"), true, reason);
    RDMA_TEST_REQUIRE(EQ, full.ends.size(), 1, "ended");
    NS_TEST_EXPECT_MSG_EQ((full.ends[0].state == RdmaFlowState::RETRY_ERROR), true, "in error");
    NS_TEST_EXPECT_MSG_EQ(full.Counters().bufferDrops, 0, "PFC loses nothing");
}

RDMA_TEST(RdmaFailureDeadlock,
          "a cyclic deadlock of pauses ends with an explanation for every flow")
{
    // Five switches in a ring; every host sends two switches on, which is the one shortest way.
    // Every link of the ring carries two flows at line rate, and waits for the next.
    RdmaTestNetwork net(GenerateRdmaTopology("ring:switches=5"), [](RdmaHelper& helper) {
        helper.SetHostAttribute("RetransmissionTimeout", TimeValue(Time(0)));
        helper.SetSwitchAttribute("BufferSize", UintegerValue(300000));
    });
    for (uint32_t host = 0; host < 5; ++host)
    {
        net.Flow(host, (host + 2) % 5, 10000000);
    }
    net.Run();
    const uint64_t hops = net.Counters().packetHops;
    const auto stuck = net.network->GetUnfinishedFlows();
    NS_TEST_EXPECT_MSG_EQ(stuck.size(), 5, "nobody completes");
    NS_TEST_EXPECT_MSG_GT(net.Counters().pauses, 5, "all were paused");
    NS_TEST_EXPECT_MSG_EQ(net.Counters().bufferDrops, 0, "PFC loses nothing");
    for (const RdmaQueuePair* qp : stuck)
    {
        const std::string reason = net.network->Explain(*qp);
        NS_TEST_EXPECT_MSG_EQ(Contains(reason, "paused by PFC"), true, reason);
    }
    net.Run();
    NS_TEST_EXPECT_MSG_EQ(net.Counters().packetHops, hops, "nothing moves any more");
}

RdmaTestSuite<RdmaFailurePlanes,
              RdmaFailureWaiting,
              RdmaFailureMidway,
              RdmaFailureForGood,
              RdmaFailurePausedNic,
              RdmaFailurePauseForgotten,
              RdmaFailureStorm,
              RdmaFailureDeadlock>
    g_rdmaFailureSuite("rdma-failure");

} // namespace

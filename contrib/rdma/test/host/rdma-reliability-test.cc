/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/boolean.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <vector>

using namespace ns3;

/*
 * Two hosts and one link: 83 ns per data frame of 1000 B (1048 B on the wire at 100 Gb/s), 4 ns per
 * acknowledgement, 1000 ns on the way. So frame k of a burst that starts at t arrives at t + 83 (k
 * + 1) + 1000, and its acknowledgement 1004 later.
 */

namespace
{

/** Times at which a host hands acknowledgements to its NIC. */
struct Replies
{
    explicit Replies(RdmaTestNetwork& net)
    {
        RdmaTestListen(net.Port(1).enqueueTrace, [this, &net](const RdmaFrame& frame, uint32_t) {
            (frame.kind == RdmaFrameKind::NACK ? nacks : acks).push_back(net.Now());
        });
    }

    std::vector<int64_t> acks;
    std::vector<int64_t> nacks;
};

RDMA_TEST(RdmaReliabilityGoBack, "a lost frame and all behind it are sent again")
{
    // Frame 3 is lost. Frame 4 arrives at 83 * 5 + 1000 = 1415 and is answered by a NACK, the rest
    // by nothing. The NACK arrives at 2419; frames 3 to 9 follow: the last arrives 7 * 83 + 1000
    // later, at 4000, its acknowledgement at 5004.
    RdmaTestNetwork net(RdmaTestPair());
    const RdmaTestLoss loss(net.Port(0), {3});
    const Replies replies(net);
    net.Flow(0, 1, 10000);
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ((replies.nacks == std::vector<int64_t>{1415}), true, "one NACK");
    NS_TEST_EXPECT_MSG_EQ(replies.acks.size(), 10, "one ACK per frame in order");
    NS_TEST_EXPECT_MSG_EQ(net.Counters().nacks, 1, "counted");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].resent, 7000, "frames 3 to 9");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].delivered, 4000, "the last byte");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].fct, 5004, "its acknowledgement");
    NS_TEST_EXPECT_MSG_EQ(net.Counters().timeouts, 0, "nothing timed out");
}

RDMA_TEST(RdmaReliabilityNackInterval, "the same byte is not asked for again within the interval")
{
    // Frame 3 is lost, and its retransmission too. The NACK of 1415 arrives at 2419, while a frame
    // is leaving; transmissions are 83 ns apart, so frame 3 leaves again at 30 * 83 = 2490: it is
    // number 30. From frame 4 on, frames arrive at 2490 + 1083 + 83 j; the first at or after 1415 +
    // 5000 = 6415 is j = 35: 6478.
    RdmaTestNetwork net(RdmaTestPair(), [](RdmaHelper& helper) {
        helper.SetHostAttribute("NackInterval", TimeValue(MicroSeconds(5)));
    });
    const RdmaTestLoss loss(net.Port(0), {3, 30});
    const Replies replies(net);
    net.Flow(0, 1, 200000);
    net.Run();
    NS_TEST_EXPECT_MSG_EQ((replies.nacks == std::vector<int64_t>{1415, 6478}), true, "two NACKs");
    NS_TEST_EXPECT_MSG_EQ(replies.acks.size(), 200, "one ACK per frame in order");
    NS_TEST_EXPECT_MSG_EQ(net.ends.size(), 1, "completed");
}

RDMA_TEST(RdmaReliabilityDuplicates, "duplicates are dropped without an answer")
{
    // With an interval of 0 each of the frames 4 to 9 causes a NACK, 83 ns apart like the frames
    // behind each of them. The first (of 1415) arrives at 2419, the last at 2834; each restarts at
    // byte 3000, so frame 3 leaves 6 times, and the receiver gets 5 duplicates of it.
    RdmaTestNetwork net(RdmaTestPair(), [](RdmaHelper& helper) {
        helper.SetHostAttribute("NackInterval", TimeValue(Time(0)));
    });
    const RdmaTestLoss loss(net.Port(0), {3});
    const Replies replies(net);
    net.Flow(0, 1, 10000);
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(replies.nacks.size(), 6, "frames 4 to 9");
    NS_TEST_EXPECT_MSG_EQ(replies.acks.size(), 10, "frames in order, each once");
    NS_TEST_EXPECT_MSG_EQ(loss.GetCount(), 10 + 5 + 7, "first sending, frame 3 alone, 3 to 9");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].resent, 12000, "5 + 7 frames");
}

RDMA_TEST(RdmaReliabilityTimeout, "after the time-out a lost last frame is sent again")
{
    // Of 3 frames the last is lost. The second one's acknowledgement comes at 2 * 83 + 1000 + 1004
    // = 2170; 100 us later the third is sent again: 102170 + 83 + 1000 + 1004.
    RdmaTestNetwork net(RdmaTestPair(), [](RdmaHelper& helper) {
        helper.SetHostAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(100)));
    });
    const RdmaTestLoss loss(net.Port(0), {2});
    net.Flow(0, 1, 3000);
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].fct, 104257, "102170 + 2087");
    NS_TEST_EXPECT_MSG_EQ(net.Counters().timeouts, 1, "one");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].resent, 1000, "one frame");
}

RDMA_TEST(RdmaReliabilityLostAck, "when the last acknowledgement is lost, a duplicate brings it")
{
    // As above, but the data arrived: the duplicate after the time-out is acknowledged.
    RdmaTestNetwork net(RdmaTestPair(), [](RdmaHelper& helper) {
        helper.SetHostAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(100)));
    });
    const RdmaTestLoss loss(net.Port(1), {2});
    net.Flow(0, 1, 3000);
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].delivered, 3 * 83 + 1000, "before");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].fct, 104257, "102170 + 2087");
}

RDMA_TEST(RdmaReliabilityNoTimeout, "without a time-out a lost last frame is for ever")
{
    RdmaTestNetwork net(RdmaTestPair(), [](RdmaHelper& helper) {
        helper.SetHostAttribute("RetransmissionTimeout", TimeValue(Time(0)));
    });
    const RdmaTestLoss loss(net.Port(0), {2});
    net.Flow(0, 1, 3000);
    net.Run();
    NS_TEST_EXPECT_MSG_EQ(net.ends.size(), 0, "as in HPCC's simulator");
    const auto unfinished = net.network->GetUnfinishedFlows();
    RDMA_TEST_REQUIRE(EQ, unfinished.size(), 1, "reported");
    NS_TEST_EXPECT_MSG_EQ(net.network->Explain(*unfinished[0]).find("2000 of 3000 bytes"),
                          0,
                          net.network->Explain(*unfinished[0]));
}

RDMA_TEST(RdmaReliabilityRetryError, "after too many time-outs in a row the flow is given up")
{
    // Time-outs after 100 us, 200 us and 400 us; two retries are allowed.
    RdmaTestNetwork net(RdmaTestPair(), [](RdmaHelper& helper) {
        helper.SetHostAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(100)));
        helper.SetHostAttribute("RetryCount", UintegerValue(2));
    });
    net.Port(0).SetErrorRate(1);
    net.Flow(0, 1, 3000);
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "ended");
    NS_TEST_EXPECT_MSG_EQ((net.ends[0].state == RdmaFlowState::RETRY_ERROR), true, "in error");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].fct, 700000, "100 + 200 + 400 us");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].delivered, -1, "never");
    NS_TEST_EXPECT_MSG_EQ(net.Counters().timeouts, 3, "two retries, then the end");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].resent, 6000, "3 frames, twice");
    NS_TEST_EXPECT_MSG_EQ(net.network->IsIdle(), true, "nothing is left");
    NS_TEST_EXPECT_MSG_EQ(net.Now(), 700000, "and nothing happens any more");
    // its neighbours go on
    net.Port(0).SetErrorRate(0);
    net.Flow(0, 1, 1000);
    net.Run();
    NS_TEST_EXPECT_MSG_EQ(net.ends.size(), 2, "another flow completes");
}

RDMA_TEST(RdmaReliabilityBackToZero, "go back to the start of the chunk")
{
    // Frame 6 is lost, chunks are 4000 B. Frame 7 arrives at 8 * 83 + 1000 = 1664: NACK with 4000.
    // What the receiver asked for last (6000) is no longer what it expects (4000), so frame 8
    // causes a second one at 1747, and frame 9 none. The sender goes back at 2668, sends frame 4,
    // goes back again at 2751, and sends 4 to 9: the last arrives at 2751 + 6 * 83 + 1000 = 4249.
    RdmaTestNetwork net(RdmaTestPair(), [](RdmaHelper& helper) {
        helper.SetHostAttribute("BackToZero", BooleanValue(true));
        helper.SetHostAttribute("ChunkSize", UintegerValue(4000));
    });
    const RdmaTestLoss loss(net.Port(0), {6});
    const Replies replies(net);
    net.Flow(0, 1, 10000);
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ((replies.nacks == std::vector<int64_t>{1664, 1747}), true, "two NACKs");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].resent, 7000, "frame 4, then 4 to 9");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].delivered, 4249, "the last byte");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].fct, 5253, "its acknowledgement");
}

/** \return ACKs for a message of 5 frames */
size_t
CountAcks(uint32_t interval, uint32_t chunk)
{
    RdmaTestNetwork net(RdmaTestPair(), [interval, chunk](RdmaHelper& helper) {
        helper.SetHostAttribute("AckInterval", UintegerValue(interval));
        helper.SetHostAttribute("ChunkSize", UintegerValue(chunk));
    });
    const Replies replies(net);
    net.Flow(0, 1, 5000);
    net.Run();
    const bool onTime = net.ends.size() == 1 && net.ends[0].fct == 5 * 83 + 1000 + 1004;
    Simulator::Destroy();
    return onTime ? replies.acks.size() : 0;
}

RDMA_TEST(RdmaReliabilityAckInterval, "fewer acknowledgements, and always one for the last byte")
{
    NS_TEST_EXPECT_MSG_EQ(CountAcks(1, 0), 5, "every frame");
    NS_TEST_EXPECT_MSG_EQ(CountAcks(3000, 0),
                          3,
                          "at 3000 and, as in HPCC's simulator, all after it");
    NS_TEST_EXPECT_MSG_EQ(CountAcks(1000000, 2000), 3, "multiples of 2000, and the end");
    NS_TEST_EXPECT_MSG_EQ(CountAcks(1000000, 0), 1, "the end");
}

RdmaTestSuite<RdmaReliabilityGoBack,
              RdmaReliabilityNackInterval,
              RdmaReliabilityDuplicates,
              RdmaReliabilityTimeout,
              RdmaReliabilityLostAck,
              RdmaReliabilityNoTimeout,
              RdmaReliabilityRetryError,
              RdmaReliabilityBackToZero,
              RdmaReliabilityAckInterval>
    g_rdmaReliabilitySuite("rdma-reliability");

} // namespace

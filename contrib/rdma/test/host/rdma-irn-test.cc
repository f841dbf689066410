/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/boolean.h"
#include "ns3/nstime.h"
#include "ns3/rdma-congestion-control.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <vector>

using namespace ns3;

/*
 * Selective repeat. As in rdma-reliability-test.cc: two hosts and one link; 83 ns per data frame of
 * 1000 B, 4 ns per acknowledgement, 1000 ns on the way. So frame k of a burst that starts at t
 * arrives at t + 83 (k + 1) + 1000, and its acknowledgement 1004 later.
 */

namespace
{

void
UseIrn(RdmaHelper& helper)
{
    helper.SetHostAttribute("Recovery", StringValue("irn"));
}

RDMA_TEST(RdmaIrnSelective, "a lost frame alone is sent again")
{
    // Frame 3 is lost. Frame 4 arrives at 1415; its NACK arrives at 2419. Frame 3 goes then,
    // arrives 1083 later, at 3502, and its acknowledgement at 4506. Go-back-N: 4000 and 5004.
    RdmaTestNetwork net(RdmaTestPair(), UseIrn);
    const RdmaTestLoss loss(net.Port(0), {3});
    net.Flow(0, 1, 10000);
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(net.Counters().nacks, 6, "frames 4 to 9");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].resent, 1000, "frame 3");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].delivered, 3502, "once frame 3 is there");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].fct, 4506, "its acknowledgement");
    NS_TEST_EXPECT_MSG_EQ(loss.GetCount(), 11, "frames");
    NS_TEST_EXPECT_MSG_EQ(net.Counters().timeouts, 0, "nothing timed out");
}

RDMA_TEST(RdmaIrnTwoLosses, "another loss is known from frames behind it")
{
    // Frames 3 and 6 are lost. The NACK for frame 7, which arrives at 8 * 83 + 1000 = 1664, shows
    // the second loss at 2668; frame 6 arrives 1083 later.
    RdmaTestNetwork net(RdmaTestPair(), UseIrn);
    const RdmaTestLoss loss(net.Port(0), {3, 6});
    net.Flow(0, 1, 10000);
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].resent, 2000, "frames 3 and 6");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].delivered, 3751, "2668 + 1083");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].fct, 4755, "its acknowledgement");
}

RDMA_TEST(RdmaIrnNewPackets, "new packets follow those that are sent again")
{
    // Frame 3 of 60 is lost. Frames leave every 83 ns; the NACK of 2419 comes while frame 29
    // leaves, from 2407 to 2490, so frame 3 is number 30, and all of the others follow: 61 frames,
    // the last of which arrives at 61 * 83 + 1000.
    RdmaTestNetwork net(RdmaTestPair(), UseIrn);
    std::vector<uint64_t> seqs;
    RdmaTestListen(net.Port(0).txBeginTrace,
                   [&seqs](const RdmaFrame& frame) { seqs.push_back(frame.seq); });
    const RdmaTestLoss loss(net.Port(0), {3});
    net.Flow(0, 1, 60000);
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    RDMA_TEST_REQUIRE(EQ, seqs.size(), 61, "60 and one more");
    NS_TEST_EXPECT_MSG_EQ(seqs[30], 3000, "the lost one");
    NS_TEST_EXPECT_MSG_EQ(seqs[31], 30000, "then where it was");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].delivered, 6063, "61 * 83 + 1000");
}

RDMA_TEST(RdmaIrnWindow, "a full window (BDP-FC) does not keep lost frames from being sent again")
{
    // 5 frames in flight at most, and the first is lost: frame 1's NACK arrives at 2 * 83 + 2004 =
    // 2170. Frame 0 arrives at 3253, its acknowledgement of all five at 4257; then the other five.
    RdmaTestNetwork net(RdmaTestPair(), UseIrn);
    const RdmaTestLoss loss(net.Port(0), {0});
    net.Flow(0, 1, 10000, 5000);
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].resent, 1000, "frame 0");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].delivered, 5672, "4257 + 5 * 83 + 1000");
}

RDMA_TEST(RdmaIrnTimeoutHigh, "with more than three packets in flight, the longer time-out holds")
{
    // Frame 3 is lost, and so is what is sent again for it, number 10. The last progress was frame
    // 2's acknowledgement, at 3 * 83 + 2004 = 2253; 7 packets are in flight since, so 320 us later
    // frame 3 goes again: 322253 + 1083.
    RdmaTestNetwork net(RdmaTestPair(), UseIrn);
    const RdmaTestLoss loss(net.Port(0), {3, 10});
    net.Flow(0, 1, 10000);
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(net.Counters().timeouts, 1, "one");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].resent, 2000, "frame 3 twice");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].delivered, 323336, "322253 + 1083");
}

RDMA_TEST(RdmaIrnTimeoutLow, "with few packets in flight, the shorter one holds")
{
    // The last of 10 frames, of 500 B, is lost. Frame 8's acknowledgement comes at 9 * 83 + 2004 =
    // 2751, and one packet is in flight. 100 us later it goes again: 548 B take 43 ns.
    RdmaTestNetwork net(RdmaTestPair(), UseIrn);
    const RdmaTestLoss loss(net.Port(0), {9});
    net.Flow(0, 1, 9500);
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(net.Counters().timeouts, 1, "one");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].resent, 500, "the last one");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].delivered, 103794, "102751 + 43 + 1000");
}

RDMA_TEST(RdmaIrnLostAck, "a duplicate is acknowledged")
{
    // Of three acknowledgements the last is lost; the second came at 2170. 100 us later frame 2
    // goes again, and its acknowledgement comes 83 + 2004 after that.
    RdmaTestNetwork net(RdmaTestPair(), UseIrn);
    const RdmaTestLoss loss(net.Port(1), {2});
    net.Flow(0, 1, 3000);
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].delivered, 3 * 83 + 1000, "before");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].fct, 104257, "102170 + 2087");
}

/** Notes what a control is told. */
class AckNotes : public RdmaCongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::RdmaTestAckNotes")
                                .SetParent<RdmaCongestionControl>()
                                .AddConstructor<AckNotes>();
        return tid;
    }

    Ptr<RdmaCongestionControl> Fork() const override
    {
        return CopyObject<AckNotes>(this);
    }

    void OnAck(RdmaQueuePair& /* qp */, const RdmaAck& ack) override
    {
        s_notes.push_back({ack.seq, ack.ahead, ack.nack});
    }

    struct Note
    {
        uint64_t seq;
        uint64_t ahead;
        bool nack;
    };

    static std::vector<Note> s_notes; //!< in order
};

std::vector<AckNotes::Note> AckNotes::s_notes;
NS_OBJECT_ENSURE_REGISTERED(AckNotes);

RDMA_TEST(RdmaIrnControl, "a control learns what came out of order, and when it counts as a loss")
{
    // Frame 3 of 10 is lost. Frames 4 to 9 are 1 to 6 packets ahead; the third of them begins the
    // recovery, and those behind it say nothing new. What is sent again closes the gap.
    AckNotes::s_notes.clear();
    RdmaTestNetwork net(RdmaTestPair(), [](RdmaHelper& helper) {
        UseIrn(helper);
        helper.SetHostAttribute("NackThreshold", UintegerValue(3));
        helper.SetCongestionControl("ns3::RdmaTestAckNotes");
    });
    const RdmaTestLoss loss(net.Port(0), {3});
    net.Flow(0, 1, 10000);
    net.Run();
    RDMA_TEST_REQUIRE(EQ, AckNotes::s_notes.size(), 10, "one for each frame");
    for (uint64_t k = 0; k < 10; ++k)
    {
        const AckNotes::Note& note = AckNotes::s_notes[k];
        const bool gap = k >= 3 && k < 9;
        const uint64_t seq = k == 9 ? 10000 : gap ? 3000 : 1000 * (k + 1);
        NS_TEST_EXPECT_MSG_EQ(note.seq, seq, "cumulative, number " << k);
        NS_TEST_EXPECT_MSG_EQ(note.ahead, (gap ? 1000 * (k - 2) : 0), "beyond it, number " << k);
        NS_TEST_EXPECT_MSG_EQ(note.nack, (k == 5), "the third, number " << k);
    }
}

RDMA_TEST(RdmaIrnThreshold, "losses count from the third NACK on, if so asked for")
{
    // The third NACK is that of frame 6: it arrives at 7 * 83 + 2004 = 2585.
    RdmaTestNetwork net(RdmaTestPair(), [](RdmaHelper& helper) {
        UseIrn(helper);
        helper.SetHostAttribute("NackThreshold", UintegerValue(3));
    });
    const RdmaTestLoss loss(net.Port(0), {3});
    net.Flow(0, 1, 10000);
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].delivered, 3668, "2585 + 1083");
}

RDMA_TEST(RdmaIrnWithoutPfc, "an incast into a small buffer without PFC loses frames and completes")
{
    RdmaTestNetwork net(RdmaTestStar(5), [](RdmaHelper& helper) {
        UseIrn(helper);
        helper.SetSwitchAttribute("Pfc", BooleanValue(false));
        helper.SetSwitchAttribute("BufferSize", UintegerValue(200000));
    });
    for (uint32_t src = 1; src < 5; ++src)
    {
        net.Flow(src, 0, 300000, 52000);
    }
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 4, "completed");
    uint64_t resent = 0;
    for (const RdmaTestEnd& end : net.ends)
    {
        NS_TEST_EXPECT_MSG_EQ((end.state == RdmaFlowState::COMPLETED), true, "all bytes");
        resent += end.resent;
    }
    NS_TEST_EXPECT_MSG_GT(net.Counters().bufferDrops, 0, "frames were lost");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(resent, 1000 * net.Counters().bufferDrops, "and sent again");
    NS_TEST_EXPECT_MSG_EQ(net.Counters().pauses, 0, "nobody was paused");
}

RDMA_TEST(RdmaIrnAlone, "with nothing lost, completion times are those of go-back-N")
{
    std::vector<std::vector<int64_t>> fcts;
    for (const char* recovery : {"go-back-n", "irn"})
    {
        RdmaTestNetwork net(RdmaTestStar(4), [recovery](RdmaHelper& helper) {
            helper.SetHostAttribute("Recovery", StringValue(recovery));
        });
        net.Flow(1, 0, 123456);
        net.Flow(2, 0, 50000);
        net.Flow(0, 3, 1);
        net.Run();
        fcts.emplace_back();
        for (const RdmaTestEnd& end : net.ends)
        {
            fcts.back().push_back(end.fct);
        }
        const bool irn = std::string(recovery) == "irn";
        NS_TEST_EXPECT_MSG_EQ((net.network->WhyEveryPacket() != nullptr), irn, "fast-forward");
    }
    NS_TEST_EXPECT_MSG_EQ(fcts[0].size(), 3, "all");
    NS_TEST_EXPECT_MSG_EQ((fcts[0] == fcts[1]), true, "the same");
}

RdmaTestSuite<RdmaIrnSelective,
              RdmaIrnTwoLosses,
              RdmaIrnNewPackets,
              RdmaIrnWindow,
              RdmaIrnTimeoutHigh,
              RdmaIrnTimeoutLow,
              RdmaIrnLostAck,
              RdmaIrnControl,
              RdmaIrnThreshold,
              RdmaIrnWithoutPfc,
              RdmaIrnAlone>
    g_rdmaIrnSuite("rdma-irn");

} // namespace

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <map>
#include <vector>

using namespace ns3;

/*
 * Two hosts and one link: 83 ns per data frame of 1000 B (1048 B on the wire at 100 Gb/s), 4 ns per
 * acknowledgement, 1000 ns on the way: 83 + 1000 + 4 + 1000 = 2087 from a frame to its
 * acknowledgement.
 */

namespace
{

/** \return the time that one message takes, ns */
int64_t
TimeOf(uint64_t bytes, uint64_t window)
{
    RdmaTestNetwork net(RdmaTestPair());
    net.Flow(0, 1, bytes, window);
    net.Run();
    const int64_t fct = net.ends.size() == 1 ? net.ends[0].fct : -1;
    Simulator::Destroy();
    return fct;
}

RDMA_TEST(RdmaMessageSmall, "messages of 0 bytes, 1 byte, and around one frame")
{
    // 48 B: 3.84, so 3 ns; 49 B: 3.92; 1048: 83; 48 + 1 more: 3; 1047 B: 83.76
    NS_TEST_EXPECT_MSG_EQ(TimeOf(0, 0),
                          3 + 1000 + 1004,
                          "an empty message is one frame of headers");
    NS_TEST_EXPECT_MSG_EQ(TimeOf(1, 0), 3 + 1000 + 1004, "one byte");
    NS_TEST_EXPECT_MSG_EQ(TimeOf(999, 0), 83 + 1000 + 1004, "one frame less a byte");
    NS_TEST_EXPECT_MSG_EQ(TimeOf(1000, 0), 83 + 1000 + 1004, "one frame");
    // the byte arrives 3 ns after the frame, whose acknowledgement takes 4 ns to leave first
    NS_TEST_EXPECT_MSG_EQ(TimeOf(1001, 0), 83 + 1000 + 4 + 1004, "one frame and a byte");
}

RDMA_TEST(RdmaMessageWindow, "a full window waits for acknowledgements")
{
    NS_TEST_EXPECT_MSG_EQ(TimeOf(4000, 0), 3 * 83 + 2087, "no window");
    // two frames at 0 and 83; the third at 2087, when the first is acknowledged; the fourth 83
    // later
    NS_TEST_EXPECT_MSG_EQ(TimeOf(4000, 2000), 2087 + 83 + 2087, "two frames");
    NS_TEST_EXPECT_MSG_EQ(TimeOf(4000, 1500), 2087 + 83 + 2087, "the last may overshoot");
    NS_TEST_EXPECT_MSG_EQ(TimeOf(4000, 1000), 4 * 2087, "one frame at a time");
    NS_TEST_EXPECT_MSG_EQ(TimeOf(4000, 1), 4 * 2087, "one byte is one frame");
}

RDMA_TEST(RdmaMessageTraces, "a flow starts, is delivered, then ends")
{
    RdmaTestNetwork net(RdmaTestPair());
    std::vector<std::pair<char, int64_t>> seen;
    using Sink = Callback<void, const RdmaQueuePair&>;
    auto note = [&](char what) {
        return Sink(std::function<void(const RdmaQueuePair&)>(
            [&, what](const RdmaQueuePair&) { seen.emplace_back(what, net.Now()); }));
    };
    net.network->GetHost(0)->TraceConnectWithoutContext("FlowStart", note('s'));
    net.network->GetHost(0)->TraceConnectWithoutContext("FlowEnd", note('e'));
    net.network->GetHost(0)->TraceConnectWithoutContext("FlowDelivered", note('x'));
    net.network->GetHost(1)->TraceConnectWithoutContext("FlowDelivered", note('d'));
    net.At(5000, [&net] { net.Flow(0, 1, 2000); });
    net.Run();
    // delivered after 2 * 83 + 1000, acknowledged 1004 later
    const std::vector<std::pair<char, int64_t>> expected{{'s', 5000}, {'d', 6166}, {'e', 7170}};
    NS_TEST_EXPECT_MSG_EQ((seen == expected), true, "at the sender, the receiver, the sender");
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].delivered, 1166, "before the end");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].fct, 2170, "the end");
}

RDMA_TEST(RdmaMessagePorts, "source ports count per pair of hosts, from 10000")
{
    RdmaTestNetwork net(RdmaTestStar(3));
    NS_TEST_EXPECT_MSG_EQ(net.Flow(0, 1, 1000).GetSourcePort(), 10000, "0 to 1");
    NS_TEST_EXPECT_MSG_EQ(net.Flow(0, 1, 1000).GetSourcePort(), 10001, "0 to 1 again");
    NS_TEST_EXPECT_MSG_EQ(net.Flow(1, 0, 1000).GetSourcePort(), 10000, "the other way round");
    NS_TEST_EXPECT_MSG_EQ(net.Flow(0, 2, 1000).GetSourcePort(), 10000, "another destination");
    net.Run();
    NS_TEST_EXPECT_MSG_EQ(net.Flow(0, 1, 1000).GetSourcePort(), 10002, "ended ones count, too");
}

/** \return a flow from host 0 to host 1 by source port 50000, which counts that it has completed,
 * and what it has sent again */
RdmaFlow
ByPort50000(uint64_t bytes, uint32_t& completed, uint64_t& resent)
{
    RdmaFlow flow;
    flow.src = 0;
    flow.dst = 1;
    flow.bytes = bytes;
    flow.sourcePort = 50000;
    flow.onEnd = [&completed, &resent](const RdmaQueuePair& qp) {
        completed +=
            qp.GetState() == RdmaFlowState::COMPLETED && qp.GetSndUna() == qp.GetFlow().bytes;
        resent += qp.GetRetransmittedBytes();
    };
    return flow;
}

RDMA_TEST(RdmaMessagePortsAskedFor, "flows may ask for a source port, and share one")
{
    RdmaTestNetwork net(RdmaTestStar(3));
    uint32_t completed = 0;
    uint64_t resent = 0;
    const RdmaQueuePair& first = net.network->StartFlow(ByPort50000(4000, completed, resent));
    const RdmaQueuePair& second = net.network->StartFlow(ByPort50000(3000, completed, resent));
    NS_TEST_EXPECT_MSG_EQ(first.GetSourcePort(), 50000, "as asked");
    NS_TEST_EXPECT_MSG_EQ(second.GetSourcePort(), 50000, "shared");
    NS_TEST_EXPECT_MSG_EQ((first.GetDataRoute() == second.GetDataRoute()), true, "one path");
    NS_TEST_EXPECT_MSG_EQ(net.Flow(0, 1, 1000).GetSourcePort(), 10000, "the count stands still");
    net.Run();
    NS_TEST_EXPECT_MSG_EQ(completed, 2, "each by itself");
    NS_TEST_EXPECT_MSG_EQ(resent, 0, "no sequence numbers are mixed up");
}

RDMA_TEST(RdmaMessagePortsFail, "flows that share a source port survive a failing link")
{
    RdmaTestNetwork net(RdmaTestPair());
    uint32_t completed = 0;
    uint64_t resent = 0;
    for (const uint64_t bytes : {100000, 90000, 80000})
    {
        net.network->StartFlow(ByPort50000(bytes, completed, resent));
    }
    net.At(3000, [&net] { net.network->SetLinkUp(0, false); });
    net.At(50000, [&net] { net.network->SetLinkUp(0, true); });
    net.Run();
    NS_TEST_EXPECT_MSG_EQ(completed, 3, "the link came back");
    NS_TEST_EXPECT_MSG_GT(resent, 0, "what was lost");
}

/** Counts what it is told, and sends at line rate. */
class CountingControl : public RdmaCongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::RdmaMessageTestControl")
                                .SetParent<RdmaCongestionControl>()
                                .SetGroupName("Rdma")
                                .AddConstructor<CountingControl>();
        return tid;
    }

    Ptr<RdmaCongestionControl> Fork() const override
    {
        return CopyObject<CountingControl>(this);
    }

    void OnAck(RdmaQueuePair&, const RdmaAck& ack) override
    {
        echoes += ack.echo;
    }

    void OnCongestionNotification(RdmaQueuePair&) override
    {
        ++notifications;
    }

    bool TakesCnps() const override
    {
        return true;
    }

    uint32_t echoes{0};
    uint32_t notifications{0};
};

NS_OBJECT_ENSURE_REGISTERED(CountingControl);

/** Two hosts send 1 MB each to a third; every frame that leaves others behind is marked. */
struct MarkedRun
{
    explicit MarkedRun(int64_t cnpIntervalNs)
        : net(RdmaTestStar(3), [cnpIntervalNs](RdmaHelper& helper) {
              helper.SetCongestionControl("ns3::RdmaMessageTestControl");
              helper.SetEcnThresholds(100000000000, {0, 0, 1});
              helper.SetHostAttribute("CnpInterval",
                                      TimeValue(NanoSeconds(static_cast<uint64_t>(cnpIntervalNs))));
          })
    {
        RdmaTestListen(net.Port(2).enqueueTrace, [this](const RdmaFrame& frame, uint32_t) {
            if (frame.kind == RdmaFrameKind::CNP)
            {
                cnps[frame.qp->GetId()].push_back(net.Now());
            }
        });
        for (uint32_t host : {0, 1})
        {
            controls.push_back(DynamicCast<CountingControl>(
                Ptr<RdmaCongestionControl>(net.Flow(host, 2, 1000000).GetCongestionControl())));
        }
        net.Run();
    }

    RdmaTestNetwork net;
    std::vector<Ptr<CountingControl>> controls;
    std::map<uint64_t, std::vector<int64_t>> cnps; ///< times, by flow
};

RDMA_TEST(RdmaMessageEcho, "without CNP frames every echo is a notification")
{
    const MarkedRun run(0);
    NS_TEST_EXPECT_MSG_EQ(run.net.ends.size(), 2, "completed");
    NS_TEST_EXPECT_MSG_EQ(run.cnps.size(), 0, "no CNP frames");
    // all but the first frames of data are marked at the bottleneck, where the queue grows; the
    // queue is empty behind the very last one
    NS_TEST_EXPECT_MSG_GT(run.controls[0]->notifications, 900, "nearly every acknowledgement");
    for (const auto& control : run.controls)
    {
        // the echo on the acknowledgement that completes the flow notifies nobody
        NS_TEST_EXPECT_MSG_LT(control->echoes - control->notifications, 2, "as many as echoes");
    }
}

RDMA_TEST(RdmaMessageCnp, "CNP frames come at most once per interval and flow")
{
    // The receiver gets 2000 frames of 83 ns, 166 us; with 50 us between them that is 4 CNPs (at 0,
    // 50, 100 and 150 us after the first mark). Frames of a flow come every 166 ns, so a CNP is at
    // most that late.
    const MarkedRun run(50000);
    NS_TEST_EXPECT_MSG_EQ(run.net.ends.size(), 2, "completed");
    for (uint64_t flow : {0, 1})
    {
        const auto& times = run.cnps.at(flow);
        RDMA_TEST_REQUIRE(EQ, times.size(), 4, "flow " << flow);
        for (size_t i = 1; i < times.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_GT_OR_EQ(times[i] - times[i - 1], 50000, "not sooner");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(times[i] - times[i - 1], 50000 + 166, "nor much later");
        }
        NS_TEST_EXPECT_MSG_EQ(run.controls[flow]->notifications, 4, "each notifies once");
        NS_TEST_EXPECT_MSG_GT(run.controls[flow]->echoes, 900, "echoes do not");
    }
}

RdmaTestSuite<RdmaMessageSmall,
              RdmaMessageWindow,
              RdmaMessageTraces,
              RdmaMessagePorts,
              RdmaMessagePortsAskedFor,
              RdmaMessagePortsFail,
              RdmaMessageEcho,
              RdmaMessageCnp>
    g_rdmaMessageSuite("rdma-message");

} // namespace

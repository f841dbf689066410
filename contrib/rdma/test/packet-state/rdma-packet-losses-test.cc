/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Where bytes are delivered without frames, links lose those frames of the rest that they would
// have lost.

#include "rdma-test-case.h"
#include "rdma-test-part.h"

#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <optional>
#include <set>
#include <utility>

using namespace ns3;

namespace
{

constexpr uint64_t FRAME = 1000; //!< payload, bytes
constexpr uint64_t FRAMES = 20000;
constexpr uint64_t SIZE = FRAMES * FRAME;
constexpr uint64_t FLIGHT = 60 * FRAME;

/** What links lost of a flow on the chain, and what it was left to send. */
struct Outcome
{
    std::set<std::pair<uint64_t, uint32_t>> lost; //!< data frames: where they begin, and again
    uint64_t errors{0};                           //!< data and acknowledgements
    uint64_t credited{0};                         //!< bytes
    uint64_t credits{0};
    uint64_t renewals{0};
    RdmaTestEnd end{};
};

/** How often, and how, a flow is credited. */
struct Skips
{
    int64_t interval{0}; //!< ns; 0: never
    bool piped{false};
    bool renews{false}; //!< what is paused is taken away and put back, too
};

Outcome
RunLossy(double rate, const Skips& skips)
{
    RdmaTestNetwork net(RdmaTestChain(), [rate](RdmaHelper& rdma) {
        rdma.SetDefaultErrorRate(rate);
        rdma.SetHostAttribute("RetransmissionTimeout", TimeValue(MicroSeconds(200)));
        rdma.SetHostAttribute("RetryCount", UintegerValue(20));
    });
    RdmaTestPart part(*net.network, skips.piped);
    Outcome outcome;
    for (uint32_t link = 0; link < net.network->GetLinkCount(); ++link)
    {
        const auto& [a, b] = net.network->GetLink(link);
        for (RdmaPort* port : {a, b})
        {
            RdmaTestListen(port->dropTrace, [&](const RdmaFrame& frame, RdmaDropReason) {
                if (frame.kind == RdmaFrameKind::DATA)
                {
                    outcome.lost.emplace(frame.seq, frame.again);
                }
            });
        }
    }
    RdmaQueuePair& qp = net.Flow(0, 1, SIZE, FLIGHT);
    std::optional<RdmaFlowLosses> losses;
    const auto skip = [&] {
        if (!part.IsInTheMiddle() || RdmaPacketState::IsRecovering(qp))
        {
            return;
        }
        const uint64_t left = SIZE - RdmaPacketState::GetDelivered(qp);
        const uint64_t sure = RdmaPacketState::GetUndisturbed(qp, losses, left);
        const uint64_t kept = RdmaPacketState::GetInFlight(qp) + 20 * FRAME;
        if (sure <= kept)
        {
            return;
        }
        const uint64_t bytes = std::min<uint64_t>(sure - kept, 1234567); // no whole frames
        part.Pause();
        outcome.renewals += skips.renews && part.Renew(); // as long as none was lost
        part.Credit(qp, bytes);
        part.Resume(0);
        outcome.credited += bytes;
        ++outcome.credits;
    };
    for (int64_t time = skips.interval; skips.interval && time < 2000000; time += skips.interval)
    {
        net.At(time, skip);
    }
    net.Run();
    outcome.errors = net.Counters().linkErrors;
    outcome.end = net.ends.size() == 1 ? net.ends[0] : RdmaTestEnd{};
    Simulator::Destroy();
    return outcome;
}

RDMA_TEST(RdmaPacketLossesSame, "the same frames are lost, whatever was not simulated in between")
{
    for (const bool piped : {false, true})
    {
        for (const double rate : {2e-5, 2e-4})
        {
            const Outcome all = RunLossy(rate, {0, piped});
            // Each frame crosses three links; a quarter of the mean is enough.
            NS_TEST_EXPECT_MSG_GT(all.lost.size(), FRAMES * 3 * rate / 4, "some are lost");
            for (const bool renews : {false, true})
            {
                const Outcome some = RunLossy(rate, {37000, piped, renews});
                const std::string text = "error rate " + std::to_string(rate) +
                                         (piped ? ", piped" : "") + (renews ? ", renewed" : "");
                NS_TEST_EXPECT_MSG_GT(some.credited, SIZE / 3, text << ": much is left out");
                NS_TEST_EXPECT_MSG_EQ((some.renewals > 0), (renews && rate < 1e-4), text);
                NS_TEST_EXPECT_MSG_EQ((some.lost == all.lost), true, text);
                NS_TEST_EXPECT_MSG_EQ(some.end.resent, all.end.resent, text);
                // Links whose acknowledgements are under way in frames may lose one of these more
                // or less: where they are is not what they would be.
                NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(some.errors),
                                          static_cast<double>(all.errors),
                                          (piped ? 0.1 : 1.1),
                                          text);
            }
        }
    }
}

RDMA_TEST(RdmaPacketLossesFew, "a frame that is lost bounds what is sure, and so does the last ack")
{
    RdmaTestNetwork net(RdmaTestPair());
    RdmaPort& there = net.Port(0);
    RdmaPort& back = net.Port(1);
    RdmaQueuePair& qp = net.Flow(0, 1, 100 * FRAME);
    std::optional<RdmaFlowLosses> losses;
    const auto sure = [&](uint64_t atMost) {
        return RdmaPacketState::GetUndisturbed(qp, losses, atMost);
    };
    NS_TEST_EXPECT_MSG_EQ(sure(UINT64_MAX), UINT64_MAX, "nothing is lost");
    there.SetErrorRate(1);
    NS_TEST_EXPECT_MSG_EQ(sure(50 * FRAME), 0, "the first frame is lost");
    there.SetErrorRate(0);
    back.SetErrorRate(1);
    NS_TEST_EXPECT_MSG_EQ(sure(50 * FRAME), 0, "so few are under way that each ack matters");
    back.SetErrorRate(0);
    net.Run(3000); // 36 frames of 1,048 B at 100 Gb/s are sent, 2 or more have been acknowledged
    back.SetErrorRate(1);
    NS_TEST_EXPECT_MSG_EQ(sure(50 * FRAME), 50 * FRAME, "others say as much");
    const uint64_t left = 100 * FRAME - RdmaPacketState::GetDelivered(qp);
    NS_TEST_EXPECT_MSG_EQ(sure(left), left - 1, "nothing follows the last one");
    // The next frame to send is lost: what is in flight is sure.
    there.SetErrorRate(1);
    back.SetErrorRate(0);
    NS_TEST_EXPECT_MSG_EQ(sure(50 * FRAME), 0, "all that are in flight are lost");
    NS_TEST_EXPECT_MSG_EQ(RdmaPacketState::IsRecovering(qp), false, "but have not been so far");
    net.Run(200);
    NS_TEST_EXPECT_MSG_EQ(RdmaPacketState::IsRecovering(qp), true, "one has");
    there.SetErrorRate(0);
    net.Run();
    NS_TEST_EXPECT_MSG_EQ(net.ends.size(), 1, "it ends");
    Simulator::Destroy();
}

const RdmaTestSuite<RdmaPacketLossesSame, RdmaPacketLossesFew> g_rdmaPacketLossesSuite(
    "rdma-packet-losses");

} // namespace

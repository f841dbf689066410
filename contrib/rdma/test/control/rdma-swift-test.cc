/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-control.h"

#include "ns3/rdma-swift.h"

#include <algorithm>
#include <cmath>

using namespace ns3;

/*
 * Swift (SIGCOMM 2020), algorithm 1, with ai = 1, beta = 0.8, max_mdf = 0.5, windows in frames:
 *   below the target:  cwnd += ai * acked / cwnd (or ai * acked, if cwnd < 1)
 *   otherwise, once per round trip: cwnd *= max(1 - beta (delay - target) / delay, 1 - max_mdf)
 * and section 3.5: target = 4000 ns + 1 hop * 1000 ns + min(max(alpha / sqrt(cwnd) + offset, 0),
 * 4000 ns), alpha = 4000 / (1 / sqrt(0.1) - 1 / sqrt(100)), offset = -alpha / sqrt(100).
 */

namespace
{

double
Target(double cwnd)
{
    const double alpha = 4000 / (1 / std::sqrt(0.1) - 1 / std::sqrt(100));
    const double scaling = alpha / std::sqrt(cwnd) - alpha / std::sqrt(100);
    return 4000 + 1000 + std::min(std::max(scaling, 0.0), 4000.0);
}

struct Swift : public RdmaTestControl
{
    Swift()
        : RdmaTestControl("ns3::RdmaSwift")
    {
    }

    /** Acknowledges \p frames more at \p nowNs. */
    void Ack(uint64_t frames, int64_t nowNs, int64_t rttNs, bool nack = false)
    {
        RdmaAck ack{};
        ack.nack = nack;
        ack.nowNs = nowNs;
        ack.rttNs = rttNs;
        m_acked += frames * 1000;
        RdmaTestControl::Ack(m_acked, m_acked + 1000, ack);
    }

    double Cwnd() const
    {
        return static_cast<RdmaSwift*>(qp.GetCongestionControl())->GetWindow();
    }

  private:
    uint64_t m_acked{0};
};

RDMA_TEST(RdmaSwiftSteps, "increase and decrease by hand")
{
    Swift swift;
    NS_TEST_EXPECT_MSG_EQ(swift.Cwnd(), 50, "starts with the flow's window, 50000 B");
    NS_TEST_EXPECT_MSG_EQ_TOL(Target(50), 5054.1, 0.1, "5000 + 1306.2 / 7.071 - 130.6");
    const auto* control = static_cast<RdmaSwift*>(swift.qp.GetCongestionControl());
    NS_TEST_EXPECT_MSG_EQ_TOL(control->GetTargetNs(swift.qp), Target(50), 1e-6, "target");
    swift.Ack(1, 10000, 4500);
    NS_TEST_EXPECT_MSG_EQ(swift.Cwnd(), 50, "which is also the most");
    // 8000 ns: 1 - 0.8 * (8000 - 5054.1) / 8000 = 0.70541
    swift.Ack(1, 11000, 8000);
    double cwnd = 50 * (1 - 0.8 * (8000 - Target(50)) / 8000);
    NS_TEST_EXPECT_MSG_EQ_TOL(swift.Cwnd(), cwnd, 1e-9, "35.27");
    NS_TEST_EXPECT_MSG_EQ(swift.qp.GetWindow(), static_cast<uint64_t>(cwnd * 1000), "in bytes");
    NS_TEST_EXPECT_MSG_EQ(swift.qp.GetRate(), 100000000000, "the window alone limits");
    swift.Ack(1, 18999, 8000);
    NS_TEST_EXPECT_MSG_EQ_TOL(swift.Cwnd(), cwnd, 1e-9, "not twice within 8000 ns");
    swift.Ack(1, 111000, 100000);
    cwnd *= 0.5; // 1 - 0.8 * (100000 - 5089) / 100000 = 0.24 is more than max_mdf allows
    NS_TEST_EXPECT_MSG_EQ_TOL(swift.Cwnd(), cwnd, 1e-9, "halved at most");
    swift.Ack(3, 111100, 4500);
    cwnd += 3 / cwnd;
    NS_TEST_EXPECT_MSG_EQ_TOL(swift.Cwnd(), cwnd, 1e-9, "3 frames acknowledged");
    swift.Ack(0, 130000, 4500, true);
    cwnd *= 0.5;
    NS_TEST_EXPECT_MSG_EQ_TOL(swift.Cwnd(), cwnd, 1e-9, "a NACK halves");
    swift.Ack(0, 134499, 4500, true);
    NS_TEST_EXPECT_MSG_EQ_TOL(swift.Cwnd(), cwnd, 1e-9, "once per round trip");
}

RDMA_TEST(RdmaSwiftPacing, "below one frame the window is a pace")
{
    Swift swift;
    int64_t now = 0;
    double cwnd = 50;
    while (cwnd >= 1) // 50 / 2^6 = 0.78
    {
        now += 100000;
        swift.Ack(1, now, 100000);
        cwnd *= 0.5;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(swift.Cwnd(), 0.78125, 1e-12, "after 6 halvings");
    // one frame per 100000 / 0.78125 ns = 128 us: 8000 bit / 128 us = 62.5 Mb/s
    NS_TEST_EXPECT_MSG_EQ(swift.qp.GetRate(), 62500000, "0.78 frames per round trip");
    NS_TEST_EXPECT_MSG_EQ(swift.qp.GetWindow(), 1000, "one frame in flight");
    swift.Ack(1, now + 1, 4500);
    NS_TEST_EXPECT_MSG_EQ_TOL(swift.Cwnd(), 1.78125, 1e-12, "below one, + ai per frame");
    NS_TEST_EXPECT_MSG_EQ(swift.qp.GetRate(), 100000000000, "no pace any more");
}

RDMA_TEST(RdmaSwiftTimeouts, "time-outs halve, five in a row reset")
{
    Swift swift;
    RdmaCongestionControl& control = *swift.qp.GetCongestionControl();
    control.OnTimeout(swift.qp);
    NS_TEST_EXPECT_MSG_EQ(swift.Cwnd(), 25, "halved");
    for (int i = 2; i < 5; ++i)
    {
        control.OnTimeout(swift.qp);
        NS_TEST_EXPECT_MSG_EQ(swift.Cwnd(), 25, "at the same time, so within a round trip");
    }
    control.OnTimeout(swift.qp);
    NS_TEST_EXPECT_MSG_EQ_TOL(swift.Cwnd(), 0.001, 1e-12, "MinWindow");
}

RDMA_TEST(RdmaSwiftSkipped, "a window that does not hold its flow back grows on, others do not")
{
    Swift swift;
    RdmaCongestionControl& control = *swift.qp.GetCongestionControl();
    swift.Ack(1, 10000, 100000);
    swift.Ack(1, 111000, 4500);
    const double cwnd = swift.Cwnd(); // of 25 + 1 / 25 frames, one is in flight
    // 600 frames, each of which adds 1 / cwnd: cwnd^2 grows by 2 each
    control.OnSkipped(swift.qp, 600000, 1000);
    NS_TEST_EXPECT_MSG_EQ_TOL(swift.Cwnd(), std::sqrt(cwnd * cwnd + 1200), 1e-9, "42.7 frames");
    control.OnSkipped(swift.qp, 10000000, 1000);
    NS_TEST_EXPECT_MSG_EQ(swift.Cwnd(), 50, "the most");
    swift.Ack(1, 220000, 100000);
    control.OnSkipped(swift.qp, 600000, 1000);
    NS_TEST_EXPECT_MSG_EQ(swift.Cwnd(), 25, "at 100 us the target is passed");
}

RdmaTestSuite<RdmaSwiftSteps, RdmaSwiftPacing, RdmaSwiftTimeouts, RdmaSwiftSkipped>
    g_rdmaSwiftSuite("rdma-swift");

} // namespace

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-control.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/rdma-nscc.h"

#include <algorithm>
#include <cmath>

using namespace ns3;

/*
 * NSCC (UEC 1.0; htsim, sim/uec.cpp) with a round-trip time of 4000 ns at 100 Gb/s: a
 * bandwidth-delay product of 50000 B, a third of the reference's 150000 B (100 Gb/s * 12 us). The
 * target of the delay is 4000 ns, the largest window 1.5 * 50000 = 75000 B, packets have 1000 B:
 *   fast increase          0.25 / 3 B per byte
 *   proportional increase  4 * 1000 / 3 * (4000 - delay) / 12000 B per window
 *   fair increase          5 * 1000 / 3 B per window
 *   eta                    0.15 * 1000 / 3 = 50 B once per more than 4000 ns
 *   average delay          1 / 80 of each new one
 *   decrease               factor 1 - 0.8 * (average - 4000) / average, at least 0.5
 * What is collected is applied after more than 8000 B, or after more than 4000 ns.
 */

namespace
{

/** A flow under NSCC, whose acknowledgements come with a delay by queues. */
struct Nscc : public RdmaTestControl
{
    explicit Nscc(const RdmaTestNetwork::Setup& setup = {})
        : RdmaTestControl("ns3::RdmaNscc", setup)
    {
    }

    /** \p bytes more are acknowledged at \p ns, \p delay ns late; \p ahead beyond them have come.
     */
    void Come(int64_t ns,
              uint64_t bytes,
              int64_t delay,
              bool marked,
              bool nack = false,
              uint64_t ahead = 0)
    {
        m_acked += bytes;
        RdmaAck ack{};
        ack.nowNs = ns;
        ack.rttNs = RTT + delay;
        ack.echo = marked;
        ack.nack = nack;
        ack.ahead = ahead;
        Ack(m_acked, m_acked + 40000, ack);
    }

    /** Averages 400 delays of \p delay, all marked, within no time. */
    void Suffer(int64_t ns, int64_t delay)
    {
        for (int i = 0; i < 400; ++i)
        {
            Come(ns, 0, delay, true);
        }
    }

    const RdmaNscc& Control() const
    {
        return static_cast<RdmaNscc&>(*qp.GetCongestionControl());
    }

    double Window() const
    {
        return Control().GetWindow();
    }

  private:
    uint64_t m_acked{0};
};

/** Leaves the window to the quadrants. */
void
NoQuickAdapt(RdmaHelper& helper)
{
    helper.SetCongestionControlAttribute("QuickAdapt", BooleanValue(false));
}

/** \return a factor of a decrease at this average delay, ns */
double
Cut(double average)
{
    return std::max(1 - 0.8 * (average - 4000) / average, 0.5);
}

RDMA_TEST(RdmaNsccStart, "first windows")
{
    Nscc flow;
    NS_TEST_EXPECT_MSG_EQ(flow.qp.GetEffectiveWindow(),
                          74001,
                          "1.5 products, and a packet must fit");
    NS_TEST_EXPECT_MSG_EQ(flow.Rate(), 100e9, "no pacing");
    flow.Come(10000, 1000, 0, false);
    NS_TEST_EXPECT_MSG_EQ(flow.qp.GetEffectiveWindow(), 74001, "no more");
}

/** A flow whose window was cut at 10000 ns by an average delay of \p average, and its window. */
struct CutNscc : public Nscc
{
    CutNscc()
        : Nscc(NoQuickAdapt)
    {
        // The average of n delays of 20000 ns from 0 on is (1 - (79 / 80)^n) * 20000, and the
        // first of these beyond 4000 is the 18th: at 4059.8 a cut of 1.2 %
        for (int i = 0; i < 18; ++i)
        {
            Come(10000, 0, 20000, true);
        }
    }
};

RDMA_TEST(RdmaNsccMarkedLong, "marked, and beyond the target: a multiplicative decrease")
{
    CutNscc flow;
    const double average = (1 - std::pow(79.0 / 80, 18)) * 20000;
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Control().GetAverageDelayNs(), average, 1e-6, "18 of 20 us");
    NS_TEST_EXPECT_MSG_EQ_TOL(average, 4053, 1, "just beyond 4000");
    double window = 75000 * Cut(average);
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Window(), window, 1e-6, "1 % less");
    flow.Come(14000, 0, 20000, true);
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Window(), window, 1e-6, "not again in 4000 ns, nor eta");
    flow.Come(14001, 0, 20000, true);
    window = window * Cut((1 - std::pow(79.0 / 80, 20)) * 20000) + 50;
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Window(), window, 1e-6, "again later, and eta");
    flow.Suffer(14001, 40000);
    flow.Come(18002, 0, 40000, true);
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Window(), window * 0.5 + 50, 1e-6, "by half at most");
}

RDMA_TEST(RdmaNsccMarkedShort, "marked, and below the target: nothing")
{
    CutNscc flow;
    const double window = flow.Window();
    flow.Come(13000, 9000, 3999, true);
    NS_TEST_EXPECT_MSG_EQ(flow.Window(), window, "not collected either");
}

RDMA_TEST(RdmaNsccUnmarkedLong, "not marked, and beyond the target: a fair increase")
{
    CutNscc flow;
    double window = flow.Window();
    const double average = flow.Control().GetAverageDelayNs();
    flow.Come(11000, 8000, 4000, false);
    NS_TEST_EXPECT_MSG_EQ(flow.Window(), window, "collected");
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Control().GetAverageDelayNs(),
                              average + (4000 - average) / 80,
                              1e-9,
                              "at the target, it counts as it is");
    flow.Come(12000, 1000, 5000, false);
    window += 9000 / window * 5000 / 3;
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Window(), window, 1e-6, "9000 B came");
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Control().GetAverageDelayNs(),
                              (average + (4000 - average) / 80) * 79 / 80 + 1000.0 / 80,
                              1e-9,
                              "beyond it, as a quarter of the round trip");
}

RDMA_TEST(RdmaNsccUnmarkedShort, "not marked, and below the target: proportional or fast")
{
    CutNscc flow;
    double window = flow.Window();
    flow.Come(11000, 9000, 3000, false);
    window += 9000 / window * 4000 / 3 * 1000 / 12000;
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Window(), window, 1e-6, "1000 of 12000 ns are left");
    flow.Come(12000, 9000, 1000, false);
    window += 9000 / window * 4000 / 3 * 3000 / 12000;
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Window(), window, 1e-6, "3000 of them");
    // without delay, that is below 1000 ns: fast beyond a window of bytes
    const double first = std::floor(window) - 8000;
    flow.Come(13000, static_cast<uint64_t>(first), 999, false);
    window += first / window * 4000 / 3 * 3001 / 12000;
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Window(), window, 1e-6, "not yet");
    flow.Come(13000, 9000, 0, false);
    window += 9000 * 0.25 / 3;
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Window(), std::min(window, 75000.0), 1e-6, "750 B more");
    // a delay ends it
    CutNscc other;
    window = other.Window();
    other.Come(11000, 70000, 999, false);
    window += 70000 / window * 4000 / 3 * 3001 / 12000;
    NS_TEST_EXPECT_MSG_EQ_TOL(other.Window(), window, 1e-6, "not yet");
    other.Come(12000, 9000, 3999, false);
    window += 9000 / window * 4000 / 3 * 1 / 12000;
    other.Come(13000, 9000, 999, false);
    window += 9000 / window * 4000 / 3 * 3001 / 12000;
    NS_TEST_EXPECT_MSG_EQ_TOL(other.Window(), window, 1e-6, "counted anew");
}

RDMA_TEST(RdmaNsccAhead, "what came out of order has arrived, and is not out")
{
    CutNscc flow;
    double window = flow.Window();
    flow.Come(11000, 0, 3000, false, false, 9000);
    window += 9000 / window * 4000 / 3 * 1000 / 12000; // as if it had been acknowledged
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Window(), window, 1e-6, "9000 B came");
    const auto base = static_cast<uint64_t>(window - 1000) + 1;
    NS_TEST_EXPECT_MSG_EQ(flow.qp.GetEffectiveWindow(), base + 9000, "of what seems to be out");
    flow.Come(12000, 10000, 3000, false); // the one before them comes: only its 1000 B are new
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Window(), window, 1e-6, "collected: 8000 B are not exceeded");
    NS_TEST_EXPECT_MSG_EQ(flow.qp.GetEffectiveWindow(), base, "no gap");
    flow.Come(13000, 7001, 3000, false);
    window += 8001 / window * 4000 / 3 * 1000 / 12000;
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Window(), window, 1e-6, "1000 and 7001 B came");
}

RDMA_TEST(RdmaNsccQuickAdapt, "little that arrives becomes the window")
{
    Nscc flow;
    flow.Come(10000, 1000, 0, false); // begins a period, of 4000 ns and the target
    flow.Come(17000, 8000, 17000, true);
    NS_TEST_EXPECT_MSG_EQ(flow.Window(), 75000, "not over yet, and the average delay is short");
    flow.Come(18001, 1000, 17000, true);
    NS_TEST_EXPECT_MSG_EQ(flow.Window(), 9000, "9000 B are less than an eighth of 75000");
    // the 40000 B in flight were sent before
    flow.Come(27000, 30000, 17000, true);
    NS_TEST_EXPECT_MSG_EQ(flow.Window(), 9000, "marks on them are ignored");
    flow.Come(27000, 9000, 0, false);
    NS_TEST_EXPECT_MSG_GT(flow.Window(), 9000, "no marks are not");

    // as much as an eighth is not little; nor is a delay of four targets long
    UseSimulator("ns3::DefaultSimulatorImpl");
    Nscc much;
    much.Come(10000, 1000, 0, false);
    much.Come(18001, 9375, 17000, true);
    NS_TEST_EXPECT_MSG_EQ(much.Window(), 75000, "9375 B");
    much.Come(26002, 9000, 16000, true);
    NS_TEST_EXPECT_MSG_EQ(much.Window(), 75000, "16 us");
    much.Come(34003, 0, 16001, true);
    NS_TEST_EXPECT_MSG_EQ(much.Window(), 1000, "never less than a packet");
}

RDMA_TEST(RdmaNsccLoss, "losses")
{
    Nscc flow;
    flow.Come(10000, 1000, 0, false);
    flow.Come(11000, 0, 0, false, true);
    NS_TEST_EXPECT_MSG_EQ(flow.Window(), 74000, "a packet less");
    flow.qp.GetCongestionControl()->OnTimeout(flow.qp);
    NS_TEST_EXPECT_MSG_EQ(flow.Window(), 73000, "one less");
    flow.Come(18001, 3000, 0, false);
    NS_TEST_EXPECT_MSG_EQ(flow.Window(), 3000, "quick adapt, whatever the delay");
}

RDMA_TEST(RdmaNsccBaseRtt, "a shorter round trip is the new base")
{
    Nscc flow;
    flow.Come(10000, 1000, -2000, false);
    NS_TEST_EXPECT_MSG_EQ(flow.qp.GetEffectiveWindow(),
                          36501,
                          "1.5 * 100 Gb/s * 2000 ns, less 999 B");
}

RdmaTestSuite<RdmaNsccStart,
              RdmaNsccMarkedLong,
              RdmaNsccMarkedShort,
              RdmaNsccUnmarkedLong,
              RdmaNsccUnmarkedShort,
              RdmaNsccAhead,
              RdmaNsccQuickAdapt,
              RdmaNsccLoss,
              RdmaNsccBaseRtt>
    g_rdmaNsccSuite("rdma-nscc");

} // namespace

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-control.h"

#include "ns3/boolean.h"
#include "ns3/rdma-hpcc.h"
#include "ns3/uinteger.h"

using namespace ns3;

/*
 * HPCC (SIGCOMM 2019), algorithm 1, with T = 4000 ns, window 50000 B, B = 100 Gb/s, eta = 0.95:
 *   u_i = txRate / B + min(qlen, qlen before) / (B * T), the denominator being the window
 *   U = (1 - tau / T) U + tau / T * u
 *   rate = reference / (U / eta) + 40 Mb/s
 * Bytes sent are in units of 128 B, queues in units of 80 B.
 */

namespace
{

constexpr double ETA = 0.95;
constexpr double INCREASE = 40e6;

/** A flow under HPCC. */
struct Hpcc : public RdmaTestControl
{
    explicit Hpcc(const RdmaTestNetwork::Setup& setup = {})
        : RdmaTestControl("ns3::RdmaHpcc", setup)
    {
    }

    double U() const
    {
        return static_cast<RdmaHpcc*>(qp.GetCongestionControl())->GetUtilization();
    }
};

RDMA_TEST(RdmaHpccSteps, "full and fast steps by hand")
{
    Hpcc hpcc;
    hpcc.Ack(1000, 50000, {{0, 0, 0}});
    NS_TEST_EXPECT_MSG_EQ(hpcc.Rate(), 100e9, "the first one only stores telemetry");

    // beyond 50000, so a full step. 100 * 128 B in 1000 ns are 102.4 Gb/s: u = 1.024, no queue
    // before; U = (3000 * 1 + 1000 * 1.024) / 4000 = 1.006; 100e9 / (1.006 / 0.95) = 94433399602
    hpcc.Ack(51000, 100000, {{1000, 100, 0}});
    NS_TEST_EXPECT_MSG_EQ_TOL(hpcc.U(), 1.006, 1e-12, "U");
    NS_TEST_EXPECT_MSG_EQ_TOL(hpcc.Rate(), 94433399602 + INCREASE, 1, "rate");
    const double reference = hpcc.Rate();
    NS_TEST_EXPECT_MSG_EQ(hpcc.qp.GetEffectiveWindow(),
                          47236,
                          "50000 * 94.4733996 / 100 = 47236.7");

    // within the round: fast steps from the same reference. The queue was empty before: min is 0.
    // U = (3000 * 1.006 + 1000 * 1.024) / 4000 = 1.0105
    hpcc.Ack(52000, 101000, {{2000, 200, 250}});
    NS_TEST_EXPECT_MSG_EQ_TOL(hpcc.U(), 1.0105, 1e-12, "U");
    NS_TEST_EXPECT_MSG_EQ_TOL(hpcc.Rate(), reference / (1.0105 / ETA) + INCREASE, 2, "rate");

    // now a queue of 250 * 80 = 20000 B at both: u = 1.024 + 20000 / 50000 = 1.424
    // U = (3000 * 1.0105 + 1000 * 1.424) / 4000 = 1.113875
    hpcc.Ack(53000, 102000, {{3000, 300, 250}});
    NS_TEST_EXPECT_MSG_EQ_TOL(hpcc.U(), 1.113875, 1e-12, "U");
    NS_TEST_EXPECT_MSG_EQ_TOL(hpcc.Rate(), reference / (1.113875 / ETA) + INCREASE, 2, "rate");

    // a full step with tau = 5000 ns > T counts as T: U = u = 250 * 128 * 8 / 5000 / 100 = 0.512;
    // the rate would nearly double, and the line bounds it
    hpcc.Ack(101000, 150000, {{8000, 550, 0}});
    NS_TEST_EXPECT_MSG_EQ_TOL(hpcc.U(), 0.512, 1e-12, "U");
    NS_TEST_EXPECT_MSG_EQ(hpcc.Rate(), 100e9, "line rate");
}

RDMA_TEST(RdmaHpccBounds, "the least rate, hops, and counters that wrap")
{
    Hpcc hpcc;
    const uint64_t timeEnd = 1 << 24;
    const uint64_t txEnd = 1 << 20;
    hpcc.Ack(1000, 2000, {{timeEnd - 500, txEnd - 50, 0}, {timeEnd - 500, 0, 0}});
    // both wrapped: 1000 ns and 100 units later, as in the first case; the second link is idle
    hpcc.Ack(3000, 4000, {{500, 50, 0}, {500, 10, 0}});
    NS_TEST_EXPECT_MSG_EQ_TOL(hpcc.U(), 1.006, 1e-12, "the busiest link counts");
    // a queue of 131071 * 80 B = 210 windows at both times, T later: U = 1.024 + 209.7136
    hpcc.Ack(5000, 6000, {{4500, 450, 131071}, {4500, 50, 0}});
    hpcc.Ack(7000, 8000, {{8500, 850, 131071}, {8500, 90, 0}});
    NS_TEST_EXPECT_MSG_EQ_TOL(hpcc.U(), 1.024 + 131071.0 * 80 / 50000, 1e-9, "U");
    NS_TEST_EXPECT_MSG_EQ(hpcc.Rate(), 1e9, "100 / 222 Gb/s would be less than MinRate");
    // the second frame within a nanosecond says nothing
    hpcc.Ack(9000, 10000, {{8500, 851, 0}, {8500, 91, 0}});
    NS_TEST_EXPECT_MSG_EQ(hpcc.Rate(), 1e9, "no step");
}

RDMA_TEST(RdmaHpccStages, "additive increases, then a multiplicative one")
{
    Hpcc hpcc([](RdmaHelper& helper) {
        helper.SetCongestionControlAttribute("MaxStage", UintegerValue(2));
        helper.SetCongestionControlAttribute("FastReact", BooleanValue(false));
    });
    hpcc.Ack(1000, 2000, {{0, 0, 0}});
    // T later with 4000 * 1.25 / 128 = 390.625 B per ns, that is 781 units in 8000 ns: u = 0.9997
    hpcc.Ack(3000, 4000, {{8000, 781, 0}});
    const double busy = 781.0 * 128 * 8 / 8000 / 100;
    NS_TEST_EXPECT_MSG_EQ_TOL(hpcc.U(), busy, 1e-12, "U");
    double rate = static_cast<double>(static_cast<uint64_t>(100e9 / (busy / ETA))) + INCREASE;
    NS_TEST_EXPECT_MSG_EQ_TOL(hpcc.Rate(), rate, 1, "c >= 1: multiplicative");
    // half as busy: twice only the increase, then a multiplicative step up to the line rate
    hpcc.Ack(5000, 6000, {{16000, 781 + 390, 0}});
    NS_TEST_EXPECT_MSG_EQ_TOL(hpcc.Rate(), rate + INCREASE, 1, "stage 0");
    hpcc.Ack(5500, 6000, {{20000, 781 + 585, 0}});
    NS_TEST_EXPECT_MSG_EQ_TOL(hpcc.Rate(), rate + INCREASE, 1, "no fast steps");
    hpcc.Ack(7000, 8000, {{24000, 781 + 780, 0}});
    NS_TEST_EXPECT_MSG_EQ_TOL(hpcc.Rate(), rate + 2 * INCREASE, 1, "stage 1");
    hpcc.Ack(9000, 10000, {{32000, 781 + 1170, 0}});
    NS_TEST_EXPECT_MSG_EQ(hpcc.Rate(), 100e9, "stage 2: multiplicative");
}

RDMA_TEST(RdmaHpccMultiRate, "with a rate per link the least one applies")
{
    Hpcc hpcc([](RdmaHelper& helper) {
        helper.SetCongestionControlAttribute("MultiRate", BooleanValue(true));
    });
    hpcc.Ack(1000, 2000, {{0, 0, 0}, {0, 0, 0}});
    // T later: u = 0.512 at the first link, 1.024 at the second
    hpcc.Ack(3000, 4000, {{4000, 200, 0}, {4000, 400, 0}});
    const double second = 100e9 / (1.024 / ETA) + INCREASE;
    NS_TEST_EXPECT_MSG_EQ_TOL(hpcc.Rate(), second, 1, "the second link's");
    // the first link is busy now, the second half as busy: its own rate recovers to the line's
    hpcc.Ack(5000, 6000, {{8000, 600, 0}, {8000, 600, 0}});
    NS_TEST_EXPECT_MSG_EQ_TOL(hpcc.Rate(), second, 1, "the first link's: the same number");
}

RDMA_TEST(RdmaHpccSampling, "with SampleFeedback, fast steps look only at links with a queue")
{
    Hpcc hpcc([](RdmaHelper& helper) {
        helper.SetCongestionControlAttribute("SampleFeedback", BooleanValue(true));
    });
    hpcc.Ack(1000, 50000, {{0, 0, 0}});
    hpcc.Ack(2000, 51000, {{1000, 100, 0}});
    NS_TEST_EXPECT_MSG_EQ(hpcc.Rate(), 100e9, "skipped, and its telemetry not stored");
    // so tau is 2000: U = (2000 + 2000 * 1.024) / 4000 = 1.012
    hpcc.Ack(3000, 52000, {{2000, 200, 1}});
    NS_TEST_EXPECT_MSG_EQ_TOL(hpcc.U(), 1.012, 1e-12, "U");
}

RDMA_TEST(RdmaHpccScaling, "a flow goes on from a part of its rate")
{
    for (const bool multiRate : {false, true})
    {
        Hpcc hpcc([multiRate](RdmaHelper& helper) {
            helper.SetCongestionControlAttribute("MultiRate", BooleanValue(multiRate));
        });
        hpcc.Ack(1000, 50000, {{0, 0, 0}});
        hpcc.Ack(51000, 100000, {{1000, 100, 0}}); // a full step, as above
        const double reference = hpcc.Rate();
        RDMA_TEST_REQUIRE(EQ, hpcc.qp.GetCongestionControl()->CanScale(), true, "it can");
        hpcc.qp.GetCongestionControl()->Scale(hpcc.qp, 0.5);
        NS_TEST_EXPECT_MSG_EQ_TOL(hpcc.Rate(), reference / 2, 1, "half");
        NS_TEST_EXPECT_MSG_EQ(hpcc.qp.GetEffectiveWindow(), 23618, "50000 * 47.2366998 / 100");
        hpcc.Ack(52000, 101000, {{2000, 200, 250}}); // a fast one, from half the reference
        NS_TEST_EXPECT_MSG_EQ_TOL(hpcc.Rate(),
                                  reference / 2 / (1.0105 / ETA) + INCREASE,
                                  2,
                                  "rate");
        hpcc.qp.GetCongestionControl()->Scale(hpcc.qp, 1e9);
        NS_TEST_EXPECT_MSG_EQ(hpcc.Rate(), 100e9, "the line's at most");
        hpcc.qp.GetCongestionControl()->Scale(hpcc.qp, 1e-9);
        NS_TEST_EXPECT_MSG_EQ(hpcc.Rate(), 1e9, "MinRate at least");
    }
}

RDMA_TEST(RdmaHpccPacing, "a new rate corrects when the next frame may leave")
{
    // A frame is 14 + 20 + 8 + 4 + 2 + 42 + 1000 = 1090 B: the next one may leave after 87 ns at
    // 100 Gb/s, and after floor(1090 * 8 / rate) from the same start at another rate.
    Hpcc hpcc;
    const RdmaNicScheduler& scheduler = hpcc.net.network->GetHost(0)->GetScheduler(0);
    RDMA_TEST_REQUIRE(EQ, scheduler.GetNextAvailable(hpcc.qp), 87, "line rate, from 0");
    hpcc.Ack(1000, 2000, {{0, 0, 0}});
    hpcc.Ack(3000, 4000, {{4000, 800, 0}});               // u = 2.048
    const double rate = 100e9 / (2.048 / ETA) + INCREASE; // 46.43 Gb/s: 187.8 ns
    NS_TEST_EXPECT_MSG_EQ_TOL(hpcc.Rate(), rate, 1, "rate");
    NS_TEST_EXPECT_MSG_EQ(scheduler.GetNextAvailable(hpcc.qp),
                          static_cast<int64_t>(1090 * 8e9 / rate),
                          "from 0 at the new rate");
}

RdmaTestSuite<RdmaHpccSteps,
              RdmaHpccBounds,
              RdmaHpccStages,
              RdmaHpccMultiRate,
              RdmaHpccSampling,
              RdmaHpccScaling,
              RdmaHpccPacing>
    g_rdmaHpccSuite("rdma-hpcc");

} // namespace

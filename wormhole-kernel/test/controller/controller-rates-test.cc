/*
 * SPDX-License-Identifier: MIT
 */

// The rates that partitions are skipped with: how they are found, looked at again, and used up to
// tails.

#include "controller/controller-rig.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace wormhole
{
namespace
{

/** The rates of \p rig, from \p from to \p to, are such that no window is steady. */
void
MakeUnsteady(Rig& rig, std::int64_t from, std::int64_t to)
{
    for (std::int64_t time = from; time < to; ++time)
    {
        const Bytes rate = 50 + static_cast<Bytes>(time * time * 7919 % 101);
        rig.simulator.Do(At(time), [&rig, rate] { rig.simulator.SetRate(F0, rate); });
    }
    rig.simulator.Do(At(to), [&rig] { rig.simulator.SetRate(F0, 100); });
}

TEST(Controller, CreditsEachFlowOfAPartitionUpToTheFirstTail)
{
    ControllerOptions options = SmallOptions();
    options.guard = false;
    Rig rig(nullptr, options);
    rig.simulator.Start(F0, {P0}, 1400, 100);
    rig.simulator.Start(F1, {P0, P1}, 10'000, 30);
    rig.simulator.RunTo(At(15));
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Running, NothingToRecord, 2 flows, 0\n"
              "4: P0 Running to Skipping, Steady, 2 flows, 6\n" // 1400 - 400 - 400 bytes at 100
              "10: P0 Skipping to Running, TailReached, 2 flows, 0\n"
              "14: P0 Running to Running, FlowEnded, 1 flows, 0\n"
              "14: P0 Running to Running, NothingToRecord, 1 flows, 0\n");
    EXPECT_EQ(rig.Calls(),
              "4 us: Pause flows 0,1 ports 0,1\n"
              "10 us: Credit flow 0 600\n"
              "10 us: Credit flow 1 180\n"
              "10 us: Resume +6 us flows 0,1 ports 0,1\n");
    EXPECT_EQ(rig.DeliveredBy(F1), 450U);
    // 14 us of two flows and 1 us of one: 6 us of both were skipped. The last one counts when its
    // state changes.
    const auto& flowTime = rig.controller.Statistics().flowTime;
    EXPECT_EQ(flowTime[static_cast<std::size_t>(PartitionState::Skipping)].count(),
              2 * Micro(6).count());
    EXPECT_EQ(flowTime[static_cast<std::size_t>(PartitionState::Running)].count(),
              2 * Micro(8).count());
    rig.controller.Finish(At(15));
    EXPECT_EQ(flowTime[static_cast<std::size_t>(PartitionState::Running)].count(),
              Micro(2 * 8 + 1).count());
}

TEST(Controller, FlowsNearTheirTailsReachThemTogether)
{
    ControllerOptions options = SmallOptions();
    options.guard = false;
    options.tailAlignment = 1e-3;
    Rig rig(nullptr, options);
    rig.simulator.Start(F0, {P0}, 108'000, 1000);
    rig.simulator.Start(F1, {P0}, 108'100, 1000);
    rig.simulator.Start(F2, {P0}, 108'104, 1000);
    rig.simulator.RunTo(At(150));
    // 108,000 - 4,000 - 400 bytes; a thousandth of that is 103.
    EXPECT_EQ(rig.Calls(),
              "4 us: Pause flows 0,1,2 ports 0\n"
              "107600000 ps: Credit flow 0 103600\n"
              "107600000 ps: Credit flow 1 103700\n"
              "107600000 ps: Credit flow 2 103600\n"
              "107600000 ps: Resume +103600000 ps flows 0,1,2 ports 0\n");
}

TEST(Controller, NobodyReachesTheTailBeforeTheFirstOneDoes)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 4'000 + 16'003 + 400, 1000);
    rig.simulator.RunTo(At(21));
    EXPECT_EQ(rig.Calls(),
              "4 us: Pause flows 0 ports 0\n"
              "20003000 ps: Credit flow 0 16003\n"
              "20003000 ps: Resume +16003000 ps flows 0 ports 0\n");
}

TEST(Controller, StartsAnewWhenRatesAreOthersAfterASkip)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.Do(At(20), [&] { rig.simulator.SetRate(F0, 50); });
    rig.simulator.RunTo(At(40));
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Running, NothingToRecord, 1 flows, 0\n"
              "4: P0 Running to Skipping, Steady, 1 flows, 16\n"
              "20: P0 Skipping to Waking, StretchOver, 1 flows, 0\n"
              "24: P0 Waking to Running, RatesChanged, 1 flows, 0\n"
              "24: P0 Running to Skipping, Steady, 1 flows, 16\n"
              "40: P0 Skipping to Waking, StretchOver, 1 flows, 0\n");
    EXPECT_EQ(rig.DeliveredBy(F0), 20U * 100 + 20 * 50);
}

TEST(Controller, StopsWakingWhenItTakesTooLongToBecomeSteady)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 100'000, 100);
    MakeUnsteady(rig, 20, 40);
    rig.simulator.RunTo(At(40));
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Running, NothingToRecord, 1 flows, 0\n"
              "4: P0 Running to Skipping, Steady, 1 flows, 16\n"
              "20: P0 Skipping to Waking, StretchOver, 1 flows, 0\n"
              "36: P0 Waking to Running, RatesChanged, 1 flows, 0\n"); // 4 windows
    rig.simulator.RunTo(At(100));
    EXPECT_EQ(rig.decisions.at(5).reason, Reason::Steady);
    EXPECT_EQ(rig.decisions.at(5).span.count(), Micro(16).count()); // the first stretch again
}

TEST(Controller, StretchDoesNotGrowWithRatesThatMove)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 1'000'000, 10'000);
    rig.simulator.Do(At(20), [&] { rig.simulator.SetRate(F0, 10'400); });
    rig.simulator.RunTo(At(50));
    // If 4 % in 4 us of packets were a trend, it would come to 5 % in 5 us; 16 us were skipped
    // already. The next sample shows that it is none.
    const Decision& held = rig.decisions.at(4);
    EXPECT_EQ(held.reason, Reason::RatesHeld);
    EXPECT_TRUE(held.time == At(25));
    EXPECT_EQ(held.span.count(), Micro(16).count()); // not twice as much, nor four times: two looks
    const Decision& next = rig.decisions.at(6);
    EXPECT_EQ(next.reason, Reason::RatesHeld);
    EXPECT_EQ(next.span.count(), Micro(32).count()); // they have not moved again
}

/** Rates that approach others for much longer than a window of samples, by less than theta in each:
 * two flows that become fair. What is skipped stands still. */
TEST(Controller, SlowTrendsAreNotSkippedAway)
{
    for (const double patience : {500.0, 1500.0, 5000.0}) // us until 1/e is left
    {
        SCOPED_TRACE(patience);
        constexpr std::int64_t SIZE = 4'000'000'000;
        const auto rateAfter = [&](std::int64_t packets) {
            return std::int64_t(1e6 * (0.5 + 0.3 * std::exp(-double(packets) / patience)));
        };
        std::int64_t truth = 0;
        for (std::int64_t sent = 0; sent < SIZE; ++truth)
        {
            sent += rateAfter(truth);
        }
        Rig rig(nullptr, ControllerOptions{});
        std::int64_t packets = 0; // us of them so far
        for (std::int64_t time = 0; time < 2 * truth; ++time)
        {
            rig.simulator.Do(At(time), [&] {
                if (rig.simulator.ends.empty() && rig.StateOf(F0) != PartitionState::Skipping)
                {
                    rig.simulator.SetRate(F0, static_cast<Bytes>(rateAfter(packets++)));
                }
            });
        }
        rig.simulator.Start(F0, {P0}, SIZE, 800'000);
        rig.simulator.RunTo(At(2 * truth));
        const double took =
            static_cast<double>(rig.simulator.ends.at(F0).time_since_epoch().count());
        EXPECT_NEAR(took / (static_cast<double>(truth) * 1e6), 1, 0.05); // theta
        EXPECT_LT(packets, truth * 95 / 100) << "nothing was skipped";
    }
}

TEST(Controller, WhatHappensIsNoTrend)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.Do(At(10), [&] {
        rig.controller.Disturbed(F0, At(10));
        rig.simulator.SetRate(F0, 96);
    });
    rig.simulator.RunTo(At(14));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping); // as soon as it is steady
}

TEST(Controller, RatesAreTakenFromArrivalToArrivalIfThoseAreKnown)
{
    for (const bool tells : {false, true})
    {
        Rig rig(nullptr);
        rig.simulator.tellsArrivals = tells;
        rig.simulator.packets[F0] = 300; // three or four in each sample
        rig.simulator.Start(F0, {P0}, 100'000, 1'000);
        rig.simulator.RunTo(At(101));
        EXPECT_EQ(rig.Calls().find("4 us: Pause flows 0 ports 0\n"), tells ? 0 : std::string::npos);
        // 900 or 1200 bytes in a sample: skipped at their mean, which is known to a packet or so
        const Duration error = rig.simulator.ends.at(F0) - At(100);
        EXPECT_LE(std::abs(error.count()), Micro(tells ? 0 : 1).count());
    }
}

TEST(Controller, RatesThatDifferByNoiseAreOne)
{
    for (const Bytes other : {10'005U, 10'006U}) // within 5e-4 of 10,000, or not
    {
        Rig rig(nullptr);
        rig.simulator.Start(F0, {P0}, 1'000'000, 10'000);
        rig.simulator.Start(F1, {P0}, 1'000'000, other);
        rig.simulator.Start(F2, {P0}, 1'000'000, 20'000);
        rig.simulator.RunTo(At(20));
        const bool one = other == 10'005;
        EXPECT_EQ(rig.Calls(),
                  std::string("4 us: Pause flows 0,1,2 ports 0\n") + "20 us: Credit flow 0 " +
                      (one ? "160040" : "160000") + "\n" + "20 us: Credit flow 1 " +
                      (one ? "160040" : "160096") + "\n" + "20 us: Credit flow 2 320000\n" +
                      "20 us: Resume +16 us flows 0,1,2 ports 0\n");
    }
}

} // namespace
} // namespace wormhole

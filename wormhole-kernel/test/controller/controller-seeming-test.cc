/*
 * SPDX-License-Identifier: MIT
 */

// Rates that seem steady, though not all that samples show says so.

#include "controller/controller-rig.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <utility>

namespace wormhole
{
namespace
{

/** Flows whose rates grow by 0.2 % of their first ones per sample: by 5 % within 25, where strictly
 * 64 are needed, and by a fifth of that within 5, more than a window. */
void
Grow(Rig& rig, const std::map<FlowId, Bytes>& rates)
{
    for (int time = 1; time < 60; ++time)
    {
        rig.simulator.Do(At(time), [&rig, rates, time] {
            for (const auto& [flow, rate] : rates)
            {
                rig.simulator.SetRate(flow, rate + rate / 500 * static_cast<Bytes>(time));
            }
        });
    }
}

ControllerOptions
GrowingOptions()
{
    ControllerOptions options = SeemingOptions();
    options.steady.maxPeriod = 64;
    return options;
}

TEST(ControllerSeeming, CountsAfterFourWindowsOfAFlowThatIsAlone)
{
    for (const bool strict : {false, true})
    {
        ControllerOptions options = GrowingOptions();
        options.strict = strict;
        Rig rig(nullptr, options);
        rig.simulator.Start(F0, {P0}, 100'000'000, 10'000);
        Grow(rig, {{F0, 10'000}});
        rig.simulator.RunTo(At(15));
        EXPECT_EQ(rig.Calls(), "");
        rig.simulator.RunTo(At(16));
        EXPECT_EQ(rig.StateOf(F0), strict ? PartitionState::Running : PartitionState::Skipping);
    }
}

TEST(ControllerSeeming, NotWithUnequalSharesOfOnePort)
{
    for (const Bytes second : {10'000U, 5'000U})
    {
        Rig rig(nullptr, GrowingOptions());
        rig.simulator.capacities[P2] = 10'000 + second;
        rig.simulator.Start(F0, {P0, P2}, 100'000'000, 10'000);
        rig.simulator.Start(F1, {P1, P2}, 100'000'000, second);
        Grow(rig, {{F0, 10'000}, {F1, second}});
        rig.simulator.RunTo(At(second == 10'000 ? 12 : 40));
        EXPECT_EQ(rig.StateOf(F0),
                  second == 10'000 ? PartitionState::Skipping : PartitionState::Running);
    }
}

TEST(ControllerSeeming, NotWithUnequalSharesEvenIfTheyStay)
{
    for (const bool strict : {false, true}) // where shares are taken as they are
    {
        ControllerOptions options = SeemingOptions();
        options.strict = strict;
        Rig rig(nullptr, options);
        rig.simulator.capacities[P2] = 15'000;
        rig.simulator.Start(F0, {P0, P2}, 100'000'000, 10'000);
        rig.simulator.Start(F1, {P1, P2}, 100'000'000, 5'000);
        rig.simulator.RunTo(At(40));
        EXPECT_EQ(rig.StateOf(F0), strict ? PartitionState::Skipping : PartitionState::Running);
    }
}

TEST(ControllerSeeming, WithUnequalSharesThatStayForLongerThanTheyWouldTakeToBecomeEqual)
{
    // They would within 12, by e, if they were on their way. Looks last for 4; the middle of the
    // first one and that of the fourth are 12 apart.
    Rig rig(nullptr, SeemingOptions());
    const double second = 1 / std::chrono::duration<double>(At(1) - At(0)).count();
    rig.simulator.increase = 15'000 * second / 2 * second / 12;
    rig.simulator.capacities[P2] = 15'000;
    rig.simulator.Start(F0, {P0, P2}, 100'000'000, 10'000);
    rig.simulator.Start(F1, {P1, P2}, 100'000'000, 5'000);
    rig.simulator.RunTo(At(15));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Running);
    rig.simulator.RunTo(At(17));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
    rig.simulator.RunTo(At(28)); // for no longer than they have stood still
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Waking);
}

TEST(ControllerSeeming, NotWithUnequalSharesOfPortsOneBehindTheOther)
{
    for (const bool other : {false, true}) // has its part of the second one
    {
        Rig rig(nullptr, SeemingOptions());
        rig.simulator.capacities[P2] = 15'000;
        rig.simulator.capacities[P3] = 15'000 + (other ? 3'000 : 0);
        rig.simulator.Start(F0, {P0, P2, P3}, 100'000'000, 10'000);
        rig.simulator.Start(F1, {P1, P2, P3}, 100'000'000, 5'000);
        if (other)
        {
            rig.simulator.Start(F2, {P3}, 100'000'000, 3'000);
        }
        rig.simulator.RunTo(At(4));
        EXPECT_EQ(rig.StateOf(F0), PartitionState::Running);
    }
}

TEST(ControllerSeeming, WithUnequalSharesWhereOnePortHoldsOnlyOneOfThemBack)
{
    Rig rig(nullptr, SeemingOptions());
    rig.simulator.capacities[P2] = 8'000;
    rig.simulator.capacities[P3] = 15'000;
    rig.simulator.Start(F0, {P0, P3}, 100'000'000, 10'000);
    rig.simulator.Start(F1, {P1, P2, P3}, 100'000'000, 5'000);
    rig.simulator.Start(F2, {P2}, 100'000'000, 3'000);
    rig.simulator.RunTo(At(4));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
}

TEST(ControllerSeeming, NotWhileQueuesTakeInMoreThanTheyLetOut)
{
    // Within a window of 4 us, by theta: 0.05 * 4 us * 10,000 bytes/us = 2,000 bytes.
    for (const Bytes swing : {1'900U, 2'100U})
    {
        Rig rig(nullptr, GrowingOptions());
        rig.simulator.capacities[P0] = 10'000;
        rig.simulator.Start(F0, {P0}, 100'000'000, 10'000);
        Grow(rig, {{F0, 10'000}});
        for (int time = 0; time < 60; ++time)
        {
            // both halves of a window have the same mean, and quarters go up and down
            rig.simulator.Do(At(time), [&rig, swing, time] {
                rig.simulator.queues[P0] = 10'000 + (time % 2 == 0 ? swing : 0);
            });
        }
        rig.simulator.RunTo(At(40));
        EXPECT_EQ(rig.Calls().empty(), swing > 2'000);
    }
}

TEST(ControllerSeeming, NotWhileAQueueGoesOnFromOnePortToAnother)
{
    // Its sum stays what it is; who passes one of the ports alone waits for longer, or not so long.
    // Within a window of 4 us by theta of a sample: 0.05 * 1 us * 10,000 bytes/us = 500 bytes.
    for (const bool strict : {false, true})
    {
        for (const int step : {100, 150})
        {
            ControllerOptions options = SeemingOptions();
            options.strict = strict;
            Rig rig(nullptr, options);
            rig.simulator.capacities = {{P0, 10'000}, {P2, 10'000}};
            rig.simulator.Start(F0, {P0, P2}, 100'000'000, 10'000);
            for (int time = 0; time < 60; ++time)
            {
                rig.simulator.Do(At(time), [&rig, step, time] {
                    const int left = std::max(step * (30 - time), 0);
                    rig.simulator.queues[P0] = static_cast<Bytes>(left);
                    rig.simulator.queues[P2] = static_cast<Bytes>(step * 30 - left);
                });
            }
            rig.simulator.RunTo(At(30));
            EXPECT_EQ(rig.StateOf(F0),
                      step == 100 ? PartitionState::Skipping : PartitionState::Running);
            rig.simulator.RunTo(At(50));
            EXPECT_NE(rig.StateOf(F0), PartitionState::Running);
        }
    }
}

TEST(ControllerSeeming, NotWhileQueuesGiveWhatAControlHasBeenCutBy)
{
    for (const Bytes allowed : {9'800U, 9'000U}) // since the last but one of 4 samples: 1 and 5.3 %
    {
        Rig rig(nullptr, GrowingOptions());
        rig.simulator.allowed[F0] = 10'000;
        rig.simulator.Start(F0, {P0}, 100'000'000, 10'000);
        Grow(rig, {{F0, 10'000}});
        rig.simulator.Do(At(14) + Duration{1},
                         [&rig, allowed] { rig.simulator.allowed[F0] = allowed; });
        rig.simulator.RunTo(At(16));
        EXPECT_EQ(rig.Calls().empty(), allowed == 9'000);
    }
}

/** Two flows that share a port, and whose shares become equal: by packets, or by Scale. */
struct SharesOnTheirWay
{
    static constexpr double PATIENCE = 500; //!< us until 1/e is left
    static constexpr double HALF = 7'500;   //!< bytes/us
    static constexpr double OFF = 4'000;    //!< the same; at first

    explicit SharesOnTheirWay(bool scales)
        : rig(nullptr, GrowingOptions())
    {
        rig.simulator.capacities[P2] = static_cast<Bytes>(2 * HALF);
        if (scales)
        {
            rig.simulator.onScale = [this](FlowId flow, double factor) {
                const double rate = factor * (flow == F0 ? HALF + off : HALF - before);
                before = std::exchange(off, flow == F0 ? rate - HALF : HALF - rate);
                rig.simulator.SetRate(flow, static_cast<Bytes>(rate));
            };
        }
        rig.simulator.Start(F0, {P0, P2}, Bytes{15'000'000}, Bytes(HALF + OFF));
        rig.simulator.Start(F1, {P1, P2}, Bytes{50'000'000}, Bytes(HALF - OFF));
        for (int time = 1; time < 3000; ++time)
        {
            rig.simulator.Do(At(time), [this] {
                if (rig.simulator.ends.empty() && rig.StateOf(F0) != PartitionState::Skipping)
                {
                    ++packets;
                    off *= std::exp(-1 / PATIENCE);
                    rig.simulator.SetRate(F0, static_cast<Bytes>(HALF + off));
                    rig.simulator.SetRate(F1, static_cast<Bytes>(HALF - off));
                }
            });
        }
        rig.simulator.RunTo(At(3000));
    }

    Rig rig;
    double off{OFF};    //!< of F0
    double before{OFF}; //!< the same before F0 was scaled: F1's, which follows
    int packets{0};     //!< us
};

TEST(ControllerSeeming, SharesAreSkippedOnTheirWayToBeingEqual)
{
    // Without Scale they are on their way for long; what is skipped then stands still.
    EXPECT_GT(SharesOnTheirWay(false).packets, 1000);
    const SharesOnTheirWay run(true);
    EXPECT_LT(run.packets, 60);
    // 7,500 t + 4,000 * 500 (1 - exp(-t / 500)) = 15,000,000
    const Duration end = run.rig.simulator.ends.at(F0).time_since_epoch();
    EXPECT_NEAR(static_cast<double>(end.count()) / 1e6, 1742, 10);
    EXPECT_NEAR(run.off, 4000 * std::exp(-1742.0 / 500), 40);
}

TEST(ControllerSeeming, WithSharesThatAnotherPortMakesUnequal)
{
    // F1 shares P3 with F2, which is two thirds full.
    Rig rig(nullptr, GrowingOptions());
    rig.simulator.capacities[P2] = 15'000;
    rig.simulator.capacities[P3] = 12'000;
    rig.simulator.Start(F0, {P0, P2}, 100'000'000, 10'000);
    rig.simulator.Start(F1, {P1, P3, P2}, 100'000'000, 5'000);
    rig.simulator.Start(F2, {P3}, 100'000'000, 3'000);
    Grow(rig, {{F0, 10'000}, {F1, 5'000}, {F2, 3'000}});
    // Where flows share ports, two windows of 4 us are enough; three, where it is not known how
    // fast shares become what they will be.
    rig.simulator.RunTo(At(11));
    EXPECT_EQ(rig.Calls(), "");
    rig.simulator.RunTo(At(12));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
}

TEST(ControllerSeeming, WhoFollowsGoesOnFromWhereItsLeaderIs)
{
    MemoryEpisodeStore store;
    Rig rig(&store, GrowingOptions());
    rig.simulator.Start(F0, {P0}, 100'000'000, 10'000);
    rig.simulator.Start(F1, {P1}, 100'000'000, 10'000);
    Grow(rig, {{F0, 10'000}});
    rig.simulator.RunTo(At(15));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Recording);
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Following);
    rig.simulator.RunTo(At(16));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Skipping);
    EXPECT_EQ(rig.DeliveredBy(F1), rig.DeliveredBy(F0));
    EXPECT_EQ(rig.controller.Statistics().followersReplayed, 1U);
    EXPECT_EQ(rig.controller.Statistics().followersCaughtUp, 0U);
    EXPECT_EQ(rig.controller.Statistics().recordingsStored, 0U) << "that is not good enough";
}

TEST(ControllerSeeming, WhoFollowsFromALittleLaterIsAsFarBehind)
{
    MemoryEpisodeStore store;
    Rig rig(&store, GrowingOptions());
    rig.simulator.Start(F0, {P0}, 100'000'000, 10'000);
    const Duration half{500'000};
    rig.simulator.Do(Later(At(0), half),
                     [&] { rig.simulator.Start(F1, {P1}, 100'000'000, 10'000); });
    Grow(rig, {{F0, 10'000}});
    rig.simulator.RunTo(At(16));
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Skipping);
    EXPECT_EQ(rig.controller.Statistics().followersCaughtUp, 0U);
    const double behind = static_cast<double>(rig.DeliveredBy(F0) - rig.DeliveredBy(F1));
    EXPECT_NEAR(behind, 0.5 * 10'000, 0.05 * 10'000);
}

TEST(ControllerSeeming, WhatIsRememberedIsNotOfATransient)
{
    for (const bool isAtOnce : {false, true})
    {
        Rig rig(nullptr, SeemingOptions());
        rig.simulator.Start(F0, {P0}, 100'000, isAtOnce ? 1000 : 970);
        rig.simulator.Do(At(2), [&] { rig.simulator.SetRate(F0, 1000); });
        rig.simulator.RunTo(At(15));
        EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
        EXPECT_EQ(rig.DeliveredBy(F0), isAtOnce ? 15'000U : 14'940U) << "at 1,000 since then";
    }
}

} // namespace
} // namespace wormhole

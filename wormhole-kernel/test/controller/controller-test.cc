/*
 * SPDX-License-Identifier: MIT
 */

// Skips, state by state. Replays: controller-replay-test.cc. What makes no sense:
// controller-misuse-test.cc. Random scenarios against the truth: controller-scenario-test.cc.

#include "controller/controller-rig.h"

#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace wormhole
{
namespace
{

TEST(Controller, SkipsInStretchesThatDoubleUpToTheTail)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.RunTo(At(100));
    // 4 us of packets, 16 us skipped, 4 us of packets, 32 us skipped, 4 us of packets: 6,000 bytes.
    // 3,600 more up to the tail of 400: 36 us, which is less than the next stretch of 64.
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Running, NothingToRecord, 1 flows, 0\n"
              "4: P0 Running to Skipping, Steady, 1 flows, 16\n"
              "20: P0 Skipping to Waking, StretchOver, 1 flows, 0\n"
              "24: P0 Waking to Skipping, RatesHeld, 1 flows, 32\n"
              "56: P0 Skipping to Waking, StretchOver, 1 flows, 0\n"
              "60: P0 Waking to Skipping, RatesHeld, 1 flows, 36\n"
              "96: P0 Skipping to Running, TailReached, 1 flows, 0\n");
    EXPECT_EQ(rig.Calls(),
              "4 us: Pause flows 0 ports 0\n"
              "20 us: Credit flow 0 1600\n"
              "20 us: Resume +16 us flows 0 ports 0\n"
              "24 us: Pause flows 0 ports 0\n"
              "56 us: Credit flow 0 3200\n"
              "56 us: Resume +32 us flows 0 ports 0\n"
              "60 us: Pause flows 0 ports 0\n"
              "96 us: Credit flow 0 3600\n"
              "96 us: Resume +36 us flows 0 ports 0\n");
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(100)); // 10,000 bytes at 100 bytes/us
    EXPECT_FALSE(rig.controller.NextAlarm());
}

TEST(Controller, SkipsUpToTheTailAtOnceWithoutGuard)
{
    ControllerOptions options = SmallOptions();
    options.guard = false;
    Rig rig(nullptr, options);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.RunTo(At(100));
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Running, NothingToRecord, 1 flows, 0\n"
              "4: P0 Running to Skipping, Steady, 1 flows, 92\n" // 10,000 - 400 - 400 bytes
              "96: P0 Skipping to Running, TailReached, 1 flows, 0\n");
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(100));
}

TEST(Controller, DoesNothingWithoutSkipAndStore)
{
    ControllerOptions options = SmallOptions();
    options.skip = false;
    Rig rig(nullptr, options);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.RunTo(At(50));
    EXPECT_FALSE(rig.controller.NextAlarm());
    EXPECT_EQ(rig.controller.Statistics().samples, 0U);
    EXPECT_EQ(rig.Calls(), "");
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Running);
    EXPECT_EQ(rig.DeliveredBy(F0), 5000U);
}

TEST(Controller, DoesNotSkipWhileAControlIsOnItsWay)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    // Something else limits it, until its control allows no more than that.
    for (std::int64_t t = 0; t <= 10; ++t)
    {
        rig.simulator.Do(At(t), [&rig, t] {
            rig.simulator.allowed[F0] = static_cast<Bytes>(200 - 10 * t);
        });
    }
    rig.simulator.RunTo(At(11)); // 120 and 110, then 100 and 100
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Running);
    rig.simulator.RunTo(At(12)); // 110 and 100 are within theta of 100 and 100
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
}

TEST(Controller, SkipsWhereAControlGoesUpAndDownButBytesDoNot)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    for (std::int64_t t = 0; t <= 4; ++t)
    {
        rig.simulator.Do(At(t), [&rig, t] {
            rig.simulator.allowed[F0] = static_cast<Bytes>(t % 2 == 0 ? 90 : 130);
        });
    }
    rig.simulator.RunTo(At(4));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
}

TEST(Controller, LooksForAsLongAsAControlMayRest)
{
    Rig rig(nullptr);
    rig.simulator.periods[F0] = Micro(10);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    // Two of the four samples last for 10 us, so that two more are beside them.
    rig.simulator.RunTo(At(19));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Running);
    rig.simulator.RunTo(At(20));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
    EXPECT_EQ(rig.controller.Statistics().samples, 4U);
}

TEST(Controller, LooksAgainIfATimerOfAControlHasBegunToRun)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.Do(At(2), [&] { rig.simulator.periods[F0] = Micro(8); });
    // It looked steady at 4 us, and was seen for 15 us since; samples last for 4 us.
    rig.simulator.RunTo(At(19));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Running);
    rig.simulator.RunTo(At(20));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
}

TEST(Controller, SeesStepsOfATimerWhereverTheyAre)
{
    // At each tick, every 12 us, what the rate lacks to 100 is halved. The rate is constant from 0
    // to 12 us, which is no window: one of 4 samples of 6 us has two steps of more than theta in
    // it, up to that from 75 to 87.5 at 24 us.
    Rig rig(nullptr);
    rig.simulator.periods[F0] = Micro(12);
    rig.simulator.Start(F0, {P0}, 100'000, 50);
    for (const auto& [time, rate] : {std::pair<std::int64_t, Bytes>{12, 75}, {24, 87}, {36, 94}})
    {
        const Bytes then = rate;
        rig.simulator.Do(At(time), [&rig, then] { rig.simulator.SetRate(F0, then); });
    }
    rig.simulator.RunTo(At(36));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Running);
}

TEST(Controller, DoesNotSkipWhatIsNearItsEnd)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 1100, 100);
    rig.simulator.RunTo(At(11));
    // After 4 us 700 bytes are left, 3 us from the tail: less than a window, the shortest skip.
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Running, NothingToRecord, 1 flows, 0\n"
              "4: P0 Running to Running, TailReached, 1 flows, 0\n");
    EXPECT_EQ(rig.Calls(), "");
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(11));
}

/** Something that happens in the middle of a skip. */
struct Disturbance
{
    Reason reason;
    std::function<void(Rig&)> act;
};

TEST(Controller, GoesBackToTheByteWhenSomethingHappensInTheMiddleOfASkip)
{
    const std::vector<Disturbance> disturbances = {
        {Reason::FlowStarted,
         [](Rig& rig) {
             rig.simulator.Start(F1, {P1, P0}, 100, 10);
         }},
        {Reason::FlowRerouted,
         [](Rig& rig) { rig.controller.FlowRerouted(F0, {P1}, rig.simulator.Now()); }},
        {Reason::PortChanged,
         [](Rig& rig) { rig.controller.PortChanged(P0, rig.simulator.Now()); }},
        {Reason::Disturbed, [](Rig& rig) { rig.controller.Disturbed(F0, rig.simulator.Now()); }},
    };
    for (const Disturbance& disturbance : disturbances)
    {
        SCOPED_TRACE(ToString(disturbance.reason));
        Rig rig(nullptr);
        rig.simulator.Start(F0, {P0}, 10'000, 100);
        rig.simulator.Do(At(10), [&] { disturbance.act(rig); });
        rig.simulator.RunTo(At(7));
        EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
        EXPECT_EQ(rig.simulator.Observe(F0).delivered, 400U);
        EXPECT_EQ(rig.DeliveredBy(F0), 700U);
        rig.Said();

        rig.simulator.RunTo(At(10));
        EXPECT_EQ(rig.Calls(),
                  "4 us: Pause flows 0 ports 0\n"
                  "10 us: Credit flow 0 600\n"
                  "10 us: Resume +6 us flows 0 ports 0\n");
        EXPECT_EQ(rig.Said().find(std::string("10: P0 Skipping to Running, ") +
                                  ToString(disturbance.reason)),
                  0U);
        EXPECT_EQ(rig.controller.Statistics().skipsInterrupted, 1U);
        EXPECT_EQ(rig.controller.Statistics().bytesSkipped, 600U);
        EXPECT_EQ(rig.DeliveredBy(F0), 1000U);
        rig.simulator.RunTo(At(100));
        EXPECT_TRUE(rig.simulator.ends.at(F0) == At(100));
    }
}

TEST(Controller, PacketsAreWhereTheyWouldBeInASampleWhenASkipIsInterrupted)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    const Time amid = At(10) + std::chrono::nanoseconds(300); // samples take 1 us
    rig.simulator.Do(amid, [&] { rig.controller.PortChanged(P0, rig.simulator.Now()); });
    rig.simulator.RunTo(At(11));
    EXPECT_EQ(rig.Calls(),
              "4 us: Pause flows 0 ports 0\n"
              "10300000 ps: Credit flow 0 600\n"
              "10300000 ps: CatchUp 10 us to 10300000 ps +6 us flows 0 ports 0\n");
    EXPECT_EQ(rig.DeliveredBy(F0), 1100U);
    EXPECT_EQ(rig.controller.Statistics().bytesSkipped, 600U);
    rig.simulator.RunTo(At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(100));
}

TEST(Controller, DoesNotSkipWhatIsDisturbedNow)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.disturbance = At(6);
    rig.simulator.RunTo(At(5));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping); // until then
    rig.controller.Disturbed(F0, At(5));
    rig.simulator.RunTo(At(20));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Running);
    rig.simulator.disturbance.reset();
    rig.simulator.RunTo(At(21));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
}

TEST(Controller, SkipsEndBeforeALossThatIsKnown)
{
    Rig rig(nullptr);
    rig.simulator.losses[F0] = 4000;
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.RunTo(At(100));
    // 400 bytes of packets, 1,600 skipped, 400 of packets: 1,600 before the byte that is lost, so
    // 1,200 are skipped, and as much as a tail of 400 is left, of the stretch of 3,200. After 400
    // bytes of packets, at 4,000, it is still to be lost; after 100 more it is not, and 5,500 are
    // left without the tail: 5,100, of which the stretch is 6,400.
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Running, NothingToRecord, 1 flows, 0\n"
              "4: P0 Running to Skipping, Steady, 1 flows, 16\n"
              "20: P0 Skipping to Waking, StretchOver, 1 flows, 0\n"
              "24: P0 Waking to Skipping, RatesHeld, 1 flows, 12\n"
              "36: P0 Skipping to Waking, StretchOver, 1 flows, 0\n"
              "41: P0 Waking to Skipping, RatesHeld, 1 flows, 55\n"
              "96: P0 Skipping to Running, TailReached, 1 flows, 0\n");
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(100));
}

TEST(Controller, LooksAnewAfterALoss)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.Do(At(2), [&] { rig.simulator.lost[F0] = 1; });
    rig.simulator.RunTo(At(5));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Running) << "a window of 4 us began at 2 us";
    rig.simulator.RunTo(At(6));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
    rig.simulator.Do(At(23), [&] { rig.simulator.recovers[F0] = true; }); // waking, since 22 us
    rig.simulator.Do(At(25), [&] { rig.simulator.recovers[F0] = false; });
    rig.simulator.RunTo(At(27));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Waking) << "a window began at 24 us";
    rig.simulator.RunTo(At(28));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
}

TEST(Controller, WhoIsAboutToLoseDoesNotSkipButOthersDo)
{
    Rig rig(nullptr);
    rig.simulator.losses[F0] = 1000; // 600 bytes after the first window: 200 more than the tail
    rig.simulator.losses[F1] = 5000;
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.Start(F1, {P1}, 10'000, 100);
    rig.simulator.RunTo(At(10));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Running) << "2 us would be less than a window";
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Skipping);
    rig.simulator.RunTo(At(11));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
}

TEST(Controller, TimesThatAreTooLongAreTheEndOfTime)
{
    ControllerOptions options = SmallOptions();
    options.guard = false;
    Rig rig(nullptr, options);
    rig.simulator.RunTo(At(100));
    rig.simulator.Start(F0, {P0}, 9'200'000'000'000, 1); // takes 9.2e18 ps
    rig.simulator.RunTo(At(104));
    EXPECT_EQ(rig.decisions.back().span.count(), Duration::max().count());
    EXPECT_TRUE(rig.controller.NextAlarm() == Time::max());
    rig.simulator.RunTo(At(110));
    rig.controller.Disturbed(F0, At(110));
    EXPECT_EQ(rig.DeliveredBy(F0), 10U);
}

TEST(Controller, FlowsThatDoNotMoveAreLookedAtForever)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 10'000, 0);
    rig.simulator.RunTo(At(1000));
    EXPECT_EQ(rig.controller.Statistics().samples, 1000U);
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Running);
    rig.simulator.SetRate(F0, 100);
    rig.simulator.RunTo(At(1100));
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(1100));
}

TEST(Controller, FlowsWithoutPortsAreOnTheirOwn)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {}, 10'000, 100);
    rig.simulator.Start(F1, {}, 5'000, 100);
    rig.simulator.Do(At(10), [&] { rig.controller.FlowRerouted(F1, {}, At(10)); });
    rig.simulator.RunTo(At(10));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Running);
    rig.simulator.RunTo(At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(50));
}

TEST(Controller, FlowsOfNoBytesEndWhenTheyStart)
{
    MemoryEpisodeStore store;
    for (int run = 0; run < 2; ++run) // recorded, or replayed
    {
        Rig rig(&store);
        rig.simulator.Start(F0, {P0}, 10'000, 100);
        rig.simulator.Do(At(10), [&] { rig.simulator.Start(F1, {P0}, 0, 100); });
        rig.simulator.RunTo(At(10));
        EXPECT_TRUE(rig.simulator.ends.at(F1) == At(10));
        EXPECT_EQ(rig.DeliveredBy(F0), 1000U);
        rig.simulator.RunTo(At(100));
        EXPECT_TRUE(rig.simulator.ends.at(F0) == At(100));
    }
}

TEST(Controller, FinishBringsASkipToNow)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.RunTo(At(10));
    rig.Said();
    rig.controller.Finish(At(10));
    EXPECT_EQ(rig.Said(), "10: P0 Skipping to Running, Finished, 1 flows, 0\n");
    EXPECT_EQ(rig.DeliveredBy(F0), 1000U);
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Running);
    EXPECT_FALSE(rig.controller.NextAlarm());
    rig.simulator.RunTo(At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(100));
}

TEST(Controller, WhoIsToldOfADecisionMayAskForAllPartitions)
{
    Rig rig(nullptr);
    std::set<std::uint64_t> partitions;
    rig.controller.SetDecisionHandler([&](const Decision& decision) {
        partitions.insert(decision.partition.Value());
        for (const PartitionId partition : rig.controller.Partitions().Partitions())
        {
            rig.controller.StateOf(partition);
            for (const FlowId flow : rig.controller.Partitions().FlowsOf(partition))
            {
                rig.controller.DeliveredBy(flow, decision.time);
            }
        }
    });
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.Start(F1, {P0, P1}, 1'000, 100);
    rig.simulator.Start(F2, {P1}, 10'000, 100);
    // Splits, and splits and merges; both in one call.
    rig.simulator.Do(At(5), [&] { rig.controller.FlowRerouted(F1, {PortId{2}}, At(5)); });
    rig.simulator.Do(At(6), [&] { rig.controller.FlowRerouted(F1, {P0, P1}, At(6)); });
    rig.simulator.RunTo(At(20));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(10)); // splits, too
    // The first one, two that split off at 5 us, and one at 10 us.
    EXPECT_GE(partitions.size(), 4U);
}

TEST(Decision, NamesAreDistinct)
{
    std::set<std::string> names;
    for (std::size_t i = 0; i < PARTITION_STATES; ++i)
    {
        names.insert(ToString(static_cast<PartitionState>(i)));
    }
    EXPECT_EQ(names.size(), PARTITION_STATES);
    names.clear();
    for (std::size_t i = 0; i < REASONS; ++i)
    {
        names.insert(ToString(static_cast<Reason>(i)));
    }
    EXPECT_EQ(names.size(), REASONS);
}

} // namespace
} // namespace wormhole

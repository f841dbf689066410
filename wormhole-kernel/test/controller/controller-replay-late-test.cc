/*
 * SPDX-License-Identifier: MIT
 */

// What happens to partitions while they are replayed.

#include "controller/controller-replay-case.h"

#include <functional>
#include <gtest/gtest.h>
#include <vector>

namespace wormhole::replay
{
namespace
{

TEST(ControllerReplay, IsRunLateWhenSomethingHappensInTheMiddle)
{
    MemoryEpisodeStore store;
    RecordOne(store);
    Rig rig(&store);
    rig.simulator.Do(At(2), [&] { rig.simulator.Start(F2, {P3}, 10'000, 50); });
    ReplayOne(rig, At(2));
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Replaying, EpisodeFound, 1 flows, 4\n"
              "2: P0 Replaying to Running, FlowStarted, 1 flows, 0\n"
              "2: P0 Running to Recording, EpisodeUnknown, 2 flows, 0\n");
    EXPECT_EQ(rig.Calls(),
              "0 us: Pause flows 5 ports 3\n"
              "2 us: CatchUp 0 us to 2 us flows 5 ports 3\n");
    EXPECT_EQ(rig.DeliveredBy(F5), 200U);
    EXPECT_EQ(rig.controller.Statistics().replaysInterrupted, 1U);
    rig.simulator.RunTo(At(300));
    EXPECT_TRUE(rig.simulator.ends.at(F5) == At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F2) == At(202));
}

TEST(ControllerReplay, IsTakenBackWhenSomethingHappensAtItsStart)
{
    MemoryEpisodeStore store;
    RecordOne(store);
    Rig rig(&store);
    ReplayOne(rig, At(0));
    rig.controller.Disturbed(F5, At(0));
    EXPECT_EQ(rig.Calls(),
              "0 us: Pause flows 5 ports 3\n"
              "0 us: Resume +0 us flows 5 ports 3\n");
    EXPECT_EQ(rig.controller.Statistics().replaysInterrupted, 0U);
    rig.simulator.RunTo(At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F5) == At(100));
}

TEST(ControllerReplay, EndsWhenSomethingHappensAtItsEnd)
{
    MemoryEpisodeStore store;
    RecordOne(store);
    Rig rig(&store);
    rig.simulator.Do(At(4), [&] { rig.controller.PortChanged(P3, At(4)); });
    ReplayOne(rig, At(4));
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Replaying, EpisodeFound, 1 flows, 4\n"
              "4: P0 Replaying to Skipping, EpisodeOver, 1 flows, 48\n"
              "4: P0 Skipping to Running, PortChanged, 1 flows, 0\n"
              "4: P0 Running to Replaying, EpisodeFound, 1 flows, 4\n");
    // The port is running while it changes.
    EXPECT_EQ(rig.Calls(),
              "0 us: Pause flows 5 ports 3\n"
              "4 us: Credit flow 5 400\n"
              "4 us: Evict flows 5 ports 3\n"
              "4 us: Credit flow 5 0\n"
              "4 us: Restore as of 4 us flows 5 ports 3\n"
              "4 us: Resume +0 us flows 5 ports 3\n"
              "4 us: Pause flows 5 ports 3\n");
}

TEST(ControllerReplay, FlowsStartOnPortsOfLiftedOnes)
{
    MemoryEpisodeStore store;
    RecordOne(store);
    Rig rig(&store);
    rig.simulator.Do(At(10), [&] { rig.simulator.Start(F2, {P4, P3}, 10'000, 100); });
    ReplayOne(rig, At(10));
    EXPECT_EQ(rig.Calls(),
              "0 us: Pause flows 5 ports 3\n"
              "4 us: Credit flow 5 400\n"
              "4 us: Evict flows 5 ports 3\n"
              "10 us: Credit flow 5 600\n"
              "10 us: Restore as of 10 us flows 5 ports 3\n"
              "10 us: Resume +0 us flows 5 ports 3\n");
    EXPECT_EQ(rig.StateOf(F5), PartitionState::Recording);
    EXPECT_EQ(rig.controller.Partitions().FlowCount(rig.controller.Partitions().PartitionOf(F5)),
              2U);
}

TEST(ControllerReplay, FlowsAreReroutedToPortsOfLiftedOnes)
{
    MemoryEpisodeStore store;
    RecordOne(store);
    Rig rig(&store);
    rig.simulator.Start(F2, {P4}, 10'000, 70);
    rig.simulator.Do(At(10), [&] {
        rig.Calls();
        rig.controller.FlowRerouted(F2, {P3}, At(10));
        EXPECT_EQ(rig.Calls(),
                  "10 us: Credit flow 5 600\n" // evicted still
                  "10 us: Credit flow 2 420\n"
                  "10 us: Resume +6 us flows 2 ports 4\n");
    });
    ReplayOne(rig, At(10));
    EXPECT_EQ(rig.Calls(),
              "10 us: Restore as of 10 us flows 5 ports 3\n"
              "10 us: Resume +0 us flows 5 ports 3\n");
    EXPECT_EQ(rig.decisions.back().flows, 2U);
    EXPECT_EQ(rig.controller.Partitions().Partitions().size(), 1U);
}

TEST(ControllerReplay, FinishRunsTheRestLate)
{
    MemoryEpisodeStore store;
    RecordOne(store);
    Rig rig(&store);
    ReplayOne(rig, At(3));
    rig.controller.Finish(At(3));
    EXPECT_EQ(rig.Calls(),
              "0 us: Pause flows 5 ports 3\n"
              "3 us: CatchUp 0 us to 3 us flows 5 ports 3\n");
    EXPECT_EQ(rig.DeliveredBy(F5), 300U);
    EXPECT_FALSE(rig.controller.NextAlarm());

    Rig evicted(&store);
    ReplayOne(evicted, At(10));
    evicted.controller.Finish(At(10));
    EXPECT_EQ(evicted.DeliveredBy(F5), 1000U);
    EXPECT_EQ(evicted.StateOf(F5), PartitionState::Running);

    Rig recording(&store);
    recording.simulator.Start(F0, {P0}, 10'000, 200);
    recording.simulator.RunTo(At(2));
    recording.controller.Finish(At(2));
    EXPECT_EQ(recording.decisions.back().from, PartitionState::Recording);
    EXPECT_EQ(recording.decisions.back().reason, Reason::Finished);
    EXPECT_EQ(recording.controller.Statistics().recordingsDisturbed, 1U);
}

TEST(ControllerReplay, FlowsThatTurnOutToHaveEndedAreLeftAlone)
{
    MemoryEpisodeStore store;
    RecordOne(store);
    // The flow is much faster than the episode says, so that it ends within 2 us.
    const std::vector<std::function<void(Rig&)>> acts = {
        [](Rig& rig) { rig.controller.Disturbed(F5, At(3)); },
        [](Rig& rig) { rig.controller.FlowRerouted(F5, {P4}, At(3)); },
        [](Rig& rig) { rig.controller.PortChanged(P3, At(3)); },
        [](Rig& rig) { rig.controller.Finish(At(3)); },
    };
    for (const auto& act : acts)
    {
        Rig rig(&store);
        ReplayOne(rig, At(3));
        rig.simulator.SetRate(F5, 5000);
        act(rig);
        EXPECT_TRUE(rig.simulator.ends.at(F5) == At(2)); // 10,000 bytes
        EXPECT_TRUE(rig.controller.Partitions().Partitions().empty());
        EXPECT_FALSE(rig.controller.NextAlarm());
    }
}

TEST(ControllerReplay, APartitionMayFallApartWhileItIsRunLate)
{
    const auto start = [](Rig& rig) {
        rig.simulator.Start(F0, {P3}, 10'000, 100);
        rig.simulator.Start(F1, {P3, P4}, 10'000, 100);
        rig.simulator.Start(F2, {P4}, 10'000, 100);
    };
    MemoryEpisodeStore store;
    Rig first(&store);
    start(first);
    first.simulator.RunTo(At(10));
    Rig rig(&store);
    start(rig);
    rig.simulator.RunTo(At(3));
    ASSERT_EQ(rig.StateOf(F1), PartitionState::Replaying);
    rig.simulator.SetRate(F1, 5000);
    // Comes to stand on both halves of what was one partition.
    rig.simulator.Start(F5, {P3, P4}, 10'000, 100);
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(2));
    EXPECT_EQ(rig.controller.Partitions().Partitions().size(), 1U);
    EXPECT_EQ(rig.DeliveredBy(F0), 300U);
    EXPECT_EQ(rig.DeliveredBy(F2), 300U);
    rig.simulator.RunTo(At(200));
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F5) == At(103));
}

} // namespace
} // namespace wormhole::replay

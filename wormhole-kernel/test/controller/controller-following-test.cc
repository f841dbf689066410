/*
 * SPDX-License-Identifier: MIT
 */

// Partitions that wait for the recording of an equal one.

#include "controller/controller-kernel.h"
#include "controller/controller-rig.h"
#include "simulator/fluid-fixture.h"

#include <gtest/gtest.h>
#include <optional>

namespace wormhole
{
namespace
{

/** Flows of 100 bytes/us on ports of their own, each of which is a partition of its own. */
class ControllerFollowing : public testing::Test
{
  protected:
    void Start(FlowId flow, PortId port, Bytes size = 10'000)
    {
        rig.simulator.Start(flow, {port}, size, 100);
    }

    const ControllerStatistics& Statistics() const
    {
        return rig.controller.Statistics();
    }

    MemoryEpisodeStore store;
    Rig rig{&store};
};

TEST_F(ControllerFollowing, WhoStartsAtTheSameTimeIsDoneAtTheSameTime)
{
    Start(F0, P0, 300);
    Start(F1, P1, 300);
    // Whoever waits for it starts in the same instant.
    rig.simulator.onComplete[F1] = [&] { Start(F2, P2); };
    rig.simulator.RunTo(At(3));
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P1 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Recording, EpisodeUnknown, 1 flows, 0\n"
              "0: P1 Running to Following, EpisodeAwaited, 1 flows, 0\n"
              "3: P1 Following to Replaying, EpisodeFound, 1 flows, 0\n"
              "3: P2 Running to Running, FlowStarted, 1 flows, 0\n"
              "3: P2 Running to Recording, EpisodeUnknown, 1 flows, 0\n");
    EXPECT_EQ(rig.Calls(),
              "0 us: Pause flows 1 ports 1\n"
              "3 us: Credit flow 1 300\n"
              "3 us: Evict flows 1 ports 1\n"
              "3 us: Complete flows 1 ports \n");
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(3));
    EXPECT_EQ(Statistics().followers, 1U);
    EXPECT_EQ(Statistics().followersReplayed, 1U);
    EXPECT_EQ(Statistics().followersCaughtUp, 0U);
    EXPECT_EQ(Statistics().recordingsStored, 1U);
}

TEST_F(ControllerFollowing, NobodyWaitsForWhatDrawsHaveDecided)
{
    Start(F0, P0);
    Start(F1, P1);
    rig.simulator.Do(At(1), [&] { rig.simulator.draws[F0] = 1; });
    rig.simulator.RunTo(At(3));
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P1 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Recording, EpisodeUnknown, 1 flows, 0\n"
              "0: P1 Running to Following, EpisodeAwaited, 1 flows, 0\n"
              "1: P0 Recording to Running, DecidedByChance, 1 flows, 0\n"
              "1: P1 Following to Recording, EpisodeUnknown, 1 flows, 0\n");
    EXPECT_EQ(Statistics().recordingsByChance, 1U);
    EXPECT_EQ(Statistics().followersCaughtUp, 1U);
}

TEST_F(ControllerFollowing, NobodyWaitsWhoCouldTouchOthersMeanwhile)
{
    rig.simulator.refusesWaits = true;
    Start(F0, P0, 300);
    Start(F1, P1, 300);
    rig.simulator.RunTo(At(3));
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P1 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Recording, EpisodeUnknown, 1 flows, 0\n"
              "0: P1 Running to Recording, EpisodeUnknown, 1 flows, 0\n");
    EXPECT_EQ(rig.Calls(), "");
    EXPECT_EQ(Statistics().followers, 0U);
}

TEST_F(ControllerFollowing, WhoStartsLaterIsSteadyLater)
{
    Start(F0, P0);
    rig.simulator.Do(At(1), [&] { Start(F1, P1, 12'000); }); // more is left, which does not matter
    rig.simulator.RunTo(At(5));
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Recording, EpisodeUnknown, 1 flows, 0\n"
              "1: P1 Running to Running, FlowStarted, 1 flows, 0\n"
              "1: P1 Running to Following, EpisodeAwaited, 1 flows, 0\n"
              "4: P0 Recording to Skipping, Steady, 1 flows, 16\n"
              "4: P1 Following to Replaying, EpisodeFound, 1 flows, 1\n"
              "5: P1 Replaying to Skipping, EpisodeOver, 1 flows, 16\n");
    rig.simulator.RunTo(At(300));
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(121));
}

TEST_F(ControllerFollowing, WhoGoesOnToReplayHasStoppedOnce)
{
    rig.simulator.notesStops = true;
    Start(F0, P0);
    rig.simulator.Do(At(1), [&] { Start(F1, P1); });
    rig.simulator.RunTo(At(5));
    EXPECT_EQ(rig.Calls(),
              "1 us: Pause flows 1 ports 1\n"
              "1 us: Stopped flows 1 ports 1\n"
              "4 us: Pause flows 0 ports 0\n"
              "4 us: Stopped flows 0 ports 0\n"
              "5 us: Credit flow 1 400\n"
              "5 us: Evict flows 1 ports 1\n"
              "5 us: Stopped flows 1 ports 1\n");
}

TEST_F(ControllerFollowing, TakesWhatItsLeaderRecordsWhateverElseIsStored)
{
    {
        // Windows of 8 samples: steady after 8 us and 800 bytes.
        ControllerOptions longer = SmallOptions();
        longer.steady.window = 8;
        Rig other(&store, longer);
        other.simulator.Start(F0, {P0}, 10'000, 100);
        other.simulator.RunTo(At(8));
        other.controller.Finish(At(8));
    }
    Start(F0, P0, 750);
    Start(F1, P1, 750);
    rig.simulator.RunTo(At(20));
    EXPECT_EQ(Statistics().followersReplayed, 2U) << "400 bytes, and the rest";
    EXPECT_EQ(Statistics().followersCaughtUp, 0U);
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(0) + Micro(15) / 2);
    EXPECT_TRUE(rig.simulator.ends.at(F1) == rig.simulator.ends.at(F0));
}

TEST_F(ControllerFollowing, WhoIsAboutToBeDisturbedDoesNotWait)
{
    Start(F0, P0);
    rig.simulator.Do(At(1), [&] {
        rig.simulator.disturbance = At(20);
        Start(F1, P1);
    });
    rig.simulator.RunTo(At(1));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Recording);
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Recording);
    EXPECT_EQ(Statistics().followers, 0U);
}

TEST_F(ControllerFollowing, NobodyWaitsForWhoIsDisturbed)
{
    Start(F0, P0);
    rig.simulator.Do(At(1), [&] {
        rig.simulator.disturbed = {F0};
        Start(F1, P1);
    });
    rig.simulator.RunTo(At(1));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Recording);
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Recording);
    EXPECT_EQ(Statistics().followers, 0U);
}

TEST_F(ControllerFollowing, WhoIsToLoseAPacketDoesNotWait)
{
    rig.simulator.losses[F1] = 9000;
    Start(F0, P0);
    rig.simulator.Do(At(1), [&] { Start(F1, P1); });
    rig.simulator.RunTo(At(1));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Recording);
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Recording);
    EXPECT_EQ(Statistics().followers, 0U);
}

TEST_F(ControllerFollowing, DeliveredByGrowsWithTheLeader)
{
    Start(F0, P0);
    Start(F1, P1);
    rig.simulator.Do(At(1), [&] { Start(F2, P2); });
    rig.simulator.RunTo(At(3));
    ASSERT_EQ(rig.StateOf(F1), PartitionState::Following);
    ASSERT_EQ(rig.StateOf(F2), PartitionState::Following);
    EXPECT_EQ(rig.DeliveredBy(F1), 300U);
    EXPECT_EQ(rig.DeliveredBy(F2), 200U);
    const StateCounts counts = rig.controller.CountStates();
    EXPECT_EQ(counts.partitions, (std::array<std::size_t, PARTITION_STATES>{0, 1, 0, 2, 0, 0}));
    EXPECT_EQ(counts.flows, (std::array<std::size_t, PARTITION_STATES>{0, 1, 0, 2, 0, 0}));
    // In the instant in which the leader ends, until the alarm.
    rig.controller.Disturbed(F0, At(3));
    EXPECT_EQ(rig.DeliveredBy(F1), 0U);
    rig.simulator.RunTo(At(3));
    EXPECT_EQ(rig.DeliveredBy(F1), 300U);
    EXPECT_EQ(rig.DeliveredBy(F2), 200U);
}

TEST_F(ControllerFollowing, TheEarliestTakesOverFromALeaderThatIsDisturbed)
{
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.Do(At(1), [&] {
        Start(F1, P1);
        Start(F2, P2);
    });
    rig.simulator.Do(At(2), [&] { rig.simulator.Start(F3, {P0}, 10'000, 50); });
    rig.simulator.RunTo(At(6));
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Recording, EpisodeUnknown, 1 flows, 0\n"
              "1: P1 Running to Running, FlowStarted, 1 flows, 0\n"
              "1: P2 Running to Running, FlowStarted, 1 flows, 0\n"
              "1: P1 Running to Following, EpisodeAwaited, 1 flows, 0\n"
              "1: P2 Running to Following, EpisodeAwaited, 1 flows, 0\n"
              "2: P0 Recording to Running, FlowStarted, 1 flows, 0\n"
              "2: P1 Following to Recording, EpisodeUnknown, 1 flows, 0\n"
              "2: P0 Running to Recording, EpisodeUnknown, 2 flows, 0\n"
              "6: P0 Recording to Skipping, Steady, 2 flows, 16\n"
              "6: P1 Recording to Skipping, Steady, 1 flows, 16\n"
              "6: P2 Following to Replaying, EpisodeFound, 1 flows, 0\n"
              "6: P2 Replaying to Skipping, EpisodeOver, 1 flows, 16\n");
    EXPECT_EQ(rig.Calls(),
              "1 us: Pause flows 1 ports 1\n"
              "1 us: Pause flows 2 ports 2\n"
              "2 us: CatchUp 1 us to 2 us flows 1 ports 1\n"
              "6 us: Pause flows 0,3 ports 0\n"
              "6 us: Pause flows 1 ports 1\n"
              "6 us: Credit flow 2 500\n"
              "6 us: Evict flows 2 ports 2\n");
    EXPECT_EQ(Statistics().followersCaughtUp, 1U);
    EXPECT_EQ(Statistics().followersReplayed, 1U);
}

TEST_F(ControllerFollowing, WhoStartedFirstTakesOverWhateverItsNumber)
{
    rig.simulator.Start(F2,
                        {P2},
                        20'000,
                        50); // the first partition, but equal to others from 2 us on
    Start(F0, P0);
    rig.simulator.Do(At(1), [&] { Start(F1, P1); });
    rig.simulator.Do(At(2), [&] {
        rig.controller.Disturbed(F2, At(2));
        rig.simulator.SetRate(F2, 100);
    });
    rig.simulator.Do(At(3), [&] { rig.controller.Disturbed(F0, At(3)); });
    rig.simulator.RunTo(At(2));
    ASSERT_EQ(rig.StateOf(F1), PartitionState::Following);
    ASSERT_EQ(rig.StateOf(F2), PartitionState::Following);
    rig.simulator.RunTo(At(3));
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Recording);
    EXPECT_EQ(rig.StateOf(F2), PartitionState::Following);
}

TEST_F(ControllerFollowing, NobodyFollowsWhoStartedLater)
{
    Start(F0, P0);
    rig.simulator.Do(At(1), [&] { Start(F1, P1); });
    rig.simulator.Do(At(2), [&] { Start(F2, P2, 9'000); }); // less, so it is recorded too
    rig.simulator.Do(At(3), [&] { rig.controller.Disturbed(F0, At(3)); });
    rig.simulator.RunTo(At(3));
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Recording);
    EXPECT_EQ(rig.StateOf(F2), PartitionState::Recording);
    EXPECT_EQ(rig.DeliveredBy(F1), 200U);
}

TEST_F(ControllerFollowing, EpisodesOfOthersMayBeOverAlready)
{
    Start(F0, P0);
    Start(F1, P1);
    rig.simulator.RunTo(At(3));
    // With another user of the store, it was done after 2 us.
    Rig other(&store);
    other.simulator.Start(F0, {P0}, 10'000, 100);
    other.simulator.RunTo(At(0));
    other.simulator.SetRate(F0, 5000);
    other.simulator.RunTo(At(2));
    other.controller.Finish(At(2));
    ASSERT_EQ(store.Statistics().episodes, 1U);
    rig.Calls();
    rig.controller.Disturbed(F0, At(3));
    rig.simulator.RunTo(At(3));
    EXPECT_EQ(rig.Calls(), "3 us: CatchUp 0 us to 3 us flows 1 ports 1\n");
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Recording);
    rig.simulator.RunTo(At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(100));
}

TEST_F(ControllerFollowing, IsRunLateWhenSomethingHappensToIt)
{
    Start(F0, P0);
    rig.simulator.Do(At(1), [&] { Start(F1, P1); }); // later, so it is nowhere its leader is
    rig.simulator.RunTo(At(3));
    rig.controller.Disturbed(F1, At(3));
    EXPECT_EQ(rig.Calls(),
              "1 us: Pause flows 1 ports 1\n"
              "3 us: CatchUp 1 us to 3 us flows 1 ports 1\n");
    EXPECT_EQ(rig.DeliveredBy(F1), 200U);
    EXPECT_EQ(Statistics().followersCaughtUp, 1U);
    EXPECT_EQ(Statistics().followersReplayed, 0U);
    EXPECT_EQ(Statistics().replaysInterrupted, 0U);
    rig.simulator.RunTo(At(101));
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(101));
}

TEST_F(ControllerFollowing, IsTakenBackWhenSomethingHappensAtItsStart)
{
    Start(F0, P0);
    Start(F1, P1);
    rig.simulator.RunTo(At(0));
    rig.controller.Disturbed(F0, At(0)); // one after the other: they change places
    rig.controller.Disturbed(F1, At(0));
    rig.simulator.RunTo(At(0));
    EXPECT_EQ(rig.Calls(),
              "0 us: Pause flows 1 ports 1\n"
              "0 us: Resume +0 us flows 1 ports 1\n"
              "0 us: Pause flows 1 ports 1\n");
    rig.controller.Disturbed(F0, At(0));
    rig.simulator.RunTo(
        At(0)); // the leader alone: its follower takes over, with nothing to catch up
    EXPECT_EQ(rig.Calls(),
              "0 us: Resume +0 us flows 1 ports 1\n"
              "0 us: Pause flows 0 ports 0\n");
    EXPECT_EQ(Statistics().followersCaughtUp, 0U);
    rig.simulator.RunTo(At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(100));
}

TEST_F(ControllerFollowing, OnlyWhereTheLeaderIsAhead)
{
    Start(F0, P0);
    Start(F1, P1, 9'000); // may complete before the other one
    rig.simulator.RunTo(At(0));
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Recording);
    rig.simulator.Start(F2, {P2}, 10'000, 200); // not equal
    rig.simulator.RunTo(At(0));
    EXPECT_EQ(rig.StateOf(F2), PartitionState::Recording);
    EXPECT_EQ(Statistics().followers, 0U);
}

TEST_F(ControllerFollowing, GoesOnInPacketsIfTheLeaderCompletesAndItDoesNot)
{
    Start(F0, P0, 300);
    Start(F1, P1, 400);
    Start(F2, P2, 500);
    rig.simulator.RunTo(At(3));
    EXPECT_EQ(rig.Calls(),
              "0 us: Pause flows 1 ports 1\n"
              "0 us: Pause flows 2 ports 2\n"
              "3 us: CatchUp 0 us to 3 us flows 1 ports 1\n");
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Recording);
    EXPECT_EQ(rig.StateOf(F2), PartitionState::Following); // now the other one
    rig.simulator.RunTo(At(10));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(4));
    EXPECT_TRUE(rig.simulator.ends.at(F2) == At(5));
    rig.controller.Finish(At(10));
    EXPECT_EQ(Statistics().recordingsStored, 3U); // from their own starts
    EXPECT_EQ(Statistics().recordingsDisturbed, 0U);
}

TEST_F(ControllerFollowing, NobodyWaitsTwiceForStateThatCannotBeCaptured)
{
    rig.simulator.incapable[F0] = rig.simulator.incapable[F1] = rig.simulator.incapable[F2] = true;
    Start(F0, P0);
    Start(F1, P1);
    Start(F2, P2);
    rig.simulator.RunTo(At(4));
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Recording);
    EXPECT_EQ(rig.StateOf(F2), PartitionState::Recording);
    rig.simulator.RunTo(At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F2) == At(100));
}

TEST_F(ControllerFollowing, FlowsMayTurnOutToHaveEnded)
{
    Start(F0, P0);
    Start(F1, P1);
    Start(F2, P2);
    rig.simulator.RunTo(At(3));
    // Not as the key says; so the next one is not done in time, either.
    rig.simulator.SetRate(F1, 5000);
    rig.controller.Disturbed(F0, At(3));
    rig.simulator.RunTo(At(3));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(2));
    EXPECT_EQ(rig.StateOf(F2), PartitionState::Recording);
    EXPECT_EQ(rig.DeliveredBy(F2), 300U);
    rig.simulator.RunTo(At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F2) == At(100));
}

TEST_F(ControllerFollowing, OneLooksForAllThatCameFromTheSameEpisode)
{
    Start(F0, P0);
    Start(F1, P1);
    rig.simulator.RunTo(At(30));
    // The other one takes over what the packets of the first one did.
    EXPECT_EQ(rig.Calls(),
              "0 us: Pause flows 1 ports 1\n"
              "4 us: Pause flows 0 ports 0\n"
              "4 us: Credit flow 1 400\n"
              "4 us: Evict flows 1 ports 1\n"
              "20 us: Credit flow 0 1600\n"
              "20 us: Resume +16 us flows 0 ports 0\n"
              "24 us: Pause flows 0 ports 0\n"
              "24 us: Credit flow 1 1600\n"
              "24 us: Credit flow 1 400\n");
    EXPECT_EQ(rig.DeliveredBy(F1), 3000U);
    rig.simulator.RunTo(At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(100));
}

TEST_F(ControllerFollowing, WhoIsNotLookedAtIsWhereWhoIsHasCome)
{
    rig.simulator.Start(F0, {P0}, 100'000, 1000);
    rig.simulator.Start(F1, {P1}, 100'000, 1000);
    rig.simulator.Do(At(20), [&] { rig.simulator.SetRate(F0, 1002); });
    rig.simulator.RunTo(At(24));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
    EXPECT_EQ(rig.DeliveredBy(F0), 24'008U);
    EXPECT_EQ(rig.DeliveredBy(F1), 24'008U);
    rig.simulator.RunTo(At(50));
    EXPECT_EQ(rig.DeliveredBy(F0), 50'060U);
    EXPECT_EQ(rig.DeliveredBy(F1), 50'060U);
}

TEST_F(ControllerFollowing, WhoseRatesHaveChangedLooksForNobodyElse)
{
    Start(F0, P0);
    Start(F1, P1);
    rig.simulator.Do(At(20), [&] { rig.simulator.SetRate(F0, 50); });
    rig.simulator.RunTo(At(27)); // a window after the other one has had its own
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Skipping);
    rig.simulator.RunTo(At(28));
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Waking);
    EXPECT_EQ(rig.DeliveredBy(F1), 2800U);
}

TEST_F(ControllerFollowing, WhoIsSomethingElseNowLooksForNobodyElse)
{
    Start(F0, P0);
    rig.simulator.Do(At(5), [&] {
        rig.controller.Disturbed(F0, At(5));
        rig.simulator.SetRate(F0, 50);
    });
    rig.simulator.Do(At(8), [&] { Start(F1, P1); });
    rig.simulator.RunTo(At(28));                        // 4 us of replay, 16 us of skip
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Waking); // from 25 us on, of another episode
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Waking);
}

TEST_F(ControllerFollowing, WhoSkipsOnStopsAtItsTail)
{
    Start(F0, P0, 20'000);
    Start(F1, P1, 20'000);
    Start(F2, P2, 5'000); // at its tail after 46 us: the other one is to look at 56 us
    rig.simulator.RunTo(At(200));
    EXPECT_TRUE(rig.simulator.ends.at(F2) == At(50));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(200));
}

TEST_F(ControllerFollowing, BytesInFlightMatterFromAnEighthOfTheTail)
{
    rig.simulator.inFlight[F1] = 50; // of a tail of 400
    rig.simulator.inFlight[F2] = 51;
    Start(F0, P0, 60'000);
    Start(F1, P1, 60'000);
    Start(F2, P2, 60'000);
    rig.simulator.RunTo(At(0));
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Following);
    EXPECT_EQ(rig.StateOf(F2), PartitionState::Recording);
}

TEST_F(ControllerFollowing, BytesInFlightMatterFromAPartOfWhatIsLeft)
{
    rig.simulator.inFlight[F1] = 9; // 10,000 / 1,024 = 9.8
    rig.simulator.inFlight[F2] = 10;
    Start(F0, P0);
    Start(F1, P1);
    Start(F2, P2);
    rig.simulator.RunTo(At(0));
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Following);
    EXPECT_EQ(rig.StateOf(F2), PartitionState::Recording);
}

TEST_F(ControllerFollowing, HowFarAheadFlowsBeginMatters)
{
    // In units of 8 bytes, the power of two up to 9.8: 46 / 8 = 5 = 47 / 8, 48 / 8 = 6. A scale
    // with steps of 1.2 has 46 and 47 in its class 21, but 48 to 55 as well: 1.2^21 = 46.0.
    rig.simulator.inFlight[F0] = 46;
    rig.simulator.inFlight[F1] = 47;
    rig.simulator.inFlight[F2] = 48;
    Start(F0, P0);
    Start(F1, P1);
    Start(F2, P2);
    rig.simulator.RunTo(At(0));
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Following);
    EXPECT_EQ(rig.StateOf(F2), PartitionState::Recording);
}

TEST_F(ControllerFollowing, TailsFollowTails)
{
    Start(F0, P0);
    Start(F1, P1);
    rig.simulator.RunTo(At(98));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Recording);
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Following);
    rig.simulator.RunTo(At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(100));
    EXPECT_EQ(Statistics().followersReplayed, 2U);
    EXPECT_EQ(Statistics().recordingsStored, 2U);
}

TEST_F(ControllerFollowing, FinishRunsTheRestLate)
{
    Start(F0, P0);
    rig.simulator.Do(At(1), [&] { Start(F1, P1); });
    rig.simulator.RunTo(At(3));
    rig.controller.Finish(At(3));
    EXPECT_EQ(rig.Calls(),
              "1 us: Pause flows 1 ports 1\n"
              "3 us: CatchUp 1 us to 3 us flows 1 ports 1\n");
    EXPECT_EQ(rig.DeliveredBy(F1), 200U);
    EXPECT_FALSE(rig.controller.NextAlarm());
}

/** \return \p groups equal groups of three flows of different sizes, twice in a row */
Scenario
EqualGroups(std::uint32_t groups)
{
    Scenario scenario;
    for (std::uint32_t group = 0; group < groups; ++group)
    {
        scenario.capacities.push_back(GIGABIT);
        const std::size_t first = scenario.flows.size();
        for (const Bytes size : {3'000, 4'000, 5'000})
        {
            scenario.flows.push_back(MakeFlow({PortId{group}}, size));
        }
        for (const Bytes size : {3'000, 4'000, 5'000})
        {
            scenario.flows.push_back(MakeFlow({PortId{group}}, size));
            scenario.flows.back().after = first + 2;
        }
    }
    return scenario;
}

TEST(ControllerFollowingCost, ManyEqualGroupsCostAsMuchAsOne)
{
    MemoryEpisodeStore forOne;
    MemoryEpisodeStore forMany;
    const FluidResult one = RunScenario(EqualGroups(1), {}, &forOne);
    const FluidResult many = RunScenario(EqualGroups(16), {}, &forMany);
    EXPECT_EQ(many.events, one.events);
    EXPECT_TRUE(many.violations.empty());
    for (std::size_t i = 0; i < many.flows.size(); ++i)
    {
        EXPECT_TRUE(many.flows[i].completed == one.flows[i % 6].completed) << i;
        EXPECT_EQ(many.flows[i].late.count(), 0) << i;
    }
    ControllerOptions options;
    options.follow = false;
    MemoryEpisodeStore store;
    EXPECT_GT(RunScenario(EqualGroups(16), options, &store).events, 10 * one.events);
}

TEST(ControllerFollowingOption, WithoutEachIsRecorded)
{
    ControllerOptions options = SmallOptions();
    options.follow = false;
    MemoryEpisodeStore store;
    Rig rig(&store, options);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.Start(F1, {P1}, 10'000, 100);
    rig.simulator.RunTo(At(3));
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Recording);
    EXPECT_EQ(rig.Calls(), "");
    rig.simulator.RunTo(At(20));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Waking); // and looks for itself
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Waking);
}

} // namespace
} // namespace wormhole

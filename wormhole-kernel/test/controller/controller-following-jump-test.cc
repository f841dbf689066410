/*
 * SPDX-License-Identifier: MIT
 */

// Partitions to which something happens while they follow: they go on from their leader's state.

#include "controller/controller-rig.h"

#include <gtest/gtest.h>
#include <tuple>

namespace wormhole
{
namespace
{

/** Flows of 100 bytes/us on ports of their own, as many as start at a time: the first leads. */
class ControllerJumping : public testing::Test
{
  protected:
    static void Start(Rig& rig, FlowId flow, PortId port, Bytes size = 10'000)
    {
        rig.simulator.Start(flow, {port}, size, 100);
    }

    /** F0 leads, F1 follows; they started together, 3 us ago. */
    static void LeadAndFollow(Rig& rig, Bytes follower = 10'000)
    {
        Start(rig, F0, P0);
        Start(rig, F1, P1, follower);
        rig.simulator.RunTo(At(3));
        ASSERT_EQ(rig.StateOf(F0), PartitionState::Recording);
        ASSERT_EQ(rig.StateOf(F1), PartitionState::Following);
    }

    /** Something happens to F1, which catches up by packets, and is none the worse for it. */
    static void ExpectCatchUp(Rig& rig, Bytes left = 9'700)
    {
        rig.Calls();
        rig.controller.Disturbed(F1, At(3));
        EXPECT_EQ(rig.Calls(), "3 us: CatchUp 0 us to 3 us flows 1 ports 1\n");
        EXPECT_EQ(rig.DeliveredBy(F1), 300U);
        EXPECT_EQ(rig.controller.Statistics().followersReplayed, 0U);
        EXPECT_EQ(rig.controller.Statistics().followersCaughtUp, 1U);
        rig.simulator.RunTo(At(200));
        EXPECT_TRUE(rig.simulator.ends.at(F1) == At(3) + Micro(1) * left / 100);
    }

    MemoryEpisodeStore store;
    Rig rig{&store};
};

TEST_F(ControllerJumping, GoesOnFromItsLeadersState)
{
    LeadAndFollow(rig);
    rig.controller.Disturbed(F1, At(3));
    EXPECT_EQ(rig.Calls(),
              "0 us: Pause flows 1 ports 1\n"
              "3 us: Credit flow 1 300\n"
              "3 us: Evict flows 1 ports 1\n"
              "3 us: Restore as of 3 us flows 1 ports 1\n"
              "3 us: Resume +0 us flows 1 ports 1\n");
    EXPECT_EQ(rig.DeliveredBy(F1), 300U);
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Recording) << "nothing has happened to that";
    EXPECT_EQ(rig.controller.Statistics().followers, 1U);
    EXPECT_EQ(rig.controller.Statistics().followersReplayed, 1U);
    EXPECT_EQ(rig.controller.Statistics().followersCaughtUp, 0U);
    EXPECT_EQ(rig.controller.Statistics().bytesReplayed, 300);
    EXPECT_EQ(rig.controller.Statistics().eventsReplayed, 30U) << "10 bytes each";
    rig.simulator.RunTo(At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(100));
}

TEST_F(ControllerJumping, GoesOnFromBeforeWhatHappensToItsLeader)
{
    LeadAndFollow(rig);
    rig.controller.Disturbed(F0, At(3));
    rig.simulator.SetRate(F0, 50);
    rig.controller.Disturbed(F1, At(3));
    EXPECT_EQ(rig.DeliveredBy(F1), 300U);
    EXPECT_EQ(rig.controller.Statistics().followersReplayed, 1U);
    rig.simulator.RunTo(At(200));
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(3 + 9'700 / 50));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(100));
}

TEST_F(ControllerJumping, FollowsAgainWhenFlowsJoinBoth)
{
    LeadAndFollow(rig);
    rig.Calls();
    rig.simulator.Start(F2, {P0}, 10'000, 50);
    rig.simulator.Start(F3, {P1}, 10'000, 50);
    rig.simulator.RunTo(At(3));
    EXPECT_EQ(rig.StateOf(F2), PartitionState::Recording);
    EXPECT_EQ(rig.StateOf(F3), PartitionState::Following) << "without a packet of F1 until now";
    EXPECT_EQ(rig.Calls(),
              "3 us: Credit flow 1 300\n"
              "3 us: Evict flows 1 ports 1\n"
              "3 us: Pause flows 3 ports 1\n");
    rig.simulator.RunTo(At(300));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F3) == rig.simulator.ends.at(F2));
    EXPECT_EQ(rig.controller.Statistics().followersCaughtUp, 0U);
}

TEST_F(ControllerJumping, EachGoesOnFromTheStateOfItsTime)
{
    Start(rig, F0, P0);
    Start(rig, F1, P1);
    Start(rig, F2, P2);
    rig.simulator.RunTo(At(2));
    rig.controller.Disturbed(F1, At(2));
    EXPECT_EQ(rig.DeliveredBy(F1), 200U);
    rig.simulator.RunTo(At(3));
    rig.controller.Disturbed(F2, At(3));
    EXPECT_EQ(rig.DeliveredBy(F2), 300U);
    EXPECT_EQ(rig.controller.Statistics().followersReplayed, 2U);
    rig.simulator.RunTo(At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F2) == At(100));
}

TEST_F(ControllerJumping, WhereItsLeaderComesNearALimit)
{
    LeadAndFollow(rig);
    EXPECT_TRUE(rig.controller.IsFollowed(P0));
    EXPECT_FALSE(rig.controller.IsFollowed(P1));
    EXPECT_FALSE(rig.controller.IsFollowed(P2)) << "of no flow";
    for (const PortId port : {P1, P2, P0}) // those of P0 alone are waited for
    {
        rig.controller.LimitNear(port, At(3));
        EXPECT_EQ(rig.controller.Statistics().followersReplayed, port == P0 ? 1U : 0U);
    }
    EXPECT_EQ(rig.DeliveredBy(F1), 300U);
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Recording) << "nothing has happened to that";
    EXPECT_FALSE(rig.controller.IsFollowed(P0));
    rig.simulator.RunTo(At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(100));
}

TEST_F(ControllerJumping, FinishTakesTheRestThere)
{
    LeadAndFollow(rig);
    rig.Calls();
    rig.controller.Finish(At(3));
    EXPECT_EQ(rig.DeliveredBy(F1), 300U);
    EXPECT_EQ(rig.controller.Statistics().followersCaughtUp, 0U);
    EXPECT_FALSE(rig.controller.NextAlarm());
}

TEST_F(ControllerJumping, ItsFlowsKeepTheirCounterpartsWhenItHasAnotherLeader)
{
    // Two flows on each port, 100 and 50 bytes/us; of the second one the other way round.
    for (const auto& [flow, port, rate] : {std::tuple{0U, P0, 100U},
                                           {1U, P0, 50U},
                                           {2U, P1, 50U},
                                           {3U, P1, 100U},
                                           {4U, P2, 100U},
                                           {5U, P2, 50U}})
    {
        rig.simulator.Start(FlowId{flow}, {port}, 10'000, rate);
    }
    rig.simulator.RunTo(At(3));
    rig.controller.Disturbed(F0, At(3));
    rig.simulator.RunTo(At(3));
    ASSERT_EQ(rig.StateOf(F3), PartitionState::Recording);
    ASSERT_EQ(rig.StateOf(F5), PartitionState::Following) << "the second one now";
    rig.controller.Disturbed(F5, At(3));
    EXPECT_EQ(rig.controller.Statistics().followersReplayed, 1U);
    EXPECT_EQ(rig.DeliveredBy(FlowId{4}), 300U);
    EXPECT_EQ(rig.DeliveredBy(F5), 150U);
}

TEST_F(ControllerJumping, NotWhereDrawsHaveDecided)
{
    LeadAndFollow(rig);
    rig.simulator.draws[F0] = 1;
    ExpectCatchUp(rig);
}

TEST_F(ControllerJumping, NotWhereAFlowCannotSaveItsState)
{
    LeadAndFollow(rig);
    rig.simulator.incapable[F0] = true;
    ExpectCatchUp(rig);
}

TEST_F(ControllerJumping, NotWhereAPortCannotSaveItsState)
{
    LeadAndFollow(rig);
    rig.simulator.incapablePorts[P0] = true;
    ExpectCatchUp(rig);
}

TEST_F(ControllerJumping, NotWhereTheStateCannotBeRestored)
{
    LeadAndFollow(rig);
    rig.simulator.refusesStates = true;
    ExpectCatchUp(rig);
}

TEST_F(ControllerJumping, NotWhereAPortCouldNotHaveCarriedIt)
{
    LeadAndFollow(rig);
    rig.simulator.capacities[P1] = 50;
    ExpectCatchUp(rig);
}

TEST_F(ControllerJumping, NotWhereAPacketWillHaveBeenLost)
{
    LeadAndFollow(rig);
    rig.simulator.losses[F1] = 200;
    ExpectCatchUp(rig);
}

TEST_F(ControllerJumping, NotWhereTheLeaderHasNoMoreToSendAndItHas)
{
    LeadAndFollow(rig, 12'000);
    rig.simulator.inFlight[F0] = 9'700;
    ExpectCatchUp(rig, 11'700);
}

TEST_F(ControllerJumping, WhereNeitherHasMoreToSend)
{
    LeadAndFollow(rig);
    rig.simulator.inFlight[F0] = 9'700;
    rig.controller.Disturbed(F1, At(3));
    EXPECT_EQ(rig.controller.Statistics().followersReplayed, 1U);
}

TEST_F(ControllerJumping, WhereTheLeaderStillSends)
{
    LeadAndFollow(rig, 12'000);
    rig.simulator.inFlight[F0] = 9'699;
    rig.controller.Disturbed(F1, At(3));
    EXPECT_EQ(rig.controller.Statistics().followersReplayed, 1U);
    rig.simulator.RunTo(At(200));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(120));
}

TEST_F(ControllerJumping, NotWhereItDoesNotPay)
{
    for (const Bytes other : {Bytes{1'000}, Bytes{10}})
    {
        ControllerOptions options = SmallOptions();
        options.minSaving = 0.1;
        MemoryEpisodeStore empty;
        Rig counted(&empty, options);
        counted.simulator.counts = true;
        counted.simulator.Start(F2, {P2}, 100'000, other);
        LeadAndFollow(counted);
        if (other == 1'000)
        {
            ExpectCatchUp(counted); // saves 30 events where 30 + 300 were run
            continue;
        }
        counted.controller.Disturbed(F1, At(3)); // ... and here 30 + 3
        EXPECT_EQ(counted.controller.Statistics().followersReplayed, 1U);
    }
}

TEST_F(ControllerJumping, IsAudited)
{
    for (const Bytes rate : {Bytes{100}, Bytes{50}}) // as the leader, or half of it
    {
        ControllerOptions options = SmallOptions();
        options.audit = 1;
        MemoryEpisodeStore empty;
        Rig audited(&empty, options);
        audited.simulator.auditRates[F1] = rate;
        Start(audited, F0, P0);
        Start(audited, F1, P1);
        Start(audited, F2, P2);
        audited.simulator.RunTo(At(3));
        audited.controller.Disturbed(F1, At(3));
        const ControllerStatistics& statistics = audited.controller.Statistics();
        EXPECT_EQ(statistics.auditable, 1U);
        EXPECT_EQ(statistics.audited, 1U);
        EXPECT_EQ(statistics.bytesAudited, 300);
        EXPECT_EQ(statistics.bytesWrong, rate == 100 ? 0 : 300 - 150 - 100)
            << "less part of a tail";
        EXPECT_EQ(statistics.followersReplayed, rate == 100 ? 1U : 0U);
        EXPECT_EQ(audited.DeliveredBy(F1), 300U) << "an audit is aside";
        // What was thrown out does not do for others.
        audited.controller.Disturbed(F2, At(3));
        EXPECT_EQ(statistics.followersReplayed, rate == 100 ? 2U : 0U);
        EXPECT_EQ(statistics.followersCaughtUp, rate == 100 ? 0U : 2U);
        EXPECT_EQ(audited.DeliveredBy(F2), 300U);
    }
}

} // namespace
} // namespace wormhole

/*
 * SPDX-License-Identifier: MIT
 */

// Flows that start late: what was skipped since goes back to that time.

#include "controller/controller-rig.h"

namespace wormhole
{

TEST(ControllerLate, WhatIsSkippedSinceMayGoBack)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.RunTo(At(3));
    const PartitionId partition = rig.controller.Partitions().PartitionOf(F0);
    EXPECT_FALSE(rig.controller.MayGoBack(partition, At(2))); // in packets
    rig.simulator.RunTo(At(15));                              // skipped from 4 us on, up to 20
    EXPECT_TRUE(rig.controller.MayGoBack(partition, At(4)));
    EXPECT_TRUE(rig.controller.MayGoBack(partition, At(15)));
    EXPECT_FALSE(rig.controller.MayGoBack(partition, At(3)));
    rig.simulator.RunTo(At(22)); // waking
    EXPECT_FALSE(rig.controller.MayGoBack(partition, At(15)));
    EXPECT_THROW(rig.controller.MayGoBack(PartitionId{7}, At(15)), UsageError);
}

TEST(ControllerLate, SkipEndsWhereAFlowStartsThatIsLate)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.RunTo(At(15));
    rig.Said();
    rig.Calls();
    rig.simulator.StartLate(F1, {P0}, 1000, 50, At(10));
    // 6 us of the skip count, 600 bytes; packets go on from 10 us, not from 15
    EXPECT_EQ(rig.Calls(),
              "10 us: Credit flow 0 600\n"
              "10 us: Resume +6 us flows 0 ports 0\n");
    EXPECT_EQ(rig.Said(),
              "10: P0 Skipping to Running, FlowStarted, 1 flows, 0\n"
              "10: P0 Running to Running, FlowStarted, 2 flows, 0\n");
    EXPECT_EQ(rig.controller.Statistics().skipsInterrupted, 1U);
    // at 15 us: 4 us of packets, 600 bytes, 5 us of packets; and 5 us of packets
    EXPECT_EQ(rig.DeliveredBy(F0), 400U + 600 + 500);
    EXPECT_EQ(rig.DeliveredBy(F1), 250U);
    // what comes of it is decided now
    ASSERT_TRUE(rig.controller.NextAlarm());
    EXPECT_TRUE(*rig.controller.NextAlarm() <= At(15));
    rig.simulator.RunTo(At(120));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(30));  // 10 us + 1,000 bytes at 50 bytes/us
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(100)); // as if nothing had been skipped
}

} // namespace wormhole

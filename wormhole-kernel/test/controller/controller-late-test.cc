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

} // namespace wormhole

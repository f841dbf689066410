/*
 * SPDX-License-Identifier: MIT
 */

// Skips, state by state. Replays: controller-replay-test.cc. What makes no sense:
// controller-misuse-test.cc. Random scenarios against the truth: controller-scenario-test.cc.

#include "controller-rig.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <utility>

namespace wormhole
{
namespace
{

constexpr FlowId F0{0};
constexpr FlowId F1{1};
constexpr FlowId F2{2};
constexpr PortId P0{0};
constexpr PortId P1{1};

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

} // namespace
} // namespace wormhole

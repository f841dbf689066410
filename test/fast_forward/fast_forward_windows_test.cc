/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// While fast-forward leaves nothing out, nodes run in windows, as at packet level: on one thread or
// several, with the results of one queue.

#include "harness/fast_scenario.h"
#include "harness/sanitized.h"

#include <gtest/gtest.h>

using namespace harness;

namespace
{

constexpr uint64_t SEEDS = 40;

FastOptions
With(FastOptions options, const FastOptions& more)
{
    options.insert(more.begin(), more.end());
    return options;
}

/** Runs scenarios by \p options in one queue, and the same by \p windows: what is left out, and
 * when, must be the same too. \return windows that were run */
uint64_t
CountWindowsOf(const FastOptions& options, const FastOptions& windows, uint64_t& leftOut)
{
    uint64_t count = 0;
    for (uint64_t seed = 0; seed < Repetitions(SEEDS); ++seed)
    {
        SCOPED_TRACE(seed);
        const FastScenario scenario = DrawFastScenario(seed);
        const FastOutcome one = RunFastScenario(scenario, With(options, {{"Windows", "false"}}));
        const FastOutcome several = RunFastScenario(scenario, With(options, windows));
        EXPECT_EQ(one.windows, 0U);
        EXPECT_EQ(several.faults, "");
        EXPECT_EQ(several.hops, one.hops);
        EXPECT_EQ(several.skips, one.skips);
        EXPECT_EQ(several.found, one.found);
        EXPECT_EQ(several.suspensions, one.suspensions);
        EXPECT_TRUE(several.flows == one.flows) << ToText(scenario);
        if (testing::Test::HasFailure())
        {
            break;
        }
        count += several.windows;
        leftOut += several.skips + several.found;
    }
    return count;
}

TEST(FastForwardWindows, ChangeNothing)
{
    uint64_t leftOut = 0;
    EXPECT_GT(CountWindowsOf({{"MinSaving", "0"}}, {{"Windows", "true"}}, leftOut), 0U);
    EXPECT_GT(leftOut, 0U);
}

TEST(FastForwardWindows, OfSeveralThreadsChangeNothing)
{
    uint64_t leftOut = 0;
    EXPECT_GT(CountWindowsOf({{"MinSaving", "0"}},
                             {{"Threads", "3"}, {"EventsPerThread", "1"}, {"ThreadTrial", "false"}},
                             leftOut),
              0U);
    EXPECT_GT(leftOut, 0U);
}

TEST(FastForwardWindows, AreThoseOfPacketLevelWhileSuspended)
{
    // Looks whether to go on are events of their own, each in a window.
    uint64_t packetLevel = 0;
    uint64_t suspended = 0;
    for (uint64_t seed = 0; seed < Repetitions(SEEDS); ++seed)
    {
        SCOPED_TRACE(seed);
        const FastScenario scenario = DrawFastScenario(seed);
        const FastOutcome packet = RunFastScenario(scenario, {});
        const FastOutcome fast = RunFastScenario(scenario, {{"FreeWork", "0"}, {"Overhead", "0"}});
        EXPECT_EQ(fast.suspensions, 1U);
        EXPECT_TRUE(fast.flows == packet.flows) << ToText(scenario);
        packetLevel += packet.windows;
        suspended += fast.windows;
    }
    EXPECT_GT(10 * suspended, 9 * packetLevel);
    EXPECT_GT(suspended, 0U);
}

} // namespace

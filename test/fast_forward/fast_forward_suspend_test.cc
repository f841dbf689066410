/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Fast-forward that is suspended, or skips nothing since too little could be skipped, is packet
// level, bit for bit; and it wakes where there is something to skip.

#include "harness/fast_scenario.h"
#include "harness/sanitized.h"

#include <gtest/gtest.h>

using namespace harness;

namespace
{

/** \return whether \p fast is as \p packet to the nanosecond */
bool
AreSame(const FastScenario& scenario, const FastOutcome& packet, const FastOutcome& fast)
{
    const bool same = packet.flows == fast.flows && packet.hops == fast.hops;
    EXPECT_TRUE(same) << ToText(scenario);
    EXPECT_EQ(fast.faults, "");
    return same;
}

TEST(FastForwardSuspend, SuspendedItIsPacketLevel)
{
    for (uint64_t seed = 0; seed < harness::Repetitions(60); ++seed)
    {
        SCOPED_TRACE(seed);
        const FastScenario scenario = DrawFastScenario(seed); // one in eight with a failing link
        const FastOutcome packet = RunFastScenario(scenario, {});
        const FastOutcome fast = RunFastScenario(scenario, {{"FreeWork", "0"}, {"Overhead", "0"}});
        EXPECT_EQ(fast.suspensions, 1U);
        if (!AreSame(scenario, packet, fast))
        {
            break;
        }
    }
}

TEST(FastForwardSuspend, WhatIsOnlyWatchedIsPacketLevel)
{
    uint64_t watched = 0;
    uint64_t suspensions = 0;
    for (uint64_t seed = 0; seed < harness::Repetitions(120); ++seed)
    {
        SCOPED_TRACE(seed);
        const FastScenario scenario = DrawFastScenario(seed);
        const FastOutcome fast =
            RunFastScenario(scenario,
                            {{"FreeWork", "0"}, {"Overhead", "0.05"}, {"MinSaving", "1"}});
        if (fast.skips + fast.found > 0)
        {
            continue;
        }
        ++watched;
        suspensions += fast.suspensions;
        if (!AreSame(scenario, RunFastScenario(scenario, {}), fast))
        {
            break;
        }
    }
    EXPECT_GT(watched, harness::Repetitions(120) / 3);
    EXPECT_GT(suspensions, watched);
}

/** \return \p count flows of \p bytes, \p together at a time, all over a star */
FastScenario
ShortFlows(uint32_t count, uint64_t bytes, uint32_t together)
{
    FastScenario scenario;
    scenario.topology = "star:hosts=16";
    scenario.control = "ns3::RdmaHpcc";
    for (uint32_t i = 0; i < count; ++i)
    {
        const int64_t start = i / together * int64_t{20'000};
        scenario.flows.push_back({i % 16, (i + 1 + i / 16 % 15) % 16, bytes, start, -1, 0});
    }
    return scenario;
}

TEST(FastForwardSuspend, FlowsOfTheInstantOfASuspensionKeepTheirOrder)
{
    // Those before the suspension would leave at the end of the instant, those after it at once.
    for (const uint32_t together : {1U, 7U, 100U, 3000U})
    {
        SCOPED_TRACE(together);
        const FastScenario scenario = ShortFlows(3000, 2000, together);
        const FastOutcome packet = RunFastScenario(scenario, {});
        for (const char* work : {"0", "100", "3000", "10000"})
        {
            SCOPED_TRACE(work);
            const FastOutcome fast =
                RunFastScenario(scenario, {{"FreeWork", work}, {"MinSaving", "1"}});
            AreSame(scenario, packet, fast);
            EXPECT_GT(fast.suspensions, 0U);
        }
    }
}

/** Nothing repeats at first: 3,000 messages of all lengths; then two flows share a link for 16 ms,
 * to equal parts. (By chance: started at once, they lock at 45 : 42.) */
FastScenario
LateCalm()
{
    FastScenario scenario;
    scenario.topology = "star:hosts=8";
    scenario.control = "ns3::RdmaHpcc";
    for (uint32_t i = 0; i < 3000; ++i)
    {
        const uint32_t src = i * 7 % 8;
        scenario.flows.push_back({src,
                                  (src + 1 + i % 5) % 8,
                                  1000 + uint64_t{i} * 7919 % 40'000,
                                  700 * int64_t{i},
                                  -1,
                                  0});
    }
    scenario.flows.push_back({0, 7, 100'000'000, 3'000'000, -1, 0});
    scenario.flows.push_back({1, 7, 100'000'000, 3'002'000, -1, 0});
    return scenario;
}

TEST(FastForwardSuspend, ResumesForALongSteadyPhase)
{
    const FastScenario scenario = LateCalm();
    const FastOutcome packet = RunFastScenario(scenario, {});
    const FastOutcome fast = RunFastScenario(scenario, {{"FreeWork", "1000"}});
    EXPECT_GT(fast.suspensions, 0U);
    EXPECT_EQ(fast.faults, "");
    EXPECT_LT(2 * fast.hops, packet.hops) << "most of the calm phase is skipped";
    for (size_t i = 0; i < scenario.flows.size(); ++i)
    {
        ASSERT_TRUE(fast.flows[i].completed);
        if (i < 3000)
        {
            EXPECT_TRUE(packet.flows[i] == fast.flows[i]) << "flow " << i << " in the chaos";
        }
    }
    const auto last = static_cast<double>(packet.flows.back().deliveredNs);
    EXPECT_NEAR(static_cast<double>(fast.flows.back().deliveredNs), last, 0.01 * last);
}

} // namespace

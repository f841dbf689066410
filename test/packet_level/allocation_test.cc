/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/allocations.h"
#include "harness/apart.h"
#include "harness/hpcc_case.h"

#include <gtest/gtest.h>

using namespace harness;

// Frames come from a pool and events live as long as their port, so once the pool and the queues
// have grown to the size they need, memory is allocated for flows that start and end, not for
// packets.

class Allocation : public testing::TestWithParam<std::string>
{
};

TEST_P(Allocation, NoneForAPacketOnceWarm)
{
    const nlohmann::json counts = RunApart([]() -> nlohmann::json {
        RunOptions options;
        options.warmUpNs = 2000000;
        options.onWarm = StartCountingAllocations;
        options.onEnd = StopCountingAllocations;
        const RunResult run = RunHpccCaseHere("incast16", GetParam(), options);
        return {run.warmPacketHops, CountedAllocations()};
    });
    const uint64_t hops = counts.at(0);
    const uint64_t allocations = counts.at(1);
    // 16 flows of 5,000 packets over 2 links take more than 6 ms
    EXPECT_GT(hops, 100000U);
    EXPECT_LT(allocations, hops / 1000);
}

INSTANTIATE_TEST_SUITE_P(Controls, Allocation, testing::Values("hp", "timely", "dctcp", "dcqcn"));

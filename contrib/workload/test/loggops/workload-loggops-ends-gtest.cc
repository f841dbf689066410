/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How runs at message level end: stalls and their reports, stops, and what cannot be represented.

#include "harness/goal.h"
#include "harness/loggops_execution.h"

#include "ns3/input-error.h"

#include <gtest/gtest.h>
#include <limits>

using namespace ns3;
using namespace harness;
using namespace loggops;

TEST(WorkloadLogGops, ReportsWhoWaitsForWhom)
{
    for (const bool exact : {false, true})
    {
        WorkloadLogGops parameters{3700, 200, 5, 0, 0.04, 0, exact};
        const Execution deadlock(ReadPlainGoal(GOAL + "probe_deadlock_2.goal"), parameters);
        EXPECT_FALSE(deadlock.done);
        EXPECT_EQ(deadlock.runner.GetCompleted(), 0U);
        EXPECT_EQ(deadlock.runner.GetTotal(), 4U);
        EXPECT_EQ(
            deadlock.runner.ExplainStall(9),
            std::vector<std::string>(
                {"rank 0 waits for rank 1, which waits for rank 0",
                 "rank 0: operation 0 (recv 10b from 1 tag 0): waits for a message from rank 1 "
                 "(tag 0), and operation 1 (send 10b to 1 tag 0) waits for it; 1 operation is not "
                 "ready",
                 "rank 1: operation 0 (recv 10b from 0 tag 0): waits for a message from rank 0 "
                 "(tag 0), and operation 1 (send 10b to 0 tag 0) waits for it; 1 operation is not "
                 "ready"}));
        EXPECT_EQ(deadlock.runner.ExplainStall(1).back(), "and 1 more rank that is not done");

        const Execution unmatched(ReadPlainGoal(GOAL + "probe_unmatched_2.goal"), parameters);
        EXPECT_FALSE(unmatched.done);
        EXPECT_EQ(unmatched.runner.ExplainStall(9).back(),
                  "rank 1: operation 0 (recv 1000b from 0 tag 1): waits for a message from rank 0 "
                  "(tag 1); from there have come messages with 1 other tag, but rank 0 has no such "
                  "send left");
    }
}

TEST(WorkloadLogGops, ReportsOperationsThatWaitForEachOther)
{
    WorkloadScheduleBuilder builder(1);
    builder.Calc(0, 5);
    const uint32_t a = builder.Calc(0, 6);
    const uint32_t b = builder.Calc(0, 7);
    builder.Require(0, a, b);
    builder.Require(0, b, a);
    builder.Require(0, builder.Calc(0, 8), b);
    const Execution run(builder.Build());
    EXPECT_FALSE(run.done);
    EXPECT_EQ(
        run.runner.ExplainStall(9),
        std::vector<std::string>({"rank 0: 3 operations are not ready: operation 1 (calc 6) "
                                  "waits for operation 2 (calc 7), which waits for operation 1 "
                                  "(calc 6)"}));
}

TEST(WorkloadLogGops, StopsAndGoesOn)
{
    for (const bool exact : {false, true})
    {
        WorkloadScheduleBuilder builder(1);
        uint32_t before = builder.Calc(0, 1);
        for (int i = 1; i < 20000; ++i)
        {
            const uint32_t next = builder.Calc(0, 1);
            builder.Require(0, next, before);
            before = next;
        }
        WorkloadLogGops parameters = EASY;
        parameters.exact = exact;
        const WorkloadJobs jobs(Execution::MakeJobs(builder.Build(), {}));
        WorkloadLogGopsNetwork network(parameters);
        int pulses = 0;
        network.SetPulse([&] {
            if (++pulses == 1)
            {
                network.Stop();
            }
        });
        WorkloadRunner runner(jobs, network);
        EXPECT_FALSE(runner.Run());
        EXPECT_GT(runner.GetCompleted(), 0U);
        EXPECT_FALSE(runner.ExplainStall(3).empty());
        EXPECT_TRUE(runner.Run());
        EXPECT_EQ(network.GetFinish(0), 20000 * 1000);
        EXPECT_GE(pulses, 4);
    }
}

TEST(WorkloadLogGops, RefusesWhatItCannotRepresent)
{
    WorkloadLogGops bad = EASY;
    bad.G = -1;
    EXPECT_THROW(WorkloadLogGopsNetwork{bad}, InputError);
    bad.G = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(WorkloadLogGopsNetwork{bad}, InputError);
    bad = EASY;
    bad.L = UINT64_MAX;
    EXPECT_THROW(WorkloadLogGopsNetwork{bad}, InputError);

    for (const bool exact : {false, true})
    {
        WorkloadLogGops parameters = EASY;
        parameters.exact = exact;
        parameters.O = 3;
        WorkloadScheduleBuilder calc(1);
        calc.Calc(0, UINT64_MAX);
        EXPECT_THROW(Execution(calc.Build(), parameters), InputError);
        WorkloadScheduleBuilder message(2);
        message.Send(0, 1, UINT64_MAX, 0);
        EXPECT_THROW(Execution(message.Build(), parameters), InputError);
        parameters.O = 0;
        WorkloadScheduleBuilder bytes(2);
        bytes.Send(0, 1, UINT64_MAX, 0);
        EXPECT_THROW(Execution(bytes.Build(), parameters), InputError);
    }
}

TEST(WorkloadLogGops, NothingToDo)
{
    EXPECT_TRUE(Execution(WorkloadScheduleBuilder(3).Build()).done);
    EXPECT_TRUE(Execution(WorkloadSchedule()).done);
}

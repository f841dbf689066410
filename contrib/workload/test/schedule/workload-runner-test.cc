/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The runner and message level, in a few cases whose times are derived in a line; the many are in
// the project's own tests.

#include "ns3/test.h"
#include "ns3/workload-loggops-network.h"
#include "ns3/workload-runner.h"

#include <numeric>
#include <type_traits>

namespace ns3
{

namespace
{

/** Up to ns-3.41, durations are enumerators of TestCase itself. */
template <typename T, typename = void>
struct WorkloadTestDurations
{
    static constexpr auto QUICK = T::QUICK;
};

/** From ns-3.42 on, they are those of a scoped enumeration. */
template <typename T>
struct WorkloadTestDurations<T, std::void_t<typename T::Duration>>
{
    static constexpr auto QUICK = T::Duration::QUICK;
};

/** \return a single job, rank r on node r */
WorkloadJobs
OneJob(WorkloadSchedule schedule)
{
    std::vector<WorkloadJob> jobs(1);
    jobs[0].nodes.resize(schedule.ranks.size());
    std::iota(jobs[0].nodes.begin(), jobs[0].nodes.end(), 0);
    jobs[0].schedule = std::move(schedule);
    return WorkloadJobs(std::move(jobs));
}

/** \return two ranks that send each other a message of 51 bytes in turn; rank 1 computes first */
WorkloadSchedule
PingPong()
{
    WorkloadScheduleBuilder builder(2);
    builder.Send(0, 1, 51, 7);
    builder.Recv(0, 1, 51, 8);
    const uint32_t ping = builder.Recv(1, 0, 51, 7);
    const uint32_t calc = builder.Calc(1, 300);
    const uint32_t pong = builder.Send(1, 0, 51, 8);
    builder.Require(1, calc, ping);
    builder.Require(1, pong, calc);
    return builder.Build();
}

/** Times of a ping-pong, in both modes. */
class WorkloadPingPong : public TestCase
{
  public:
    WorkloadPingPong()
        : TestCase("a ping-pong takes 2 (o + L + B + g + o) and the computation")
    {
    }

  private:
    void DoRun() override
    {
        const WorkloadJobs jobs = OneJob(PingPong());
        for (const bool exact : {false, true})
        {
            WorkloadLogGopsNetwork network({1000, 100, 10, 0, 2, 65535, exact});
            WorkloadRunner runner(jobs, network);
            NS_TEST_EXPECT_MSG_EQ(runner.Run(), true, "all operations complete");
            NS_TEST_EXPECT_MSG_EQ(runner.GetCompleted(), 5, "operations");
            NS_TEST_EXPECT_MSG_EQ(network.GetFinish(0),
                                  (2 * (100 + 1000 + int64_t{50} * 2 + 10 + 100) + 300) * 1000,
                                  "ps until rank 0 is done");
        }
    }
};

/** A receive whose message never comes. */
class WorkloadStalls : public TestCase
{
  public:
    WorkloadStalls()
        : TestCase("a stall is told, and by whom")
    {
    }

  private:
    void DoRun() override
    {
        WorkloadScheduleBuilder builder(2);
        builder.Recv(0, 1, 8, 0);
        const WorkloadJobs jobs = OneJob(builder.Build());
        WorkloadLogGopsNetwork network({});
        WorkloadRunner runner(jobs, network);
        NS_TEST_EXPECT_MSG_EQ(runner.Run(), false, "an operation is left");
        const std::vector<std::string> lines = runner.ExplainStall(5);
        NS_TEST_ASSERT_MSG_EQ(lines.size(), 1, "one rank is not done");
        NS_TEST_EXPECT_MSG_EQ(
            lines[0],
            "rank 0: operation 0 (recv 8b from 1 tag 0): waits for a message from "
            "rank 1 (tag 0), but rank 1 has no such send left",
            "the report");
    }
};

/** The module's suite. */
class WorkloadTestSuite : public TestSuite
{
  public:
    WorkloadTestSuite()
        : TestSuite("workload", TestSuite::Type::UNIT)
    {
        AddTestCase(new WorkloadPingPong, WorkloadTestDurations<TestCase>::QUICK);
        AddTestCase(new WorkloadStalls, WorkloadTestDurations<TestCase>::QUICK);
    }
};

WorkloadTestSuite g_workloadTestSuite; //!< registers itself

} // namespace

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Message level in literal mode: the reference's finish times, to the nanosecond.

#include "harness/goal.h"
#include "harness/loggopsim.h"
#include "ns3/workload-loggops-network.h"
#include "ns3/workload-runner.h"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>

using namespace ns3;
using namespace harness;
using nlohmann::json;

namespace
{

const std::string GOAL = WORMHOLE_SOURCE_DIR "/test/data/goal/";

WorkloadJobs
OneJob(WorkloadSchedule schedule)
{
    WorkloadJob job;
    job.nodes.resize(schedule.ranks.size());
    std::iota(job.nodes.begin(), job.nodes.end(), 0);
    job.schedule = std::move(schedule);
    std::vector<WorkloadJob> jobs;
    jobs.push_back(std::move(job));
    return WorkloadJobs(std::move(jobs));
}

WorkloadLogGops
Parameters(const json& of)
{
    return {of["L"], of["o"], of["g"], of["O"], of["G"], of["S"], true};
}

} // namespace

TEST(WorkloadMessage, ReferenceFinishTimes)
{
    std::ifstream file(GOAL + "finish-times.json");
    const json reference = json::parse(file);
    int runs = 0;
    for (const auto& [name, schedule] : reference["schedules"].items())
    {
        const WorkloadJobs jobs = OneJob(ReadPlainGoal(GOAL + name + ".goal"));
        for (const auto& [set, parameters] : reference["parameters"].items())
        {
            WorkloadLogGopsNetwork network(Parameters(parameters));
            WorkloadRunner runner(jobs, network);
            const bool stalls = name.substr(0, 5) == "probe";
            EXPECT_EQ(runner.Run(), !stalls) << name;
            std::vector<int64_t> finish;
            for (uint32_t p = 0; p < jobs.GetProcessCount(); ++p)
            {
                finish.push_back(network.GetFinish(p) / 1000);
            }
            EXPECT_EQ(RunLogGopsim(jobs.GetJobs()[0].schedule, Parameters(parameters)).finish, finish)
                << name;
            EXPECT_EQ(json(finish), schedule["finish"][set]["per_rank_ns"]) << name << ' ' << set;
            EXPECT_EQ(*std::max_element(finish.begin(), finish.end()),
                      schedule["finish"][set]["total_ns"]);
            for (const std::string& line : runner.ExplainStall(3))
            {
                std::cout << name << ": " << line << '\n';
            }
            ++runs;
        }
    }
    EXPECT_EQ(runs, 100);
}

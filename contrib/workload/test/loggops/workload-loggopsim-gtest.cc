/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Message level in loggopsim-exact mode: the reference's finish times, to the nanosecond, and those
// of a straight-line copy of the rules on random schedules.

#include "harness/goal.h"
#include "harness/loggops_execution.h"
#include "harness/loggopsim.h"
#include "harness/sanitized.h"

#include "ns3/input-error.h"
#include "ns3/workload-loggops-network.h"
#include "ns3/workload-runner.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace ns3;
using namespace harness;
using nlohmann::json;

namespace
{

/** \param nodes so many, rank r on node r modulo that */
WorkloadJobs
OneJob(WorkloadSchedule schedule, uint32_t nodes)
{
    WorkloadJob job;
    for (uint32_t rank = 0; rank < schedule.ranks.size(); ++rank)
    {
        job.nodes.push_back(rank % nodes);
    }
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

/** \return a schedule that tries everything: several streams and interfaces, few tags, messages to
 * oneself and of size 0, sizes that disagree, and both kinds of dependencies. \param most messages
 * and computations */
WorkloadSchedule
RandomSchedule(Dice& dice, uint64_t most)
{
    const auto ranks = static_cast<uint32_t>(1 + dice.Roll(5));
    const uint64_t cpus = 1 + dice.Roll(3);
    const uint64_t nics = 1 + dice.Roll(2);
    const uint64_t tags = 1 + dice.Roll(3);
    const uint64_t sizes = dice.Roll(4) == 0 ? 3 : 40;
    const uint64_t density = dice.Roll(4);
    const bool loose = dice.Roll(3) == 0; // some ends of messages are missing
    WorkloadScheduleBuilder builder(ranks);
    std::vector<uint32_t> counts(ranks);
    const auto cpu = [&] { return static_cast<uint8_t>(dice.Roll(cpus)); };
    const auto nic = [&] { return static_cast<uint8_t>(dice.Roll(nics)); };
    for (uint64_t k = 1 + dice.Roll(most); k > 0; --k)
    {
        const auto from = static_cast<uint32_t>(dice.Roll(ranks));
        const auto to = static_cast<uint32_t>(dice.Roll(ranks));
        const auto tag = static_cast<uint32_t>(dice.Roll(tags));
        const uint64_t size = dice.Roll(sizes);
        const uint64_t kind = dice.Roll(8);
        if (kind < 2)
        {
            builder.Calc(from, dice.Roll(30), cpu());
            ++counts[from];
            continue;
        }
        if (kind != 2 || !loose) // else a receive without a send
        {
            builder.Send(from, to, size, tag, cpu(), nic());
            ++counts[from];
        }
        if (kind != 3 || !loose) // else a send without a receive
        {
            builder.Recv(to, from, dice.Roll(10) == 0 ? dice.Roll(sizes) : size, tag, cpu(), nic());
            ++counts[to];
        }
    }
    for (uint32_t r = 0; r < ranks; ++r)
    {
        for (uint32_t i = 1; i < counts[r]; ++i)
        {
            for (uint64_t k = dice.Roll(1 + density); k > 0; --k)
            {
                const auto before = static_cast<uint32_t>(dice.Roll(i));
                dice.Roll(5) == 0 ? builder.RequireStart(r, i, before)
                                  : builder.Require(r, i, before);
            }
        }
    }
    return builder.Build();
}

} // namespace

TEST(WorkloadMessage, ReferenceFinishTimes)
{
    std::ifstream file(loggops::GOAL + "finish-times.json");
    const json reference = json::parse(file);
    int runs = 0;
    for (const auto& [name, schedule] : reference["schedules"].items())
    {
        const WorkloadJobs jobs = OneJob(ReadPlainGoal(loggops::GOAL + name + ".goal"), UINT32_MAX);
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
            EXPECT_EQ(RunLogGopsim(jobs.GetJobs()[0], Parameters(parameters)).finish, finish)
                << name;
            EXPECT_EQ(json(finish), schedule["finish"][set]["per_rank_ns"]) << name << ' ' << set;
            EXPECT_EQ(*std::max_element(finish.begin(), finish.end()),
                      schedule["finish"][set]["total_ns"]);
            ++runs;
        }
    }
    EXPECT_EQ(runs, 100);
}

TEST(WorkloadMessage, AgreesWithTheRulesStepByStep)
{
    constexpr uint64_t SEEDS = harness::Repetitions(6000);
    uint64_t aborted = 0;
    uint64_t stalled = 0;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed)
    {
        Dice dice(seed);
        const WorkloadJobs jobs =
            OneJob(RandomSchedule(dice, seed % 4 == 0 ? 120 : 25), seed % 3 == 0 ? 2 : UINT32_MAX);
        const double gaps[] = {0, 0.04, 0.5, 1, 2.7};
        const WorkloadLogGops parameters{dice.Roll(12),
                                         dice.Roll(6),
                                         dice.Roll(6),
                                         dice.Roll(3),
                                         gaps[dice.Roll(5)],
                                         dice.Roll(3) * 15,
                                         true};
        const LogGopsimResult expected = RunLogGopsim(jobs.GetJobs()[0], parameters);
        WorkloadLogGopsNetwork network(parameters);
        WorkloadRunner runner(jobs, network);
        try
        {
            stalled += !runner.Run();
        }
        catch (const InputError& error)
        {
            ASSERT_TRUE(expected.aborts) << seed << ": " << error.what();
            ++aborted;
            continue;
        }
        ASSERT_FALSE(expected.aborts) << seed;
        std::vector<int64_t> finish;
        uint64_t ready = 0;
        for (uint32_t p = 0; p < jobs.GetProcessCount(); ++p)
        {
            finish.push_back(network.GetFinish(p) / 1000);
            for (uint32_t i = 0; i < jobs.GetRank(p).operations.size(); ++i)
            {
                ready += runner.GetState({p, i}) != WorkloadRunner::State::WAITING;
            }
        }
        ASSERT_EQ(finish, expected.finish) << seed;
        ASSERT_EQ(ready, expected.ready) << seed;
    }
    // The cases are worth something: most run to their end, the others are tried too.
    EXPECT_GT(aborted, SEEDS / 600);
    EXPECT_GT(stalled, SEEDS / 12);
    EXPECT_LT(aborted + stalled, SEEDS * 3 / 4);
}

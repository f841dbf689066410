/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_LOGGOPS_TEST_EXECUTION_H
#define WORKLOAD_LOGGOPS_TEST_EXECUTION_H

#include "ns3/workload-loggops-network.h"
#include "ns3/workload-runner.h"

#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

/** Runs at message level. */
namespace loggops
{

inline const std::string GOAL = WORMHOLE_SOURCE_DIR "/test/data/goal/";

// Every parameter has its own decimal place, so that a sum shows what it is made of. G: 2 ns a
// byte.
inline constexpr int64_t L = 100000;
inline constexpr int64_t O = 1000;
inline constexpr int64_t GAP = 10;
inline constexpr int64_t B = 2;    // ns per byte on the interface
inline constexpr int64_t BYTE = 5; // ns of overhead per byte, where there is any
inline const ns3::WorkloadLogGops EASY{L, O, GAP, 0, 2.0, 1000000, false};

/** A run of one job, or of two on the same nodes. */
struct Execution
{
    explicit Execution(ns3::WorkloadSchedule schedule,
                       const ns3::WorkloadLogGops& parameters = EASY,
                       std::vector<uint32_t> nodes = {},
                       ns3::WorkloadObserver* observer = nullptr)
        : jobs(MakeJobs(std::move(schedule), std::move(nodes))),
          network(parameters),
          runner(jobs, network, observer),
          done(runner.Run())
    {
    }

    static std::vector<ns3::WorkloadJob> MakeJobs(ns3::WorkloadSchedule schedule,
                                                  std::vector<uint32_t> nodes)
    {
        if (nodes.empty())
        {
            nodes.resize(schedule.ranks.size());
            std::iota(nodes.begin(), nodes.end(), 0);
        }
        std::vector<ns3::WorkloadJob> jobs(1);
        jobs[0].nodes = std::move(nodes);
        jobs[0].schedule = std::move(schedule);
        return jobs;
    }

    int64_t Finish(uint32_t process) const
    {
        return network.GetFinish(process) / 1000;
    }

    ns3::WorkloadJobs jobs;
    ns3::WorkloadLogGopsNetwork network;
    ns3::WorkloadRunner runner;
    bool done;
};

/** Keeps spans. */
class Spans : public ns3::WorkloadObserver
{
  public:
    void Done(const ns3::WorkloadSpan& span) override
    {
        all.push_back(span);
    }

    std::vector<ns3::WorkloadSpan> all;
};

} // namespace loggops

#endif // WORKLOAD_LOGGOPS_TEST_EXECUTION_H

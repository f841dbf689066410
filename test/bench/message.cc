/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What message level costs: a ring all-reduce of 1,024 ranks, and all-to-alls with everything
// posted at once, in both modes of the LogGOPS network, in proportion to the floor
// (reference-loop.cc).
//
//   bench-message [rounds = 3]           the table, least of so many rounds, as one JSON object
//   bench-message CASE RANKS MODE        one case, as one JSON object: CASE ring-one-tag,
//                                        ring-tags, alltoall-one-tag or alltoall-tags; MODE
//                                        default or loggopsim-exact
//
// Each case is a process of its own. Run it on a quiet machine.

#include "harness/memory.h"
#include "harness/program.h"

#include "ns3/workload-loggops-network.h"
#include "ns3/workload-runner.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

using namespace harness;
using namespace ns3;
using nlohmann::json;

namespace
{

/** All-reduce: every rank sends to the next, and a step's send requires the previous receive. */
WorkloadSchedule
Ring(uint32_t ranks, bool tags)
{
    const uint32_t steps = 2 * (ranks - 1);
    WorkloadScheduleBuilder builder(ranks);
    for (uint32_t r = 0; r < ranks; ++r)
    {
        uint32_t before = 0;
        for (uint32_t step = 0; step < steps; ++step)
        {
            const uint32_t tag = tags ? step : 0;
            const uint32_t send = builder.Send(r, (r + 1) % ranks, 131072, tag);
            const uint32_t recv = builder.Recv(r, (r + ranks - 1) % ranks, 131072, tag);
            if (step > 0)
            {
                builder.Require(r, send, before);
            }
            before = recv;
        }
    }
    return builder.Build();
}

/** Everybody to everybody, nothing waits for anything. */
WorkloadSchedule
AllToAll(uint32_t ranks, bool tags)
{
    WorkloadScheduleBuilder builder(ranks);
    for (uint32_t r = 0; r < ranks; ++r)
    {
        for (uint32_t k = 1; k < ranks; ++k)
        {
            const uint32_t to = (r + k) % ranks;
            const uint32_t from = (r + ranks - k) % ranks;
            builder.Send(r, to, 1024, tags ? r * ranks + to : 0);
            builder.Recv(r, from, 1024, tags ? from * ranks + r : 0);
        }
    }
    return builder.Build();
}

json
RunCase(const std::string& name, uint32_t ranks, const std::string& mode)
{
    const bool tags = name.find("-tags") != std::string::npos;
    WorkloadJob job;
    job.schedule = name.rfind("ring", 0) == 0 ? Ring(ranks, tags) : AllToAll(ranks, tags);
    job.nodes.resize(ranks);
    std::iota(job.nodes.begin(), job.nodes.end(), 0);
    const uint64_t scheduleBytes = job.schedule.CountBytes();
    std::vector<WorkloadJob> all;
    all.push_back(std::move(job));
    const WorkloadJobs jobs(std::move(all));

    const auto start = std::chrono::steady_clock::now();
    WorkloadLogGopsNetwork network({3700, 200, 5, 0, 0.04, 0, mode == "loggopsim-exact"});
    WorkloadRunner runner(jobs, network);
    const bool done = runner.Run();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

    int64_t finish = 0;
    for (uint32_t p = 0; p < jobs.GetProcessCount(); ++p)
    {
        finish = std::max(finish, network.GetFinish(p));
    }
    return {{"case", name},
            {"mode", mode},
            {"ranks", ranks},
            {"done", done},
            {"operations", runner.GetTotal()},
            {"seconds", seconds.count()},
            {"million_operations_per_second",
             static_cast<double>(runner.GetTotal()) / seconds.count() / 1e6},
            {"events", network.GetEventCount()},
            {"schedule_mb", static_cast<double>(scheduleBytes) / 1e6},
            {"finish_ns", finish / 1000}};
}

json
Table(const std::string& program, int rounds)
{
    const std::string folder = FolderOf(program);
    json result{{"rounds", rounds}, {"rows", json::array()}};
    double floor = 0;
    const auto add = [&](const std::string& name, uint32_t ranks, const std::string& mode) {
        json best;
        for (int round = 0; round < rounds; ++round)
        {
            const double now =
                RunProgram({folder + "/bench-reference-loop"}).at("ns_per_packet_hop");
            floor = floor == 0 ? now : std::min(floor, now);
            const json run = RunProgram({program, name, std::to_string(ranks), mode});
            best = best.is_null() || run["seconds"] < best["seconds"] ? run : best;
        }
        result["rows"].push_back(best);
        return best["seconds"].get<double>();
    };
    for (const char* mode : {"default", "loggopsim-exact"})
    {
        add("ring-one-tag", 1024, mode);
        add("ring-tags", 1024, mode);
        for (const char* name : {"alltoall-one-tag", "alltoall-tags"})
        {
            const double few = add(name, 256, mode);
            add(name, 512, mode);
            const double many = add(name, 1024, mode);
            // Operations grow with the square of the ranks: 2 is linear in the operations.
            result["exponents"].push_back(
                {{"case", name}, {"mode", mode}, {"of_ranks", std::log2(many / few) / 2}});
        }
    }
    result["reference_loop_ns_per_packet_hop"] = floor;
    return result;
}

} // namespace

int
main(int argc, char** argv)
{
    if (argc == 4)
    {
        json result = RunCase(argv[1], static_cast<uint32_t>(std::atoi(argv[2])), argv[3]);
        result["peak_memory_mb"] = static_cast<double>(PeakMemoryKib()) * 1024 / 1e6;
        std::cout << result.dump(1) << "\n";
        return 0;
    }
    std::cout << Table(argv[0], argc > 1 ? std::max(1, std::atoi(argv[1])) : 3).dump(1) << "\n";
    return 0;
}

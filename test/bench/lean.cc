/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Compares the cost of packet-level simulation with the floor (reference-loop.cc): the two take
// turns, each run a process of its own, and ratios are taken pair by pair.
//
//   bench-lean [rounds = 5]
//
// Prints one JSON object: of each row the medians. Run it on a quiet machine.

#include "harness/medians.h"
#include "harness/program.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

using namespace harness;
using nlohmann::json;

namespace
{

/** What is measured. */
struct Row
{
    const char* control;
    const char* simulator;
    bool windows; //!< RdmaSimulatorImpl::Windows
    std::vector<json> runs;
    std::vector<double> ratios;        //!< of ns per packet-hop to the floor's of the same round
    std::vector<double> processRatios; //!< of whole processes' seconds per packet-hop
};

double
MedianOf(const std::vector<json>& runs, const char* key)
{
    std::vector<double> values;
    values.reserve(runs.size());
    for (const json& run : runs)
    {
        values.push_back(run.at(key));
    }
    return Median(values);
}

double
ProcessNsPerHop(const json& run)
{
    return run.at("process_seconds").get<double>() * 1e9 / run.at("packet_hops").get<double>();
}

json
Summary(const Row& row)
{
    const auto [least, greatest] = std::minmax_element(row.ratios.begin(), row.ratios.end());
    return {{"control", row.control},
            {"simulator", row.simulator + std::string(row.windows ? ", windows" : "")},
            {"ns_per_packet_hop", MedianOf(row.runs, "ns_per_packet_hop")},
            {"ratio_to_reference_loop", Median(row.ratios)},
            {"least_ratio", *least},
            {"greatest_ratio", *greatest},
            {"ratio_of_processes", Median(row.processRatios)},
            {"process_seconds", MedianOf(row.runs, "process_seconds")},
            {"million_events_per_second",
             MedianOf(row.runs, "events") / MedianOf(row.runs, "seconds") / 1e6},
            {"peak_memory_mb", MedianOf(row.runs, "peak_memory_kib") * 1024 / 1e6},
            {"warm_allocations", MedianOf(row.runs, "warm_allocations")},
            {"warm_packet_hops", MedianOf(row.runs, "warm_packet_hops")}};
}

} // namespace

int
main(int argc, char** argv)
{
    const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
    const std::string folder = FolderOf(argv[0]);
    std::vector<Row> rows;
    for (const char* control : {"hp", "timely", "dctcp", "dcqcn"})
    {
        for (const bool windows : {false, true})
        {
            rows.push_back({control, "ns3::RdmaSimulatorImpl", windows, {}, {}, {}});
        }
    }
    rows.push_back({"hp", "ns3::DefaultSimulatorImpl", false, {}, {}, {}});
    std::vector<json> floors;
    for (int round = 0; round < rounds; ++round)
    {
        for (Row& row : rows)
        {
            const json floor = RunProgram({folder + "/bench-reference-loop"});
            const json run = RunProgram({folder + "/bench-case",
                                         "ring64",
                                         row.control,
                                         row.simulator,
                                         row.windows ? "windows" : "one-queue"});
            row.ratios.push_back(run.at("ns_per_packet_hop").get<double>() /
                                 floor.at("ns_per_packet_hop").get<double>());
            row.processRatios.push_back(ProcessNsPerHop(run) / ProcessNsPerHop(floor));
            row.runs.push_back(run);
            floors.push_back(floor);
        }
    }
    json result{{"case", "ring64"},
                {"rounds", rounds},
                {"reference_loop_ns_per_packet_hop", MedianOf(floors, "ns_per_packet_hop")},
                {"reference_loop_process_seconds", MedianOf(floors, "process_seconds")},
                {"rows", json::array()}};
    for (const Row& row : rows)
    {
        result["rows"].push_back(Summary(row));
    }
    std::cout << result.dump(1) << "\n";
    return 0;
}

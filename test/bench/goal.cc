/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What reading, converting and holding GOAL schedules costs, on a ring all-reduce.
//
//   bench-goal [RANKS = 1024 [STEPS = 2 (RANKS - 1)]]
//
// Prints one JSON object. Writes its files into the folder for temporary files, and removes them.

#include "harness/memory.h"

#include "ns3/workload-goal.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

using namespace ns3;
using nlohmann::json;

namespace
{

/** Writes the text: each step a send and a receive that wait for the last step's receive. */
void
WriteRing(const std::string& file, uint32_t ranks, uint32_t steps)
{
    std::ofstream out(file);
    out << "num_ranks " << ranks << "\n";
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        out << "\nrank " << rank << " {\n";
        for (uint32_t step = 0; step < steps; ++step)
        {
            const uint32_t label = 2 * step + 1;
            out << "l" << label << ": send 16384b to " << (rank + 1) % ranks << " tag " << step
                << "\n";
            if (step)
            {
                out << "l" << label << " requires l" << label - 1 << "\n";
            }
            out << "l" << label + 1 << ": recv 16384b from " << (rank + ranks - 1) % ranks
                << " tag " << step << "\n";
            if (step)
            {
                out << "l" << label + 1 << " requires l" << label - 1 << "\n";
            }
        }
        out << "}\n";
    }
}

double
SecondsOf(const std::function<void()>& work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/** Converts a file. \return what it cost */
json
Convert(const std::string& from, const std::string& to, bool binary)
{
    WorkloadGoalConversion done;
    const double seconds = SecondsOf([&] {
        std::ifstream in(from, std::ios::binary);
        std::ofstream out(to, std::ios::binary);
        done = ConvertGoal(in, from, out, binary);
    });
    return {{"seconds", seconds},
            {"operations_per_second", static_cast<double>(done.operations) / seconds},
            {"bytes", std::filesystem::file_size(to)},
            {"peak_memory_mb", static_cast<double>(harness::PeakMemoryKib()) * 1024 / 1e6}};
}

/** Reads a file. \return what it cost */
json
Read(const std::string& file)
{
    WorkloadSchedule schedule;
    const double seconds = SecondsOf([&] { schedule = ReadGoal(file); });
    const auto operations = static_cast<double>(schedule.CountOperations());
    return {{"seconds", seconds},
            {"operations", schedule.CountOperations()},
            {"dependencies", schedule.CountDependencies()},
            {"operations_per_second", operations / seconds},
            {"bytes_per_operation", static_cast<double>(schedule.CountBytes()) / operations}};
}

} // namespace

int
main(int argc, char** argv)
{
    const auto ranks = static_cast<uint32_t>(argc > 1 ? std::atoi(argv[1]) : 1024);
    const auto steps = static_cast<uint32_t>(argc > 2 ? std::atoi(argv[2]) : 2 * (ranks - 1));
    const std::string base = (std::filesystem::temp_directory_path() / "bench-goal").string();
    const std::string text = base + ".goal";
    const std::string binary = base + ".bin";
    const std::string back = base + ".back.goal";
    WriteRing(text, ranks, steps);
    json result{{"ranks", ranks},
                {"steps", steps},
                {"text_bytes", std::filesystem::file_size(text)}};
    // in this order: the peak memory of the conversions must not include whole schedules
    result["text_to_binary"] = Convert(text, binary, true);
    result["binary_to_text"] = Convert(binary, back, false);
    result["read_text"] = Read(text);
    result["read_binary"] = Read(binary);
    for (const std::string& file : {text, binary, back})
    {
        std::filesystem::remove(file);
    }
    std::cout << result.dump(1) << "\n";
    return 0;
}

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * wormhole-loggops: what messages between two ranks of this machine take, by a ping-pong of each
 * size, as the parameters of message level.
 *
 *     mpirun -np 2 wormhole-loggops > machine.csv
 */

#include "measure.h"
#include "workload-mpi-fit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <mpi.h>
#include <string>
#include <vector>

namespace
{

using namespace mpiloggops;
using ns3::WorkloadMpiLine;
using ns3::WorkloadMpiTime;

/** Largest size, bytes, unless it is given; and the largest that may be. */
constexpr uint64_t MOST_BYTES = 1 << 23;
constexpr uint64_t MOST_OF_ALL = 1 << 30;

/** Sizes from one power of 2 to the next. */
constexpr int STEPS = 4;

/** Most that a line is off, relative to what was measured. */
constexpr double TOLERANCE = 0.05;

const char* const HELP = R"(usage:
  mpirun -np 2 wormhole-loggops [--apart] [--most BYTES] > FILE.csv

Measures what messages between two ranks take, and writes the parameters of LogGOPS by size:
wormhole run --mode message --loggops FILE.csv takes them. docs/how-to/mpi-traces.md shows it.
A machine that does nothing else gives the best figures; ranks need a core each.

--apart   ranks send again and again what they have not written since, from one buffer, and receive
          into another; without it they send what they have received. Through caches that they
          share, the two take different times.
--most    largest message that is measured, 1 to 1073741824 (default 8388608)
)";

/** What the words say. */
struct Options
{
    bool apart{false};
    uint64_t most{MOST_BYTES};
    bool wrong{false};
};

Options
ReadOptions(const std::vector<std::string>& words)
{
    Options options;
    for (size_t i = 0; i < words.size(); ++i)
    {
        if (words[i] == "--apart")
        {
            options.apart = true;
        }
        else if (words[i] == "--most" && i + 1 < words.size())
        {
            const std::string& text = words[++i];
            const bool number = !text.empty() && text.size() <= 10 &&
                                text.find_first_not_of("0123456789") == std::string::npos;
            options.most = number ? std::stoull(text) : 0;
            options.wrong |= options.most < 1 || options.most > MOST_OF_ALL;
        }
        else
        {
            options.wrong = true;
        }
    }
    return options;
}

std::vector<uint64_t>
Sizes(uint64_t most)
{
    std::vector<uint64_t> sizes;
    for (int step = 0; sizes.empty() || sizes.back() < most; ++step)
    {
        const auto bytes =
            std::min(static_cast<uint64_t>(std::llround(std::exp2(step * 1.0 / STEPS))), most);
        if (sizes.empty() || bytes > sizes.back())
        {
            sizes.push_back(bytes);
        }
    }
    return sizes;
}

/** Writes a row of the table, and of both sides of \p eager if it is within. */
void
PrintRows(const WorkloadMpiLine& line, uint64_t end, const Overheads& cost, uint64_t eager)
{
    const double latency = std::max(line.base - 2 * cost.ns - cost.gap, 0.0);
    const auto row = [&](uint64_t from) {
        printf("%llu,%.0f,%.0f,%.0f,%.6g,%d\n",
               static_cast<unsigned long long>(from),
               latency,
               cost.ns,
               cost.gap,
               line.perByte,
               from <= eager ? 1 : 0);
    };
    row(line.from);
    if (line.from <= eager && eager + 1 < end)
    {
        row(eager + 1);
    }
}

void
Print(const std::vector<WorkloadMpiTime>& times, const Overheads& cost, uint64_t eager)
{
    const std::vector<WorkloadMpiLine> lines =
        ns3::FitWorkloadMpiLines(times, 2 * cost.ns + cost.gap, TOLERANCE);
    printf("bytes,L,o,g,G,eager\n");
    for (size_t i = 0; i < lines.size(); ++i)
    {
        PrintRows(lines[i], i + 1 < lines.size() ? lines[i + 1].from : UINT64_MAX, cost, eager);
    }
    fprintf(stderr, "%12s %14s %14s\n", "bytes", "measured, ns", "by the rows");
    for (const WorkloadMpiTime& time : times)
    {
        fprintf(stderr,
                "%12llu %14.0f %14.0f\n",
                static_cast<unsigned long long>(time.bytes),
                time.ns,
                ns3::WorkloadMpiTimeOf(lines, time.bytes));
    }
}

} // namespace

int
main(int argc, char** argv)
{
    const std::vector<std::string> words(argv + 1, argv + argc);
    const bool help = words.size() == 1 && words.front() == "--help";
    const Options options = ReadOptions(words);
    if (help || options.wrong)
    {
        fputs(HELP, help ? stdout : stderr);
        return help ? 0 : 2;
    }
    MPI_Init(&argc, &argv);
    int ranks = 0;
    int rank = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (ranks != 2)
    {
        if (rank == 0)
        {
            fprintf(stderr, "wormhole-loggops: needs two ranks (mpirun -np 2), not %d\n", ranks);
        }
        MPI_Finalize();
        return 2;
    }
    Measure measure(rank, options.most, options.apart);
    const Overheads cost = measure.FindOverheads();
    const uint64_t eager = measure.FindEager();
    std::vector<WorkloadMpiTime> times;
    for (const uint64_t bytes : Sizes(options.most))
    {
        times.push_back({bytes, measure.OneWay(bytes)});
    }
    if (rank == 0)
    {
        Print(times, cost, eager);
    }
    MPI_Finalize();
    return 0;
}

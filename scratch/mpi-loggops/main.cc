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

/** The same of o within a row. */
constexpr double OTHER_OVERHEAD = 0.1;

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

/** Parameters of messages of a size, and of more bytes up to the next row's. */
struct Row
{
    WorkloadMpiLine line; ///< what they take
    double o{0};          ///< ns
    double g{0};          ///< ns
    double self{0};       ///< o of a message of a rank to itself, ns
};

/** \return what \p line says of messages that cost so much at \p bytes, and take \p selfNs to
 * oneself */
Row
MakeRow(const WorkloadMpiLine& line, const Overheads& cost, double selfNs, uint64_t bytes)
{
    // what follows each other does so by g, and G of each byte
    const auto gapOf = [&](const WorkloadMpiLine& by) {
        return std::max(cost.gap - by.perByte * static_cast<double>(bytes - 1), 0.0);
    };
    const double gap = gapOf(line);
    const WorkloadMpiLine row = ns3::WorkloadMpiLineFrom(line, 2 * cost.ns + gap, bytes);
    const double copied = row.perByte * static_cast<double>(bytes - 1);
    return {row,
            cost.ns,
            std::min(gapOf(row), std::max(row.base - 2 * cost.ns, 0.0)),
            std::max(selfNs - copied, 0.0) / 2};
}

/** \param costs of as many of the sizes \param selves what messages to oneself take, of all
 * \return a row for each size from which on messages take another line, or cost their ends
 * something else */
std::vector<Row>
MakeRows(const std::vector<WorkloadMpiTime>& times,
         const std::vector<Overheads>& costs,
         const std::vector<double>& selves)
{
    const double least = 2 * costs.front().ns + costs.front().gap;
    const std::vector<WorkloadMpiLine> lines = ns3::FitWorkloadMpiLines(times, least, TOLERANCE);
    std::vector<Row> rows;
    size_t line = 0;
    for (size_t i = 0; i < times.size(); ++i)
    {
        const uint64_t bytes = times[i].bytes;
        const bool begins = line + 1 < lines.size() && lines[line + 1].from <= bytes;
        line += begins ? 1 : 0;
        // sends that wait cost what the largest others do
        const Overheads& cost = costs[std::min(i, costs.size() - 1)];
        if (rows.empty() || begins ||
            std::abs(cost.ns - rows.back().o) > OTHER_OVERHEAD * rows.back().o)
        {
            WorkloadMpiLine from = lines[line];
            from.from = bytes;
            rows.push_back(MakeRow(from, cost, selves[i], bytes));
        }
    }
    return rows;
}

/** Writes a row of the table, and of both sides of \p eager if it is within. */
void
PrintRows(const Row& row, uint64_t end, uint64_t eager)
{
    const auto print = [&](uint64_t from) {
        printf("%llu,%.0f,%.0f,%.0f,%.6g,%d,%.0f\n",
               static_cast<unsigned long long>(from),
               std::max(row.line.base - 2 * row.o - row.g, 0.0),
               row.o,
               row.g,
               row.line.perByte,
               from <= eager ? 1 : 0,
               row.self);
    };
    print(row.line.from);
    if (row.line.from <= eager && eager + 1 < end)
    {
        print(eager + 1);
    }
}

void
Print(const std::vector<WorkloadMpiTime>& times, const std::vector<Row>& rows, uint64_t eager)
{
    printf("bytes,L,o,g,G,eager,self\n");
    std::vector<WorkloadMpiLine> lines;
    for (size_t i = 0; i < rows.size(); ++i)
    {
        PrintRows(rows[i], i + 1 < rows.size() ? rows[i + 1].line.from : UINT64_MAX, eager);
        lines.push_back(rows[i].line);
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
    const uint64_t eager = measure.FindEager();
    std::vector<WorkloadMpiTime> times;
    std::vector<Overheads> costs;
    std::vector<double> selves;
    for (const uint64_t bytes : Sizes(options.most))
    {
        times.push_back({bytes, measure.OneWay(bytes)});
        selves.push_back(measure.FindSelf(bytes));
        if (bytes <= eager || costs.empty())
        {
            costs.push_back(measure.FindOverheads(bytes));
        }
    }
    if (rank == 0)
    {
        Print(times, MakeRows(times, costs, selves), eager);
    }
    MPI_Finalize();
    return 0;
}

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep-over-time.h"

#include "report/csv-reader.h"
#include "result/files.h"
#include "sweep-queues.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

#include <algorithm>
#include <array>
#include <limits>

namespace wormhole
{

namespace
{

constexpr uint64_t MOST_BINS = 10000;
constexpr double FEW_BINS = 50;
const std::array<const char*, 7> OVER_TIME_COLUMNS{"begin_ns",
                                                   "end_ns",
                                                   "flows",
                                                   "jain",
                                                   "utilisation_mean",
                                                   "utilisation_max",
                                                   "paused_ports"};

CsvReader
OpenOverTime(const std::string& path)
{
    return {path, {OVER_TIME_COLUMNS.begin(), OVER_TIME_COLUMNS.end()}};
}

/** Calls \p add for each bin that a stretch of time is in: number, begin and end of that part. */
template <typename Add>
void
ForEachBin(double beginNs, double endNs, double binNs, Add add)
{
    if (endNs <= beginNs)
    {
        return;
    }
    auto bin = static_cast<uint64_t>(beginNs / binNs);
    for (; static_cast<double>(bin) * binNs < endNs; ++bin)
    {
        const double from = std::max(beginNs, static_cast<double>(bin) * binNs);
        const double to = std::min(endNs, static_cast<double>(bin + 1) * binNs);
        if (to > from)
        {
            add(bin, from, to);
        }
    }
}

/** From when until when there is something. */
struct TimeSpan
{
    double beginNs{std::numeric_limits<double>::max()};
    double endNs{0};

    void Add(double begin, double end)
    {
        beginNs = std::min(beginNs, begin);
        endNs = std::max(endNs, end);
    }
};

/** A sum over time, and that time. */
struct TimeMean
{
    double sum{0};
    double ns{0};
};

} // namespace

double
SweepBinNs(const std::vector<std::string>& folders, double askedNs)
{
    double longest = 0;
    for (const std::string& folder : folders)
    {
        const std::string path = folder + "/record/over-time.csv";
        if (!FileExists(path))
        {
            continue;
        }
        CsvReader csv = OpenOverTime(path);
        TimeSpan run;
        while (csv.Next())
        {
            run.Add(csv.Number(0), csv.Number(1));
        }
        longest = std::max(longest, run.endNs - run.beginNs);
    }
    if (askedNs > 0)
    {
        if (longest / askedNs > MOST_BINS)
        {
            throw ns3::InputError("--bin: " + ns3::NumberText(askedNs) + " ns divide a run of " +
                                  ns3::NumberText(longest) + " ns into more than " +
                                  std::to_string(MOST_BINS) + " bins; give a longer time");
        }
        return longest > 0 ? askedNs : 0;
    }
    constexpr double FIRST_NS = 1000;
    double bin = longest > 0 ? FIRST_NS : 0;
    for (int step = 0; bin * FEW_BINS < longest; ++step)
    {
        bin *= step % 3 == 1 ? 2.5 : 2;
    }
    return bin;
}

std::map<SweepBin, double>
MeasureSweepOverTime(const std::string& folder, double endNs, double binNs)
{
    std::map<SweepBin, TimeMean> means;
    TimeSpan run;
    CsvReader csv = OpenOverTime(folder + "/record/over-time.csv");
    while (csv.Next())
    {
        run.Add(csv.Number(0), csv.Number(1));
        ForEachBin(csv.Number(0), csv.Number(1), binNs, [&](uint64_t bin, double from, double to) {
            for (size_t column = 2; column < OVER_TIME_COLUMNS.size(); ++column)
            {
                if (csv.Has(column))
                {
                    TimeMean& mean = means[SweepBin(bin, OVER_TIME_COLUMNS[column])];
                    mean.sum += csv.Number(column) * (to - from);
                    mean.ns += to - from;
                }
            }
        });
    }
    std::map<uint64_t, std::vector<SweepQueueStretch>> queues; // by bin
    const std::string path = folder + "/record/queues.csv";
    std::vector<SweepQueueStretch> recorded;
    if (FileExists(path))
    {
        recorded = ReadSweepQueues(path, endNs);
    }
    for (const SweepQueueStretch& s : recorded)
    {
        const double begin = std::max(s.beginNs, run.beginNs);
        const double end = std::min(s.endNs, run.endNs);
        ForEachBin(begin, end, binNs, [&](uint64_t bin, double from, double to) {
            queues[bin].push_back({from, to, s.bytes});
        });
    }
    std::map<SweepBin, double> measured;
    for (const auto& [bin, mean] : means)
    {
        measured[bin] = mean.sum / mean.ns;
    }
    for (const auto& [bin, stretches] : queues)
    {
        for (const auto& [name, bytes] : SweepQueuePercentiles(stretches))
        {
            measured[{bin, name}] = bytes;
        }
    }
    return measured;
}

} // namespace wormhole

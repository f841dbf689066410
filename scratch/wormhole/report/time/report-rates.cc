/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report-time.h"
#include "report/csv-reader.h"
#include "step-series.h"
#include "terminal/units.h"

#include "ns3/rdma-timing.h"

#include <algorithm>
#include <map>
#include <utility>

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

constexpr size_t MOST_RATE_STEPS = 24000; // of all curves
constexpr size_t MOST_STRETCHES = 600;    // of a pair

using HostPair = std::pair<uint64_t, uint64_t>; // source, destination

/** What a pair of hosts has moved, and how fast. */
struct PairRate
{
    bool started{false};
    double time{0}; ///< of the last line
    double bytes{0};
    StepSeries rate; ///< bit/s
};

/** The bytes moved since the line before, on a straight line, are a rate. */
void
AddSample(PairRate& pair, double time, double bytes)
{
    if (pair.started && time > pair.time)
    {
        pair.rate.Set(pair.time,
                      (bytes - pair.bytes) * BITS_PER_BYTE * ns3::RDMA_NS_PER_SECOND /
                          (time - pair.time));
    }
    pair.started = true;
    pair.time = time;
    pair.bytes = bytes;
}

std::map<HostPair, PairRate>
ReadRates(const std::string& path)
{
    CsvReader csv(path, {"time_ns", "src", "dst", "bytes"});
    std::map<HostPair, PairRate> pairs;
    while (csv.Next())
    {
        const double time = csv.Number(0);
        const double bytes = csv.Number(3);
        PairRate& pair = pairs[{csv.Integer(1), csv.Integer(2)}];
        if (time < pair.time || bytes < pair.bytes)
        {
            csv.Fail(time < pair.time ? "the time is before that of the pair's last line"
                                      : "the pair has moved less than on its last line");
        }
        AddSample(pair, time, bytes);
    }
    for (auto& [hosts, pair] : pairs)
    {
        pair.rate.Set(pair.time, 0);
    }
    return pairs;
}

/** A stretch of time in which a partition was not simulated. */
struct Stretch
{
    std::string state;
    double begin{0};
    double end{0};
};

/** Joins stretches across the shortest gaps until there are few enough. */
void
ThinStretches(std::vector<Stretch>& stretches)
{
    for (double gap = 1; stretches.size() > MOST_STRETCHES; gap *= 2)
    {
        std::vector<Stretch> joined;
        for (const Stretch& stretch : stretches)
        {
            if (!joined.empty() && stretch.begin - joined.back().end < gap &&
                (stretch.state == joined.back().state || stretch.end - stretch.begin < gap))
            {
                joined.back().end = std::max(joined.back().end, stretch.end);
                continue;
            }
            joined.push_back(stretch);
        }
        stretches = std::move(joined);
    }
}

std::map<HostPair, std::vector<Stretch>>
ReadStretches(const std::string& path)
{
    std::map<HostPair, std::vector<Stretch>> pairs;
    if (path.empty())
    {
        return pairs;
    }
    CsvReader csv(path, {"src", "dst", "begin_ns", "end_ns", "state"});
    while (csv.Next())
    {
        const Stretch stretch{csv.Text(4), csv.Number(2), csv.Number(3)};
        if (stretch.end < stretch.begin)
        {
            csv.Fail("the stretch ends before it begins");
        }
        pairs[{csv.Integer(0), csv.Integer(1)}].push_back(stretch);
    }
    for (auto& [hosts, stretches] : pairs)
    {
        std::stable_sort(stretches.begin(),
                         stretches.end(),
                         [](const Stretch& a, const Stretch& b) { return a.begin < b.begin; });
        ThinStretches(stretches);
    }
    return pairs;
}

Json
StretchesJson(const std::vector<Stretch>& stretches)
{
    Json json = Json::array();
    for (const Stretch& stretch : stretches)
    {
        json.push_back(
            {{"state", stretch.state}, {"begin_ns", stretch.begin}, {"end_ns", stretch.end}});
    }
    return json;
}

} // namespace

Json
RatesOfRun(const ReportRun& run)
{
    const std::string path = run.Recorded("rates.csv");
    if (path.empty())
    {
        return {};
    }
    const double periodNs = run.outcome.summary["record"].value("period_ns", 0.0);
    std::map<HostPair, PairRate> pairs = ReadRates(path);
    const std::map<HostPair, std::vector<Stretch>> stretches =
        ReadStretches(run.Recorded("stretches.csv"));
    for (const auto& [hosts, list] : stretches)
    {
        pairs.try_emplace(hosts);
    }
    Json json{{"period_ns", periodNs}, {"pairs", Json::array()}};
    for (auto& [hosts, pair] : pairs)
    {
        pair.rate.Thin(std::max<size_t>(MOST_RATE_STEPS / pairs.size(), 3));
        const auto own = stretches.find(hosts);
        json["pairs"].push_back(
            {{"src", hosts.first},
             {"dst", hosts.second},
             {"time_ns", pair.rate.times},
             {"rate_bps", pair.rate.values},
             {"stretches", own == stretches.end() ? Json::array() : StretchesJson(own->second)}});
    }
    return json;
}

} // namespace wormhole

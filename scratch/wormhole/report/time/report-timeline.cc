/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report-timeline.h"

#include "report/csv-reader.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

constexpr size_t MOST_RANKS = 1024;
constexpr size_t MOST_INTERVALS = 30000;
constexpr std::array<const char*, 2> KINDS{"computation", "communication"};

using Intervals = std::vector<std::pair<double, double>>; // begin and end, ns
using Rank = std::array<Intervals, KINDS.size()>;         // by kind
using Ranks = std::map<std::pair<std::string, uint64_t>, Rank>;

Ranks
ReadRanks(const std::string& path)
{
    CsvReader csv(path, {"job", "rank", "kind", "begin_ns", "end_ns"});
    Ranks ranks;
    while (csv.Next())
    {
        const auto* const kind = std::find(KINDS.begin(), KINDS.end(), csv.Text(2));
        if (kind == KINDS.end())
        {
            csv.Fail("kind is neither computation nor communication");
        }
        if (csv.Number(4) < csv.Number(3))
        {
            csv.Fail("the interval ends before it begins");
        }
        ranks[{csv.Text(0), csv.Integer(1)}][static_cast<size_t>(kind - KINDS.begin())]
            .emplace_back(csv.Number(3), csv.Number(4));
    }
    for (auto& [name, rank] : ranks)
    {
        for (Intervals& intervals : rank)
        {
            std::sort(intervals.begin(), intervals.end());
        }
    }
    return ranks;
}

/** Keeps every k-th rank. */
void
ThinRanks(Ranks& ranks)
{
    const size_t every = (ranks.size() + MOST_RANKS - 1) / MOST_RANKS;
    size_t i = 0;
    for (auto rank = ranks.begin(); every > 1 && rank != ranks.end(); ++i)
    {
        rank = i % every ? ranks.erase(rank) : std::next(rank);
    }
}

Intervals
CloseGaps(const Intervals& intervals, double shorterThan)
{
    Intervals closed;
    for (const auto& [begin, end] : intervals)
    {
        if (!closed.empty() && begin - closed.back().second < shorterThan)
        {
            closed.back().second = std::max(closed.back().second, end);
            continue;
        }
        closed.emplace_back(begin, end);
    }
    return closed;
}

size_t
CountIntervals(const Ranks& ranks)
{
    size_t count = 0;
    for (const auto& [name, rank] : ranks)
    {
        for (const Intervals& intervals : rank)
        {
            count += intervals.size();
        }
    }
    return count;
}

/** \return the length of the longest gap that was closed, ns; 0 if none had to be */
double
ThinIntervals(Ranks& ranks)
{
    double gap = 0;
    while (CountIntervals(ranks) > std::max(MOST_INTERVALS, 2 * ranks.size()))
    {
        gap = std::max(gap * 2, 1.0);
        for (auto& [name, rank] : ranks)
        {
            for (Intervals& intervals : rank)
            {
                intervals = CloseGaps(intervals, gap);
            }
        }
    }
    return gap;
}

} // namespace

Json
TimelineOfRun(const ReportRun& run)
{
    const std::string path = run.Recorded("timeline.csv");
    if (path.empty())
    {
        return {};
    }
    Ranks ranks = ReadRanks(path);
    const size_t all = ranks.size();
    ThinRanks(ranks);
    const double gap = ThinIntervals(ranks);
    Json list = Json::array();
    for (const auto& [name, rank] : ranks)
    {
        Json json{{"job", name.first}, {"rank", name.second}};
        for (size_t kind = 0; kind < KINDS.size(); ++kind)
        {
            json[KINDS[kind]] = rank[kind];
        }
        list.push_back(json);
    }
    return {{"all_ranks", all}, {"closed_gaps_ns", gap}, {"ranks", list}};
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record-timeline.h"

#include "record-files.h"
#include "terminal/units.h"

#include <algorithm>

namespace wormhole
{

namespace
{

constexpr size_t MOST_LINES = 200000;
constexpr size_t MOST_PER_RANK = 2048; // and kind
constexpr size_t LEAST_PER_RANK = 16;

} // namespace

RecordedTimeline::RecordedTimeline(const RecordPlan& plan,
                                   const std::vector<ns3::WorkloadResultsJob>& jobs)
    : m_jobs(jobs),
      m_file(plan.PathOf("timeline.csv"))
{
    size_t ranks = 0;
    for (const ns3::WorkloadResultsJob& job : jobs)
    {
        ranks += job.ranks;
    }
    const size_t most =
        std::clamp(MOST_LINES / std::max<size_t>(2 * ranks, 1), LEAST_PER_RANK, MOST_PER_RANK);
    m_ranks.assign(ranks, {RecordIntervals(most), RecordIntervals(most)});
}

void
RecordedTimeline::Done(const ns3::WorkloadSpan& span)
{
    m_ranks[span.process][span.communication].Add(span.beginPs / PS_PER_NS,
                                                  span.endPs / PS_PER_NS,
                                                  0);
}

void
RecordedTimeline::Describe(nlohmann::ordered_json& summary) const
{
    int64_t resolution = 0;
    for (const Rank& rank : m_ranks)
    {
        for (const RecordIntervals& intervals : rank)
        {
            resolution = std::max(resolution, intervals.GetResolutionNs());
        }
    }
    summary["timeline_resolution_ns"] = resolution;
}

void
RecordedTimeline::Finish()
{
    m_file.Write("job,rank,kind,begin_ns,end_ns\n");
    auto rank = m_ranks.begin();
    for (const ns3::WorkloadResultsJob& job : m_jobs)
    {
        const std::string name = CsvName(job.name);
        for (uint32_t number = 0; number < job.ranks; ++number, ++rank)
        {
            for (const bool communication : {false, true})
            {
                for (const RecordIntervals::Interval& busy : (*rank)[communication].Get())
                {
                    m_file.Write(CsvLine(name,
                                         number,
                                         communication ? "communication" : "computation",
                                         busy.begin,
                                         busy.end));
                }
            }
        }
    }
    m_file.Close();
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank-records.h"

#include "record/record-files.h"
#include "result/table-parts.h"
#include "terminal/units-text.h"

#include "ns3/input-line-file.h"
#include "ns3/workload-results-report.h"

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

/** \return what the Chrome trace lacks, if anything */
std::string
TraceRows(const ns3::WorkloadChromeTrace* trace)
{
    if (!trace)
    {
        return "";
    }
    const std::string total =
        " of " + CountText(trace->GetLeftOut() + trace->GetWritten()) + " spans are left out";
    const uint64_t crowded = trace->GetCrowded();
    const uint64_t cut = trace->GetLeftOut() - crowded;
    std::string rows;
    if (cut > 0)
    {
        rows += TableRow("trace", CountText(cut) + total + "; --chrome-trace-spans allows more");
    }
    if (crowded > 0)
    {
        rows += TableRow("trace",
                         CountText(crowded) + total + ": their ranks have more than " +
                             std::to_string(ns3::WorkloadChromeTrace::MOST_LANES) +
                             " messages under way at once");
    }
    return rows;
}

} // namespace

RankRecords::RankRecords(const RunPlan& plan,
                         const RunOptions& options,
                         std::vector<ns3::WorkloadResultsJob> jobs)
    : m_plan(plan),
      m_results(std::move(jobs))
{
    MakeTrace(options);
    if (plan.record.IsOn())
    {
        m_timeline = std::make_unique<RecordedTimeline>(plan.record, m_results.GetJobs());
    }
}

void
RankRecords::MakeTrace(const RunOptions& options)
{
    if (m_plan.outputs.chromeTrace.empty())
    {
        return;
    }
    std::vector<ns3::WorkloadChromeTrace::Process> processes;
    std::vector<std::vector<std::string>> categories;
    const std::vector<ns3::WorkloadResultsJob>& jobs = m_results.GetJobs();
    for (uint32_t job = 0; job < jobs.size(); ++job)
    {
        categories.push_back(jobs[job].categories);
        for (uint32_t rank = 0; rank < jobs[job].ranks; ++rank)
        {
            const std::string name = "rank " + std::to_string(rank);
            processes.push_back({jobs.size() > 1 ? jobs[job].name + ", " + name : name, job});
        }
    }
    m_trace = std::make_unique<ns3::WorkloadChromeTrace>(m_plan.outputs.chromeTrace,
                                                         processes,
                                                         categories,
                                                         options.workload.chromeSpans);
}

void
RankRecords::Done(const ns3::WorkloadSpan& span)
{
    m_results.Done(span);
    if (m_trace)
    {
        m_trace->Done(span);
    }
    if (m_timeline)
    {
        m_timeline->Done(span);
    }
}

void
RankRecords::Flush()
{
    if (m_trace)
    {
        m_trace->Flush();
    }
}

void
RankRecords::Report(const std::vector<std::string>& labels,
                    const Json& own,
                    RunResult& result) const
{
    result.outcome["results"] = ns3::WorkloadResultsJson(m_results, labels);
    if (!own.is_null())
    {
        result.outcome["results"][m_plan.sources.front().kind] = own;
    }
    result.outcome["chrome_trace"] =
        m_trace ? Json{{"spans", m_trace->GetWritten()}, {"left_out", m_trace->GetLeftOut()}}
                : Json();
    result.table = ns3::WorkloadResultsTable(m_results, labels) + "\n";
    result.tableEnd = TraceRows(m_trace.get());
    if (m_timeline)
    {
        result.record["folder"] = m_plan.record.shown;
        m_timeline->Describe(result.record);
    }
}

void
RankRecords::WriteRanks(const std::function<uint32_t(uint32_t)>& nodeOf) const
{
    ns3::LineFile file(m_plan.outputs.ranks);
    file.Write(ns3::WorkloadRanksHeader());
    for (uint32_t job = 0; job < m_results.GetJobs().size(); ++job)
    {
        for (uint32_t rank = 0; rank < m_results.GetJobs()[job].ranks; ++rank)
        {
            const uint32_t node = nodeOf(m_results.GetFirst(job) + rank);
            file.Write(ns3::WorkloadRankLine(m_results, job, rank, node));
        }
    }
    file.Close();
}

void
RankRecords::Finish(const std::function<uint32_t(uint32_t)>& nodeOf)
{
    FinishEach({[&]() { WriteRanks(nodeOf); },
                [this]() { m_trace ? m_trace->Finish() : void(); },
                [this]() { m_timeline ? m_timeline->Finish() : void(); }});
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-run.h"

#include "run/simulator-setup.h"
#include "workload-program-schedule.h"
#include "workload-replay.h"

#include "ns3/input-line-file.h"
#include "ns3/workload-results-report.h"

#include <functional>
#include <optional>

namespace wormhole
{

namespace
{

constexpr size_t STALL_LINES = 20;

std::unique_ptr<WorkloadFabric>
MakeFabric(const WorkloadPlan& plan, const RunOptions& options)
{
    const auto& replay = plan.sources.front().replay;
    const FabricRequest request{replay && replay->UsesNvSwitches(), ConnectionsOf(plan, options)};
    switch (options.mode)
    {
    case RunMode::PACKET:
    case RunMode::FAST:
        return MakePacketFabric(plan.run, options, request);
    case RunMode::FLOW:
        return MakeFlowFabric(plan.run, options, request);
    case RunMode::MESSAGE:
        break;
    }
    return nullptr;
}

} // namespace

WorkloadRun::WorkloadRun(WorkloadPlan& plan, const RunOptions& options)
    : m_plan(plan),
      m_options(options),
      m_begin(WallClock::now()),
      m_fabric(MakeFabric(plan, options))
{
    MakeProgram(plan, options);
    m_results = std::make_unique<ns3::WorkloadResults>(m_program->Describe());
    MakeTrace(options);
    RunResult& result = m_outcome.network;
    result.warnings = plan.run.warnings;
    for (const WorkloadSource& source : plan.sources)
    {
        result.warnings.insert(result.warnings.end(), source.notes.begin(), source.notes.end());
    }
    for (const auto& warnings : {m_fabric ? m_fabric->GetWarnings() : std::vector<std::string>(),
                                 m_program->GetWarnings()})
    {
        result.warnings.insert(result.warnings.end(), warnings.begin(), warnings.end());
    }
    if (m_fabric)
    {
        m_results->SetHosts(m_program->GetHosts());
        m_fabric->GetTransport().SetRecorder(m_results.get());
        m_fabric->SetLabels(m_program->GetLabels());
    }
    if (plan.run.record.IsOn())
    {
        m_timeline = std::make_unique<RecordedTimeline>(plan.run.record, m_results->GetJobs());
    }
    result.setupSeconds = SecondsSince(m_begin);
}

WorkloadRun::~WorkloadRun()
{
    m_program.reset(); // uses the fabric
}

void
WorkloadRun::MakeProgram(WorkloadPlan& plan, const RunOptions& options)
{
    ns3::WorkloadTransport* transport = m_fabric ? &m_fabric->GetTransport() : nullptr;
    WorkloadSource& first = plan.sources.front();
    if (first.replay)
    {
        m_program = first.replay->MakeProgram(first.name, plan.run.topology, *transport);
        return;
    }
    std::vector<ns3::WorkloadJob> jobs;
    for (size_t job = 0; job < plan.sources.size(); ++job)
    {
        jobs.push_back(
            {plan.sources[job].name, std::move(plan.sources[job].schedule), plan.nodes[job]});
    }
    m_program = MakeScheduleProgram(std::move(jobs), options.workload, transport);
}

void
WorkloadRun::MakeTrace(const RunOptions& options)
{
    if (m_plan.run.outputs.chromeTrace.empty())
    {
        return;
    }
    std::vector<ns3::WorkloadChromeTrace::Process> processes;
    std::vector<std::vector<std::string>> categories;
    const std::vector<ns3::WorkloadResultsJob>& jobs = m_results->GetJobs();
    for (uint32_t job = 0; job < jobs.size(); ++job)
    {
        categories.push_back(jobs[job].categories);
        for (uint32_t rank = 0; rank < jobs[job].ranks; ++rank)
        {
            const std::string name = "rank " + std::to_string(rank);
            processes.push_back({jobs.size() > 1 ? jobs[job].name + ", " + name : name, job});
        }
    }
    m_trace = std::make_unique<ns3::WorkloadChromeTrace>(m_plan.run.outputs.chromeTrace,
                                                         processes,
                                                         categories,
                                                         options.workload.chromeSpans);
}

void
WorkloadRun::Done(const ns3::WorkloadSpan& span)
{
    m_results->Done(span);
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
WorkloadRun::Run()
{
    m_begin = WallClock::now();
    Watch watch(*this, m_options);
    RunResult& result = m_outcome.network;
    if (m_fabric)
    {
        m_fabric->Begin();
    }
    watch.Begin();
    m_outcome.complete = m_program->Run(*this, [&watch]() { watch.Look(); });
    result.interrupted = watch.IsInterrupted();
    if (m_fabric)
    {
        m_fabric->End(result.interrupted);
        m_fabric->Describe(result);
    }
    watch.End();
    if (m_timeline)
    {
        result.record["folder"] = m_plan.run.record.shown;
        m_timeline->Describe(result.record);
    }
    result.runSeconds = SecondsSince(m_begin);
    result.events = m_program->GetEventCount();
    result.simulatedSeconds = static_cast<double>(m_program->GetNow()) * 1e-12;
    result.peakMemoryKib = PeakMemoryKib();
    m_outcome.completed = m_program->GetCompleted();
    m_outcome.total = m_program->GetTotal();
    if (!m_outcome.complete && !result.interrupted)
    {
        m_outcome.stall = m_program->Explain(STALL_LINES);
    }
    uint32_t process = 0;
    for (const ns3::WorkloadResultsJob& job : m_results->GetJobs())
    {
        for (uint32_t rank = 0; rank < job.ranks; ++rank, ++process)
        {
            m_results->SetFinish(process, m_program->GetFinish(process));
        }
    }
}

void
WorkloadRun::StopEarly()
{
    m_program->Stop();
}

std::vector<std::string>
WorkloadRun::FlushFiles()
{
    if (m_trace)
    {
        m_trace->Flush();
    }
    return m_fabric ? m_fabric->Flush() : std::vector<std::string>();
}

std::vector<std::string>
WorkloadRun::ExplainWait(size_t most) const
{
    std::vector<std::string> lines =
        m_fabric ? m_fabric->ExplainWait(most) : std::vector<std::string>();
    for (std::string& line : m_program->Explain(most))
    {
        lines.push_back(std::move(line));
    }
    return lines;
}

ProgressState
WorkloadRun::GetProgress() const
{
    ProgressState state;
    state.simulatedSeconds = static_cast<double>(m_program->GetNow()) * 1e-12;
    state.items = "operations";
    state.itemsEnded = m_program->GetCompleted();
    state.itemCount = m_program->GetTotal();
    state.done = static_cast<double>(state.itemsEnded);
    state.whole = static_cast<double>(state.itemCount);
    state.events = m_program->GetEventCount();
    state.fast = m_options.mode == RunMode::FAST;
    if (m_fabric)
    {
        m_fabric->AddProgress(state);
    }
    return state;
}

void
WorkloadRun::WriteRanks() const
{
    ns3::LineFile file(m_plan.run.outputs.ranks);
    file.Write(ns3::WorkloadRanksHeader());
    for (uint32_t job = 0; job < m_results->GetJobs().size(); ++job)
    {
        for (uint32_t rank = 0; rank < m_results->GetJobs()[job].ranks; ++rank)
        {
            const uint32_t node = m_program->GetNode(m_results->GetFirst(job) + rank);
            file.Write(ns3::WorkloadRankLine(*m_results, job, rank, node));
        }
    }
    file.Close();
}

void
WorkloadRun::FinishFiles()
{
    std::optional<ns3::OutputError> failure;
    const auto finish = [&failure](const std::function<void()>& step) {
        try
        {
            step();
        }
        catch (const ns3::OutputError& error)
        {
            failure = failure ? failure : error;
        }
    };
    finish([this]() { WriteRanks(); });
    finish([this]() { m_program->WriteOutputs(m_plan.replayOutputs); });
    finish([this]() { m_trace ? m_trace->Finish() : void(); });
    finish([this]() { m_timeline ? m_timeline->Finish() : void(); });
    finish([this]() { m_fabric ? m_fabric->FinishFiles() : void(); });
    if (failure)
    {
        throw *failure;
    }
}

} // namespace wormhole

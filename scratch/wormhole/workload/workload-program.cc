/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-program.h"

#include "record/record-files.h"
#include "workload-program-schedule.h"
#include "workload-replay.h"

namespace wormhole
{

namespace
{

std::unique_ptr<WorkloadProgram>
MakeJobs(RunPlan& plan, const RunOptions& options, ns3::WorkloadTransport* transport)
{
    WorkloadSource& first = plan.sources.front();
    if (first.replay && transport) // the plan has no replay at message level
    {
        return first.replay->MakeProgram(first.name, plan.topology, *transport);
    }
    std::vector<ns3::WorkloadJob> jobs;
    for (size_t job = 0; job < plan.sources.size(); ++job)
    {
        jobs.push_back(
            {plan.sources[job].name, std::move(plan.sources[job].schedule), plan.nodes[job]});
    }
    return MakeScheduleProgram(std::move(jobs), options.workload, transport);
}

} // namespace

void
WorkloadProgram::Record(const RunPlan& plan, const RunOptions& options, Fabric* fabric)
{
    m_plan = &plan;
    m_fabric = fabric;
    const std::vector<ns3::WorkloadResultsJob> jobs = Describe();
    for (const ns3::WorkloadResultsJob& job : jobs)
    {
        m_processes += job.ranks;
    }
    m_records = std::make_unique<RankRecords>(plan, options, jobs);
    if (fabric)
    {
        m_records->GetResults().SetHosts(GetHosts());
        fabric->GetTransport().SetRecorder(&m_records->GetResults());
        fabric->SetLabels(GetLabels());
    }
}

void
WorkloadProgram::Run(const std::function<void()>& pulse)
{
    m_complete = RunJobs(pulse);
    if (m_fabric && !m_stopped)
    {
        m_fabric->GoOn();
    }
}

void
WorkloadProgram::Stop()
{
    m_stopped = true;
    StopJobs();
}

double
WorkloadProgram::GetNowSeconds() const
{
    return static_cast<double>(GetNow()) * 1e-12;
}

void
WorkloadProgram::AddProgress(ProgressState& state) const
{
    state.items = "operations";
    state.itemsEnded = GetCompleted();
    state.itemCount = IsTotalGrowing() ? 0 : GetTotal();
    state.done = static_cast<double>(state.itemsEnded);
    state.whole = static_cast<double>(state.itemCount);
}

void
WorkloadProgram::Done(const ns3::WorkloadSpan& span)
{
    if (m_records)
    {
        m_records->Done(span);
    }
}

void
WorkloadProgram::Report(RunResult& result)
{
    constexpr size_t STALL_LINES = 20;
    result.items = "operations";
    result.count = GetTotal();
    result.completed = GetCompleted();
    result.complete = m_complete;
    result.disturbed = GetDisturbed();
    if (!m_complete && !result.interrupted)
    {
        result.unfinished = Explain(STALL_LINES);
    }
    result.outcome["operations"] = {{"count", result.count},
                                    {"completed", result.completed},
                                    {"stalled", result.unfinished}};
    for (uint32_t process = 0; process < m_processes; ++process)
    {
        m_records->GetResults().SetFinish(process, GetFinish(process));
    }
    if (!m_complete)
    {
        m_records->GetResults().SetIncomplete();
    }
    m_records->Report(GetLabels(), GetSummary(), result);
}

void
WorkloadProgram::FlushFiles()
{
    m_records->Flush();
}

void
WorkloadProgram::FinishFiles()
{
    FinishEach({[this]() { m_records->Finish([this](uint32_t p) { return GetNode(p); }); },
                [this]() { WriteOutputs(m_plan->replayOutputs); }});
}

std::unique_ptr<Program>
MakeWorkload(RunPlan& plan, const RunOptions& options, Fabric* fabric)
{
    std::unique_ptr<WorkloadProgram> program =
        MakeJobs(plan, options, fabric ? &fabric->GetTransport() : nullptr);
    program->Record(plan, options, fabric);
    return program;
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "run.h"

#include "fabric/simulator-setup.h"
#include "record/record-files.h"
#include "workload/workload-program.h"

#include "ns3/simulator.h"

namespace wormhole
{

namespace
{

/** \return the network; null at message level, which has none */
std::unique_ptr<Fabric>
MakeFabric(const RunPlan& plan, const RunOptions& options)
{
    return HasPackets(options.mode)        ? MakePacketFabric(plan, options)
           : options.mode == RunMode::FLOW ? MakeFlowFabric(plan, options)
                                           : nullptr;
}

} // namespace

Run::Run(RunPlan& plan, const RunOptions& options)
    : m_options(options),
      m_begin(WallClock::now()),
      m_fabric(MakeFabric(plan, options)),
      m_program(plan.IsFlowList() ? m_fabric->MakeFlowList()
                                  : MakeWorkload(plan, options, m_fabric.get()))
{
    m_result.warnings = plan.warnings;
    for (const auto& warnings : {m_fabric ? m_fabric->GetWarnings() : std::vector<std::string>(),
                                 m_program->GetWarnings()})
    {
        m_result.warnings.insert(m_result.warnings.end(), warnings.begin(), warnings.end());
    }
    m_result.setupSeconds = SecondsSince(m_begin);
}

Run::~Run()
{
    m_watch.reset();
    m_program.reset(); // uses the fabric
}

void
Run::Execute()
{
    m_begin = WallClock::now();
    const bool packets = HasPackets(m_options.mode);
    const std::function<void()> look = [this]() { m_watch->Look(); };
    const std::function<void()> ask = [look]() {
        ns3::Simulator::ScheduleWithContext(ns3::Simulator::NO_CONTEXT, ns3::Time(0), look);
    };
    m_watch = std::make_unique<Watch>(*this, m_options, packets ? ask : nullptr);
    if (packets)
    {
        // from inside the simulation, when ns-3 no longer keeps books of Time objects
        ns3::Simulator::ScheduleNow([this]() { m_watch->Begin(); });
    }
    else
    {
        m_watch->Begin();
    }
    m_program->Begin();
    if (m_fabric)
    {
        m_fabric->Begin();
    }
    m_program->SetLook(look);
    m_program->Run(packets ? nullptr : look);
    m_watch->End();
    m_result.runSeconds = SecondsSince(m_begin);
    m_result.interrupted = m_watch->IsInterrupted();
    if (m_fabric)
    {
        m_fabric->Describe(m_result);
    }
    m_program->Report(m_result);
    m_result.events = m_program->GetEventCount();
    m_result.simulatedSeconds = m_program->GetNowSeconds();
    m_result.peakMemoryKib = PeakMemoryKib();
}

void
Run::StopEarly()
{
    m_program->Stop();
}

std::vector<std::string>
Run::FlushFiles()
{
    m_program->FlushFiles();
    return m_fabric ? m_fabric->Flush() : std::vector<std::string>();
}

std::vector<std::string>
Run::ExplainWait(size_t most) const
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
Run::GetProgress() const
{
    ProgressState state;
    state.simulatedSeconds = m_program->GetNowSeconds();
    state.events = m_program->GetEventCount();
    state.fast = m_options.mode == RunMode::FAST;
    if (m_fabric)
    {
        m_fabric->AddProgress(state);
    }
    m_program->AddProgress(state);
    return state;
}

void
Run::FinishFiles()
{
    FinishEach({[this]() { m_program->FinishFiles(); },
                [this]() { m_fabric ? m_fabric->FinishFiles() : void(); }});
}

} // namespace wormhole

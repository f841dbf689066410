/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulation.h"

#include "network-attributes.h"
#include "simulator-setup.h"
#include "terminal/packet-progress.h"
#include "terminal/units-text.h"

#include "ns3/input-units.h"
#include "ns3/rdma-fct-writer.h"
#include "ns3/rdma-loss-warnings.h"
#include "ns3/rdma-standalone.h"
#include "ns3/simulator.h"
#include "ns3/workload-units.h"
#include "ns3/wormhole-helper.h"

#include <algorithm>

namespace wormhole
{

namespace
{

constexpr int64_t DRAIN_PERIOD_NS = 1000;
constexpr uint32_t DRAIN_LOOKS = 10000; // then whatever is left never moves

} // namespace

Simulation::Simulation(const RunPlan& plan, const RunOptions& options)
    : m_plan(plan),
      m_options(options),
      m_begin(WallClock::now())
{
    SetUpSimulator(options, plan.stopNs);
    m_network = plan.helper.Install(plan.topology);
    m_result.warnings = plan.warnings;
    for (const std::string& warning : ns3::RdmaBufferWarnings(*m_network))
    {
        m_result.warnings.push_back(warning);
    }
    m_recorders = std::make_unique<Recorders>(plan, m_network);
    m_source = std::make_unique<ns3::RdmaFlowSource>(m_network, plan.flows, plan.flowOptions);
    m_source->SetEndCallback([this](const ns3::RdmaQueuePair& qp) { FlowEnded(qp); });
    m_links = std::make_unique<ns3::RdmaLinkSchedule>(m_network, plan.topology, plan.events);
    m_drain = std::make_unique<Drain>(this);
    m_result.flows = plan.flows.size();
    for (const ns3::RdmaFlowSpec& flow : plan.flows)
    {
        m_bytes += static_cast<double>(flow.bytes);
    }
    m_result.setupSeconds = SecondsSince(m_begin);
}

Simulation::~Simulation()
{
    m_watch.reset();
    m_network->GetContext().eventQueue->Cancel(*m_drain);
    ns3::Simulator::Destroy();
    m_network->Dispose();
}

void
Simulation::Run()
{
    m_begin = WallClock::now();
    m_watch = std::make_unique<Watch>(*this, m_options, [this]() {
        ns3::Simulator::ScheduleWithContext(ns3::Simulator::NO_CONTEXT, ns3::Time(0), [this]() {
            m_watch->Look();
        });
    });
    // from inside the simulation, when ns-3 no longer keeps books of Time objects
    ns3::Simulator::ScheduleNow([this]() { m_watch->Begin(); });
    m_source->Start();
    m_links->Start();
    if (m_plan.flows.empty())
    {
        StopWhenQuiet();
    }
    ns3::Simulator::Run();
    m_watch->End();
    m_result.runSeconds = SecondsSince(m_begin);
    m_result.interrupted = m_watch->IsInterrupted();
    if (m_network->GetContext().eventQueue->HasReachedEnd())
    {
        FailLate();
    }
}

/** Of what is under way, the largest flow takes longest, most likely. */
void
Simulation::FailLate() const
{
    uint64_t bytes = 0;
    for (const ns3::RdmaQueuePair* qp : m_network->GetUnfinishedFlows())
    {
        bytes = std::max(bytes, qp->GetFlow().bytes);
    }
    size_t flow = 0;
    while (flow + 1 < m_source->GetStarted() && m_plan.flows[flow].bytes != bytes)
    {
        ++flow;
    }
    ns3::FailWorkloadLate(DescribeFlow(m_plan, flow));
}

void
Simulation::FlowEnded(const ns3::RdmaQueuePair& qp)
{
    m_recorders->FlowEnded(qp);
    const ns3::RdmaFlow& flow = qp.GetFlow();
    m_bytesDone += static_cast<double>(flow.bytes);
    m_result.lastEndNs = m_network->GetContext().NowNs();
    if (qp.GetState() == ns3::RdmaFlowState::COMPLETED)
    {
        const uint64_t fct = ns3::RdmaFctNs(*m_network, qp);
        const uint64_t alone = ns3::RdmaStandaloneNs(qp);
        m_result.fctNs.push_back(fct);
        m_result.slowdowns.push_back(alone ? static_cast<double>(fct) / static_cast<double>(alone)
                                           : 1);
    }
    else
    {
        m_result.unfinished.push_back(
            {flow.src,
             flow.dst,
             flow.bytes,
             ns3::TimeStep(static_cast<uint64_t>(qp.GetStartTime())).GetSeconds(),
             true,
             m_network->Explain(qp)});
    }
    if (m_result.fctNs.size() + m_result.unfinished.size() == m_result.flows)
    {
        StopWhenQuiet();
    }
}

void
Simulation::StopWhenQuiet()
{
    ns3::RdmaContext& context = m_network->GetContext();
    if (context.frames.GetOut() > 0 && ++m_drain->looks < DRAIN_LOOKS)
    {
        context.eventQueue->Schedule(*m_drain,
                                     context.eventQueue->Now() +
                                         DRAIN_PERIOD_NS * context.clock.StepsPerNs());
        return;
    }
    const int64_t left = m_recorders->GetEndNs() - context.NowNs();
    ns3::Simulator::Stop(left > 0 ? ns3::NanoSeconds(left) : ns3::Time(0));
}

void
Simulation::StopEarly()
{
    ns3::Simulator::Stop();
}

std::vector<std::string>
Simulation::FlushFiles()
{
    return m_recorders->Flush();
}

std::vector<std::string>
Simulation::ExplainWait(size_t most) const
{
    return ExplainFlows(*m_network, most);
}

ProgressState
Simulation::GetProgress() const
{
    ProgressState state;
    state.simulatedSeconds = ns3::Simulator::Now().GetSeconds();
    state.itemsEnded = m_result.fctNs.size() + m_result.unfinished.size();
    state.itemCount = m_result.flows;
    state.delivered = m_bytesDone;
    AddPacketProgress(*m_network, state);
    state.whole = m_bytes;
    state.done = state.delivered;
    state.fast = m_options.mode == RunMode::FAST;
    state.events = m_network->GetContext().eventQueue->GetEventCount();
    return state;
}

void
Simulation::FinishFiles()
{
    m_recorders->Finish();
}

std::vector<UnfinishedFlow>
Simulation::ListUnfinished() const
{
    std::vector<UnfinishedFlow> list = m_result.unfinished;
    for (const ns3::RdmaQueuePair* qp : m_network->GetUnfinishedFlows())
    {
        const ns3::RdmaFlow& flow = qp->GetFlow();
        const double start = ns3::TimeStep(static_cast<uint64_t>(qp->GetStartTime())).GetSeconds();
        list.push_back({flow.src, flow.dst, flow.bytes, start, false, m_network->Explain(*qp)});
    }
    for (size_t i = m_source->GetStarted(); i < m_plan.flows.size(); ++i)
    {
        const ns3::RdmaFlowSpec& flow = m_plan.flows[i];
        list.push_back({flow.src,
                        flow.dst,
                        flow.bytes,
                        ns3::RdmaTimeIn(flow.start, ns3::Time::S),
                        false,
                        "not begun: it starts at " +
                            TimeText(ns3::RdmaTimeIn(flow.start, ns3::Time::NS)) +
                            ", and the simulation ended before"});
    }
    return list;
}

RunResult
Simulation::GetResult() const
{
    RunResult result = m_result;
    result.unfinished = ListUnfinished();
    result.counters = m_network->GetContext().counters;
    result.losses = ns3::RdmaLossWarnings(*m_network);
    result.cut = m_recorders->ListCut();
    result.attributes = AttributesOf(m_plan, m_network);
    result.largestRttNs = m_source->GetLargestRttNs();
    result.largestBdp = m_source->GetLargestBdp();
    result.fast = ns3::WormholeHelper::GetReport();
    result.events = m_network->GetContext().eventQueue->GetEventCount();
    result.simulatedSeconds = ns3::Simulator::Now().GetSeconds();
    if (RecordedNetwork* record = m_recorders->GetRecord())
    {
        result.record = record->End();
    }
    result.peakMemoryKib = PeakMemoryKib();
    return result;
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-level-run.h"

#include "simulator-setup.h"
#include "terminal/units-text.h"

#include "ns3/input-units.h"
#include "ns3/workload-endpoints.h"

#include <algorithm>

namespace wormhole
{

namespace
{

/** \return end point of the transport, by node; hosts only have one */
std::vector<uint32_t>
EndpointsOf(const ns3::RdmaTopology& topology)
{
    std::vector<uint32_t> endpoints(topology.nodes.size());
    uint32_t hosts = 0;
    for (size_t node = 0; node < topology.nodes.size(); ++node)
    {
        endpoints[node] = hosts;
        hosts += topology.nodes[node] == ns3::RdmaNodeKind::HOST;
    }
    return endpoints;
}

} // namespace

FlowLevelRun::FlowLevelRun(const RunPlan& plan, const RunOptions& options)
    : m_plan(plan),
      m_options(options),
      m_begin(WallClock::now()),
      m_endpoints(EndpointsOf(plan.topology)),
      m_transport(plan.topology, FlowLevelOptions(plan, options)),
      m_files(plan,
              m_transport,
              FlowLevelOptions(plan, options).payloadBytes,
              [this](const ns3::WorkloadFlowEnd& end) {
                  m_result.slowdowns.push_back(static_cast<double>(end.endPs - end.startPs) /
                                               static_cast<double>(end.alonePs));
              }),
      m_standings(plan.flows.size())
{
    m_transport.SetClient(*this);
    m_result.warnings = plan.warnings;
    m_result.flows = plan.flows.size();
    for (size_t flow = 0; flow < plan.flows.size(); ++flow)
    {
        m_bytes += static_cast<double>(plan.flows[flow].bytes);
        m_transport.Schedule(plan.flows[flow].start.GetPicoSeconds(), flow);
    }
    m_result.setupSeconds = SecondsSince(m_begin);
}

void
FlowLevelRun::Run()
{
    m_begin = WallClock::now();
    m_watch = std::make_unique<Watch>(*this, m_options);
    m_transport.SetPulse([this]() { m_watch->Look(); });
    m_watch->Begin();
    m_transport.Run();
    m_watch->End();
    m_result.runSeconds = SecondsSince(m_begin);
    m_result.interrupted = m_watch->IsInterrupted();
}

void
FlowLevelRun::Due(uint64_t timer)
{
    const ns3::RdmaFlowSpec& flow = m_plan.flows[timer];
    m_standings[timer].started = true;
    ns3::WorkloadTransfer transfer;
    transfer.src = m_endpoints[flow.src];
    transfer.dst = m_endpoints[flow.dst];
    transfer.bytes = flow.bytes;
    transfer.dport = flow.dport;
    m_transport.Start(transfer, timer);
}

void
FlowLevelRun::Delivered(uint64_t)
{
}

void
FlowLevelRun::Acknowledged(uint64_t id)
{
    const ns3::RdmaFlowSpec& flow = m_plan.flows[id];
    m_standings[id].ended = true;
    m_bytesDone += static_cast<double>(flow.bytes);
    m_result.lastEndNs = m_transport.Now() / 1000;
    const int64_t startPs = flow.start.GetPicoSeconds();
    m_result.fctNs.push_back(static_cast<uint64_t>((m_transport.Now() - startPs) / 1000));
}

void
FlowLevelRun::Failed(uint64_t id, const std::string& reason)
{
    m_standings[id].ended = true;
    m_standings[id].failure = reason;
}

std::string
FlowLevelRun::DescribeTransfer(uint64_t id) const
{
    return DescribeFlow(m_plan, id);
}

std::string
FlowLevelRun::DescribeTimer(uint64_t timer) const
{
    return DescribeFlow(m_plan, timer);
}

void
FlowLevelRun::StopEarly()
{
    m_transport.Stop();
}

std::vector<std::string>
FlowLevelRun::FlushFiles()
{
    return m_files.Flush();
}

std::vector<std::string>
FlowLevelRun::ExplainWait(size_t most) const
{
    std::vector<std::string> lines;
    for (size_t i = 0; i < m_standings.size() && lines.size() < most; ++i)
    {
        if (m_standings[i].started && !m_standings[i].ended)
        {
            const ns3::RdmaFlowSpec& flow = m_plan.flows[i];
            lines.push_back("flow from " + std::to_string(flow.src) + " to " +
                            std::to_string(flow.dst) + ": " + m_transport.Explain(i));
        }
    }
    return lines;
}

ProgressState
FlowLevelRun::GetProgress() const
{
    ProgressState state;
    state.simulatedSeconds = static_cast<double>(m_transport.Now()) * 1e-12;
    state.itemsEnded = m_result.fctNs.size();
    state.itemCount = m_result.flows;
    state.done = m_bytesDone;
    state.whole = m_bytes;
    state.delivered = m_bytesDone;
    state.events = m_transport.GetEventCount();
    return state;
}

void
FlowLevelRun::FinishFiles()
{
    m_files.Finish();
}

RunResult
FlowLevelRun::GetResult() const
{
    RunResult result = m_result;
    for (size_t i = 0; i < m_standings.size(); ++i)
    {
        const Standing& standing = m_standings[i];
        if (standing.ended && standing.failure.empty())
        {
            continue;
        }
        const ns3::RdmaFlowSpec& flow = m_plan.flows[i];
        result.unfinished.push_back(
            {flow.src,
             flow.dst,
             flow.bytes,
             ns3::RdmaTimeIn(flow.start, ns3::Time::S),
             standing.ended,
             standing.ended     ? standing.failure
             : standing.started ? m_transport.Explain(i)
                                : "not begun: it starts at " +
                                      TimeText(ns3::RdmaTimeIn(flow.start, ns3::Time::NS)) +
                                      ", and the simulation ended before"});
    }
    result.events = m_transport.GetEventCount();
    result.simulatedSeconds = static_cast<double>(m_transport.Now()) * 1e-12;
    if (RecordedFlowLevel* record = m_files.GetRecord())
    {
        result.record = record->End();
    }
    result.peakMemoryKib = PeakMemoryKib();
    return result;
}

} // namespace wormhole

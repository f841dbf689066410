/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-list.h"

#include "terminal/units-text.h"

#include "ns3/input-units.h"

namespace wormhole
{

FlowList::FlowList(const RunPlan& plan)
    : m_plan(plan)
{
    m_results.count = plan.flows.size();
    for (const ns3::RdmaFlowSpec& flow : plan.flows)
    {
        m_bytes += static_cast<double>(flow.bytes);
    }
}

UnfinishedFlow
FlowList::Unfinished(const ns3::RdmaFlowSpec& flow, bool failed, const std::string& reason)
{
    return {flow.src,
            flow.dst,
            flow.bytes,
            ns3::RdmaTimeIn(flow.start, ns3::Time::S),
            failed,
            reason};
}

std::string
FlowList::NotBegun(const ns3::RdmaFlowSpec& flow)
{
    return "not begun: it starts at " + TimeText(ns3::RdmaTimeIn(flow.start, ns3::Time::NS)) +
           ", and the simulation ended before";
}

void
FlowList::AddProgress(ProgressState& state) const
{
    state.itemsEnded = m_results.CountEnded();
    state.itemCount = m_results.count;
    state.done = state.delivered;
    state.whole = m_bytes;
}

void
FlowList::Report(RunResult& result)
{
    m_results.unfinished = ListUnfinished();
    result.count = m_results.count;
    result.completed = m_results.fctNs.size();
    result.complete = m_results.unfinished.empty();
    if (!result.interrupted) // who interrupts a run knows why flows are left
    {
        result.unfinished = UnfinishedLines(m_results);
    }
    result.outcome = FlowsSummary(m_results);
    result.table = FlowsTable(m_results, result.interrupted);
}

} // namespace wormhole

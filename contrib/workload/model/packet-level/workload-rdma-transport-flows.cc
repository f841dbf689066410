/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Transfers as flows of the network.
 */

#include "workload-rdma-transport.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

/** \return the place of a transfer that starts at \p ps */
uint32_t
WorkloadRdmaTransport::TakeTransfer(const WorkloadTransfer& transfer, uint64_t id, int64_t ps)
{
    NS_ASSERT_MSG(transfer.src < m_nodes.size() && transfer.dst < m_nodes.size() &&
                      transfer.src != transfer.dst && transfer.bytes > 0,
                  "a transfer joins two different end points and has bytes");
    ++m_underWay;
    uint32_t index = static_cast<uint32_t>(m_transfers.size());
    if (m_free.empty())
    {
        m_transfers.emplace_back();
    }
    else
    {
        index = m_free.back();
        m_free.pop_back();
    }
    m_transfers[index] = {id, transfer, ps, nullptr, false, false};
    return index;
}

bool
WorkloadRdmaTransport::HasRoute(uint32_t from, uint32_t to)
{
    RdmaRouting& routing = m_network->GetRouting();
    return routing.GetPathProperties(from, to).reachable &&
           routing.GetPathProperties(to, from).reachable;
}

RdmaFlow
WorkloadRdmaTransport::FlowOf(const WorkloadTransfer& transfer) const
{
    RdmaFlow flow;
    flow.src = m_nodes[transfer.src];
    flow.dst = m_nodes[transfer.dst];
    flow.bytes = transfer.bytes;
    flow.priority = m_options.priority;
    flow.dport = transfer.dport ? transfer.dport : m_options.dport;
    flow.exact = transfer.exact;
    if (m_options.connections == WorkloadConnections::PERSISTENT)
    {
        flow.sourcePort = WorkloadConnectionPort(flow.src, flow.dst, transfer.stream);
    }
    return flow;
}

uint16_t
WorkloadRdmaTransport::TakeSourcePort(const WorkloadTransfer& transfer)
{
    return m_network->TakeSourcePort(FlowOf(transfer));
}

void
WorkloadRdmaTransport::Repeat(const WorkloadRepeatedTransfer& repeated,
                              const std::vector<RdmaPort*>& route,
                              uint16_t sourcePort)
{
    if (m_recorder)
    {
        m_recorder->Record({repeated.transfer, repeated.startPs, repeated.deliveredPs});
    }
    RdmaFlow flow = FlowOf(repeated.transfer);
    flow.sourcePort = sourcePort;
    flow.onEnd = [this, &repeated](const RdmaQueuePair& qp) {
        if (m_onEnd)
        {
            m_onEnd(repeated.transfer, qp);
        }
    };
    m_network->RepeatFlow(flow,
                          route,
                          ToSteps(repeated.startPs),
                          ToSteps(repeated.deliveredPs),
                          ToSteps(repeated.endPs));
}

void
WorkloadRdmaTransport::Start(const WorkloadTransfer& transfer, uint64_t id)
{
    m_network->Sync();
    m_drain.Cancel(); // the user's own events may begin something meanwhile
    const uint32_t index = TakeTransfer(transfer, id, Now());
    if (!m_options.waitForRoute && !HasRoute(m_nodes[transfer.src], m_nodes[transfer.dst]))
    {
        m_transfers[index].failed = true;
        Tell({index, false, Now()});
        return;
    }
    // nothing of the flow happens in the call, so that it cannot have ended
    m_transfers[index].qp = &m_network->StartFlow(FlowOfTransfer(index));
}

bool
WorkloadRdmaTransport::StartLate(const std::vector<WorkloadLateTransfer>& transfers)
{
    const auto hasRoute = [this](const WorkloadLateTransfer& late) {
        return HasRoute(m_nodes[late.transfer.src], m_nodes[late.transfer.dst]);
    };
    if (!m_lateStart || !std::all_of(transfers.begin(), transfers.end(), hasRoute))
    {
        return false;
    }
    m_network->Sync();
    m_drain.Cancel();
    std::vector<uint32_t> places;
    std::vector<RdmaLateFlow> flows;
    for (const WorkloadLateTransfer& late : transfers)
    {
        places.push_back(TakeTransfer(late.transfer, late.id, late.ps));
        m_transfers[places.back()].late = true;
        flows.push_back({FlowOfTransfer(places.back()), ToSteps(late.ps)});
    }
    // whatever happens to the flows in the call is told later
    const std::vector<RdmaQueuePair*> started = m_lateStart(flows);
    for (size_t i = 0; i < started.size(); ++i)
    {
        m_transfers[places[i]].qp = started[i];
    }
    if (started.empty())
    {
        m_free.insert(m_free.end(), places.rbegin(), places.rend());
        m_underWay -= places.size();
    }
    return !started.empty();
}

/** \return the flow that a transfer is, which tells of itself */
RdmaFlow
WorkloadRdmaTransport::FlowOfTransfer(uint32_t index)
{
    RdmaFlow flow = FlowOf(m_transfers[index].transfer);
    if (m_options.window != WorkloadWindow::NONE)
    {
        m_windows.Set(flow,
                      m_windows.NeedPaths()
                          ? m_network->GetRouting().GetPathProperties(flow.src, flow.dst)
                          : RdmaPathProperties());
    }
    flow.onDelivered = [this, index](const RdmaQueuePair& qp) {
        const Transfer& t = m_transfers[index];
        const int64_t ps = ToPs(qp.GetDeliveryTime());
        if (m_recorder)
        {
            m_recorder->Record({t.transfer, t.startPs, t.late ? ps : Now()});
        }
        Tell({index, true, ps});
    };
    flow.onEnd = [this, index](const RdmaQueuePair& qp) {
        m_transfers[index].failed = qp.GetState() != RdmaFlowState::COMPLETED;
        if (m_onEnd)
        {
            m_onEnd(m_transfers[index].transfer, qp);
        }
        m_transfers[index].qp = nullptr;
        Tell({index, false, ToPs(qp.GetEndTime())});
    };
    return flow;
}

} // namespace ns3

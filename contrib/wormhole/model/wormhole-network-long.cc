/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wormhole-network.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <utility>

// Which flows the controller is told of: all, or long ones and those that share ports with them.

namespace ns3
{

namespace
{

using wormhole::FlowId;
using wormhole::PortId;

/** \return events that \p qp is still to cause */
double
EventsLeft(const RdmaQueuePair& qp)
{
    const uint64_t left = RdmaPacketState::GetSize(qp) - RdmaPacketState::GetDelivered(qp);
    return static_cast<double>(left) * RdmaPacketState::GetHopsPerByte(qp);
}

} // namespace

std::optional<std::vector<wormhole::FlowPath>>
WormholeNetwork::RunningFlows()
{
    if (m_untracked > 0)
    {
        for (RdmaQueuePair* qp : m_packets.GetUndelivered())
        {
            if (m_flows.count(qp->GetId()) == 0 && !qp->GetFlow().exact)
            {
                const Flow& flow = m_flows.emplace(qp->GetId(), MakeFlow(*qp, false)).first->second;
                m_ports.Use(flow.ports, flow.dataPorts);
            }
        }
        m_untracked = 0;
        m_passedOver.Clear();
    }
    std::vector<wormhole::FlowPath> flows;
    flows.reserve(m_flows.size());
    for (const auto& [id, flow] : m_flows)
    {
        flows.push_back({FlowId{id}, flow.ports});
    }
    return flows;
}

std::optional<std::size_t>
WormholeNetwork::CountRunningFlows()
{
    return GetFlowCount();
}

std::vector<PortId>
WormholeNetwork::PortsOf(RdmaQueuePair& qp)
{
    Flow flow;
    flow.qp = &qp;
    SetPorts(flow);
    return std::move(flow.ports);
}

std::vector<RdmaQueuePair*>
WormholeNetwork::FindLong(double events)
{
    std::vector<RdmaQueuePair*> chosen;
    std::vector<RdmaQueuePair*> others;
    for (RdmaQueuePair* qp : m_packets.GetUndelivered())
    {
        if (qp->GetFlow().exact)
        {
            continue;
        }
        (EventsLeft(*qp) >= events ? chosen : others).push_back(qp);
    }
    if (chosen.empty())
    {
        return chosen;
    }
    WormholePassedOver where;
    for (RdmaQueuePair* qp : others)
    {
        where.Add(qp->GetId(), qp, PortsOf(*qp));
    }
    const std::size_t longOnes = chosen.size();
    for (std::size_t i = 0; i < longOnes; ++i)
    {
        for (const auto& [id, qp] : where.Take(PortsOf(*chosen[i])))
        {
            chosen.push_back(qp);
        }
    }
    return chosen;
}

std::optional<std::size_t>
WormholeNetwork::CountLongFlows(double events)
{
    // Those whose acknowledgements are still in pipes are soon included.
    return m_watched > 0 ? 0 : FindLong(events).size();
}

std::vector<wormhole::FlowPath>
WormholeNetwork::LongFlows(double events)
{
    std::unordered_set<const RdmaQueuePair*> known;
    std::vector<wormhole::FlowPath> flows;
    for (RdmaQueuePair* qp : FindLong(events))
    {
        known.insert(qp);
        const auto [it, isNew] = m_flows.try_emplace(qp->GetId());
        if (isNew)
        {
            it->second = MakeFlow(*qp, false);
            m_ports.Use(it->second.ports, it->second.dataPorts);
        }
        flows.push_back({FlowId{qp->GetId()}, it->second.ports});
    }
    m_passedOver.Clear();
    m_untracked = 0;
    for (RdmaQueuePair* qp : m_packets.GetUndelivered())
    {
        if (qp->GetFlow().exact || known.count(qp))
        {
            continue;
        }
        if (m_flows.count(qp->GetId()))
        {
            Remove(*qp);
        }
        m_passedOver.Add(qp->GetId(), qp, PortsOf(*qp));
        ++m_untracked;
    }
    return flows;
}

bool
WormholeNetwork::PassesOver(RdmaQueuePair& qp)
{
    const double least = m_controller->LeastEvents();
    if (least == 0 && m_passedOver.IsEmpty())
    {
        return false;
    }
    std::vector<PortId> ports = PortsOf(qp);
    const bool isFree = std::none_of(ports.begin(), ports.end(), [this](PortId port) {
        return m_ports.IsUsed(port);
    });
    if (!m_late && isFree && EventsLeft(qp) < least)
    {
        m_passedOver.Add(qp.GetId(), &qp, std::move(ports));
        ++m_untracked;
        return true;
    }
    Meet(ports);
    return false;
}

void
WormholeNetwork::Meet(const std::vector<PortId>& ports)
{
    if (m_passedOver.IsEmpty() || m_controller->IsSuspended())
    {
        return;
    }
    for (const auto& [id, qp] : m_passedOver.Take(ports))
    {
        --m_untracked;
        const Flow& flow = m_flows.emplace(id, MakeFlow(*qp, false)).first->second;
        m_controller->FlowStarted(FlowId{id}, flow.ports, Now());
        m_ports.Use(flow.ports, flow.dataPorts);
    }
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wormhole-network.h"

#include "ns3/rdma-congestion-control.h"

#include <algorithm>

// Which flows' acknowledgements are watched, and which are simulated hop by hop.

namespace ns3
{

namespace
{

using wormhole::FlowId;

} // namespace

/**
 * Acknowledgements travel behind data frames that go the same way, in the gaps that they have made
 * where they met them. Those that a pipe lets pass come in between other frames at each port, which
 * telemetry takes for a queue.
 * \return whether those of \p flow, which is included, do so at two switches or more in a row
 */
bool
WormholeNetwork::TravelsBehind(const Flow& flow) const
{
    const RdmaCongestionControl* control = flow.qp->GetCongestionControl();
    return m_options.acknowledgements == WormholeAcknowledgements::AUTO && control &&
           control->GetTelemetry() == RdmaTelemetry::INT &&
           m_ports.GoesAlong(flow.qp->GetAckRoute());
}

/** \return whether no pause has held acknowledgements of \p qp up lately, which a pipe would not */
bool
WormholeNetwork::AreAcksFree(const RdmaQueuePair& qp) const
{
    const auto& route = qp.GetAckRoute();
    return std::all_of(route.begin(), route.end(), [this](const RdmaPort* port) {
        return IsAllowed(*port);
    });
}

/** \return whether \p flow, which is included, may be watched under way */
bool
WormholeNetwork::ComesApart(const Flow& flow) const
{
    return flow.mayWatch && !flow.watched && (flow.wasWatched || flow.qp->GetFlow().window) &&
           m_options.partitions && !m_options.includeBuffers && AreAcksFree(*flow.qp);
}

void
WormholeNetwork::Watch(Flow& flow)
{
    m_packets.Pipe(*flow.qp);
    flow.watched = true;
    ++m_watched;
}

void
WormholeNetwork::Include(Flow& flow)
{
    RdmaPacketState::Unpipe(*flow.qp);
    flow.watched = false;
    flow.wasWatched = true;
    --m_watched;
}

void
WormholeNetwork::Change(Flow& flow, void (WormholeNetwork::*change)(Flow&))
{
    const FlowId id{flow.qp->GetId()};
    m_controller->Disturbed(id, Now()); // it is running then, or has ended
    if (m_flows.count(id.Value()))
    {
        Flow next = flow;
        (this->*change)(next);
        SetPorts(next);
        Reroute(flow, std::move(next));
    }
}

void
WormholeNetwork::RunApart()
{
    std::vector<FlowId> apart;
    apart.swap(m_apart);
    for (const FlowId id : apart)
    {
        const auto it = m_flows.find(id.Value());
        if (it != m_flows.end() && ComesApart(it->second) && !m_controller->IsSuspended())
        {
            Change(it->second, &WormholeNetwork::Watch);
        }
    }
}

bool
WormholeNetwork::IsToInclude() const
{
    return m_watched > 0 && m_controller->SavesLittle();
}

void
WormholeNetwork::RunTogether()
{
    std::vector<FlowId> together;
    together.swap(m_together);
    if (IsToInclude())
    {
        together.clear();
        for (const auto& [id, flow] : m_flows)
        {
            together.emplace_back(id);
        }
    }
    std::sort(together.begin(), together.end());
    for (const FlowId id : together)
    {
        const auto it = m_flows.find(id.Value());
        if (it != m_flows.end() && it->second.watched)
        {
            Change(it->second, &WormholeNetwork::Include);
        }
    }
}

} // namespace ns3

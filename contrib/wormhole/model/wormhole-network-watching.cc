/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wormhole-network.h"

#include "ns3/rdma-congestion-control.h"

#include <algorithm>
#include <utility>

// Which flows' acknowledgements are watched, and which are simulated hop by hop.

namespace ns3
{

namespace
{

using wormhole::FlowId;

/** Part of flows whose acknowledgements may be watched although they travel behind data frames:
 * their rates are off by up to 4 %, on average by 1 % then. */
constexpr double MANY_BEHIND = 0.5;

/** From so many flows on, all may: they are hardly ever steady at the same time, so that nothing
 * would be left out, and errors are of either sign: completion times are 0.4 to 0.8 % off. */
constexpr std::size_t CROWD = 32;

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

/**
 * What is replayed or skipped goes on as before when a queue comes up where its acknowledgements
 * are, and lasts: one that HPCC keeps short does not.
 * \return whether that may be so of \p flow, and changes what its window lets it have
 */
bool
WormholeNetwork::WaitsInQueues(const Flow& flow) const
{
    const RdmaCongestionControl* control = flow.qp->GetCongestionControl();
    return m_options.acknowledgements == WormholeAcknowledgements::AUTO && m_flows.size() < CROWD &&
           flow.qp->GetFlow().window > 0 &&
           !(control && control->GetTelemetry() == RdmaTelemetry::INT) &&
           m_ports.MeetsQueues(flow.qp->GetAckRoute());
}

bool
WormholeNetwork::ManyTravelBehind(const std::vector<const Flow*>& flows) const
{
    if (flows.size() >= CROWD)
    {
        return false;
    }
    const auto behind = std::count_if(flows.begin(), flows.end(), [this](const Flow* flow) {
        return flow->mayWatch && TravelsBehind(*flow);
    });
    return static_cast<double>(behind) >= MANY_BEHIND * static_cast<double>(flows.size());
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
           m_options.partitions && !m_options.includeBuffers && AreAcksFree(*flow.qp) &&
           !WaitsInQueues(flow);
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
WormholeNetwork::CountHosts()
{
    std::size_t hosts = 0;
    for (uint32_t node = 0; node < m_network.GetNodeCount(); ++node)
    {
        hosts += m_network.GetHost(node) ? 1 : 0;
    }
    m_isSmall = hosts < CROWD;
}

void
WormholeNetwork::ReviewStarts()
{
    if (!std::exchange(m_started, false) || m_flows.size() >= CROWD)
    {
        return;
    }
    std::vector<const Flow*> flows;
    flows.reserve(m_flows.size());
    std::vector<FlowId> watched;
    for (const auto& [id, flow] : m_flows)
    {
        flows.push_back(&flow);
        if (flow.watched)
        {
            watched.emplace_back(id);
        }
    }
    // Where all are few, what saves much while they are included goes on to do so, unless they
    // turned out to be steady apart alone.
    const bool goOn =
        m_isSmall && !m_cameApart && m_options.acknowledgements == WormholeAcknowledgements::AUTO;
    if (goOn || ManyTravelBehind(flows))
    {
        m_together.insert(m_together.end(), watched.begin(), watched.end());
        return;
    }
    for (const FlowId id : watched)
    {
        if (WaitsInQueues(m_flows.at(id.Value())))
        {
            m_together.push_back(id);
        }
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
            m_cameApart = true;
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

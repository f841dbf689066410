/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wormhole-network.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

// What the network tells the controller: what happens to flows, and at ports.

namespace ns3
{

namespace
{

using wormhole::FlowId;
using wormhole::PortId;

/** Round-trip times after a pause for which its partition is left alone. */
constexpr int64_t PAUSE_RTTS = 50;

} // namespace

// ---- flows

bool
WormholeNetwork::FlowStarting(RdmaQueuePair& qp)
{
    m_pauseMemory = std::max(m_pauseMemory, PAUSE_RTTS * GetRtt(qp));
    if (m_controller->IsSuspended())
    {
        ++m_untracked;
        m_controller->FlowStarted(FlowId{qp.GetId()}, {}, Now());
        Rearm();
        return false;
    }
    if (PassesOver(qp))
    {
        return false;
    }
    const Flow& flow = m_flows.emplace(qp.GetId(), MakeFlow(qp, !m_starts)).first->second;
    m_starts ? m_controller->FlowStartedLate(FlowId{qp.GetId()}, flow.ports, Now())
             : m_controller->FlowStarted(FlowId{qp.GetId()}, flow.ports, Now());
    ChangeLoad(flow, true);
    // not before: who completes meanwhile frees the ports that it had alone
    m_ports.Use(flow.ports, flow.dataPorts);
    // Nobody looks at these from a frame before to a frame after; what counts is how they differ,
    // of two switches or more.
    const std::vector<RdmaPort*> alone = GetAlone(flow);
    if (alone.size() > 2)
    {
        std::for_each(alone.begin(), alone.end(), [](RdmaPort* port) { port->CountUnseen(); });
    }
    m_started = m_started || m_watched > 0;
    ArmTouch();
    Rearm();
    if (m_controller->IsSuspended())
    {
        m_packets.Launch(); // those of this instant, before it and others that start at once
        ArmTouch();
        return false;
    }
    return true;
}

void
WormholeNetwork::FlowDelivered(RdmaQueuePair& qp)
{
    if (RdmaPacketState::HasLost(qp))
    {
        // What it took depends on what was lost: not to be remembered.
        const auto it = m_flows.find(qp.GetId());
        m_ports.NoteLoss(it != m_flows.end() ? it->second.ports : MakeFlow(qp, false).ports);
    }
    m_packets.Delivering(qp);
    const bool isTracked = Ended(qp);
    m_packets.Delivered(qp);
    if (isTracked)
    {
        Rearm();
    }
}

void
WormholeNetwork::FlowOver(RdmaQueuePair& qp)
{
    m_packets.Forget(qp);
    if (qp.GetDeliveryTime() < 0 && Ended(qp)) // given up
    {
        Rearm();
    }
}

bool
WormholeNetwork::Ended(const RdmaQueuePair& qp)
{
    if (m_untracked > 0 && m_flows.count(qp.GetId()) == 0)
    {
        --m_untracked;
        m_passedOver.Remove(qp.GetId());
        return false;
    }
    m_controller->FlowEnded(FlowId{qp.GetId()}, Now());
    Remove(qp);
    return true;
}

void
WormholeNetwork::LinkChanging(RdmaPort&, RdmaPort&)
{
    if (m_controller->IsSuspended())
    {
        return;
    }
    Meet(m_passedOver.GetPorts());
    // Any flow may find another route: all of them go on in packets, by their old ones so far.
    std::vector<uint64_t> ids;
    for (auto& [id, flow] : m_flows)
    {
        ids.push_back(id);
        flow.losses.reset(); // a link may lose others from now on
    }
    std::sort(ids.begin(), ids.end());
    for (const uint64_t id : ids)
    {
        if (m_flows.count(id))
        {
            m_controller->Disturbed(FlowId{id}, Now());
        }
    }
    Rearm();
}

void
WormholeNetwork::FlowChanging(RdmaQueuePair& qp)
{
    if (!m_asks && m_flows.count(qp.GetId()))
    {
        m_controller->Disturbed(FlowId{qp.GetId()}, Now());
        Rearm();
    }
}

void
WormholeNetwork::FlowRerouted(RdmaQueuePair& qp)
{
    const auto it = m_flows.find(qp.GetId());
    if (it == m_flows.end())
    {
        return;
    }
    Flow next = it->second;
    next.mayWatch = next.watched;
    SetPorts(next);
    // Frames are still about where it has been, so these ports stay its own.
    for (const PortId port : it->second.ports)
    {
        AddPort(next, port);
    }
    Reroute(it->second, std::move(next));
    Rearm();
}

void
WormholeNetwork::Reroute(Flow& flow, Flow next)
{
    SetAttributes(next);
    Meet(next.ports);
    ChangeLoad(next, true);
    m_ports.Use(next.ports, next.dataPorts);
    Leave(flow);
    flow = std::move(next);
    m_controller->FlowRerouted(FlowId{flow.qp->GetId()}, flow.ports, Now());
}

// ---- ports

void
WormholeNetwork::PortTouched(RdmaPort& port)
{
    m_touched.push_back(&port);
    ArmTouch();
}

void
WormholeNetwork::ArmTouch()
{
    RdmaEventQueue& eventQueue = *m_network.GetContext().eventQueue;
    if (!m_late &&
        !(m_touched.empty() && m_apart.empty() && m_together.empty() && !m_started &&
          !IsToInclude()) &&
        !m_touch.IsPending())
    {
        eventQueue.Schedule(m_touch, eventQueue.Now());
    }
}

void
WormholeNetwork::PauseSeen(RdmaPort& port)
{
    m_ports.NoteDisturbance(port);
    // Partitions that follow what is recorded here come as near to limits at switches of theirs.
    if (port.IsFrozen() || m_controller->IsFollowed(PortId{port.GetPortId()}))
    {
        PortTouched(port);
    }
}

RdmaReactions
WormholeNetwork::GetReactions() const
{
    return m_controller->IsSuspended() ? RdmaReactions::NONE : RdmaReactions::TO_FLOWS;
}

bool
WormholeNetwork::KnowsTight(const RdmaPort& port, int64_t now) const
{
    return !m_ports.IsCalm(port, m_pauseMemory / 4, now);
}

bool
WormholeNetwork::KnowsPause(const RdmaPort& port, int64_t now) const
{
    return !m_ports.IsCalm(port, m_pauseMemory / 16, now);
}

void
WormholeNetwork::BufferTight(RdmaPort& port)
{
    if (KnowsTight(port, m_network.GetContext().eventQueue->Now()))
    {
        return; // it has just been seen
    }
    for (RdmaPort* own : port.GetOwner().GetPorts())
    {
        PauseSeen(*own);
        PauseSeen(own->GetPeer());
    }
}

void
WormholeNetwork::RunTouches()
{
    ReviewStarts();
    RunApart();
    RunTogether();
    std::vector<RdmaPort*> touched;
    touched.swap(m_touched);
    for (RdmaPort* port : touched)
    {
        const PortId id{port->GetPortId()};
        if (port->IsFrozen())
        {
            m_controller->PortChanged(id, Now());
        }
        else
        {
            m_controller->LimitNear(id, Now());
        }
        if (!port->IsFrozen())
        {
            port->Trigger();
        }
    }
    Rearm();
}

} // namespace ns3

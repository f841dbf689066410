/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-packet-state.h"

#include "ns3/rdma-network.h"
#include "ns3/rdma-port-passing.h"

#include <algorithm>
#include <utility>

// What RdmaPacketState lets happen in the past: flows that catch up, and one that starts late.

namespace ns3
{

namespace
{

/** A part of the network lives through a time that is past: no event is pending but what it
 * schedules, and the clock is set back. */
class Past
{
  public:
    Past(RdmaContext& context, int64_t from)
        : m_context(context),
          m_timers(context.timers.Suspend()),
          m_events(context.eventQueue->Suspend(from))
    {
        context.late = true;
    }

    /** What is left of the part's events is of the present. */
    ~Past()
    {
        m_context.eventQueue->Restore(std::move(m_events));
        m_context.timers.Restore(std::move(m_timers));
    }

    Past(const Past&) = delete;
    Past& operator=(const Past&) = delete;

  private:
    RdmaContext& m_context;
    decltype(std::declval<RdmaTimers&>().Suspend()) m_timers;
    RdmaEventQueue::Suspension m_events;
};

} // namespace

void
RdmaPacketState::SetLate(RdmaPort& port, bool late)
{
    port.SetCarries(false);
    port.GetPassing().late = late;
    port.SetBackgroundInterval();
    port.SetCarries(!late && !port.m_frozen);
}

void
RdmaPacketState::CatchUp(const Flows& flows, const Ports& ports, int64_t from, int64_t until)
{
    BeginMoving(); // of which timers know, too
    // Others do not happen again: what passed of them does, on average.
    for (RdmaQueuePair* qp : flows)
    {
        if (qp->m_paused)
        {
            SetLoad(*qp, 0);
        }
    }
    std::vector<int64_t> backgrounds;
    for (RdmaPort* port : ports)
    {
        const int64_t mean = port->GetMeanPassing();
        backgrounds.push_back(port->GetBackground() - mean);
        port->ChangeBackground(-backgrounds.back(), port->GetBackgroundFrame());
        SetLate(*port, true);
    }
    {
        const Past past(m_network.m_context, from);
        Resume(flows, ports, 0);
        EventQueue().RunUntil(until);
    }
    m_framesAt.clear();
    for (size_t i = 0; i < ports.size(); ++i)
    {
        ports[i]->ChangeBackground(backgrounds[i], ports[i]->GetBackgroundFrame());
        SetLate(*ports[i], false);
    }
    m_network.EndLate();
}

bool
RdmaPacketState::IsIdleSince(const RdmaPort& port, int64_t time)
{
    if (port.m_frozen || !port.m_linkUp || port.m_paused || port.m_txEndTime > time ||
        port.m_wire.Front() || port.queues.GetBytes() > 0)
    {
        return false;
    }
    RdmaNode& owner = port.GetOwner();
    if (owner.IsTransit())
    {
        return true;
    }
    auto& nic = static_cast<RdmaHost&>(owner).GetNic(port);
    const std::vector<RdmaQueuePair*> pairs = nic.scheduler.GetQueuePairs();
    return !nic.wake.IsPending() &&
           std::all_of(pairs.begin(), pairs.end(), [](const RdmaQueuePair* qp) {
               return qp->m_sndUna >= qp->m_size;
           });
}

RdmaQueuePair*
RdmaPacketState::StartLate(const RdmaFlow& flow,
                           int64_t time,
                           const std::function<bool(const RdmaPort&)>& mayGoBack)
{
    RdmaContext& context = m_network.m_context;
    if (context.credits || context.late || context.eventQueue->IsInWindow())
    {
        return nullptr; // credits come back at times of their own
    }
    RdmaQueuePair probe(0, flow);
    probe.m_sourcePort = flow.sourcePort;
    if (flow.sourcePort == 0) // and StartFlow takes the same one
    {
        probe.m_sourcePort = m_network.TakeSourcePort(flow.src, flow.dst);
        --m_network.m_sourcePorts.at(static_cast<uint64_t>(flow.src) << 32 | flow.dst);
    }
    if (!m_network.FindRoutes(probe))
    {
        return nullptr;
    }
    std::vector<RdmaPort*> ports = probe.m_dataRoute;
    ports.insert(ports.end(), probe.m_ackRoute.begin(), probe.m_ackRoute.end());
    if (!std::all_of(ports.begin(), ports.end(), [&](RdmaPort* port) { return mayGoBack(*port); }))
    {
        return nullptr;
    }
    BeginMoving();
    const int64_t now = EventQueue().Now();
    for (RdmaPort* port : ports)
    {
        SetLate(*port, true);
    }
    RdmaQueuePair* started = nullptr;
    {
        const Past past(context, time);
        started = &m_network.StartFlow(flow);
        EventQueue().RunUntil(now);
    }
    m_framesAt.clear();
    for (RdmaPort* port : ports)
    {
        SetLate(*port, false);
    }
    m_network.EndLate();
    return started;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-packet-frames.h"

#include "ns3/rdma-late-flow.h"
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

/** Starts a flow. */
struct LateStart final : public RdmaEvent
{
    LateStart(RdmaNetwork& network, const RdmaFlow& flow, std::vector<RdmaQueuePair*>& started)
        : m_network(network),
          m_flow(flow),
          m_started(started)
    {
    }

    void Fire() override
    {
        m_started.push_back(&m_network.StartFlow(m_flow));
    }

  private:
    RdmaNetwork& m_network;
    const RdmaFlow& m_flow;
    std::vector<RdmaQueuePair*>& m_started;
};

} // namespace

void
RdmaPacketState::SetLate(RdmaPort& port, bool late)
{
    port.PassBefore(); // who is in the past takes nothing of the present
    port.SetCarries(false);
    port.GetPassing().late = late;
    port.SetBackgroundInterval();
    port.SetCarries(!late && !port.m_frozen);
}

void
RdmaPacketState::CatchUp(const Flows& flows,
                         const Ports& ports,
                         int64_t from,
                         int64_t until,
                         int64_t shift)
{
    EventQueue().Join(); // of which timers know, too
    BeginMoving();
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
        Resume(flows, ports, shift);
        EventQueue().RunUntil(until);
    }
    m_frames->Forget();
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
    port.PassNow();
    const bool isSent = port.m_txEndTime <= time || port.m_txEndPlace == RdmaPlaces::PASSED;
    if (port.m_frozen || !port.m_linkUp || port.m_paused || !isSent || port.m_wire.Front() ||
        port.GetFirstBy() || port.queues.GetBytes() > 0)
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

bool
RdmaPacketState::FindPorts(const std::vector<RdmaLateFlow>& flows, Ports& ports)
{
    std::vector<const RdmaFlow*> taken;
    bool all = true;
    for (const RdmaLateFlow& late : flows)
    {
        const RdmaFlow& flow = late.flow;
        RdmaQueuePair probe(0, flow);
        probe.m_sourcePort = m_network.TakeSourcePort(flow);
        taken.push_back(&flow);
        all = m_network.FindRoutes(probe) && all;
        ports.insert(ports.end(), probe.m_dataRoute.begin(), probe.m_dataRoute.end());
        ports.insert(ports.end(), probe.m_ackRoute.begin(), probe.m_ackRoute.end());
    }
    for (const RdmaFlow* const flow : taken)
    {
        m_network.m_connections.GiveBack(*flow); // StartFlow takes the same ones
    }
    std::sort(ports.begin(), ports.end(), [](const RdmaPort* a, const RdmaPort* b) {
        return a->GetPortId() < b->GetPortId();
    });
    ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
    return all;
}

std::vector<RdmaQueuePair*>
RdmaPacketState::StartLate(const std::vector<RdmaLateFlow>& flows,
                           const std::function<bool(const RdmaPort&)>& mayGoBack)
{
    RdmaContext& context = m_network.m_context;
    if (context.credits || context.late || context.eventQueue->IsInWindow())
    {
        return {}; // credits come back at times of their own
    }
    Ports ports;
    if (!FindPorts(flows, ports) ||
        !std::all_of(ports.begin(), ports.end(), [&](RdmaPort* port) { return mayGoBack(*port); }))
    {
        return {};
    }
    EventQueue().Join();
    BeginMoving();
    const int64_t now = EventQueue().Now();
    for (RdmaPort* port : ports)
    {
        SetLate(*port, true);
        if (!port->m_frozen) // what passed since is of the present
        {
            port->m_txEndTime = std::min(port->m_txEndTime, flows.front().time);
        }
    }
    std::vector<RdmaQueuePair*> started;
    {
        const Past past(context, flows.front().time);
        std::deque<LateStart> starts; // which never moves them
        for (const RdmaLateFlow& late : flows)
        {
            starts.emplace_back(m_network, late.flow, started);
            EventQueue().Schedule(starts.back(), late.time);
        }
        EventQueue().RunUntil(now);
    }
    m_frames->Forget();
    for (RdmaPort* port : ports)
    {
        SetLate(*port, false);
    }
    m_network.EndLate();
    return started;
}

} // namespace ns3

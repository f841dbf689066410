/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-packet-frames.h"

#include "ns3/rdma-network.h"
#include "ns3/rdma-port-passing.h"

#include <algorithm>

// How RdmaPacketState pauses and resumes flows.

namespace ns3
{

namespace
{
/** From when the last port goes on to LetPass, ns: most of what passes has by then, and a walk over
 * all ports is rare. */
constexpr int64_t LET_PASS_AFTER = 10'000;
} // namespace

RdmaPacketState::RdmaPacketState(RdmaNetwork& network)
    : m_network(network),
      m_ports(size_t{2} * network.GetLinkCount()),
      m_letPass(this),
      m_frames(std::make_unique<Frames>(*this))
{
}

RdmaPacketState::~RdmaPacketState() = default;

RdmaEventQueue&
RdmaPacketState::EventQueue() const
{
    return *m_network.m_context.eventQueue;
}

RdmaPacketState::PausedPort&
RdmaPacketState::RecordOf(const RdmaPort& port)
{
    return m_ports[port.m_id];
}

const RdmaPacketState::PausedPort&
RdmaPacketState::RecordOf(const RdmaPort& port) const
{
    return m_ports[port.m_id];
}

RdmaPacketState::PausedPort
RdmaPacketState::GetPending(const RdmaPort& port) const
{
    const auto known = [this](const RdmaEvent& event) {
        const RdmaDue due = event.GetDue();
        return RdmaDue{due.time, EventQueue().Known(due.place)};
    };
    const RdmaEvent* const wake = WakeOf(port);
    return {known(port.m_txEnd), known(port.m_arrival), wake ? known(*wake) : RdmaDue{}};
}

RdmaDue
RdmaPacketState::ArrivalOf(const RdmaPort& port) const
{
    return port.m_frozen ? RecordOf(port).arrival : GetPending(port).arrival;
}

void
RdmaPacketState::SetArrival(RdmaPort& port, const RdmaDue& due)
{
    if (port.m_frozen)
    {
        RecordOf(port).arrival = due;
    }
    else if (due)
    {
        EventQueue().ScheduleAt(port.m_arrival, due.time, due.place);
    }
    else
    {
        EventQueue().Cancel(port.m_arrival);
    }
}

RdmaEvent*
RdmaPacketState::WakeOf(const RdmaPort& port) const
{
    RdmaNode& owner = port.GetOwner();
    return owner.IsTransit() ? nullptr : &static_cast<RdmaHost&>(owner).GetNic(port).wake;
}

// ---- pausing

void
RdmaPacketState::Count(RdmaQueuePair& qp, bool counted)
{
    RdmaContext& context = qp.m_nic->GetContext();
    RdmaContext::Count(context.apart, qp.m_counted, counted);
}

void
RdmaPacketState::BeginMoving()
{
    EventQueue().Gather();
    m_frames->Forget();
}

void
RdmaPacketState::Pause(const Flows& flows, const Ports& ports)
{
    BeginMoving();
    LetAcksPass(flows, ports);
    for (RdmaPort* port : ports)
    {
        Freeze(*port);
    }
    for (RdmaQueuePair* qp : flows)
    {
        PauseFlow(*qp);
    }
    SettleDelivered();
}

void
RdmaPacketState::Freeze(RdmaPort& port)
{
    if (port.m_frozen)
    {
        return;
    }
    port.PassNow();
    RecordOf(port) = GetPending(port);
    port.CancelOwn();
    if (RdmaEvent* wake = WakeOf(port))
    {
        EventQueue().Cancel(*wake);
    }
    // Places of a window are known for as long as a frame takes, not for as long as a skip, or as
    // an idle port waits.
    port.m_txEndPlace = port.IsBusy() ? EventQueue().Known(port.m_txEndPlace) : 0;
    for (RdmaFrame* frame = port.m_wire.Front(); frame && frame->next; frame = frame->next)
    {
        frame->nextArrivalPlace = EventQueue().Known(frame->nextArrivalPlace);
    }
    RdmaContext::Count(m_network.m_context.besides, port.m_frozen, true);
    port.SetCarries(false);
    ++m_frozenPorts;
}

void
RdmaPacketState::PauseFlow(RdmaQueuePair& qp)
{
    if (!qp.m_paused)
    {
        qp.m_paused = std::make_unique<RdmaPausedFlow>();
        ++m_network.m_context.besides;
        HoldFlow(qp);
    }
}

void
RdmaPacketState::HoldFlow(RdmaQueuePair& qp)
{
    RdmaTimers& timers = qp.m_sender->GetTimers();
    for (RdmaTimer* timer : qp.m_timers.Get())
    {
        if (timer->IsPending())
        {
            qp.m_paused->timers.emplace_back(timer, timer->GetDue());
            timers.Cancel(*timer);
        }
    }
    if (qp.m_pipeArrival.IsPending())
    {
        qp.m_paused->pipe = qp.m_pipeArrival.GetDue();
        EventQueue().Cancel(qp.m_pipeArrival);
    }
    AssumeRate(qp, static_cast<double>(qp.m_rate));
    qp.m_paused->saved = qp.m_control && qp.m_control->SaveState(qp, qp.m_paused->control);
}

void
RdmaPacketState::Resume(const Flows& flows, const Ports& ports, int64_t shift)
{
    BeginMoving();
    bool moved = shift > 0;
    for (const RdmaQueuePair* qp : flows)
    {
        moved = moved || (qp->m_paused && qp->m_paused->credit);
    }
    for (RdmaPort* port : ports)
    {
        if (moved)
        {
            ShiftFrames(*port, shift);
        }
        Thaw(*port, shift);
    }
    for (RdmaQueuePair* qp : flows)
    {
        ResumeFlow(*qp, shift);
    }
}

void
RdmaPacketState::Thaw(RdmaPort& port, int64_t shift)
{
    if (!port.m_frozen)
    {
        return;
    }
    port.SettleBackground();
    RdmaContext::Count(m_network.m_context.besides, port.m_frozen, false);
    if (--m_frozenPorts == 0 && !m_letPass.IsPending())
    {
        const int64_t after = LET_PASS_AFTER * m_network.m_context.clock.StepsPerNs();
        EventQueue().Schedule(m_letPass, EventQueue().Now() + after);
    }
    port.AssumeQueue(0);
    if (!m_network.m_context.late)
    {
        port.HurryBy(); // what comes now does not overtake it
    }
    port.m_txEndTime += shift;
    port.ShiftPassing(shift);
    port.SetCarries(!m_network.m_context.late);
    ShiftPint(port, shift);
    const PausedPort record = RecordOf(port);
    RecordOf(port) = {};
    const auto restore = [&](RdmaEvent& event, const RdmaDue& due) {
        if (due)
        {
            EventQueue().ScheduleAt(event, due.time + shift, due.place);
        }
    };
    restore(port.m_txEnd, record.txEnd);
    restore(port.m_arrival, record.arrival);
    int64_t arrival = record.arrival.time + shift;
    for (const RdmaFrame* frame = port.m_wire.Front(); frame; frame = frame->next)
    {
        port.ExpectEnd(*frame, arrival);
        arrival = frame->nextArrivalTime;
    }
    if (RdmaEvent* wake = WakeOf(port))
    {
        restore(*wake, record.wake);
    }
}

void
RdmaPacketState::LetPass()
{
    if (m_frozenPorts)
    {
        return;
    }
    int64_t next = 0; // time of what is still to come
    for (const Ptr<RdmaNode>& node : m_network.m_rdmaNodes)
    {
        for (RdmaPort* port : node->GetPorts())
        {
            if (port->m_shared)
            {
                port->PassBackground();
                next = std::max(next, port->GetLastToCome());
            }
        }
    }
    if (next > 0)
    {
        EventQueue().Schedule(m_letPass, next);
    }
}

/** What the switch of \p port remembers for PINT is of \p shift time steps later. */
void
RdmaPacketState::ShiftPint(const RdmaPort& port, int64_t shift) const
{
    const RdmaContext& context = m_network.m_context;
    if (context.pint && port.GetOwner().IsTransit())
    {
        auto& links = static_cast<RdmaSwitch&>(port.GetOwner()).m_pint;
        links[port.GetIndex()].ns += shift / context.clock.StepsPerNs();
    }
}

void
RdmaPacketState::ResumeFlow(RdmaQueuePair& qp, int64_t shift)
{
    if (!qp.m_paused)
    {
        return;
    }
    SetLoad(qp, 0);
    int64_t arrival = PipeDue(qp).time + shift;
    for (RdmaFrame* frame = qp.m_pipe.Front(); frame; frame = frame->next)
    {
        ShiftFrame(*frame, shift);
        qp.ExpectEnd(*frame, arrival);
        arrival = frame->nextArrivalTime;
    }
    qp.m_pipeLast += shift;
    const RdmaPausedFlow paused = std::move(*qp.m_paused);
    qp.m_paused.reset();
    --m_network.m_context.besides;
    qp.m_lastProgress += shift;
    qp.m_lastArrival += qp.m_lastArrival >= 0 ? shift : 0;
    qp.m_nackTimer += shift;
    qp.m_lastCnp += qp.m_lastCnp >= 0 ? shift : 0;
    if (qp.m_scheduled)
    {
        RdmaNicScheduler& scheduler = qp.m_sender->GetNic(*qp.m_nic).scheduler;
        scheduler.SetNextAvailable(qp, scheduler.GetNextAvailable(qp) + shift);
        scheduler.Update(qp);
    }
    if (qp.m_sndNxt >= qp.m_closeFrom)
    {
        qp.m_sender->BeginClosing(qp);
    }
    if (paused.saved && (shift || paused.credit))
    {
        qp.m_control->LoadState(qp, paused.control);
    }
    for (const auto& [timer, due] : paused.timers)
    {
        qp.m_sender->GetTimers().ScheduleAt(*timer, {due.time + shift, due.place});
    }
    if (paused.pipe)
    {
        EventQueue().ScheduleAt(qp.m_pipeArrival, paused.pipe.time + shift, paused.pipe.place);
    }
}

RdmaDue
RdmaPacketState::PipeDue(const RdmaQueuePair& qp)
{
    return qp.m_paused ? qp.m_paused->pipe : qp.m_pipeArrival.GetDue();
}

void
RdmaPacketState::ShiftFrame(RdmaFrame& frame, int64_t shift) const
{
    const int64_t shiftNs = shift / m_network.m_context.clock.StepsPerNs();
    frame.timestamp += shift;
    frame.nextArrivalTime += shift;
    if (!frame.qp)
    {
        return;
    }
    if (frame.qp->m_paused)
    {
        frame.seq += frame.qp->m_paused->credit;
        frame.last = frame.seq + frame.payloadBytes >= frame.qp->m_size;
    }
    for (uint32_t i = 0; i < frame.intHeader.GetRecords(); ++i)
    {
        frame.intHeader.hops[i].time += static_cast<uint64_t>(shiftNs);
    }
}

void
RdmaPacketState::ShiftFrames(RdmaPort& port, int64_t shift)
{
    for (RdmaFrame* frame = port.m_wire.Front(); frame; frame = frame->next)
    {
        ShiftFrame(*frame, shift);
    }
    for (uint32_t queue = 0; queue < RdmaEgressQueues::COUNT; ++queue)
    {
        for (RdmaFrame* frame = port.queues.Front(queue); frame; frame = frame->next)
        {
            ShiftFrame(*frame, shift);
        }
    }
}

void
RdmaPacketState::Launch()
{
    BeginMoving();
    for (RdmaQueuePair* qp : GetUndelivered())
    {
        if (qp->m_launch.IsPending())
        {
            qp->m_sender->GetTimers().Cancel(qp->m_launch);
            qp->Launch();
        }
    }
}

void
RdmaPacketState::Release(const Ports& ports)
{
    for (RdmaPort* port : ports)
    {
        if (port->m_frozen)
        {
            Thaw(*port, 0);
        }
    }
}

} // namespace ns3

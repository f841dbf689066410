/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-port.h"

#include "ns3/rdma-node.h"
#include "ns3/rdma-port-crossing.h"
#include "ns3/rdma-port-passing.h"

// The link of a port: how it is cut between threads or ranks, and how it goes down and up.

namespace ns3
{

RdmaPort*
RdmaPort::GetIfCut()
{
    return m_crossing && m_crossing->used ? this : nullptr;
}

void
RdmaPort::Cut()
{
    if (!m_crossing)
    {
        m_crossing = std::make_unique<Crossing>();
    }
    m_crossing->used = true;
    m_crossing->flight.SetPort(*this);
}

RdmaEvent*
RdmaPort::Land(const RdmaDue& due, RdmaFrameFifo& frames)
{
    return m_crossing->flight.Add(due, frames);
}

RdmaEvent*
RdmaPort::Flight::Add(const RdmaDue& due, RdmaFrameFifo& added)
{
    const bool first = frames.IsEmpty();
    if (!first)
    {
        frames.Back()->nextArrivalTime = due.time;
        frames.Back()->nextArrivalPlace = due.place;
    }
    frames.Append(added);
    return first ? &arrival : nullptr;
}

void
RdmaPort::Uncut()
{
    if (m_crossing && m_crossing->used)
    {
        m_crossing->used = false;
        TakeBack();
    }
}

void
RdmaPort::Collect()
{
    if (m_crossing && m_crossing->used)
    {
        TakeBack();
    }
}

/** Takes back what is in flight, and the other thread has; nothing else is in flight then. */
void
RdmaPort::TakeBack()
{
    Flight& flight = m_crossing->flight;
    m_wire.Append(flight.frames);
    if (flight.arrival.IsPending())
    {
        const RdmaDue due = flight.arrival.GetDue();
        m_context->eventQueue->Cancel(flight.arrival);
        m_context->eventQueue->ScheduleAt(m_arrival, due.time, due.place);
    }
}

void
RdmaPort::CancelEvents()
{
    CancelOwn();
    if (m_passing)
    {
        m_context->eventQueue->Cancel(m_passing->by.arrival);
    }
}

/** Cancels what happens by itself, not what passes by. */
void
RdmaPort::CancelOwn()
{
    if (m_crossing)
    {
        m_context->eventQueue->Cancel(m_crossing->flight.arrival);
    }
    m_context->eventQueue->Cancel(m_txEnd);
    m_context->eventQueue->Cancel(m_arrival);
    CancelPassing();
}

void
RdmaPort::SetLinkUp(bool up)
{
    if (up == m_linkUp)
    {
        return;
    }
    m_linkUp = up;
    if (up)
    {
        TellCredits();
        return;
    }
    m_context->eventQueue->Cancel(m_arrival);
    while (!m_wire.IsEmpty())
    {
        ForgetInFlight(*m_wire.Front());
        Drop(m_wire.Pop(), RdmaDropReason::LINK_DOWN);
    }
    DropBy();
    // whoever paused us can no longer resume
    if (m_credits)
    {
        m_paused = m_credits->GetShort();
        return;
    }
    SetPaused(0);
    m_pausedAsTold = 0;
}

} // namespace ns3

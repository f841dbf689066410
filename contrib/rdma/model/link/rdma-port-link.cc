/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-port.h"

#include "ns3/rdma-node.h"
#include "ns3/rdma-port-crossing.h"

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
    m_crossing->peer = m_peer;
    m_crossing->toHost = m_toHost;
    m_crossing->arrival.SetProcess(m_arrival.GetProcess());
}

RdmaEvent*
RdmaPort::Land(const RdmaDue& due, RdmaFrameFifo& frames)
{
    RdmaFrameFifo& flying = m_crossing->frames;
    const bool first = flying.IsEmpty();
    if (!first)
    {
        flying.Back()->nextArrivalTime = due.time;
        flying.Back()->nextArrivalPlace = due.place;
    }
    flying.Append(frames);
    return first ? &m_crossing->arrival : nullptr;
}

void
RdmaPort::Uncut()
{
    if (!m_crossing || !m_crossing->used)
    {
        return;
    }
    m_crossing->used = false;
    m_wire.Append(m_crossing->frames);
    if (m_crossing->arrival.IsPending())
    {
        const RdmaDue due = m_crossing->arrival.GetDue();
        m_context->eventQueue->Cancel(m_crossing->arrival);
        m_context->eventQueue->ScheduleAt(m_arrival, due.time, due.place);
    }
}

void
RdmaPort::CancelEvents()
{
    if (m_crossing)
    {
        m_context->eventQueue->Cancel(m_crossing->arrival);
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

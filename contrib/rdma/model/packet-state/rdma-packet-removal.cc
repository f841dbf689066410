/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-packet-ack-way.h"
#include "rdma-packet-taking.h"

#include <algorithm>

// How RdmaPacketState takes frames out of a network: all of flows that it evicts, and the last
// acknowledgements of flows that were delivered.

namespace ns3
{

void
RdmaPacketState::Dispose(RdmaFrame* frame)
{
    frame->qp->FrameGone();
    m_network.m_context.frames.Give(frame);
}

template <typename P>
void
RdmaPacketState::RemoveFrames(RdmaPort& port, P&& goes)
{
    TakeQueued(port, goes, [this](RdmaFrame* frame) {
        CountAgain(*frame, true, 1);
        Dispose(frame);
    });
    const auto dispose = [this](RdmaFrame* frame, int64_t) {
        CountAgain(*frame, false, 1);
        Dispose(frame);
    };
    TakeFlying(port, goes, dispose);
    TakePassing(port, goes, dispose);
}

void
RdmaPacketState::Evict(const Flows& flows, const Ports& ports)
{
    BeginMoving();
    const auto paused = [](const RdmaFrame& frame) { return frame.qp && frame.qp->m_paused; };
    for (RdmaPort* port : ports)
    {
        RemoveFrames(*port, paused);
        port->CountCredited();
        PausedPort& record = RecordOf(*port);
        record.txEnd = record.wake = {};
        if (!port->queues.IsEmpty())
        {
            record.txEnd = {EventQueue().Now(), EventQueue().ReserveSequence()};
        }
    }
    for (RdmaQueuePair* qp : flows)
    {
        qp->m_paused->timers.clear();
        qp->m_paused->pipe = {};
        while (!qp->m_pipe.IsEmpty())
        {
            Dispose(qp->m_pipe.Pop());
        }
        qp->CountPipe(false);
        qp->m_paused->evicted = true;
        SkipTo(*qp, qp->m_expected);
        qp->m_sndUna = qp->m_highestSent = qp->m_expected;
    }
}

// ---- the last acknowledgements of flows that were delivered

void
RdmaPacketState::Delivering(RdmaQueuePair& qp)
{
    m_delivering = &qp;
}

void
RdmaPacketState::Delivered(RdmaQueuePair& qp)
{
    m_delivering = nullptr;
    m_delivered.push_back(&qp);
}

void
RdmaPacketState::Forget(const RdmaQueuePair& qp)
{
    const auto it = std::find(m_delivered.begin(), m_delivered.end(), &qp);
    if (it != m_delivered.end())
    {
        m_delivered.erase(it);
    }
}

void
RdmaPacketState::SettleDelivered()
{
    const auto frozen = [](const RdmaPort* port) { return port->m_frozen; };
    const auto touched = [&](const RdmaQueuePair* qp) {
        return std::any_of(qp->m_ackRoute.begin(), qp->m_ackRoute.end(), frozen) ||
               std::any_of(qp->m_dataRoute.begin(), qp->m_dataRoute.end(), frozen);
    };
    std::deque<RdmaQueuePair*> delivered;
    delivered.swap(m_delivered);
    for (RdmaQueuePair* qp : delivered)
    {
        !qp->m_piped&& touched(qp) ? Settle(*qp) : Delivered(*qp);
    }
}

void
RdmaPacketState::Settle(RdmaQueuePair& qp)
{
    const int64_t end = AckWay(qp).GetLastArrival(*m_frames);
    if (end < 0)
    {
        Delivered(qp); // it was lost: what is left of the flow happens in packets
        return;
    }
    const auto own = [&qp](const RdmaFrame& frame) { return frame.qp == &qp; };
    for (const auto* route : {&qp.m_ackRoute, &qp.m_dataRoute})
    {
        for (RdmaPort* port : *route)
        {
            RemoveFrames(*port, own);
        }
    }
    FinishAt(qp, end);
}

void
RdmaPacketState::FinishAt(RdmaQueuePair& qp, int64_t time)
{
    RdmaTimers& timers = qp.m_sender->GetTimers();
    for (RdmaTimer* timer : qp.m_timers.Get())
    {
        timers.Cancel(*timer);
    }
    EventQueue().Cancel(qp.m_pipeArrival);
    qp.CountPipe(false); // what is in it will not arrive
    if (qp.m_scheduled)
    {
        qp.m_sender->GetNic(*qp.m_nic).scheduler.Leave(qp, time);
    }
    timers.Schedule(qp.m_finish, time);
    m_network.m_context.ExpectTelling(time);
    qp.m_apart = true;
}

} // namespace ns3

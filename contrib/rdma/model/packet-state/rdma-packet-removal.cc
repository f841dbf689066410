/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-packet-taking.h"

#include "ns3/rdma-network.h"

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
    TakeFlying(port, goes, [this](RdmaFrame* frame, int64_t) {
        CountAgain(*frame, false, 1);
        Dispose(frame);
    });
}

void
RdmaPacketState::Evict(const Flows& flows, const Ports& ports)
{
    BeginMoving();
    const auto paused = [](const RdmaFrame& frame) { return frame.qp && frame.qp->m_paused; };
    for (RdmaPort* port : ports)
    {
        RemoveFrames(*port, paused);
        port->ForgetAlone();
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
        if (MayLose(*qp))
        {
            // These are to be sent once more.
            PassData(*qp, -static_cast<int64_t>(FramesIn(*qp, GetInFlight(*qp))));
        }
        qp->m_sndUna = qp->m_sndNxt = qp->m_highestSent = qp->m_expected;
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

int64_t
RdmaPacketState::AckLatency(const RdmaQueuePair& qp, size_t hop)
{
    int64_t latency = 0;
    for (; hop < qp.m_ackRoute.size(); ++hop)
    {
        latency += AckLatency(qp, *qp.m_ackRoute[hop]);
    }
    return latency;
}

int64_t
RdmaPacketState::AckLatency(const RdmaQueuePair& qp, const RdmaPort& port)
{
    const auto ahead = static_cast<uint32_t>(BytesBeforeAck(port, qp.GetFlow().priority));
    return port.TransmissionTime(ahead + qp.m_ackBytes) + port.GetDelay();
}

uint64_t
RdmaPacketState::BytesBeforeAck(const RdmaPort& port, uint32_t priority)
{
    const RdmaNode& owner = port.GetOwner();
    const bool first =
        !owner.IsTransit() || static_cast<const RdmaSwitch&>(owner).m_ackHighPriority;
    return port.queues.GetBytes(0) + (first ? 0 : port.queues.GetBytes(priority));
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
    const int64_t end = LastAckArrival(qp);
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
    RdmaTimers& timers = m_network.m_context.timers;
    for (RdmaTimer* timer : qp.m_timers.Get())
    {
        timers.Cancel(*timer);
    }
    EventQueue().Cancel(qp.m_pipeArrival);
    qp.CountPipe(false); // what is in it will not arrive
    timers.Schedule(qp.m_finish, time);
    qp.m_apart = true;
    Count(qp, true);
}

int64_t
RdmaPacketState::LastAckArrival(const RdmaQueuePair& qp) const
{
    const auto isLast = [&qp](const RdmaFrame& frame) {
        return frame.qp == &qp && frame.kind == RdmaFrameKind::ACK && frame.seq >= qp.m_size;
    };
    for (size_t hop = 0; hop < qp.m_ackRoute.size(); ++hop)
    {
        const RdmaPort& port = *qp.m_ackRoute[hop];
        int64_t arrival = ArrivalOf(port).time;
        for (const RdmaFrame* frame = port.m_wire.Front(); frame; frame = frame->next)
        {
            if (isLast(*frame))
            {
                return FindLoss(qp, *frame, hop) ? -1 : arrival + AckLatency(qp, hop + 1);
            }
            arrival = frame->nextArrivalTime;
        }
        for (uint32_t queue = 0; queue < RdmaEgressQueues::COUNT; ++queue)
        {
            uint32_t bytes = 0;
            for (const RdmaFrame* frame = port.queues.Front(queue); frame; frame = frame->next)
            {
                bytes += frame->wireBytes;
                if (isLast(*frame) && FindLoss(qp, *frame, hop))
                {
                    return -1;
                }
                if (isLast(*frame))
                {
                    return EventQueue().Now() + port.TransmissionTime(bytes) + port.GetDelay() +
                           AckLatency(qp, hop + 1);
                }
            }
        }
    }
    return -1;
}

} // namespace ns3

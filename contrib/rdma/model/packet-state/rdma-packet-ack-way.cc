/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-packet-ack-way.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3
{

RdmaPacketState::AckWay::AckWay(const RdmaQueuePair& qp)
    : m_qp(qp),
      m_ports(qp.m_ackRoute)
{
}

size_t
RdmaPacketState::AckWay::Find(const RdmaPort& port) const
{
    const auto found = std::find(m_ports.begin(), m_ports.end(), &port);
    return static_cast<size_t>(found - m_ports.begin());
}

int64_t
RdmaPacketState::AckWay::GetLatency(size_t hop) const
{
    const RdmaPort& port = *m_ports[hop];
    const auto before = static_cast<uint32_t>(BytesBefore(port, m_qp.GetFlow().priority));
    return port.TransmissionTime(before + m_qp.m_ackBytes) + port.GetDelay();
}

int64_t
RdmaPacketState::AckWay::GetLatency(size_t hop, size_t to) const
{
    int64_t latency = 0;
    for (; hop < to; ++hop)
    {
        latency += GetLatency(hop);
    }
    return latency;
}

uint64_t
RdmaPacketState::AckWay::BytesBefore(const RdmaPort& port, uint32_t priority)
{
    const RdmaNode& owner = port.GetOwner();
    const bool first =
        !owner.IsTransit() || static_cast<const RdmaSwitch&>(owner).m_ackHighPriority;
    return port.queues.GetBytes(0) + (first ? 0 : port.queues.GetBytes(priority));
}

RdmaPort*
RdmaPacketState::AckWay::FindLoss(const RdmaFrame& frame, size_t hop) const
{
    const auto begin = m_ports.begin() + static_cast<std::ptrdiff_t>(hop);
    const auto loses = [&frame](const RdmaPort* port) { return port->Loses(frame); };
    const auto found = std::find_if(begin, m_ports.end(), loses);
    return found == m_ports.end() ? nullptr : *found;
}

bool
RdmaPacketState::AckWay::IsLastInPipe() const
{
    const RdmaFrame* frame = m_qp.m_pipe.Front();
    while (frame && !(frame->kind == RdmaFrameKind::ACK && frame->seq >= m_qp.m_size))
    {
        frame = frame->next;
    }
    return frame != nullptr;
}

template <typename P>
int64_t
RdmaPacketState::AckWay::Go(size_t hop,
                            int64_t time,
                            P&& comes,
                            const RdmaFrame* own,
                            const Frames* frames) const
{
    for (; hop < GetHops(); ++hop)
    {
        RdmaPort& port = *m_ports[hop];
        comes(port, time);
        time = FreeAt(port, time, own, frames) + port.TransmissionTime(m_qp.m_ackBytes) +
               port.GetDelay();
    }
    return time;
}

int64_t
RdmaPacketState::AckWay::GetLastArrival(Frames& frames) const
{
    bool isFound = false;
    int64_t arrival = -1;
    ForEach(frames, false, GetHops(), [&](const Ack& ack) {
        const RdmaFrame& frame = *ack.at.frame;
        if (isFound || frame.kind != RdmaFrameKind::ACK || frame.seq < m_qp.m_size)
        {
            return;
        }
        isFound = true;
        if (FindLoss(frame, ack.hop))
        {
            return;
        }
        const RdmaPort& port = *m_ports[ack.hop];
        const int64_t free = std::max(port.GetContext().eventQueue->Now(), port.m_txEndTime);
        const int64_t next =
            ack.at.queue == RdmaSavedFrame::FLYING
                ? ack.at.due.time
                : free + port.TransmissionTime(ack.at.before + frame.wireBytes) + port.GetDelay();
        arrival = Go(
            ack.hop + 1,
            next,
            [](RdmaPort&, int64_t) {},
            &frame,
            &frames);
    });
    return arrival;
}

template <typename P>
int64_t
RdmaPacketState::AckWay::GoLast(P&& comes) const
{
    return Go(0, m_qp.m_nic->GetContext().eventQueue->Now(), std::forward<P>(comes));
}

int64_t
RdmaPacketState::AckWay::GetLastLatency() const
{
    RdmaEventQueue& eventQueue = *m_qp.m_nic->GetContext().eventQueue;
    eventQueue.Gather(); // all frames are at their ports
    return GoLast([](RdmaPort&, int64_t) {}) - eventQueue.Now();
}

void
RdmaPacketState::AckWay::PassLast() const
{
    GoLast([this](RdmaPort& port, int64_t time) {
        port.PassUnseen(m_qp.m_ackBytes); // counted once it passes
        port.PassAlone(time, m_qp.m_ackBytes);
    });
}

int64_t
RdmaPacketState::AckWay::FreeAt(const RdmaPort& port,
                                int64_t time,
                                const RdmaFrame* own,
                                const Frames* frames) const
{
    const auto queued = static_cast<uint32_t>(BytesBefore(port, m_qp.GetFlow().priority));
    const int64_t waits = queued > 0 ? port.TransmissionTime(queued) : 0;
    if (port.m_frozen && !frames)
    {
        return time + waits;
    }
    if (!port.m_frozen)
    {
        port.PassNow();
    }
    // Which may have been sent already.
    const bool isOwn = !port.m_wire.IsEmpty() && port.m_wire.Back()->qp == &m_qp &&
                       port.m_wire.Back()->kind != RdmaFrameKind::DATA;
    const int64_t now = port.GetContext().eventQueue->Now();
    int64_t free = (isOwn ? now : std::max(now, port.m_txEndTime)) + waits;
    if (!port.GetOwner().IsTransit() || port.GetOwner().HasAckHighPriority())
    {
        return std::max(free, time);
    }
    std::vector<std::pair<int64_t, uint32_t>> coming;
    for (const RdmaPort* in : port.GetOwner().GetPorts())
    {
        const RdmaPort& from = in->GetPeer();
        int64_t arrival = from.m_frozen ? time + 1 : from.m_arrival.GetDue().time;
        if (from.m_frozen && frames && frames->ArrivalOf(from) >= now) // else since long ago
        {
            arrival = frames->ArrivalOf(from);
        }
        for (const RdmaFrame* frame = from.m_wire.Front(); frame && arrival <= time;
             frame = frame->next)
        {
            if (frame != own && frame->qp &&
                frame->routeVersion == port.GetContext().routeVersion && *frame->route == &port)
            {
                coming.emplace_back(arrival, frame->wireBytes);
            }
            arrival = frame->nextArrivalTime;
        }
    }
    std::sort(coming.begin(), coming.end());
    for (const auto& [arrival, bytes] : coming)
    {
        free = std::max(free, arrival) + port.TransmissionTime(bytes);
    }
    return std::max(free, time);
}

} // namespace ns3

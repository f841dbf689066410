/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-packet-ack-way.h"

#include <algorithm>

// What RdmaPacketState knows of when acknowledgements arrive that are on their way, or will be.

namespace ns3
{

bool
RdmaPacketState::AwaitsAck(const RdmaPort& port) const
{
    return std::any_of(m_delivered.begin(), m_delivered.end(), [&port](const RdmaQueuePair* qp) {
        return AckWay(*qp).Crosses(port);
    });
}

std::vector<std::pair<const RdmaFrame*, RdmaDue>>
RdmaPacketState::GetComingAcks(const RdmaQueuePair& qp) const
{
    std::vector<std::pair<const RdmaFrame*, RdmaDue>> coming;
    RdmaDue due = PipeDue(qp);
    for (const RdmaFrame* frame = qp.m_pipe.Front(); frame; frame = frame->next)
    {
        coming.emplace_back(frame, due);
        due = {frame->nextArrivalTime, frame->nextArrivalPlace};
    }
    if (!qp.m_piped)
    {
        return coming;
    }
    const size_t piped = coming.size();
    const AckWay way(qp);
    way.ForEach(*m_frames, true, way.GetHops(), [&](const AckWay::Ack& ack) {
        const bool flies = ack.at.queue == RdmaSavedFrame::FLYING;
        const int64_t next = flies ? ack.at.due.time : EventQueue().Now() + way.GetLatency(ack.hop);
        coming.emplace_back(ack.at.frame, RdmaDue{next + ack.rest, 0});
    });
    if (piped == coming.size())
    {
        return coming;
    }
    std::stable_sort(coming.begin(), coming.end(), [](const auto& a, const auto& b) {
        return a.first->serial < b.first->serial;
    });
    // In order, after all that is of now.
    int64_t last = 0;
    uint64_t place = EventQueue().Place();
    for (auto& [frame, arrival] : coming)
    {
        last = std::max(last, arrival.time);
        arrival = {last, ++place};
    }
    return coming;
}

void
RdmaPacketState::FindPassing(const RdmaQueuePair& qp,
                             const RdmaPort& port,
                             std::vector<RdmaSavedPassing>& passing) const
{
    const AckWay way(qp);
    const size_t here = way.Find(port);
    if (here == way.GetHops())
    {
        return;
    }
    const int64_t now = EventQueue().Now();
    bool isLastOut = false;
    way.ForEach(*m_frames, true, here, [&](const AckWay::Ack& ack) {
        const RdmaFrame& frame = *ack.at.frame;
        isLastOut = isLastOut || frame.seq >= qp.m_size;
        if (ack.at.queue == RdmaSavedFrame::FLYING)
        {
            if (ack.hop != here)
            {
                passing.push_back({ack.at.due.time + ack.rest - now, frame.wireBytes});
            }
            return;
        }
        const RdmaPort& at = *qp.m_ackRoute[ack.hop];
        at.PassNow();
        const int64_t starts =
            std::max<int64_t>(at.m_txEndTime - now, 0) + at.TransmissionTime(ack.at.before);
        const int64_t takes = at.TransmissionTime(frame.wireBytes) + at.GetDelay() + ack.rest;
        passing.push_back({starts + (ack.hop != here ? takes : 0), frame.wireBytes});
    });
    if (&qp == m_delivering && !isLastOut)
    {
        passing.push_back({way.GetLatency(0, here), qp.m_ackBytes});
    }
}

} // namespace ns3

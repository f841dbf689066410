/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-packet-ack-way.h"

#include <algorithm>
#include <unordered_set>

// What RdmaPacketState knows of frames that links lose at random.

namespace ns3
{

namespace
{

/** Full frames in flight below which each acknowledgement matters. */
constexpr uint64_t FEW_FRAMES = 16;

uint64_t
Difference(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

} // namespace

uint64_t
RdmaPacketState::NextAcknowledged(const RdmaQueuePair& qp, uint64_t next)
{
    return std::max(next, qp.PacketsIn(qp.m_receiver->GetAckInterval()));
}

RdmaFlowLosses::RdmaFlowLosses(const RdmaQueuePair& qp)
    : data(qp.GetDrawId(), qp.GetDataRoute(), RdmaFrameKind::DATA),
      acks(qp.GetDrawId(), qp.GetAckRoute(), RdmaFrameKind::ACK)
{
}

bool
RdmaPacketState::MayLose(const RdmaQueuePair& qp)
{
    const auto loses = [](const RdmaPort* port) { return port->GetErrorRate() > 0; };
    return qp.m_sender->m_context->anyLoses &&
           (std::any_of(qp.m_dataRoute.begin(), qp.m_dataRoute.end(), loses) ||
            std::any_of(qp.m_ackRoute.begin(), qp.m_ackRoute.end(), loses));
}

uint64_t
RdmaPacketState::GetDataLost(const RdmaQueuePair& qp)
{
    return qp.m_dataLost;
}

uint64_t
RdmaPacketState::GetUndisturbed(const RdmaQueuePair& qp,
                                std::optional<RdmaFlowLosses>& known,
                                uint64_t atMost)
{
    if (!MayLose(qp))
    {
        return atMost;
    }
    RdmaFlowLosses& losses = known ? *known : known.emplace(qp);
    const uint64_t left = Difference(qp.m_size, qp.m_expected);
    uint64_t bytes = std::min(atMost, left);
    const uint64_t frame = qp.m_payloadSize;
    if (losses.data.MayFind())
    {
        losses.data.SetRound(qp.m_round);
        const uint64_t inFlight = Difference(qp.m_sndNxt, qp.m_expected);
        const uint64_t next = qp.PacketsIn(qp.m_sndNxt);
        const uint64_t first = qp.PacketsIn(qp.m_expected);
        const uint64_t ahead = bytes > inFlight ? bytes - inFlight + qp.m_partPassed : 0;
        const uint64_t lost = losses.data.Next(first, next + qp.PacketsIn(ahead));
        const uint64_t sure = lost < next
                                  ? (lost - first) * frame
                                  : inFlight + Difference((lost - next) * frame, qp.m_partPassed);
        bytes = std::min(bytes, sure);
    }
    if (losses.acks.MayFind())
    {
        const uint64_t next = qp.PacketsIn(qp.m_expected) + 1;
        const uint64_t last = qp.PacketsIn(qp.m_size);
        if (bytes == left && losses.acks.Count(last, last + 1) > 0)
        {
            --bytes;
        }
        if (qp.m_sndNxt - qp.m_sndUna < FEW_FRAMES * frame)
        {
            const uint64_t underWay = qp.PacketsIn(Difference(qp.m_expected, qp.m_sndUna));
            const uint64_t until = next + qp.PacketsIn(bytes + qp.m_partPassed);
            const uint64_t from = NextAcknowledged(qp, next - std::min(next, underWay));
            const uint64_t lost = from < until ? losses.acks.Next(from, until) : until;
            bytes = std::min(bytes, Difference(Difference(lost, next) * frame, qp.m_partPassed));
        }
    }
    return bytes == left ? atMost : bytes;
}

bool
RdmaPacketState::AwaitsLoss(const Ports& ports) const
{
    if (m_delivered.empty())
    {
        return false;
    }
    EventQueue().Gather(); // all frames are at their ports
    const std::unordered_set<const RdmaPort*> among(ports.begin(), ports.end());
    const auto isAmong = [&among](const RdmaPort* port) { return among.count(port) > 0; };
    std::unordered_set<const RdmaQueuePair*> awaiting;
    std::unordered_set<const RdmaPort*> ways;
    for (const RdmaQueuePair* qp : m_delivered)
    {
        if (MayLose(*qp) && !AckWay(*qp).IsLastInPipe() &&
            (std::any_of(qp->m_dataRoute.begin(), qp->m_dataRoute.end(), isAmong) ||
             std::any_of(qp->m_ackRoute.begin(), qp->m_ackRoute.end(), isAmong)))
        {
            awaiting.insert(qp);
            ways.insert(qp->m_ackRoute.begin(), qp->m_ackRoute.end());
        }
    }
    // Each port is looked through once for all of them: frames that pauses hold are many.
    for (const RdmaPort* port : ways)
    {
        m_frames->ForEach(*port, [&](const FrameAt& at) {
            const RdmaFrame& frame = *at.frame;
            if (frame.kind == RdmaFrameKind::ACK && awaiting.count(frame.qp) > 0 &&
                frame.seq >= frame.qp->m_size)
            {
                const AckWay way(*frame.qp);
                const size_t hop = way.Find(*port);
                if (hop < way.GetHops() && !way.FindLoss(frame, hop))
                {
                    awaiting.erase(frame.qp);
                }
            }
        });
    }
    return !awaiting.empty();
}

uint64_t
RdmaPacketState::PassFrames(RdmaQueuePair& qp, uint64_t bytes)
{
    const uint64_t known = qp.m_partPassed + bytes;
    const uint64_t frames = std::min(known, qp.m_size - qp.m_expected) / qp.m_payloadSize;
    qp.m_partPassed = static_cast<uint32_t>(known % qp.m_payloadSize);
    const uint64_t next = qp.PacketsIn(qp.m_expected) + 1;
    m_network.m_context.counters.linkErrors +=
        RdmaFlowLosses(qp).acks.Count(NextAcknowledged(qp, next), next + frames);
    return frames * qp.m_payloadSize;
}

} // namespace ns3

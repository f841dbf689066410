/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-packet-ack-way.h"
#include "rdma-packet-taking.h"

#include <algorithm>

// What becomes of acknowledgements of flows that may pass by ports that are paused: they go hop by
// hop, and do not wait there. Those of flows that are paused themselves are in pipes.

namespace ns3
{

/** An acknowledgement that was taken out of port \c hop of its route. */
struct RdmaPacketState::TakenAck
{
    RdmaFrame* frame;
    size_t hop;
    int64_t time; //!< when it is at the next port
};

void
RdmaPacketState::Pipe(RdmaQueuePair& qp)
{
    qp.m_piped = qp.m_apart = true;
    if (m_network.m_context.mayOverflow)
    {
        Count(qp, true); // whoever replies asks for buffers of others
    }
}

void
RdmaPacketState::Unpipe(RdmaQueuePair& qp)
{
    qp.m_piped = false;
    Count(qp, false);
}

template <typename P>
void
RdmaPacketState::TakeAcks(RdmaPort& port, P&& goes, std::vector<TakenAck>& taken)
{
    const auto take = [&](RdmaFrame* frame, bool queued, int64_t time) {
        const size_t hop = AckWay(*frame->qp).Find(port);
        // The ports to come count it when it passes there; this one has, unless it waits.
        port.PassUnseen(queued ? frame->wireBytes : 0);
        taken.push_back({frame, hop, time});
    };
    const auto isAck = [&](const RdmaFrame& frame) {
        // Switches send on by the route of now what left by an earlier one.
        return frame.qp && frame.kind != RdmaFrameKind::DATA && goes(frame) &&
               AckWay(*frame.qp).Crosses(port);
    };
    TakeFlying(port, isAck, [&](RdmaFrame* frame, int64_t time) {
        if (m_network.m_context.credits)
        {
            port.GetPeer().ReturnCredit(frame->ingress, frame->wireBytes);
        }
        take(frame, false, time);
    });
    port.PassNow();
    const int64_t free = std::max(port.m_txEndTime, EventQueue().Now());
    uint32_t bytes = 0; // of frames that go before it
    const auto isQueuedAck = [&](const RdmaFrame& frame) {
        bytes += frame.wireBytes;
        return isAck(frame);
    };
    TakeQueued(port, isQueuedAck, [&](RdmaFrame* frame) {
        take(frame, true, free + port.TransmissionTime(bytes) + port.GetDelay());
    });
}

template <typename P>
void
RdmaPacketState::TakeBy(RdmaPort& port, P&& goes, std::vector<TakenAck>& taken)
{
    TakePassing(port, goes, [&](RdmaFrame* frame, int64_t time) {
        taken.push_back({frame, AckWay(*frame->qp).Find(port), time});
    });
}

void
RdmaPacketState::PassIntoPipe(RdmaQueuePair& qp)
{
    std::vector<TakenAck> taken;
    const auto own = [&qp](const RdmaFrame& frame) { return frame.qp == &qp; };
    for (RdmaPort* port : qp.m_ackRoute)
    {
        if (qp.m_piped)
        {
            TakeAcks(*port, own, taken);
        }
        TakeBy(*port, own, taken);
    }
    std::sort(taken.begin(), taken.end(), [](const TakenAck& a, const TakenAck& b) {
        return a.frame->serial < b.frame->serial;
    });
    for (const TakenAck& ack : taken)
    {
        RdmaPort& port = *qp.m_ackRoute[ack.hop];
        if (port.Loses(*ack.frame))
        {
            port.Drop(ack.frame, RdmaDropReason::LINK_ERROR);
        }
        else
        {
            qp.m_receiver->PassByPipe(qp, ack.frame, ack.hop + 1, ack.time);
        }
    }
}

void
RdmaPacketState::LetAcksPass(const Flows& flows, const Ports& ports)
{
    for (RdmaQueuePair* qp : flows)
    {
        if (qp->m_apart && !qp->m_paused)
        {
            PassIntoPipe(*qp);
        }
    }
    std::vector<TakenAck> taken;
    for (RdmaPort* port : ports)
    {
        if (!port->m_frozen)
        {
            TakeAcks(
                *port,
                [](const RdmaFrame& frame) { return frame.qp->m_piped; },
                taken);
        }
    }
    for (const TakenAck& ack : taken)
    {
        ack.frame->qp->m_ackRoute[ack.hop]->PutBy(ack.frame, ack.time);
    }
}

} // namespace ns3

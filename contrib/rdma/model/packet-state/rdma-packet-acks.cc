/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-packet-ack-way.h"
#include "rdma-packet-taking.h"

#include <algorithm>
#include <tuple>

// What becomes of acknowledgements of flows that may pass by a pipe: they go hop by hop where ports
// run, and by the pipe from the first port on that is paused.

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
    qp.m_apart = !qp.m_pipe.IsEmpty();
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

void
RdmaPacketState::PassIntoPipes(const Flows& flows, const Ports& ports)
{
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
    for (const RdmaQueuePair* qp : flows)
    {
        const auto own = [qp](const RdmaFrame& frame) { return frame.qp == qp; };
        for (size_t hop = 0; qp->m_piped && !qp->m_paused && hop < qp->m_ackRoute.size(); ++hop)
        {
            TakeAcks(*qp->m_ackRoute[hop], own, taken);
        }
    }
    std::sort(taken.begin(), taken.end(), [](const TakenAck& a, const TakenAck& b) {
        return std::make_tuple(a.frame->qp->m_id, a.frame->serial) <
               std::make_tuple(b.frame->qp->m_id, b.frame->serial);
    });
    for (const TakenAck& ack : taken)
    {
        RdmaQueuePair& qp = *ack.frame->qp;
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

} // namespace ns3

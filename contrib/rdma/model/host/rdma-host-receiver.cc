/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-host.h"

#include "ns3/rdma-flow-observer.h"
#include "ns3/rdma-net-device.h"
#include "ns3/rdma-network.h"
#include "ns3/rdma-switch.h"

#include <algorithm>

// The receiving side of a host: what becomes of a frame that arrived, and what is sent in return.

namespace ns3
{

namespace
{

/** \return whether \p port has frames of \p priority waiting in a buffer that may soon have no room
 * for more; without PFC, for nothing else keeps it from losing them */
bool
MayOverflow(const RdmaPort& port, uint32_t priority)
{
    const RdmaFrame* const first = port.queues.Front(priority);
    if (!first || !port.GetOwner().IsTransit())
    {
        return false;
    }
    const auto& owner = static_cast<const RdmaSwitch&>(port.GetOwner());
    return !owner.HasPfc() && owner.GetBuffer().IsTight(first->ingress, priority);
}

/** \return whether acknowledgements of \p qp would be held up, or may be lost, at \p port */
bool
IsHeldUpAt(const RdmaQueuePair& qp, const RdmaPort& port)
{
    return port.GetPaused() != 0 || MayOverflow(port, qp.GetFlow().priority);
}

/** \return the same of any port on their way */
bool
IsHeldUp(const RdmaQueuePair& qp)
{
    const auto& route = qp.GetAckRoute();
    return std::any_of(route.begin(), route.end(), [&qp](const RdmaPort* port) {
        return IsHeldUpAt(qp, *port);
    });
}

} // namespace

void
RdmaHost::ReceiveNonRdma(RdmaPort& port, RdmaFrame* frame)
{
    static_cast<RdmaNetDevice&>(port).DeliverNonRdma(frame);
}

/** What credits and entropy have to do with \p frame, which came in at \p port. */
void
RdmaHost::BeforeReceipt(RdmaPort& port, const RdmaFrame& frame)
{
    if (m_context->credits)
    {
        port.ReturnCredit(frame.ingress, frame.wireBytes); // it takes no memory here
    }
    const bool reply = frame.kind == RdmaFrameKind::ACK || frame.kind == RdmaFrameKind::NACK;
    if (reply && frame.qp->m_entropy && frame.qp->m_sender == this)
    {
        frame.qp->m_entropy->OnReply(frame.entropy, frame.echo, m_context->eventQueue->Now());
    }
}

/**
 * Some acknowledgements of \p qp go by its pipe and some by frames, of which none may overtake
 * others. What was sent before \p frame and is in the pipe arrives now.
 * \return whether one that was sent after \p frame has arrived, which says all that it says
 */
bool
RdmaHost::IsOvertaken(RdmaQueuePair& qp, const RdmaFrame& frame)
{
    while (qp.m_pipe.Front() && static_cast<int32_t>(frame.serial - qp.m_pipe.Front()->serial) > 0)
    {
        m_context->eventQueue->Cancel(qp.m_pipeArrival);
        qp.PipeArrives();
    }
    return frame.kind == RdmaFrameKind::ACK && frame.seq < qp.m_sndUna;
}

void
RdmaHost::Receive(RdmaPort& port, RdmaFrame* frame)
{
    if (m_context->special)
    {
        BeforeReceipt(port, *frame);
    }
    if (frame->kind == RdmaFrameKind::PACKET)
    {
        ReceiveNonRdma(port, frame);
        return;
    }
    RdmaQueuePair& qp = *frame->qp;
    const bool forward = frame->kind == RdmaFrameKind::DATA;
    if (qp.m_apart && !forward && IsOvertaken(qp, *frame))
    {
        qp.FrameGone();
        m_context->frames.Give(frame);
        return;
    }
    if (qp.m_state != RdmaFlowState::ACTIVE || (forward ? qp.m_receiver : qp.m_sender) != this)
    {
        // late, or led here by a route that is no more
        m_context->TellFrame({&qp, RdmaFrameNews::What::GONE});
        m_context->frames.Give(frame);
        return;
    }
    switch (frame->kind)
    {
    case RdmaFrameKind::DATA:
        ReceiveData(frame);
        break;
    case RdmaFrameKind::CNP:
        qp.FrameGone();
        m_context->frames.Give(frame);
        NotifyCongestion(qp);
        break;
    default:
        ReceiveAck(frame);
        break;
    }
}

bool
RdmaHost::IsAckDue(const RdmaQueuePair& qp) const
{
    return qp.m_expected >= m_ackInterval ||
           (m_chunkSize && qp.m_chunks.GetStart(qp.m_expected, m_chunkSize) == qp.m_expected) ||
           qp.m_expected >= qp.m_size;
}

bool
RdmaHost::IsNackDue(RdmaQueuePair& qp)
{
    const int64_t now = m_context->eventQueue->Now();
    if (now < qp.m_nackTimer && qp.m_lastNack == qp.m_expected)
    {
        return false;
    }
    qp.m_nackTimer = now + m_nackInterval;
    if (qp.m_lastNack != qp.m_expected && !m_backToZero) // else several losses ask for one packet
    {
        qp.m_again = 0;
    }
    qp.m_lastNack = qp.m_expected;
    if (m_backToZero && m_chunkSize)
    {
        qp.m_expected = qp.m_chunks.GetStart(qp.m_expected, m_chunkSize);
    }
    return true;
}

bool
RdmaHost::TakeInOrder(RdmaQueuePair& qp, const RdmaFrame& frame)
{
    if (frame.seq != qp.m_expected)
    {
        if (qp.m_selective && frame.seq > qp.m_expected)
        {
            qp.m_selective->arrived.Add(frame.seq / qp.m_payloadSize);
        }
        return false;
    }
    qp.m_expected += frame.payloadBytes;
    if (qp.m_selective)
    {
        RdmaPacketBitmap& arrived = qp.m_selective->arrived;
        const uint64_t missing = arrived.FirstMissing(qp.PacketsIn(qp.m_expected));
        arrived.DropBelow(missing);
        qp.m_expected = std::min(missing * qp.m_payloadSize, qp.m_size);
    }
    return true;
}

void
RdmaHost::ReceiveData(RdmaFrame* frame)
{
    RdmaQueuePair& qp = *frame->qp;
    if (frame->ce && SendsCnps(qp)) // in order or not
    {
        SendCnp(qp);
    }
    bool reply = false;
    bool nack = false;
    const bool more = TakeInOrder(qp, *frame);
    if (more)
    {
        qp.m_lastArrival = m_context->eventQueue->Now();
        reply = IsAckDue(qp);
        if (qp.m_expected >= qp.m_size && qp.m_deliveryTime < 0)
        {
            qp.m_deliveryTime = m_context->eventQueue->Now();
            if (m_context->observer && !qp.m_flow.exact && !m_context->eventQueue->IsInWindow())
            {
                m_context->observer->FlowDelivered(qp); // else when the window is over
            }
            m_network->Tell(*m_context, qp, RdmaNetwork::News::DELIVERED);
        }
    }
    else if (frame->seq > qp.m_expected)
    {
        reply = nack = qp.m_selective || IsNackDue(qp);
    }
    else
    {
        reply = qp.m_selective || frame->ackNow;
    }
    if (!reply)
    {
        m_context->TellFrame({&qp, RdmaFrameNews::What::GONE});
        m_context->frames.Give(frame);
        return;
    }
    // the frame itself turns round
    frame->kind = nack ? RdmaFrameKind::NACK : RdmaFrameKind::ACK;
    frame->payloadBytes =
        nack && qp.m_selective ? static_cast<uint32_t>(frame->seq - qp.m_expected) : 0;
    frame->seq = qp.m_expected;
    frame->wireBytes = qp.m_ackBytes;
    frame->echo = frame->ce;
    frame->ce = false;
    frame->telemetry = false;
    frame->last = qp.m_expected >= qp.m_size;
    frame->again = more ? 0 : ++qp.m_again;
    frame->serial = qp.m_ackSerial++;
    Reply(qp, frame);
}

bool
RdmaHost::SendsCnps(const RdmaQueuePair& qp) const
{
    return m_cnpInterval && qp.m_control && qp.m_control->TakesCnps();
}

void
RdmaHost::SendCnp(RdmaQueuePair& qp)
{
    const int64_t now = m_context->eventQueue->Now();
    if (qp.m_lastCnp >= 0 && now - qp.m_lastCnp < m_cnpInterval)
    {
        return;
    }
    qp.m_lastCnp = now;
    RdmaFrame* frame = m_context->frames.Take();
    frame->qp = &qp;
    frame->kind = RdmaFrameKind::CNP;
    frame->priority = qp.m_priority;
    frame->seq = qp.m_expected;
    frame->payloadBytes = 0;
    frame->wireBytes = m_context->wire.Cnp();
    frame->ce = frame->echo = frame->ackNow = frame->telemetry = frame->last = false;
    frame->again = ++qp.m_again;
    frame->serial = qp.m_ackSerial++;
    frame->timestamp = now;
    frame->intHeader.hopCount = 0;
    m_context->TellFrame({&qp, RdmaFrameNews::What::SENT});
    Reply(qp, frame);
}

/**
 * An acknowledgement of \p qp leaves in a window. Whether a port on its way is paused at that time
 * is known when the window is over (RdmaNetwork::TellOfReply), so it is noted where one may be: one
 * was before the window, a PFC frame was under way, or one may come within it by a short link.
 */
void
RdmaHost::PostponeReply(RdmaQueuePair& qp)
{
    // all links of a process alone are of this time
    const bool here = qp.m_acksWithin && !qp.m_acksCross;
    if (here ? IsHeldUp(qp) : qp.m_acksWithin || m_context->holdsUp)
    {
        m_context->Postpone(RdmaNotice::What::REPLIED, &qp, nullptr);
    }
}

void
RdmaHost::Reply(RdmaQueuePair& qp, RdmaFrame* frame)
{
    RdmaPort& nic = *qp.m_receiverNic;
    bool passes = qp.m_piped && !qp.m_ackRoute.empty();
    if (passes && m_context->eventQueue->IsInWindow())
    {
        PostponeReply(qp);
        passes = !IsHeldUpAt(qp, nic);
    }
    else if (passes && IsHeldUp(qp))
    {
        passes = false;
        // Other ports on the way may belong to parts that do not expect frames of this flow.
        for (size_t i = 0; m_context->observer && i < qp.m_ackRoute.size(); ++i)
        {
            m_context->observer->PauseSeen(*qp.m_ackRoute[i]);
        }
    }
    if (passes && m_network->IsLate())
    {
        PassByPipe(qp, frame, 0, m_context->eventQueue->Now());
        return;
    }
    if (qp.m_ackRoute.empty() || !nic.IsLinkUp())
    {
        nic.Drop(frame, nic.IsLinkUp() ? RdmaDropReason::NO_ROUTE : RdmaDropReason::LINK_DOWN);
        return;
    }
    frame->route = qp.m_ackRoute.data() + 1;
    frame->routeVersion = m_context->routeVersion;
    if (passes && nic.IsFrozen())
    {
        nic.PassBy(frame);
        return;
    }
    if (frame->kind == RdmaFrameKind::CNP)
    {
        nic.queues.PushAhead(ACK_QUEUE, frame);
    }
    else
    {
        nic.queues.Push(ACK_QUEUE, frame);
    }
    nic.enqueueTrace(*frame, ACK_QUEUE);
    nic.TriggerOf(*this);
}

bool
RdmaHost::PassByFrozen(RdmaPort& port, RdmaFrame* frame)
{
    RdmaQueuePair* qp = frame->qp;
    // what is held up is seen by who is there, who goes on in frames then
    if (!qp || !qp->m_piped || frame->kind == RdmaFrameKind::DATA || IsHeldUpAt(*qp, port))
    {
        return false;
    }
    const auto& route = qp->m_ackRoute;
    const auto found = std::find(route.begin(), route.end(), &port);
    if (found == route.end())
    {
        return false;
    }
    if (qp->m_receiver->m_network->IsLate())
    {
        const auto hop = static_cast<size_t>(found - route.begin());
        qp->m_receiver->PassByPipe(*qp, frame, hop, port.GetContext().eventQueue->Now());
        return true;
    }
    port.PassBy(frame);
    return true;
}

void
RdmaHost::PassByPipe(RdmaQueuePair& qp, RdmaFrame* frame, size_t first, int64_t time)
{
    const auto& route = qp.m_ackRoute;
    frame->ingress = RdmaEgressQueues::CONTROL; // it takes no credits
    for (size_t hop = first; hop < route.size(); ++hop)
    {
        RdmaPort* port = route[hop];
        if (!port->IsLinkUp())
        {
            port->Drop(frame, RdmaDropReason::LINK_DOWN);
            return;
        }
        time = port->Forward(*frame, time, !m_network->IsLate());
        if (port->Loses(*frame))
        {
            port->Drop(frame, RdmaDropReason::LINK_ERROR);
            return;
        }
    }
    qp.PutIntoPipe(*frame,
                   {std::max(time, qp.m_pipeLast), m_context->eventQueue->ReserveSequence()});
}

} // namespace ns3

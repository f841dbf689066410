/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-switch.h"

#include "rdma-routing.h"

#include "ns3/log.h"
#include "ns3/rdma-flow-observer.h"
#include "ns3/rdma-host.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/rdma-random.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaSwitch");

namespace
{
constexpr uint32_t NON_RDMA_QUEUE = 1;
} // namespace

inline RdmaPort*
RdmaSwitch::NextPort(const RdmaPort& in, RdmaFrame& frame)
{
    if (frame.kind == RdmaFrameKind::PACKET)
    {
        const NonRdmaPacket& p = frame.nonRdma;
        return m_routing->NextPort(GetRdmaId(), p.source, p.destination, p.ports);
    }
    if (frame.routeVersion == m_context->routeVersion)
    {
        return *frame.route++;
    }
    return FindPort(in, frame);
}

/** \return where a flow's \p frame goes that has no route, or that of links that have changed */
RdmaPort*
RdmaSwitch::FindPort(const RdmaPort& in, RdmaFrame& frame)
{
    if (frame.kind == RdmaFrameKind::DATA && m_balancer.IsOn())
    {
        const bool first = !in.GetPeer().GetOwner().IsTransit();
        return m_balancer.Next(*m_context, *m_routing, frame, first);
    }
    return m_routing->NextPort(GetRdmaId(), *frame.qp, frame.kind != RdmaFrameKind::DATA);
}

inline uint32_t
RdmaSwitch::QueueOf(const RdmaFrame& frame) const
{
    switch (frame.kind)
    {
    case RdmaFrameKind::PACKET:
        return NON_RDMA_QUEUE;
    case RdmaFrameKind::CNP:
        return RdmaEgressQueues::CONTROL;
    case RdmaFrameKind::ACK:
    case RdmaFrameKind::NACK:
        return m_ackHighPriority ? RdmaEgressQueues::CONTROL : frame.priority;
    default:
        return frame.priority;
    }
}

void
RdmaSwitch::Receive(RdmaPort& in, RdmaFrame* frame)
{
    RdmaPort* out = NextPort(in, *frame);
    if (!out || !out->IsLinkUp())
    {
        if (m_context->credits)
        {
            in.ReturnCredit(QueueOf(*frame), frame->wireBytes);
        }
        in.Drop(frame, out ? RdmaDropReason::LINK_DOWN : RdmaDropReason::NO_ROUTE);
        return;
    }
    if (frame->kind == RdmaFrameKind::PACKET)
    {
        TellUneven(*out);
    }
    const uint32_t queue = QueueOf(*frame);
    const uint32_t bytes = frame->wireBytes;
    if (out->IsFrozen() && RdmaHost::PassByFrozen(*out, frame))
    {
        if (m_context->credits)
        {
            in.ReturnCredit(queue, bytes);
        }
        return;
    }
    const uint32_t port = in.GetIndex();
    if (out->IsClearFor(queue) && !m_context->special &&
        (queue == RdmaEgressQueues::CONTROL || m_buffer.LetsPass(port, queue, frame->wireBytes)))
    {
        frame->ingress = static_cast<uint16_t>(port);
        out->queues.PassThrough(queue);
        Leave(*out, frame);
        Send(*out, frame, queue);
        return;
    }
    if (queue != RdmaEgressQueues::CONTROL)
    {
        const uint32_t entrance =
            m_buffer.TryEnter(port, queue, frame->wireBytes, m_context->credits);
        if (!(entrance & RdmaSharedBuffer::ENTERS))
        {
            if (in.GetBufferDrops() == 0)
            {
                NS_LOG_WARN("switch " << GetRdmaId() << " drops the first frame from port " << port
                                      << ": no room for queue " << queue);
            }
            in.Drop(frame, RdmaDropReason::BUFFER);
            return;
        }
        if ((entrance & RdmaSharedBuffer::PAUSES) && HasPfc())
        {
            SendPfc(in, queue, true);
        }
        if ((entrance & RdmaSharedBuffer::TIGHT) && m_context->observer)
        {
            TellTight(in);
        }
    }
    frame->ingress = static_cast<uint16_t>(port);
    const uint64_t before = out->queues.Push(queue, frame);
    out->enqueueTrace(*frame, queue);
    out->queueBytesTrace(queue, before, before + frame->wireBytes);
    out->TriggerOf(*this);
}

void
RdmaSwitch::FetchReceipt(const RdmaPort& in, const RdmaFrame& frame, uint32_t stage) const
{
    if (!frame.qp || frame.routeVersion != m_context->routeVersion)
    {
        return;
    }
    if (stage == 1)
    {
        RdmaFetch(frame.route);
        m_buffer.Fetch(in.GetIndex());
    }
    else
    {
        (*frame.route)->FetchSending(stage - 1);
    }
}

void
RdmaSwitch::FetchSending(const RdmaPort& port, uint32_t stage) const
{
    const uint32_t filled = port.queues.GetFilled() & ~(1U << RdmaEgressQueues::CONTROL);
    if (stage == 1 && filled)
    {
        m_buffer.Fetch(port.queues.Front(static_cast<uint32_t>(__builtin_ctz(filled)))->ingress);
    }
}

void
RdmaSwitch::PortFree(RdmaPort& port)
{
    if (m_context->special)
    {
        SendByRules(port);
        return;
    }
    uint32_t queue;
    RdmaFrame* frame = port.queues.Pop(port.GetPaused(), queue);
    if (!frame)
    {
        return;
    }
    Leave(port, frame, queue);
    Send(port, frame, queue);
}

inline void
RdmaSwitch::Send(RdmaPort& port, RdmaFrame* frame, uint32_t queue)
{
    port.dequeueTrace(*frame, queue);
    port.Start(frame);
    if (!port.queues.IsEmpty())
    {
        port.WatchTxEnd();
    }
}

/** As PortFree, with schedulers and credits. */
void
RdmaSwitch::SendByRules(RdmaPort& port)
{
    uint32_t queue;
    RdmaFrame* frame = NextFrame(port, queue);
    if (!frame)
    {
        return;
    }
    const uint16_t ingress = frame->ingress;
    Leave(port, frame, queue);
    if (m_context->credits)
    {
        m_ports[ingress]->ReturnCredit(queue, frame->wireBytes);
        port.TakeCredit(*frame, queue);
    }
    Send(port, frame, queue);
}

/** \return the frame to send by \p port, as its scheduler chooses, taken from \p queue; null if
 * none may be sent */
RdmaFrame*
RdmaSwitch::NextFrame(RdmaPort& port, uint32_t& queue)
{
    if (!HasScheduler())
    {
        return port.queues.Pop(port.GetPaused(), queue);
    }
    const uint32_t control = 1U << RdmaEgressQueues::CONTROL;
    const uint32_t ready = port.queues.GetFilled() & ~(port.GetPaused() & ~control);
    if (!ready)
    {
        return nullptr;
    }
    RdmaEgressScheduler& scheduler = *m_schedulers[port.GetIndex()];
    queue = ready & control ? RdmaEgressQueues::CONTROL : scheduler.Choose(port, ready);
    RdmaFrame* frame = port.queues.PopFrom(queue);
    if (queue != RdmaEgressQueues::CONTROL)
    {
        scheduler.OnSent(queue, frame->wireBytes);
    }
    return frame;
}

void
RdmaSwitch::Leave(RdmaPort& port, RdmaFrame* frame, uint32_t queue)
{
    const uint64_t bytes = port.queues.GetBytes(queue);
    port.queueBytesTrace(queue, bytes + frame->wireBytes, bytes);
    if (queue != RdmaEgressQueues::CONTROL)
    {
        const uint32_t ingress = frame->ingress;
        const bool resumes = m_buffer.Leave(ingress, queue, frame->wireBytes);
        if (m_ecn && bytes > m_ecnOfQueue[queue][port.GetRateIndex()].kmin)
        {
            MaybeMark(port, frame, queue, bytes);
        }
        if (resumes)
        {
            SendPfc(*m_ports[ingress], queue, false);
        }
    }
    Leave(port, frame);
}

/** \p frame, which is in no queue or buffer, leaves by \p port. */
inline void
RdmaSwitch::Leave(RdmaPort& port, RdmaFrame* frame)
{
    if (frame->telemetry)
    {
        WriteTelemetry(port, frame);
    }
    port.AddTxBytes(frame->wireBytes);
}

/** \p queueBytes, left in \p queue of \p port by \p frame, are more than its kmin. */
void
RdmaSwitch::MaybeMark(RdmaPort& port, RdmaFrame* frame, uint32_t queue, uint64_t queueBytes)
{
    const RdmaEcnThresholds& ecn = m_ecnOfQueue[queue][port.GetRateIndex()];
    if (queueBytes <= ecn.kmax)
    {
        const double p = ecn.pmax * static_cast<double>(queueBytes - ecn.kmin) /
                         static_cast<double>(ecn.kmax - ecn.kmin);
        if (frame->kind == RdmaFrameKind::DATA)
        {
            const RdmaCongestionControl* control =
                frame->qp ? frame->qp->GetCongestionControl() : nullptr;
            m_context->counters.draws += control && control->HeedsMarks() ? 1 : 0;
            port.CountDraw();
        }
        const uint64_t flow = frame->qp ? frame->qp->GetId() + 1 : 0;
        const uint64_t serial = static_cast<uint64_t>(frame->kind) << 32 | frame->serial;
        if (RdmaUniform(m_context->seed, RdmaDraw::ECN_MARK, port.GetPortId(), flow, serial) >= p)
        {
            return;
        }
    }
    frame->ce = true;
    ++m_context->counters.marks;
    port.markTrace(*frame);
}

void
RdmaSwitch::WriteTelemetry(RdmaPort& port, RdmaFrame* frame)
{
    RdmaIntHeader& header = frame->intHeader;
    if (header.hopCount >= RdmaIntHeader::MAX_HOPS)
    {
        WriteCode(port, *frame);
        return;
    }
    uint64_t tx = port.GetTxBytes() / RdmaIntHeader::TX_UNIT;
    uint32_t qlen = static_cast<uint32_t>(port.queues.GetBytes() / 16) / 5;
    const uint32_t multiplier = m_context->intMultiplier;
    if ((multiplier & (multiplier - 1)) == 0) // mostly: divisions take longer
    {
        const auto shift = static_cast<uint32_t>(__builtin_ctz(multiplier));
        tx >>= shift;
        qlen >>= shift;
    }
    else
    {
        tx /= multiplier;
        qlen /= multiplier;
    }
    // The time comes last: compilers write it by itself, and what is read there as a whole would
    // wait for it.
    RdmaIntHeader::Hop& hop = header.hops[header.hopCount];
    hop.tx = tx;
    hop.qlen = qlen;
    hop.time = static_cast<uint64_t>(m_context->NowNs());
    header.rateIndex[header.hopCount] = port.GetRateIndex();
    ++header.hopCount;
}

/** Tells the observer of a frame that has come in at \p in and left the buffer tight. */
void
RdmaSwitch::TellTight(RdmaPort& in) const
{
    if (!m_context->observer->KnowsTight(in, m_context->eventQueue->Now()) &&
        !m_context->Postpone(RdmaNotice::What::TIGHT, nullptr, &in))
    {
        m_context->observer->BufferTight(in);
    }
}

/** Tells the observer of what flows at \p port did not bring about by themselves. */
void
RdmaSwitch::TellUneven(RdmaPort& port) const
{
    RdmaFlowObserver* const observer = m_context->observer;
    const bool tells =
        observer && (port.IsFrozen() || !observer->KnowsPause(port, m_context->eventQueue->Now()));
    if (tells && !m_context->Postpone(RdmaNotice::What::UNEVEN, nullptr, &port))
    {
        observer->PauseSeen(port);
    }
}

void
RdmaSwitch::SendPfc(RdmaPort& port, uint32_t queue, bool pause)
{
    m_buffer.SetPaused(port.GetIndex(), queue, pause);
    TellUneven(port);
    if (!port.IsLinkUp())
    {
        return;
    }
    NS_LOG_INFO("switch " << GetRdmaId() << (pause ? " pauses" : " resumes") << " queue " << queue
                          << " of node " << port.GetPeer().GetOwner().GetRdmaId() << " at port "
                          << port.GetIndex());
    RdmaFrame* frame = m_context->frames.Take();
    frame->qp = nullptr;
    frame->kind = RdmaFrameKind::PFC;
    frame->priority = RdmaEgressQueues::CONTROL;
    frame->payloadBytes = 0;
    frame->wireBytes = m_context->wire.Pfc();
    frame->ce = frame->echo = frame->ackNow = frame->telemetry = frame->last = false;
    frame->serial = port.NextSerial();
    frame->timestamp = m_context->eventQueue->Now();
    ++m_context->held;
    frame->pfc = {pause ? m_pauseTime : 0,
                  static_cast<uint32_t>(port.queues.GetBytes(queue)),
                  static_cast<uint8_t>(queue)};
    if (m_context->late)
    {
        port.ForwardPfc(frame);
        return;
    }
    port.SendAhead(frame); // nothing that waits may delay a pause
}

} // namespace ns3

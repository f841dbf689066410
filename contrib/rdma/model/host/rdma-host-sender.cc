/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-host.h"

#include "ns3/rdma-flow-observer.h"
#include "ns3/rdma-network.h"
#include "ns3/rdma-random.h"
#include "ns3/rdma-routing.h"

#include <algorithm>
#include <limits>

// The sending side of a host: which queue pair sends when, and what acknowledgements do. Flows
// start and end in rdma-host-flows.cc.

namespace ns3
{

void
RdmaHost::PortFree(RdmaPort& port)
{
    Nic& nic = GetNic(port);
    const uint32_t paused = port.GetPaused();
    const uint32_t filled = port.queues.GetFilled();
    if ((filled >> ACK_QUEUE & 1) && !(paused && IsStopped(*port.queues.Front(ACK_QUEUE), paused)))
    {
        SendWaiting(port, ACK_QUEUE);
    }
    else if (!(nic.classes ? SendByClass(port, nic) : SendInTurn(port, nic)))
    {
        ScheduleWake(port, nic);
        return;
    }
    if (!nic.scheduler.IsEmpty() || !port.queues.IsEmpty())
    {
        port.WatchTxEnd();
    }
}

/** Sends the first frame of \p queue. */
inline void
RdmaHost::SendWaiting(RdmaPort& port, uint32_t queue)
{
    RdmaFrame* frame = port.queues.PopFrom(queue);
    port.AddTxBytes(frame->wireBytes);
    port.dequeueTrace(*frame, queue);
    if (m_context->special)
    {
        BeforeStart(port, *frame);
    }
    port.Start(frame);
}

/** Sends an ordinary packet or from a queue pair, by turns. \return whether there was any */
inline bool
RdmaHost::SendInTurn(RdmaPort& port, Nic& nic)
{
    const uint32_t paused = port.GetPaused();
    const bool nonRdmaPackets = (port.queues.GetFilled() & ~paused) >> NON_RDMA_QUEUE & 1;
    RdmaQueuePair* qp = nonRdmaPackets && !nic.nonRdmaLast
                            ? nullptr
                            : nic.scheduler.Next(paused, m_context->eventQueue->Now());
    if (qp)
    {
        nic.nonRdmaLast = false;
        SendData(port, nic, *qp);
        return true;
    }
    if (nonRdmaPackets)
    {
        nic.nonRdmaLast = true;
        SendWaiting(port, NON_RDMA_QUEUE);
    }
    return nonRdmaPackets;
}

/** The same where classes are told apart: ordinary packets and the flows of their class take turns
 * within it. */
bool
RdmaHost::SendByClass(RdmaPort& port, Nic& nic)
{
    const int64_t now = m_context->eventQueue->Now();
    const uint32_t paused = port.GetPaused();
    const uint32_t packets = port.queues.GetFilled() & ~paused & 1U << NON_RDMA_QUEUE;
    const uint32_t flows = nic.scheduler.GetReadyClasses(paused, now);
    if (!(packets | flows))
    {
        return false;
    }
    const uint32_t queue = nic.classes->Choose(port, packets | flows);
    const bool packet = (packets >> queue & 1) && !((flows >> queue & 1) && nic.nonRdmaLast);
    if (queue == NON_RDMA_QUEUE)
    {
        nic.nonRdmaLast = packet;
    }
    if (packet)
    {
        nic.classes->OnSent(queue, port.queues.Front(queue)->wireBytes);
        SendWaiting(port, queue);
        return true;
    }
    RdmaQueuePair& qp = *nic.scheduler.NextOfClass(queue, now);
    SendData(port, nic, qp);
    nic.classes->OnSent(queue, qp.m_lastWireBytes);
    return true;
}

/** \return the class that \p frame counts for in the buffers of switches; 0 if in none */
uint32_t
RdmaHost::CreditClassOf(const RdmaFrame& frame) const
{
    switch (frame.kind)
    {
    case RdmaFrameKind::DATA:
        return frame.priority;
    case RdmaFrameKind::ACK:
    case RdmaFrameKind::NACK:
        return m_ackHighPriority ? 0 : frame.priority;
    case RdmaFrameKind::PACKET:
        return NON_RDMA_QUEUE;
    default:
        return 0;
    }
}

/** What credits and entropy have to do with \p frame, which starts at \p port. */
void
RdmaHost::BeforeStart(RdmaPort& port, RdmaFrame& frame)
{
    if (m_context->credits)
    {
        port.TakeCredit(frame, CreditClassOf(frame));
    }
    if (frame.kind == RdmaFrameKind::DATA && frame.qp->m_entropy)
    {
        frame.entropy = frame.qp->m_entropy->Next(
            RdmaDrawKey(m_context->seed, RdmaDraw::ENTROPY, port.GetPortId(), frame.qp->m_id + 1),
            frame.serial);
    }
}

/** \return whether the pauses \p paused (bit q: of class q) stop \p reply */
bool
RdmaHost::IsStopped(const RdmaFrame& reply, uint32_t paused) const
{
    // what switches do not count is never paused
    if (m_ackHighPriority ||
        (reply.kind != RdmaFrameKind::ACK && reply.kind != RdmaFrameKind::NACK))
    {
        return false;
    }
    return paused >> (m_ackPauseClass ? m_ackPauseClass : reply.priority) & 1;
}

void
RdmaHost::ScheduleWake(const RdmaPort& port, Nic& nic)
{
    if (nic.wake.IsPending())
    {
        return;
    }
    // a queue pair that pacing would let send but that is blocked otherwise keeps the port from
    // waking for the others, as in HPCC's simulator: the next acknowledgement or resume triggers
    // the port. Where classes are told apart, one does not keep another waiting
    const int64_t now = m_context->eventQueue->Now();
    const int64_t time = nic.classes ? nic.scheduler.EarliestReady(port.GetPaused())
                                     : nic.scheduler.EarliestPaced(now);
    if (time > now && time != std::numeric_limits<int64_t>::max())
    {
        m_context->eventQueue->Schedule(nic.wake, time);
    }
}

/** \return the first byte that \p qp sends now, and RdmaFrame::again: what is to be sent again goes
 * first */
std::pair<uint64_t, uint8_t>
RdmaHost::TakeNext(RdmaQueuePair& qp)
{
    if (!qp.m_resends)
    {
        return {qp.m_sndNxt, qp.m_round};
    }
    RdmaLossRecovery& losses = qp.m_selective->sender;
    const uint64_t seq = losses.TakeLost() * qp.m_payloadSize;
    qp.m_resends = losses.HasLost();
    return {seq, losses.GetRound()};
}

void
RdmaHost::SendData(RdmaPort& port, Nic& nic, RdmaQueuePair& qp)
{
    const auto [seq, again] = TakeNext(qp);
    const auto payload =
        static_cast<uint32_t>(std::min<uint64_t>(qp.m_size - seq, qp.m_payloadSize));
    const int64_t now = m_context->eventQueue->Now();
    RdmaFrame* frame = m_context->frames.Take();
    frame->qp = &qp;
    frame->route = qp.m_dataRoute.data() + 1;
    frame->routeVersion = m_context->balances ? RDMA_NO_ROUTE : m_context->routeVersion;
    frame->seq = seq;
    frame->payloadBytes = payload;
    frame->wireBytes = qp.m_dataHeader + (qp.m_empty ? 0 : payload);
    frame->kind = RdmaFrameKind::DATA;
    frame->priority = qp.m_priority;
    frame->ce = false;
    frame->echo = false;
    frame->ackNow = seq < qp.m_ackNowUntil;
    frame->telemetry = RdmaIsOfSwitches(qp.m_telemetry);
    frame->last = seq + payload >= qp.m_size;
    frame->again = again;
    frame->serial = qp.NextSerial();
    ++qp.m_dataSerial;
    frame->timestamp = now;
    frame->intHeader.hopCount = qp.m_firstRecord;
    frame->intHeader.code = 0;
    ++qp.m_framesOut;
    if (seq < qp.m_highestSent)
    {
        qp.m_retransmitted += payload;
    }
    qp.m_sndNxt = std::max(qp.m_sndNxt, seq + payload);
    qp.m_highestSent = std::max(qp.m_highestSent, qp.m_sndNxt);
    if (qp.m_sndNxt >= qp.m_closeFrom)
    {
        BeginClosing(qp);
    }
    port.AddTxBytes(frame->wireBytes);
    port.dequeueTrace(*frame, frame->priority);
    if (m_context->special)
    {
        BeforeStart(port, *frame);
    }
    port.Start(frame);

    // pacing counts from the start of the transmission
    if (!qp.m_pacingKnown || qp.m_lastWireBytes != frame->wireBytes)
    {
        qp.m_lastWireBytes = frame->wireBytes;
        qp.m_pacing =
            qp.m_rate ? m_context->clock.TransmissionTime(frame->wireBytes, qp.m_rate) : 0;
        qp.m_pacingKnown = true;
    }
    const int64_t gap = m_rateBound
                            ? qp.m_pacing
                            : m_context->clock.TransmissionTime(frame->wireBytes, qp.m_maxRate);
    nic.scheduler.SetNextAvailable(qp, now + gap);
    nic.scheduler.Update(qp);
}

void
RdmaHost::Repace(RdmaQueuePair& qp, int64_t difference)
{
    if (!qp.m_scheduled)
    {
        return;
    }
    Nic& nic = GetNic(*qp.m_nic);
    const int64_t time = nic.scheduler.GetNextAvailable(qp) + difference;
    nic.scheduler.SetNextAvailable(qp, time);
    if (nic.wake.IsPending() && time < nic.wake.GetTime())
    {
        m_context->eventQueue->Schedule(nic.wake, std::max(time, m_context->eventQueue->Now()));
    }
}

void
RdmaHost::TraceRate(const RdmaQueuePair& qp, uint64_t before) const
{
    m_rateTrace(qp, before);
}

bool
RdmaHost::SendNonRdma(RdmaPort& device, RdmaFrame* frame)
{
    m_context->eventQueue->Join(); // the context is the network's
    m_context->foreign = true;
    // a host with several NICs sends by the one that leads to the destination
    const NonRdmaPacket& p = frame->nonRdma;
    RdmaPort* way = m_routing->NextPort(GetRdmaId(), p.source, p.destination, p.ports);
    RdmaPort& port = way ? *way : device;
    if (!port.IsLinkUp() ||
        port.queues.GetBytes(NON_RDMA_QUEUE) + frame->wireBytes > m_nonRdmaLimit)
    {
        port.Drop(frame, port.IsLinkUp() ? RdmaDropReason::BUFFER : RdmaDropReason::LINK_DOWN);
        return false;
    }
    port.queues.Push(NON_RDMA_QUEUE, frame);
    if (m_context->observer)
    {
        m_context->observer->PauseSeen(port);
    }
    port.enqueueTrace(*frame, NON_RDMA_QUEUE);
    port.Trigger();
    return true;
}

/** Selective repeat: \p reply came. \param progress whether it acknowledges more than before,
 * cumulatively \return whether more packets count as lost than before */
bool
RdmaHost::LearnOfLosses(RdmaQueuePair& qp, const RdmaFrame& reply, bool progress)
{
    RdmaLossRecovery& losses = qp.m_selective->sender;
    losses.Acknowledge(qp.PacketsIn(qp.m_sndUna));
    bool lost = false;
    if (reply.kind == RdmaFrameKind::NACK)
    {
        lost = losses.TakeNack((reply.seq + reply.payloadBytes) / qp.m_payloadSize,
                               qp.PacketsIn(qp.m_highestSent),
                               m_nackThreshold);
    }
    qp.m_resends = losses.HasLost();
    if (progress)
    {
        ScheduleTimer(qp.m_retransmission, m_context->eventQueue->Now() + TimeoutOf(qp));
    }
    return lost;
}

void
RdmaHost::ReceiveAck(RdmaFrame* frame)
{
    RdmaQueuePair& qp = *frame->qp;
    const int64_t now = m_context->eventQueue->Now();
    const uint64_t seq = m_backToZero && m_chunkSize && frame->seq < qp.m_size
                             ? qp.m_chunks.GetStart(frame->seq, m_chunkSize)
                             : frame->seq;
    const bool progress = seq > qp.m_sndUna;
    if (progress)
    {
        qp.m_sndUna = seq;
        qp.m_sndNxt = std::max(qp.m_sndNxt, seq);
        qp.m_lastProgress = now;
        qp.m_timeouts = 0;
    }
    const bool nack = frame->kind == RdmaFrameKind::NACK;
    if (nack)
    {
        ++m_context->counters.nacks;
    }
    const bool finished = qp.IsFinished();
    if (finished)
    {
        End(qp, RdmaFlowState::COMPLETED);
    }
    bool lost = nack;
    uint64_t ahead = 0;
    if (nack && !qp.m_selective)
    {
        GoBack(qp, "a NACK");
    }
    else if (qp.m_selective && !finished)
    {
        lost = LearnOfLosses(qp, *frame, progress);
        ahead = qp.m_selective->sender.GetArrived() * qp.m_payloadSize;
    }
    if (qp.m_scheduled)
    {
        GetNic(*qp.m_nic).scheduler.Update(qp);
    }
    if (frame->echo && !finished && !qp.m_receiver->SendsCnps(qp))
    {
        NotifyCongestion(qp);
    }
    if (qp.m_control)
    {
        const RdmaAck ack{frame->seq,
                          lost,
                          frame->echo,
                          m_context->NowNs(),
                          m_context->clock.WholeNs(now - frame->timestamp),
                          RdmaIsOfSwitches(qp.m_telemetry) ? &frame->intHeader : nullptr,
                          ahead};
        AskControl(qp, [&] { qp.m_control->OnAck(qp, ack); });
    }
    RdmaPort& nic = *qp.m_nic;
    qp.FrameGone();
    m_context->frames.Give(frame);
    if (!nic.IsFrozen()) // else the flow is over, and the others there are paused
    {
        nic.TriggerOf(*this);
    }
}

void
RdmaHost::NotifyCongestion(RdmaQueuePair& qp)
{
    m_cnpTrace(qp);
    if (qp.m_control)
    {
        AskControl(qp, [&] { qp.m_control->OnCongestionNotification(qp); });
    }
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-flow-observer.h"
#include "rdma-host.h"
#include "rdma-network.h"
#include "rdma-routing.h"

#include "ns3/log.h"

#include <algorithm>
#include <limits>

// The sending side of a host: which queue pair sends when, what acknowledgements do, and time-outs.

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaHostSender");

namespace
{
constexpr uint32_t MAX_BACKOFF = 10; //!< the time-out doubles that many times at most
} // namespace

uint64_t
RdmaHost::SendingKey(const RdmaQueuePair& qp)
{
    return static_cast<uint64_t>(RdmaRouting::AddressOf(qp.m_flow.dst)) << 32 |
           static_cast<uint64_t>(qp.m_sourcePort) << 16 | qp.m_flow.priority;
}

void
RdmaHost::StartFlow(RdmaQueuePair& qp, RdmaHost& receiver)
{
    NS_LOG_INFO("flow " << qp.m_id << " starts at node " << GetRdmaId());
    qp.m_sender = this;
    qp.m_receiver = &receiver;
    qp.m_nic = qp.m_dataRoute.front();
    qp.m_receiverNic = qp.m_ackRoute.front();
    qp.m_state = RdmaFlowState::ACTIVE;
    qp.m_startTime = m_context->lanes->Now();
    qp.m_lastProgress = qp.m_startTime;
    qp.m_payloadSize = m_payloadSize;
    qp.m_rate = qp.m_maxRate = qp.m_nic->GetRate();
    qp.m_window = qp.m_flow.window;
    qp.m_varWindow = m_varWindow;
    if (m_prototype)
    {
        qp.m_control = m_prototype->Fork();
        qp.m_telemetry = qp.m_control->GetTelemetry();
        qp.m_control->OnStart(qp);
    }
    const uint32_t telemetry = RdmaTelemetryBytes(qp.m_telemetry);
    qp.m_dataHeader = m_context->wire.DataHeader(telemetry);
    qp.m_ackBytes = m_context->wire.Ack(telemetry);
    qp.UpdateWindow();
    if (!m_sending.emplace(SendingKey(qp), &qp).second)
    {
        // another flow has this source port: both asked for it, or the count came round
        m_sending.emplace(~qp.m_id, &qp);
    }
    m_startTrace(qp);
    if (m_context->observer)
    {
        const RdmaDue end{m_context->lanes->Now(), m_context->lanes->TakeLastPlace()};
        if (m_context->observer->FlowStarting(qp))
        {
            m_context->timers.ScheduleAt(qp.m_launch, end);
            return;
        }
    }
    Launch(qp);
}

void
RdmaHost::Launch(RdmaQueuePair& qp)
{
    const int64_t now = m_context->lanes->Now();
    qp.m_lastProgress = now;
    if (!qp.m_scheduled) // a change of routes may have added it already
    {
        GetNic(*qp.m_nic).scheduler.Add(qp, now);
    }
    if (m_timeout)
    {
        m_context->timers.Schedule(qp.m_retransmission, now + m_timeout);
    }
    qp.m_nic->Trigger();
}

void
RdmaHost::Finish(RdmaQueuePair& qp)
{
    qp.m_sndUna = qp.m_sndNxt = qp.m_highestSent = qp.m_size;
    if (qp.m_scheduled)
    {
        GetNic(*qp.m_nic).scheduler.Remove(qp);
    }
    End(qp, RdmaFlowState::COMPLETED);
}

void
RdmaHost::PortFree(RdmaPort& port)
{
    Nic& nic = GetNic(port);
    const uint32_t paused = port.GetPaused();
    const uint32_t filled = port.queues.GetFilled();
    if ((filled >> ACK_QUEUE & 1) && !(m_ackPauseClass && (paused >> m_ackPauseClass & 1)))
    {
        RdmaFrame* frame = port.queues.PopFrom(ACK_QUEUE);
        port.AddTxBytes(frame->wireBytes);
        port.dequeueTrace(*frame, ACK_QUEUE);
        port.Start(frame);
    }
    else
    {
        const bool passengers = (filled & ~paused) >> PASSENGER_QUEUE & 1;
        RdmaQueuePair* qp = passengers && !nic.passengerLast
                                ? nullptr
                                : nic.scheduler.Next(paused, m_context->lanes->Now());
        if (qp)
        {
            nic.passengerLast = false;
            SendData(port, nic, *qp);
        }
        else if (passengers)
        {
            nic.passengerLast = true;
            RdmaFrame* frame = port.queues.PopFrom(PASSENGER_QUEUE);
            port.AddTxBytes(frame->wireBytes);
            port.dequeueTrace(*frame, PASSENGER_QUEUE);
            port.Start(frame);
        }
        else
        {
            ScheduleWake(nic);
            return;
        }
    }
    if (!nic.scheduler.IsEmpty() || !port.queues.IsEmpty())
    {
        port.WatchTxEnd();
    }
}

void
RdmaHost::ScheduleWake(Nic& nic)
{
    if (nic.wake.IsPending())
    {
        return;
    }
    // a queue pair that pacing would let send but that is blocked otherwise keeps the port from
    // waking for the others, as in HPCC's simulator: the next acknowledgement or resume triggers
    // the port
    const int64_t now = m_context->lanes->Now();
    const int64_t time = nic.scheduler.EarliestPaced(now);
    if (time > now && time != std::numeric_limits<int64_t>::max())
    {
        m_context->lanes->Schedule(nic.wake, time);
    }
}

void
RdmaHost::SendData(RdmaPort& port, Nic& nic, RdmaQueuePair& qp)
{
    const auto payload =
        static_cast<uint32_t>(std::min<uint64_t>(qp.m_size - qp.m_sndNxt, qp.m_payloadSize));
    const int64_t now = m_context->lanes->Now();
    RdmaFrame* frame = m_context->frames.Take();
    frame->qp = &qp;
    frame->route = qp.m_dataRoute.data() + 1;
    frame->routeVersion = m_context->routeVersion;
    frame->seq = qp.m_sndNxt;
    frame->payloadBytes = payload;
    frame->wireBytes = qp.m_dataHeader + (qp.m_flow.bytes ? payload : 0);
    frame->kind = RdmaFrameKind::DATA;
    frame->priority = qp.m_flow.priority;
    frame->ce = false;
    frame->echo = false;
    frame->ackNow = qp.m_sndNxt < qp.m_ackNowUntil;
    frame->telemetry = qp.m_telemetry == RdmaTelemetry::INT;
    frame->serial = qp.m_dataSerial++;
    frame->timestamp = now;
    frame->intHeader.hopCount = 0;
    ++qp.m_framesOut;
    if (qp.m_sndNxt < qp.m_highestSent)
    {
        qp.m_retransmitted += payload;
    }
    qp.m_sndNxt += payload;
    qp.m_highestSent = std::max(qp.m_highestSent, qp.m_sndNxt);
    port.AddTxBytes(frame->wireBytes);
    port.dequeueTrace(*frame, frame->priority);
    port.Start(frame);

    // pacing counts from the start of the transmission
    if (!qp.m_pacingKnown || qp.m_lastWireBytes != frame->wireBytes)
    {
        qp.m_lastWireBytes = frame->wireBytes;
        qp.m_pacing = m_context->clock.TransmissionTime(frame->wireBytes, qp.m_rate);
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
        m_context->lanes->Schedule(nic.wake, std::max(time, m_context->lanes->Now()));
    }
}

void
RdmaHost::TraceRate(const RdmaQueuePair& qp, uint64_t before) const
{
    m_rateTrace(qp, before);
}

bool
RdmaHost::SendPassenger(RdmaPort& device, RdmaFrame* frame)
{
    // a host with several NICs sends by the one that leads to the destination
    const RdmaPassenger& p = frame->passenger;
    RdmaPort* way = m_routing->NextPort(GetRdmaId(), p.source, p.destination, p.ports);
    RdmaPort& port = way ? *way : device;
    if (!port.IsLinkUp() ||
        port.queues.GetBytes(PASSENGER_QUEUE) + frame->wireBytes > m_passengerLimit)
    {
        port.Drop(frame, port.IsLinkUp() ? RdmaDropReason::BUFFER : RdmaDropReason::LINK_DOWN);
        return false;
    }
    port.queues.Push(PASSENGER_QUEUE, frame);
    port.enqueueTrace(*frame, PASSENGER_QUEUE);
    port.Trigger();
    return true;
}

void
RdmaHost::ReceiveAck(RdmaFrame* frame)
{
    RdmaQueuePair& qp = *frame->qp;
    const int64_t now = m_context->lanes->Now();
    const uint64_t seq = m_backToZero && m_chunkSize && frame->seq < qp.m_size
                             ? qp.GetChunkStart(frame->seq, m_chunkSize)
                             : frame->seq;
    if (seq > qp.m_sndUna)
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
    if (nack)
    {
        qp.m_sndNxt = qp.m_sndUna;
    }
    if (qp.m_scheduled)
    {
        GetNic(*qp.m_nic).scheduler.Update(qp);
    }
    if (frame->echo && !m_cnpInterval && !finished)
    {
        NotifyCongestion(qp);
    }
    if (qp.m_control)
    {
        const int64_t steps = std::max<int64_t>(m_context->clock.StepsPerNs(), 1);
        const RdmaAck ack{frame->seq,
                          nack,
                          frame->echo,
                          m_context->NowNs(),
                          (now - frame->timestamp) / steps,
                          qp.m_telemetry == RdmaTelemetry::INT ? &frame->intHeader : nullptr};
        qp.m_control->OnAck(qp, ack);
    }
    RdmaPort& nic = *qp.m_nic;
    qp.FrameGone();
    m_context->frames.Give(frame);
    if (!nic.IsFrozen()) // else the flow is over, and the others there are paused
    {
        nic.Trigger();
    }
}

void
RdmaHost::NotifyCongestion(RdmaQueuePair& qp)
{
    m_cnpTrace(qp);
    if (qp.m_control)
    {
        qp.m_control->OnCongestionNotification(qp);
    }
}

void
RdmaHost::End(RdmaQueuePair& qp, RdmaFlowState state)
{
    NS_LOG_INFO("flow " << qp.m_id << " ends at node " << GetRdmaId() << " in state "
                        << static_cast<int>(state));
    qp.m_state = state;
    qp.m_endTime = m_context->lanes->Now();
    m_context->timers.Cancel(qp.m_retransmission);
    if (qp.m_control)
    {
        qp.m_control->OnEnd(qp);
    }
    if (state != RdmaFlowState::COMPLETED)
    {
        qp.m_sndNxt = qp.m_size = qp.m_sndUna; // nothing more to send
        if (qp.m_scheduled)
        {
            GetNic(*qp.m_nic).scheduler.Update(qp);
        }
    }
    if (m_context->observer)
    {
        m_context->observer->FlowOver(qp);
    }
    m_network->TellEnded(qp);
    const auto own = m_sending.find(SendingKey(qp));
    m_sending.erase(own != m_sending.end() && own->second == &qp ? own->first : ~qp.m_id);
    m_network->FlowEnded(qp);
}

void
RdmaHost::TellEnded(RdmaQueuePair& qp)
{
    m_endTrace(qp);
    if (qp.m_flow.onEnd)
    {
        qp.m_flow.onEnd(qp);
    }
}

void
RdmaHost::CheckProgress(RdmaQueuePair& qp)
{
    RdmaLaneQueue& lanes = *m_context->lanes;
    const int64_t timeout = m_timeout << std::min(qp.m_timeouts, MAX_BACKOFF);
    const int64_t due = qp.m_lastProgress + timeout;
    if (qp.m_highestSent == qp.m_sndUna)
    {
        qp.m_lastProgress = lanes.Now(); // nothing outstanding, so nothing to wait for
    }
    else if (lanes.Now() >= due)
    {
        ++m_context->counters.timeouts;
        if (++qp.m_timeouts > m_retryCount)
        {
            End(qp, RdmaFlowState::RETRY_ERROR);
            return;
        }
        qp.m_lastProgress = lanes.Now();
        qp.m_ackNowUntil = qp.m_highestSent;
        qp.m_sndNxt = qp.m_sndUna;
        if (qp.m_control)
        {
            qp.m_control->OnTimeout(qp);
        }
        if (qp.m_scheduled)
        {
            GetNic(*qp.m_nic).scheduler.Update(qp);
        }
        qp.m_nic->Trigger();
    }
    m_context->timers.Schedule(qp.m_retransmission,
                               qp.m_lastProgress +
                                   (m_timeout << std::min(qp.m_timeouts, MAX_BACKOFF)));
}

void
RdmaHost::RedistributeQueuePairs()
{
    std::vector<int64_t> available;
    for (const auto& [key, qp] : m_sending)
    {
        available.push_back(qp->m_scheduled ? GetNic(*qp->m_nic).scheduler.GetNextAvailable(*qp)
                                            : 0);
    }
    for (Nic& nic : m_nics)
    {
        nic.scheduler.Clear();
    }
    auto time = available.begin();
    for (const auto& [key, qp] : m_sending)
    {
        if (!qp->m_dataRoute.empty() && !qp->m_ackRoute.empty()) // else no way for now
        {
            qp->m_nic = qp->m_dataRoute.front();
            qp->m_receiverNic = qp->m_ackRoute.front();
            GetNic(*qp->m_nic).scheduler.Add(*qp, *time);
            qp->m_nic->Trigger();
        }
        ++time;
    }
}

} // namespace ns3

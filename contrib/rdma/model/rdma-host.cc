/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-host.h"

#include "rdma-network.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/packet.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaHost");
NS_OBJECT_ENSURE_REGISTERED(RdmaHost);

namespace
{
constexpr uint32_t ACK_QUEUE = 0; //!< where acknowledgements wait at a host
constexpr uint32_t ACK_DATA_CLASS =
    3; //!< class that pauses acknowledgements unless they have high priority
constexpr uint32_t MAX_BACKOFF = 10; //!< the time-out doubles that many times at most
} // namespace

TypeId
RdmaHost::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaHost")
            .SetParent<RdmaNode>()
            .SetGroupName("Rdma")
            .AddConstructor<RdmaHost>()
            .AddAttribute("PayloadSize",
                          "Payload of a full data frame, bytes.",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&RdmaHost::m_payloadSize),
                          MakeUintegerChecker<uint32_t>(1, 1 << 20))
            .AddAttribute("CongestionControl",
                          "TypeId of the congestion control; ns3::RdmaCongestionControl itself "
                          "stands for none.",
                          TypeIdValue(RdmaCongestionControl::GetTypeId()),
                          MakeTypeIdAccessor(&RdmaHost::m_controlType),
                          MakeTypeIdChecker())
            .AddAttribute(
                "AckInterval",
                "A receiver acknowledges in-order data once it has this many bytes in all.",
                UintegerValue(1),
                MakeUintegerAccessor(&RdmaHost::m_ackInterval),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "ChunkSize",
                "A receiver also acknowledges at multiples of this many bytes; 0 for none.",
                UintegerValue(4000),
                MakeUintegerAccessor(&RdmaHost::m_chunkSize),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "BackToZero",
                "After a loss, go back to the start of the chunk instead of to the lost byte.",
                BooleanValue(false),
                MakeBooleanAccessor(&RdmaHost::m_backToZero),
                MakeBooleanChecker())
            .AddAttribute("RateBound",
                          "Pace by the queue pair's rate; otherwise by the NIC's.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RdmaHost::m_rateBound),
                          MakeBooleanChecker())
            .AddAttribute("VarWindow",
                          "Scale the window with the rate.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RdmaHost::m_varWindow),
                          MakeBooleanChecker())
            .AddAttribute("AckHighPriority",
                          "A pause of class 3 does not stop acknowledgements at the host.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RdmaHost::m_ackHighPriority),
                          MakeBooleanChecker())
            .AddAttribute("NackInterval",
                          "Between NACKs for the same byte at least.",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&RdmaHost::m_nackIntervalTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("RetransmissionTimeout",
                          "Without an acknowledgement for so long, send again; doubles with every "
                          "time-out in a row. The default is "
                          "InfiniBand's local ACK timeout 14. 0 for never, as HPCC's simulator.",
                          TimeValue(NanoSeconds(67108864)),
                          MakeTimeAccessor(&RdmaHost::m_timeoutTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("RetryCount",
                          "Time-outs in a row after which a flow is given up.",
                          UintegerValue(7),
                          MakeUintegerAccessor(&RdmaHost::m_retryCount),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("CnpInterval",
                          "Between CNP frames of a flow at least (a NIC's notification point). 0 "
                          "for no CNP frames: the echo "
                          "on every acknowledgement is the notification, as in HPCC's simulator.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RdmaHost::m_cnpIntervalTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PassengerLimit",
                          "Bytes of ordinary packets that may wait at a port.",
                          UintegerValue(1 << 20),
                          MakeUintegerAccessor(&RdmaHost::m_passengerLimit),
                          MakeUintegerChecker<uint32_t>())
            .AddTraceSource("FlowStart",
                            "A flow started to send from here.",
                            MakeTraceSourceAccessor(&RdmaHost::m_startTrace),
                            "ns3::RdmaHost::FlowTracedCallback")
            .AddTraceSource("FlowDelivered",
                            "All bytes of a flow have been received here.",
                            MakeTraceSourceAccessor(&RdmaHost::m_deliveredTrace),
                            "ns3::RdmaHost::FlowTracedCallback")
            .AddTraceSource(
                "FlowEnd",
                "A flow sent from here ended: its last acknowledgement came, or it was given up.",
                MakeTraceSourceAccessor(&RdmaHost::m_endTrace),
                "ns3::RdmaHost::FlowTracedCallback")
            .AddTraceSource("Rate",
                            "The rate or window of a queue pair that sends from here changed; the "
                            "rate before, bit/s.",
                            MakeTraceSourceAccessor(&RdmaHost::m_rateTrace),
                            "ns3::RdmaHost::RateTracedCallback")
            .AddTraceSource("Cnp",
                            "A congestion notification came for a queue pair that sends from here: "
                            "a CNP frame, or an echo where these are the notifications.",
                            MakeTraceSourceAccessor(&RdmaHost::m_cnpTrace),
                            "ns3::RdmaHost::FlowTracedCallback");
    return tid;
}

RdmaHost::RdmaHost() = default;
RdmaHost::~RdmaHost() = default;

void
RdmaHost::Start()
{
    m_nics.resize(m_ports.size());
    for (RdmaPort* port : m_ports)
    {
        GetNic(*port).wake.port = port;
    }
    m_nackInterval = m_nackIntervalTime.GetTimeStep();
    m_timeout = m_timeoutTime.GetTimeStep();
    m_cnpInterval = m_cnpIntervalTime.GetTimeStep();
    m_ackPauseClass = m_ackHighPriority ? 0 : ACK_DATA_CLASS;
    if (!m_prototype && m_controlType != RdmaCongestionControl::GetTypeId())
    {
        ObjectFactory factory;
        factory.SetTypeId(m_controlType);
        m_prototype = factory.Create<RdmaCongestionControl>();
    }
}

void
RdmaHost::SetCongestionControl(Ptr<RdmaCongestionControl> prototype)
{
    m_prototype = prototype;
}

void
RdmaHost::SetNetwork(RdmaNetwork& network)
{
    m_network = &network;
}

bool
RdmaHost::IsTransit() const
{
    return false;
}

const RdmaNicScheduler&
RdmaHost::GetScheduler(uint32_t port) const
{
    return m_nics[port].scheduler;
}

void
RdmaHost::Nic::Wake::Fire()
{
    port->Trigger();
}

// ---- sending

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
    m_startTrace(qp);
    GetNic(*qp.m_nic).scheduler.Add(qp, qp.m_startTime);
    if (m_timeout)
    {
        m_context->timers.Schedule(qp.m_retransmission, qp.m_startTime + m_timeout);
    }
    qp.m_nic->Trigger();
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

// ---- receiving

void
RdmaHost::ReceivePassenger(RdmaPort& port, RdmaFrame* frame)
{
    static_cast<RdmaNetDevice&>(port).DeliverPassenger(frame);
}

void
RdmaHost::Receive(RdmaPort& port, RdmaFrame* frame)
{
    if (frame->kind == RdmaFrameKind::PACKET)
    {
        ReceivePassenger(port, frame);
        return;
    }
    RdmaQueuePair& qp = *frame->qp;
    const bool forward = frame->kind == RdmaFrameKind::DATA;
    if (qp.m_state != RdmaFlowState::ACTIVE || (forward ? qp.m_receiver : qp.m_sender) != this)
    {
        qp.FrameGone(); // late, or led here by a route that is no more
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
    return qp.m_expected >= m_ackInterval || (m_chunkSize && qp.m_expected % m_chunkSize == 0) ||
           qp.m_expected >= qp.m_size;
}

bool
RdmaHost::IsNackDue(RdmaQueuePair& qp)
{
    const int64_t now = m_context->lanes->Now();
    if (now < qp.m_nackTimer && qp.m_lastNack == qp.m_expected)
    {
        return false;
    }
    qp.m_nackTimer = now + m_nackInterval;
    qp.m_lastNack = qp.m_expected;
    if (m_backToZero && m_chunkSize)
    {
        qp.m_expected = qp.m_expected / m_chunkSize * m_chunkSize;
    }
    return true;
}

void
RdmaHost::ReceiveData(RdmaFrame* frame)
{
    RdmaQueuePair& qp = *frame->qp;
    if (m_cnpInterval && frame->ce)
    {
        SendCnp(qp);
    }
    bool reply = false;
    bool nack = false;
    if (frame->seq == qp.m_expected)
    {
        qp.m_expected += frame->payloadBytes;
        reply = IsAckDue(qp);
        if (qp.m_expected >= qp.m_size && qp.m_deliveryTime < 0)
        {
            qp.m_deliveryTime = m_context->lanes->Now();
            m_deliveredTrace(qp);
            if (qp.m_flow.onDelivered)
            {
                qp.m_flow.onDelivered(qp);
            }
        }
    }
    else if (frame->seq > qp.m_expected)
    {
        reply = nack = IsNackDue(qp);
    }
    else
    {
        reply = frame->ackNow;
    }
    if (!reply)
    {
        qp.FrameGone();
        m_context->frames.Give(frame);
        return;
    }
    // the frame itself turns round
    frame->kind = nack ? RdmaFrameKind::NACK : RdmaFrameKind::ACK;
    frame->seq = qp.m_expected;
    frame->payloadBytes = 0;
    frame->wireBytes = qp.m_ackBytes;
    frame->echo = frame->ce;
    frame->ce = false;
    frame->telemetry = false;
    frame->serial = qp.m_ackSerial++;
    Reply(qp, frame);
}

void
RdmaHost::SendCnp(RdmaQueuePair& qp)
{
    const int64_t now = m_context->lanes->Now();
    if (qp.m_lastCnp >= 0 && now - qp.m_lastCnp < m_cnpInterval)
    {
        return;
    }
    qp.m_lastCnp = now;
    RdmaFrame* frame = m_context->frames.Take();
    frame->qp = &qp;
    frame->kind = RdmaFrameKind::CNP;
    frame->priority = qp.m_flow.priority;
    frame->seq = qp.m_expected;
    frame->payloadBytes = 0;
    frame->wireBytes = m_context->wire.Cnp();
    frame->ce = frame->echo = frame->ackNow = frame->telemetry = false;
    frame->serial = qp.m_ackSerial++;
    frame->timestamp = now;
    frame->intHeader.hopCount = 0;
    ++qp.m_framesOut;
    Reply(qp, frame);
}

void
RdmaHost::Reply(RdmaQueuePair& qp, RdmaFrame* frame)
{
    RdmaPort& nic = *qp.m_receiverNic;
    frame->route = qp.m_ackRoute.data() + 1;
    frame->routeVersion = m_context->routeVersion;
    if (!nic.IsLinkUp())
    {
        nic.Drop(frame, RdmaDropReason::LINK_DOWN);
        return;
    }
    nic.queues.Push(ACK_QUEUE, frame);
    nic.enqueueTrace(*frame, ACK_QUEUE);
    nic.Trigger();
}

void
RdmaHost::ReceiveAck(RdmaFrame* frame)
{
    RdmaQueuePair& qp = *frame->qp;
    const int64_t now = m_context->lanes->Now();
    const uint64_t seq = m_backToZero && m_chunkSize && frame->seq < qp.m_size
                             ? frame->seq / m_chunkSize * m_chunkSize
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
    nic.Trigger();
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
        qp.m_sndNxt = qp.m_sndUna = qp.m_size; // nothing more to send
        if (qp.m_scheduled)
        {
            GetNic(*qp.m_nic).scheduler.Update(qp);
        }
    }
    m_endTrace(qp);
    if (qp.m_flow.onEnd)
    {
        qp.m_flow.onEnd(qp);
    }
    m_network->FlowEnded(qp);
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

// ---- links

void
RdmaHost::CancelEvents()
{
    RdmaNode::CancelEvents();
    for (Nic& nic : m_nics)
    {
        m_context->lanes->Cancel(nic.wake);
    }
}

void
RdmaHost::LinkChanged(RdmaPort& port)
{
    while (!port.IsLinkUp() && !port.queues.IsEmpty())
    {
        port.Drop(port.queues.PopFrom(port.queues.GetFilled() & 1 ? ACK_QUEUE : PASSENGER_QUEUE),
                  RdmaDropReason::LINK_DOWN);
    }
}

void
RdmaHost::RedistributeQueuePairs(const std::vector<RdmaQueuePair*>& qps)
{
    std::vector<int64_t> available;
    for (const RdmaQueuePair* qp : qps)
    {
        available.push_back(qp->m_scheduled ? GetNic(*qp->m_nic).scheduler.GetNextAvailable(*qp)
                                            : 0);
    }
    for (Nic& nic : m_nics)
    {
        nic.scheduler.Clear();
    }
    for (size_t i = 0; i < qps.size(); ++i)
    {
        RdmaQueuePair& qp = *qps[i];
        if (qp.m_dataRoute.empty() || qp.m_ackRoute.empty())
        {
            continue; // no way for now
        }
        qp.m_nic = qp.m_dataRoute.front();
        qp.m_receiverNic = qp.m_ackRoute.front();
        GetNic(*qp.m_nic).scheduler.Add(qp, available[i]);
    }
    for (RdmaQueuePair* qp : qps)
    {
        qp->m_nic->Trigger();
    }
}

} // namespace ns3

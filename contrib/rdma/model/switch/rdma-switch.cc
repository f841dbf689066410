/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-switch.h"

#include "rdma-routing.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/rdma-flow-observer.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/rdma-random.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaSwitch");
NS_OBJECT_ENSURE_REGISTERED(RdmaSwitch);

namespace
{
constexpr uint32_t CONTROL_QUEUE = 0;
constexpr uint32_t NON_RDMA_QUEUE = 1;
constexpr double ECN_REFERENCE_RATE = 25e9; // DCQCN's usual thresholds are given per 25 Gb/s
constexpr double ECN_KMIN = 100e3;
constexpr double ECN_KMAX = 400e3;
constexpr double ECN_PMAX = 0.2;
} // namespace

TypeId
RdmaSwitch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaSwitch")
            .SetParent<RdmaNode>()
            .SetGroupName("Rdma")
            .AddConstructor<RdmaSwitch>()
            .AddAttribute("BufferSize",
                          "Memory of the switch. [B]",
                          UintegerValue(32 << 20),
                          MakeUintegerAccessor(&RdmaSwitch::m_bufferBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Reserve",
                          "Bytes that every (port, queue) has for itself. [B]",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&RdmaSwitch::m_reserve),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("ResumeOffset",
                          "Usage must fall so many bytes below the threshold before a resume. [B]",
                          UintegerValue(3072),
                          MakeUintegerAccessor(&RdmaSwitch::m_resumeOffset),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "ThresholdShift",
                "A queue may use what is free divided by 2 to this power; one less for each factor "
                "of two by which the port is faster than the NICs. [power of 2]",
                UintegerValue(3),
                MakeUintegerAccessor(&RdmaSwitch::m_shift),
                MakeUintegerChecker<uint32_t>(0, 31))
            .AddAttribute("HeadroomFactor",
                          "A port's headroom in bytes that its link carries in one delay (3 in "
                          "HPCC's simulator); 0 for as much as may still arrive when a pause has "
                          "been decided on, so that nothing is lost. [factor]",
                          DoubleValue(0),
                          MakeDoubleAccessor(&RdmaSwitch::m_headroomFactor),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Pfc",
                          "Pause senders before the buffer is full.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RdmaSwitch::m_pfc),
                          MakeBooleanChecker())
            .AddAttribute("Ecn",
                          "Mark frames when egress queues are long.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RdmaSwitch::m_ecn),
                          MakeBooleanChecker())
            .AddAttribute("Kmin",
                          "No mark up to this length of an egress queue: for all link rates "
                          "(100KB), or by rate (100Gbps:100KB,400Gbps:400KB). The default, also "
                          "for rates that are not named, is 100 KB per 25 Gb/s. [B]",
                          RdmaByRateValue(),
                          MakeRdmaByRateAccessor(&RdmaSwitch::m_kmin),
                          MakeRdmaByRateChecker())
            .AddAttribute("Kmax",
                          "Always a mark beyond this length, as Kmin; the default is 400 KB per "
                          "25 Gb/s. [B]",
                          RdmaByRateValue(),
                          MakeRdmaByRateAccessor(&RdmaSwitch::m_kmax),
                          MakeRdmaByRateChecker())
            .AddAttribute("Pmax",
                          "Probability of a mark at Kmax, for all link rates or by rate; the "
                          "default is 0.2. [share]",
                          RdmaByRateValue(),
                          MakeRdmaByRateAccessor(&RdmaSwitch::m_pmax),
                          MakeRdmaByRateChecker())
            .AddAttribute(
                "AckHighPriority",
                "Acknowledgements travel in queue 0 instead of the queue of their priority.",
                BooleanValue(false),
                MakeBooleanAccessor(&RdmaSwitch::m_ackHighPriority),
                MakeBooleanChecker())
            .AddAttribute("PauseTime",
                          "Pause time that is written into pause frames; a pause holds until the "
                          "resume whatever it says. [us]",
                          UintegerValue(5),
                          MakeUintegerAccessor(&RdmaSwitch::m_pauseTime),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "Routing",
                "Which of the egress ports of equal distance data frames take: ecmp (by a hash of "
                "the flow), spray (each frame by a draw), flowlet (a draw for each burst of a "
                "flow, as LetFlow) or adaptive (each frame to the port with the fewest bytes "
                "queued), entropy (by a hash of the flow and a value in the packet, which its "
                "sender chooses: RdmaHost::Entropy) or router (SetRouter). "
                "Acknowledgements keep to ecmp.",
                StringValue("ecmp"),
                MakeStringAccessor(&RdmaSwitch::SetRouting, &RdmaSwitch::GetRouting),
                MakeStringChecker())
            .AddAttribute("FlowletGap",
                          "With Routing=flowlet, a flow that paused for longer may take another "
                          "port.",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&RdmaSwitch::m_flowletGap),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FlowletEntries",
                          "Entries of the table of flowlets; flows of the same hash share one. "
                          "[count]",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&RdmaSwitch::m_flowletEntries),
                          MakeUintegerChecker<uint32_t>(1, 1 << 24));
    return tid;
}

RdmaSwitch::RdmaSwitch() = default;
RdmaSwitch::~RdmaSwitch() = default;

void
RdmaSwitch::SetRouting(const std::string& name)
{
    m_balancing = RdmaBalancingFromName(name);
}

std::string
RdmaSwitch::GetRouting() const
{
    return RdmaBalancingName(m_balancing);
}

bool
RdmaSwitch::IsTransit() const
{
    return true;
}

void
RdmaSwitch::SetEcnThresholds(uint64_t rate, const RdmaEcnThresholds& thresholds)
{
    m_ecnByRate[rate] = thresholds;
}

void
RdmaSwitch::SetClassEcnThresholds(uint32_t queue,
                                  uint64_t rate,
                                  const RdmaEcnThresholds& thresholds)
{
    m_classEcn[{queue, rate}] = thresholds;
}

void
RdmaSwitch::SetRouter(Ptr<RdmaRouter> prototype)
{
    m_routerPrototype = prototype;
    m_balancing = prototype ? RdmaBalancing::ROUTER : m_balancing;
}

void
RdmaSwitch::SetScheduler(Ptr<RdmaEgressScheduler> prototype)
{
    m_schedulerPrototype = prototype;
}

RdmaEcnThresholds
RdmaSwitch::GetEcnThresholds(uint64_t rate) const
{
    return GetEcnThresholds(rate, CONTROL_QUEUE);
}

RdmaEcnThresholds
RdmaSwitch::GetEcnThresholds(uint64_t rate, uint32_t queue) const
{
    const double scale = static_cast<double>(rate) / ECN_REFERENCE_RATE;
    RdmaEcnThresholds ecn{static_cast<uint64_t>(ECN_KMIN * scale),
                          static_cast<uint64_t>(ECN_KMAX * scale),
                          ECN_PMAX};
    const auto set = m_ecnByRate.find(rate);
    if (set != m_ecnByRate.end())
    {
        ecn = set->second;
    }
    const auto own = m_classEcn.find({queue, rate});
    if (own != m_classEcn.end())
    {
        ecn = own->second;
    }
    if (const auto kmin = m_kmin.At(rate))
    {
        ecn.kmin = static_cast<uint64_t>(*kmin);
    }
    if (const auto kmax = m_kmax.At(rate))
    {
        ecn.kmax = static_cast<uint64_t>(*kmax);
    }
    ecn.pmax = m_pmax.At(rate).value_or(ecn.pmax);
    return ecn;
}

void
RdmaSwitch::SetNicRate(uint64_t rate)
{
    m_nicRate = rate;
}

uint64_t
RdmaSwitch::GetHeadroomNeed(const RdmaPort& port) const
{
    const uint64_t largest = m_context->largestFrame;
    const auto frameTime = port.TransmissionTime(m_context->largestFrame);
    const int64_t pauses = RdmaEgressQueues::COUNT * port.TransmissionTime(m_context->wire.Pfc());
    const int64_t untilStop = 2 * port.GetDelay() + frameTime + pauses;
    // counted in frames, so that no rounding of their times makes a byte too few
    const auto frames = static_cast<uint64_t>(untilStop / std::max<int64_t>(frameTime, 1)) + 1;
    return (frames + 2) * largest;
}

/** \return the headroom that \p port is given */
uint64_t
RdmaSwitch::HeadroomOf(const RdmaPort& port) const
{
    if (m_headroomFactor == 0)
    {
        return GetHeadroomNeed(port);
    }
    const int64_t stepsPerNs = std::max<int64_t>(m_context->clock.StepsPerNs(), 1);
    const auto delayNs = static_cast<uint64_t>(port.GetDelay() / stepsPerNs);
    __extension__ using Wide = unsigned __int128;
    const auto inOneDelay =
        static_cast<uint64_t>(static_cast<Wide>(port.GetRate()) * delayNs / 8 / 1000000000);
    return static_cast<uint64_t>(static_cast<double>(inOneDelay) * m_headroomFactor);
}

void
RdmaSwitch::Start()
{
    m_buffer.Configure(static_cast<uint32_t>(m_ports.size()),
                       m_bufferBytes,
                       m_reserve,
                       m_resumeOffset);
    m_balancer.Configure(m_balancing, GetRdmaId(), m_flowletGap.GetTimeStep(), m_flowletEntries);
    NS_ABORT_MSG_IF(m_balancing == RdmaBalancing::ROUTER && !m_routerPrototype,
                    "RdmaSwitch::Routing: router needs one, given by SetRouter");
    m_balancer.SetRouter(m_routerPrototype ? m_routerPrototype->Fork() : nullptr);
    StartEcn();
    for (const RdmaPort* port : m_ports)
    {
        if (m_schedulerPrototype && !IsElsewhere())
        {
            m_schedulers.push_back(m_schedulerPrototype->Fork());
        }
        uint32_t shift = m_shift;
        for (uint64_t rate = port->GetRate(); m_nicRate && rate > m_nicRate && shift > 0; rate /= 2)
        {
            --shift;
        }
        m_buffer.ConfigurePort(port->GetIndex(), HeadroomOf(*port), shift);
    }
}

/** Tables of thresholds: one for all queues without their own, and one for each other. */
void
RdmaSwitch::StartEcn()
{
    const size_t rates = m_context->rates.size();
    m_ecnByRateIndex.assign(rates * RdmaEgressQueues::COUNT, {});
    for (uint32_t queue = 0; queue < RdmaEgressQueues::COUNT; ++queue)
    {
        const auto first = m_classEcn.lower_bound({queue, 0});
        const bool own = first != m_classEcn.end() && first->first.first == queue;
        m_ecnOfQueue[queue] = m_ecnByRateIndex.data() + (own ? queue * rates : 0);
        for (const RdmaPort* port : m_ports)
        {
            RdmaEcnThresholds& ecn =
                m_ecnByRateIndex[(own ? queue * rates : 0) + port->GetRateIndex()];
            ecn = GetEcnThresholds(port->GetRate(), own ? queue : CONTROL_QUEUE);
            NS_ABORT_MSG_IF(m_ecn && (ecn.kmin > ecn.kmax || ecn.pmax > 1),
                            "RdmaSwitch: at " << port->GetRate() << " bit/s, Kmin (" << ecn.kmin
                                              << ") must not exceed Kmax (" << ecn.kmax
                                              << "), nor Pmax (" << ecn.pmax << ") 1");
        }
    }
}

RdmaPort*
RdmaSwitch::NextPort(RdmaFrame& frame)
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
    return FindPort(frame);
}

/** \return where a flow's \p frame goes that has no route, or that of links that have changed */
RdmaPort*
RdmaSwitch::FindPort(const RdmaFrame& frame)
{
    if (frame.kind == RdmaFrameKind::DATA && m_balancer.IsOn())
    {
        return m_balancer.Next(*m_context, *m_routing, frame);
    }
    return m_routing->NextPort(GetRdmaId(), *frame.qp, frame.kind != RdmaFrameKind::DATA);
}

uint32_t
RdmaSwitch::QueueOf(const RdmaFrame& frame) const
{
    switch (frame.kind)
    {
    case RdmaFrameKind::PACKET:
        return NON_RDMA_QUEUE;
    case RdmaFrameKind::CNP:
        return CONTROL_QUEUE;
    case RdmaFrameKind::ACK:
    case RdmaFrameKind::NACK:
        return m_ackHighPriority ? CONTROL_QUEUE : frame.priority;
    default:
        return frame.priority;
    }
}

void
RdmaSwitch::Receive(RdmaPort& in, RdmaFrame* frame)
{
    RdmaPort* out = NextPort(*frame);
    if (!out || !out->IsLinkUp())
    {
        if (m_context->credits)
        {
            in.ReturnCredit(QueueOf(*frame), frame->wireBytes);
        }
        in.Drop(frame, out ? RdmaDropReason::LINK_DOWN : RdmaDropReason::NO_ROUTE);
        return;
    }
    const uint32_t queue = QueueOf(*frame);
    const uint32_t port = in.GetIndex();
    if (queue != CONTROL_QUEUE)
    {
        if (!m_buffer.Admits(port, queue, frame->wireBytes) && !m_context->credits)
        {
            if (in.GetBufferDrops() == 0)
            {
                NS_LOG_WARN("switch " << GetRdmaId() << " drops the first frame from port " << port
                                      << ": no room for queue " << queue);
            }
            in.Drop(frame, RdmaDropReason::BUFFER);
            return;
        }
        m_buffer.Enter(port, queue, frame->wireBytes);
        if (m_buffer.ShouldPause(port, queue) && HasPfc())
        {
            SendPfc(in, queue, true);
        }
        if (m_context->observer && m_buffer.IsTight(port, queue))
        {
            TellTight(in);
        }
    }
    frame->ingress = static_cast<uint16_t>(port);
    const uint64_t before = out->queues.GetBytes(queue);
    out->queues.Push(queue, frame);
    out->enqueueTrace(*frame, queue);
    out->queueBytesTrace(queue, before, before + frame->wireBytes);
    out->Trigger();
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
    const uint32_t filled = port.queues.GetFilled() & ~(1U << CONTROL_QUEUE);
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
    const uint32_t control = 1U << CONTROL_QUEUE;
    const uint32_t ready = port.queues.GetFilled() & ~(port.GetPaused() & ~control);
    if (!ready)
    {
        return nullptr;
    }
    RdmaEgressScheduler& scheduler = *m_schedulers[port.GetIndex()];
    queue = ready & control ? CONTROL_QUEUE : scheduler.Choose(port, ready);
    RdmaFrame* frame = port.queues.PopFrom(queue);
    if (queue != CONTROL_QUEUE)
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
    if (queue != CONTROL_QUEUE)
    {
        const uint32_t ingress = frame->ingress;
        m_buffer.Leave(ingress, queue, frame->wireBytes);
        if (m_ecn)
        {
            MaybeMark(port, frame, queue, bytes);
        }
        if (m_buffer.ShouldResume(ingress, queue))
        {
            SendPfc(*m_ports[ingress], queue, false);
        }
    }
    if (frame->telemetry)
    {
        WriteTelemetry(port, frame);
    }
    port.AddTxBytes(frame->wireBytes);
}

void
RdmaSwitch::MaybeMark(RdmaPort& port, RdmaFrame* frame, uint32_t queue, uint64_t queueBytes)
{
    const RdmaEcnThresholds& ecn = m_ecnOfQueue[queue][port.GetRateIndex()];
    if (queueBytes <= ecn.kmin)
    {
        return;
    }
    if (queueBytes <= ecn.kmax)
    {
        const double p = ecn.pmax * static_cast<double>(queueBytes - ecn.kmin) /
                         static_cast<double>(ecn.kmax - ecn.kmin);
        if (frame->kind == RdmaFrameKind::DATA)
        {
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
    const uint32_t multiplier = m_context->intMultiplier;
    RdmaIntHeader::Hop& hop = header.hops[header.hopCount];
    hop.time = static_cast<uint64_t>(m_context->NowNs());
    hop.tx = port.GetTxBytes() / RdmaIntHeader::TX_UNIT / multiplier;
    hop.qlen = static_cast<uint32_t>(port.queues.GetBytes() / 16) / (5 * multiplier);
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

void
RdmaSwitch::SendPfc(RdmaPort& port, uint32_t queue, bool pause)
{
    m_buffer.SetPaused(port.GetIndex(), queue, pause);
    if (m_context->observer && !m_context->Postpone(RdmaNotice::What::SENT_PAUSE, nullptr, &port))
    {
        m_context->observer->PauseSeen(port);
    }
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
    frame->priority = CONTROL_QUEUE;
    frame->payloadBytes = 0;
    frame->wireBytes = m_context->wire.Pfc();
    frame->ce = frame->echo = frame->ackNow = frame->telemetry = frame->last = false;
    frame->serial = port.NextSerial();
    frame->timestamp = m_context->eventQueue->Now();
    frame->pfc = {pause ? m_pauseTime : 0,
                  static_cast<uint32_t>(port.queues.GetBytes(queue)),
                  static_cast<uint8_t>(queue)};
    if (m_context->late)
    {
        port.ForwardPfc(frame); // the port itself may be in the present
        return;
    }
    const uint64_t before = port.queues.GetBytes(CONTROL_QUEUE);
    port.queues.PushAhead(CONTROL_QUEUE, frame); // nothing that waits may delay a pause
    port.enqueueTrace(*frame, CONTROL_QUEUE);
    port.queueBytesTrace(CONTROL_QUEUE, before, before + frame->wireBytes);
    port.Trigger();
}

void
RdmaSwitch::LeaveBuffer(const RdmaFrame& frame, uint32_t queue)
{
    m_buffer.Leave(frame.ingress, queue, frame.wireBytes);
    if (m_context->credits)
    {
        m_ports[frame.ingress]->ReturnCredit(queue, frame.wireBytes);
    }
    if (m_buffer.ShouldResume(frame.ingress, queue))
    {
        SendPfc(*m_ports[frame.ingress], queue, false);
    }
}

void
RdmaSwitch::LinkChanged(RdmaPort& port)
{
    if (port.IsLinkUp())
    {
        return;
    }
    uint32_t queue;
    while (RdmaFrame* frame = port.queues.Pop(0, queue))
    {
        const uint64_t bytes = port.queues.GetBytes(queue);
        port.queueBytesTrace(queue, bytes + frame->wireBytes, bytes);
        if (queue != CONTROL_QUEUE)
        {
            LeaveBuffer(*frame, queue);
        }
        port.Drop(frame, RdmaDropReason::LINK_DOWN);
    }
    for (uint32_t q = 0; q < RdmaEgressQueues::COUNT; ++q)
    {
        m_buffer.SetPaused(port.GetIndex(),
                           q,
                           false); // the sender behind that link forgot the pause, too
    }
}

} // namespace ns3

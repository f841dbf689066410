/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-host.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/object-factory.h"
#include "ns3/rdma-network.h"
#include "ns3/rdma-rocev2.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaHost);

namespace
{
constexpr const char* GO_BACK_N = "go-back-n";
constexpr const char* IRN = "irn";
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
                          "Payload of a full data frame. [B]",
                          UintegerValue(1000),
                          MakeUintegerAccessor(&RdmaHost::m_payloadSize),
                          MakeUintegerChecker<uint32_t>(1, RDMA_MAX_PAYLOAD))
            .AddAttribute("CongestionControl",
                          "TypeId of the congestion control; ns3::RdmaCongestionControl itself "
                          "stands for none.",
                          TypeIdValue(RdmaCongestionControl::GetTypeId()),
                          MakeTypeIdAccessor(&RdmaHost::m_controlType),
                          MakeTypeIdChecker())
            .AddAttribute(
                "AckInterval",
                "A receiver acknowledges in-order data once it has this many bytes in all. [B]",
                UintegerValue(1),
                MakeUintegerAccessor(&RdmaHost::m_ackInterval),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute(
                "ChunkSize",
                "A receiver also acknowledges at multiples of this many bytes; 0 for none. [B]",
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
                          "No pause stops acknowledgements at the host. Frames can then be lost in "
                          "spite of PFC, unless switches treat them alike "
                          "(RdmaSwitch::AckHighPriority).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RdmaHost::m_ackHighPriority),
                          MakeBooleanChecker())
            .AddAttribute("AckPauseClass",
                          "Class whose pause stops acknowledgements at the host; 0 for the class "
                          "of their flow, as switches count them. HPCC's simulator has 3. [number]",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RdmaHost::m_ackPauseClass),
                          MakeUintegerChecker<uint32_t>(0, 7))
            .AddAttribute("NackInterval",
                          "Between NACKs for the same byte at least.",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&RdmaHost::m_nackIntervalTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("RetransmissionTimeout",
                          "Without an acknowledgement for so long, send again; doubles with every "
                          "time-out in a row. The default is "
                          "InfiniBand's local ACK timeout 14. 0s for never, as HPCC's simulator.",
                          TimeValue(NanoSeconds(67108864)),
                          MakeTimeAccessor(&RdmaHost::m_timeoutTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Recovery",
                          "What follows a loss: go-back-n, or irn (selective repeat: receivers "
                          "keep what comes out of order, and acknowledge it; senders send again "
                          "what is missing; Mittal et al., SIGCOMM 2018).",
                          StringValue("go-back-n"),
                          MakeStringAccessor(&RdmaHost::SetRecovery, &RdmaHost::GetRecovery),
                          MakeStringChecker())
            .AddAttribute("RtoLow",
                          "With Recovery=irn, the time-out of flows with few packets in flight, "
                          "in place of RetransmissionTimeout.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&RdmaHost::m_timeoutLowTime),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("RtoHigh",
                          "With Recovery=irn, the time-out of flows with more packets in flight, "
                          "if it is longer than RtoLow.",
                          TimeValue(MicroSeconds(320)),
                          MakeTimeAccessor(&RdmaHost::m_timeoutHighTime),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("RtoLowPackets",
                          "RtoLow holds for flows with up to so many packets in flight. [count]",
                          UintegerValue(3),
                          MakeUintegerAccessor(&RdmaHost::m_timeoutLowPackets),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("NackThreshold",
                          "With Recovery=irn, packets count as lost from so many NACKs without "
                          "progress on; more than 1 bears packets that overtake others. [count]",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RdmaHost::m_nackThreshold),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("RetryCount",
                          "Time-outs in a row after which a flow is given up. [count]",
                          UintegerValue(7),
                          MakeUintegerAccessor(&RdmaHost::m_retryCount),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("CnpInterval",
                          "Between CNP frames of a flow at least (a NIC's notification point), if "
                          "its congestion control takes any; the default is ConnectX's. 0 "
                          "for no CNP frames: the echo "
                          "on every acknowledgement is the notification, as in HPCC's simulator.",
                          TimeValue(MicroSeconds(4)),
                          MakeTimeAccessor(&RdmaHost::m_cnpIntervalTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Entropy",
                          "With RdmaSwitch::Routing=entropy, how a sender chooses the value that "
                          "switches hash: random for each packet, or reps (values come back with "
                          "acknowledgements, and those of unmarked packets are used again; Bonato "
                          "et al., 2024).",
                          StringValue("random"),
                          MakeStringAccessor(&RdmaHost::SetEntropy, &RdmaHost::GetEntropy),
                          MakeStringChecker())
            .AddAttribute("EntropyValues",
                          "Values that a sender chooses among. [count]",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&RdmaHost::m_entropyValues),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute("RepsFreezing",
                          "With Entropy=reps, for so long after a time-out no new value is tried.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&RdmaHost::m_freezingTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("NonRdmaLimit",
                          "Bytes of ordinary packets that may wait at a port. [B]",
                          UintegerValue(1 << 20),
                          MakeUintegerAccessor(&RdmaHost::m_nonRdmaLimit),
                          MakeUintegerChecker<uint32_t>())
            .AddTraceSource("FlowStart",
                            "A flow starts to send from this host.",
                            MakeTraceSourceAccessor(&RdmaHost::m_startTrace),
                            "ns3::RdmaHost::FlowTracedCallback")
            .AddTraceSource("FlowDelivered",
                            "This host has received all bytes of a flow.",
                            MakeTraceSourceAccessor(&RdmaHost::m_deliveredTrace),
                            "ns3::RdmaHost::FlowTracedCallback")
            .AddTraceSource("FlowEnd",
                            "A flow sent from this host ended: its last acknowledgement came, or "
                            "it was given up.",
                            MakeTraceSourceAccessor(&RdmaHost::m_endTrace),
                            "ns3::RdmaHost::FlowTracedCallback")
            .AddTraceSource("Rate",
                            "Rate or window of a queue pair that sends from this host changed; the "
                            "rate before, bit/s.",
                            MakeTraceSourceAccessor(&RdmaHost::m_rateTrace),
                            "ns3::RdmaHost::RateTracedCallback")
            .AddTraceSource(
                "Cnp",
                "A congestion notification came for a queue pair that sends from this host: a CNP "
                "frame, or an echo on an acknowledgement where there are none.",
                MakeTraceSourceAccessor(&RdmaHost::m_cnpTrace),
                "ns3::RdmaHost::FlowTracedCallback");
    return tid;
}

RdmaHost::RdmaHost() = default;

RdmaHost::RdmaHost(const RdmaHost& like)
    : RdmaHostSettings(like)
{
}

RdmaHost::~RdmaHost() = default;

void
RdmaHost::Start()
{
    for (RdmaPort* port : IsElsewhere() ? std::vector<RdmaPort*>() : m_ports)
    {
        m_nics.push_back(std::make_unique<Nic>(port));
        if (m_schedulerPrototype)
        {
            m_nics.back()->classes = m_schedulerPrototype->Fork();
        }
    }
    m_nackInterval = m_nackIntervalTime.GetTimeStep();
    m_timeout = m_timeoutTime.GetTimeStep();
    m_timeoutLow = m_timeoutLowTime.GetTimeStep();
    m_timeoutHigh = std::max(m_timeoutHighTime, m_timeoutLowTime).GetTimeStep();
    NS_ABORT_MSG_IF(m_selectiveRepeat && m_backToZero,
                    "RdmaHost: BackToZero goes back, which Recovery=irn does not; leave one out");
    m_cnpInterval = m_cnpIntervalTime.GetTimeStep();
    if (!m_prototype && m_controlType != RdmaCongestionControl::GetTypeId())
    {
        NS_ABORT_MSG_IF(!m_controlType.IsChildOf(RdmaCongestionControl::GetTypeId()) ||
                            !m_controlType.HasConstructor(),
                        "RdmaHost::CongestionControl: "
                            << m_controlType.GetName()
                            << " is no congestion control that can be made; it must derive from "
                               "ns3::RdmaCongestionControl, with AddConstructor in its TypeId");
        ObjectFactory factory;
        factory.SetTypeId(m_controlType);
        m_prototype = factory.Create<RdmaCongestionControl>();
    }
}

void
RdmaHost::SetRecovery(const std::string& name)
{
    NS_ABORT_MSG_IF(name != GO_BACK_N && name != IRN,
                    "RdmaHost::Recovery: \"" << name << "\" is neither " << GO_BACK_N << " nor "
                                             << IRN);
    m_selectiveRepeat = name == IRN;
}

std::string
RdmaHost::GetRecovery() const
{
    return m_selectiveRepeat ? IRN : GO_BACK_N;
}

void
RdmaHost::SetCongestionControl(Ptr<RdmaCongestionControl> prototype)
{
    m_prototype = prototype;
}

void
RdmaHost::SetClassControl(uint8_t priority, Ptr<RdmaCongestionControl> prototype, bool varWindow)
{
    NS_ABORT_MSG_IF(priority < 1 || priority > 7,
                    "RdmaHost::SetClassControl: priority " << +priority << " is not in 1 to 7");
    m_classControls[priority] = {prototype, varWindow};
}

std::vector<Ptr<const RdmaCongestionControl>>
RdmaHost::GetCongestionControls() const
{
    std::vector<Ptr<const RdmaCongestionControl>> controls{m_prototype};
    for (const auto& [priority, control] : m_classControls)
    {
        controls.emplace_back(control.prototype);
    }
    return controls;
}

void
RdmaHost::SetScheduler(Ptr<RdmaEgressScheduler> prototype)
{
    m_schedulerPrototype = prototype;
}

void
RdmaHost::SetEntropy(const std::string& name)
{
    m_entropyRule = RdmaEntropyRuleFromName(name);
}

std::string
RdmaHost::GetEntropy() const
{
    return RdmaEntropyRuleName(m_entropyRule);
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
    return m_nics[port]->scheduler;
}

void
RdmaHost::CancelEvents()
{
    RdmaNode::CancelEvents();
    for (const auto& nic : m_nics)
    {
        m_context->eventQueue->Cancel(nic->wake);
    }
    m_timers = nullptr;
}

void
RdmaHost::SetProcess(uint32_t process, bool alone)
{
    RdmaNode::SetProcess(process, alone);
    m_process = process;
    m_alone = alone;
    for (const auto& nic : m_nics)
    {
        nic->wake.SetProcess(process);
    }
    if (IsElsewhere())
    {
        return;
    }
    m_timers = std::make_unique<RdmaTimers>();
    m_timers->SetEventQueue(m_context->eventQueue);
    m_timers->SetProcess(process);
}

void
RdmaHost::SetContext(RdmaContext& context)
{
    RdmaNode::SetContext(context);
    m_timers->SetEventQueue(context.eventQueue);
}

void
RdmaHost::FetchReceipt(const RdmaPort& port, const RdmaFrame& frame, uint32_t stage) const
{
    port.FetchSending(stage);
    FetchSending(port, stage);
    if (frame.qp)
    {
        frame.qp->Fetch(frame, stage);
    }
}

void
RdmaHost::FetchSending(const RdmaPort& port, uint32_t stage) const
{
    const Nic& nic = *m_nics[port.GetIndex()];
    if (stage == 1)
    {
        RdmaFetch(&nic, 1);
    }
    else
    {
        nic.scheduler.Fetch(stage - 1);
    }
}

void
RdmaHost::LinkChanged(RdmaPort& port)
{
    while (!port.IsLinkUp() && !port.queues.IsEmpty())
    {
        port.Drop(port.queues.PopFrom(port.queues.GetFilled() & 1 ? ACK_QUEUE : NON_RDMA_QUEUE),
                  RdmaDropReason::LINK_DOWN);
    }
}

} // namespace ns3

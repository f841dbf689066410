/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-switch.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

// What is set of a switch, and the tables that it starts with: routing, thresholds, headroom.

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaSwitch);

namespace
{
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
                          MakeDoubleChecker<double>(0, 1e6))
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
                "sender chooses: RdmaHost::Entropy) or router (SetRouter); or longer ways, each "
                "frame by way of a switch that is drawn (valiant), unless the shortest way has "
                "less bytes queued times links to go (ugal). "
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
    NS_ABORT_MSG_IF(queue < 1 || queue > 7,
                    "RdmaSwitch::SetClassEcnThresholds: class " << queue << " is not in 1 to 7");
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
    return GetEcnThresholds(rate, RdmaEgressQueues::CONTROL);
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
    const int64_t stepsPerNs = m_context->clock.StepsPerNs();
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
            ecn = GetEcnThresholds(port->GetRate(), own ? queue : RdmaEgressQueues::CONTROL);
            NS_ABORT_MSG_IF(m_ecn && (ecn.kmin > ecn.kmax || ecn.pmax > 1),
                            "RdmaSwitch: at " << port->GetRate() << " bit/s, Kmin (" << ecn.kmin
                                              << ") must not exceed Kmax (" << ecn.kmax
                                              << "), nor Pmax (" << ecn.pmax << ") 1");
        }
    }
}

} // namespace ns3

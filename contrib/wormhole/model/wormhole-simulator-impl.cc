/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wormhole-simulator-impl.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iostream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WormholeSimulatorImpl");
NS_OBJECT_ENSURE_REGISTERED(WormholeSimulatorImpl);

namespace
{

/** \return whether \p value of \p attribute is \p first; aborts if it is not \p second either */
bool
IsFirst(const char* attribute, const std::string& value, const char* first, const char* second)
{
    NS_ABORT_MSG_UNLESS(value == first || value == second,
                        "WormholeSimulatorImpl::" << attribute << ": \"" << value
                                                  << "\" is neither " << first << " nor "
                                                  << second);
    return value == first;
}

/** Of replays and skips that are audited: a larger mean error is told, ... */
constexpr double MAX_AUDITED_ERROR = 0.02;

/** ... and more episodes that are thrown out. */
constexpr double MAX_THROWN_OUT = 0.1;

WormholeAcknowledgements
AcknowledgementsOf(const std::string& value)
{
    if (value == "auto")
    {
        return WormholeAcknowledgements::AUTO;
    }
    NS_ABORT_MSG_UNLESS(value == "watch" || value == "include",
                        "WormholeSimulatorImpl::Acknowledgements: \""
                            << value << "\" is none of auto, watch, include");
    return value == "watch" ? WormholeAcknowledgements::WATCH : WormholeAcknowledgements::INCLUDE;
}

} // namespace

WormholeSimulatorImpl::WormholeSimulatorImpl() = default;
WormholeSimulatorImpl::~WormholeSimulatorImpl() = default;

TypeId
WormholeSimulatorImpl::GetTypeId()
{
    using Self = WormholeSimulatorImpl;
    static TypeId tid =
        TypeId("ns3::WormholeSimulatorImpl")
            .SetParent<RdmaSimulatorImpl>()
            .SetGroupName("Wormhole")
            .AddConstructor<Self>()
            .AddAttribute("Enabled",
                          "Fast-forward RDMA networks. Off: every packet is simulated, as under "
                          "DefaultSimulatorImpl, bit for bit.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_enabled),
                          MakeBooleanChecker())
            .AddAttribute("Skip",
                          "Skip steady states.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_skip),
                          MakeBooleanChecker())
            .AddAttribute("Memo",
                          "Remember how contention plays out (episodes), and replay what is known.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_memo),
                          MakeBooleanChecker())
            .AddAttribute("Guard",
                          "Wake what is skipped now and then, to see whether its rates still hold.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_guard),
                          MakeBooleanChecker())
            .AddAttribute("Strict",
                          "Skip only what all that its samples show lets count as steady. Else, "
                          "after some windows, it is enough that it seems so, for looks tell; "
                          "without these (Guard) it is always strict.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Self::m_strict),
                          MakeBooleanChecker())
            .AddAttribute(
                "Foresee",
                "Carry flows on without packets whose senders are paced by a control "
                "that only marks move (DCQCN). Single flows come out as by another seed of "
                "the marks. Takes Skip and Guard, not Strict, flows without windows, and "
                "links that lose no frames. Off: only up to where frames could be marked, "
                "if that is far.",
                BooleanValue(false),
                MakeBooleanAccessor(&Self::m_foresee),
                MakeBooleanChecker())
            .AddAttribute("Follow",
                          "Let a partition wait for an episode that an equal one is recording.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_follow),
                          MakeBooleanChecker())
            .AddAttribute(
                "Collectives",
                "Let whole collectives (SimAI's workloads), and exchanges of schedules, go "
                "as equal ones did before, where nothing else meets them; not without Memo.",
                BooleanValue(true),
                MakeBooleanAccessor(&Self::m_collectives),
                MakeBooleanChecker())
            .AddAttribute("Overhead",
                          "What fast-forward may cost, relative to the packet crossings of links "
                          "that were run so far; of those that it saved, 50 times this share. When "
                          "it has cost more, it is suspended. [share]",
                          DoubleValue(wormhole::ControllerOptions().overhead),
                          MakeDoubleAccessor(&Self::m_overhead),
                          MakeDoubleChecker<double>(0))
            .AddAttribute(
                "FreeWork",
                "What it may cost on top of that, in packet crossings of links; unless 0, also "
                "what it takes to watch the greatest number of flows at one time once, and of "
                "long ones the share of their own crossings in advance. [crossings]",
                DoubleValue(wormhole::ControllerOptions().freeWork),
                MakeDoubleAccessor(&Self::m_freeWork),
                MakeDoubleChecker<double>(0))
            .AddAttribute("MinSaving",
                          "Nothing is skipped or replayed before this share of the packet "
                          "crossings of links could have been saved; 0: no matter. [share]",
                          DoubleValue(wormhole::ControllerOptions().minSaving),
                          MakeDoubleAccessor(&Self::m_minSaving),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute(
                "TailAlignment",
                "Flows that come this near to their tails when the first one reaches its own are "
                "taken to reach them too, relative to what they have skipped. [share]",
                DoubleValue(2e-4),
                MakeDoubleAccessor(&Self::m_tailAlignment),
                MakeDoubleChecker<double>(0))
            .AddAttribute(
                "Acknowledgements",
                "Whether the ports that acknowledgements cross belong to the partition of "
                "their flow (include), or acknowledgements only load them (watch): they "
                "are then not simulated hop by hop, unless the control measures delays. auto: "
                "include where acknowledgements that wait for a data frame at each port would "
                "hold the flow's window back, else watch.",
                StringValue("auto"),
                MakeStringAccessor(&Self::m_acknowledgements),
                MakeStringChecker())
            .AddAttribute(
                "WatchTolerance",
                "Without include: by how much the load of acknowledgements from elsewhere may "
                "change at a port, relative to its rate, without its partition being "
                "looked at again. [share]",
                DoubleValue(0.02),
                MakeDoubleAccessor(&Self::m_watchTolerance),
                MakeDoubleChecker<double>(1e-6))
            .AddAttribute("SharedBuffers",
                          "Whether all flows through a switch belong to one partition, since "
                          "they share its buffer (include), or a partition is left alone only "
                          "while one of its ports pauses or is paused, or loses packets (watch).",
                          StringValue("watch"),
                          MakeStringAccessor(&Self::m_sharedBuffers),
                          MakeStringChecker())
            .AddAttribute("Partitions",
                          "Handle flows that share no port apart from each other. Off: all flows "
                          "of a network as one.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_partitions),
                          MakeBooleanChecker())
            .AddAttribute(
                "Audit",
                "The share of what is skipped or replayed that is simulated after all and "
                "compared; no more than ten times that share of what is simulated anyway. "
                "0: nothing, 1: everything. [share]",
                DoubleValue(wormhole::ControllerOptions().audit),
                MakeDoubleAccessor(&Self::m_audit),
                MakeDoubleChecker<double>(0, 1))
            .AddAttribute("MemoFile",
                          "File that keeps episodes for other runs (SQLite), made if it is "
                          "missing; empty: they are forgotten.",
                          StringValue(""),
                          MakeStringAccessor(&Self::m_memoFile),
                          MakeStringChecker())
            .AddAttribute("Code",
                          "Version of code of your own that flows depend on, such as a congestion "
                          "control: episodes in MemoFile are found again by the same text only.",
                          StringValue(""),
                          MakeStringAccessor(&Self::m_code),
                          MakeStringChecker())
            .AddAttribute("Theta",
                          "A flow is steady if its rate fluctuates less than this, relative to its "
                          "mean. [share]",
                          DoubleValue(0.05),
                          MakeDoubleAccessor(&Self::m_theta),
                          MakeDoubleChecker<double>(1e-6, 0.999999))
            .AddAttribute("Window",
                          "Rate samples that this is judged by (l in the paper). [samples]",
                          UintegerValue(16),
                          MakeUintegerAccessor(&Self::m_window),
                          MakeUintegerChecker<uint32_t>(4, 256))
            .AddAttribute(
                "SampleRtts",
                "Length of a rate sample, in round-trip times without queues. [round-trip times]",
                DoubleValue(1),
                MakeDoubleAccessor(&Self::m_sampleRtts),
                MakeDoubleChecker<double>(0.01))
            .AddAttribute(
                "SamplePackets",
                "A rate sample is at least as long as so many packets take on the slowest link of "
                "the path. [packets]",
                UintegerValue(100),
                MakeUintegerAccessor(&Self::m_samplePackets),
                MakeUintegerChecker<uint32_t>(0, 1000000))
            .AddAttribute("FirstStretch",
                          "The first skip, in windows of samples. [windows]",
                          DoubleValue(4),
                          MakeDoubleAccessor(&Self::m_firstStretch),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("StretchGrowth",
                          "By how much each further skip is longer, as long as the rates hold; "
                          "2 at most while they are on their way. [factor]",
                          DoubleValue(4),
                          MakeDoubleAccessor(&Self::m_stretchGrowth),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("ShortestSkip",
                          "Shorter skips are not made, in windows of samples. [windows]",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Self::m_shortestSkip),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute("RateStep",
                          "Rates at the start of an episode are alike if they are in the same "
                          "class of a logarithmic scale with this step. [factor]",
                          DoubleValue(1.05),
                          MakeDoubleAccessor(&Self::m_rateStep),
                          MakeDoubleChecker<double>(1.0001))
            .AddAttribute("QueueStep",
                          "The same for queues and bytes in flight. [factor]",
                          DoubleValue(1.2),
                          MakeDoubleAccessor(&Self::m_queueStep),
                          MakeDoubleChecker<double>(1.0001))
            .AddAttribute(
                "Detail",
                "What the conflict graphs of episodes tell apart: ports (flows and the ports that "
                "they share) or flows (who shares how many ports with whom, as in the paper).",
                StringValue("ports"),
                MakeStringAccessor(&Self::m_detail),
                MakeStringChecker())
            .AddTraceSource("Decision",
                            "What is done with a partition has changed, or something happened to "
                            "it: the network, and the decision.",
                            MakeTraceSourceAccessor(&Self::m_decisionTrace),
                            "ns3::WormholeSimulatorImpl::DecisionTracedCallback");
    return tid;
}

WormholeOptions
WormholeSimulatorImpl::MakeOptions() const
{
    WormholeOptions options;
    wormhole::ControllerOptions& controller = options.controller;
    controller.skip = m_skip;
    controller.guard = m_guard;
    controller.strict = m_strict;
    controller.foresee = m_foresee;
    controller.follow = m_follow;
    controller.overhead = m_overhead;
    controller.freeWork = m_freeWork;
    controller.minSaving = m_minSaving;
    controller.tailAlignment = m_tailAlignment;
    controller.audit = m_audit;
    controller.steady.theta = m_theta;
    controller.steady.window = m_window;
    controller.rateStep = m_rateStep;
    controller.queueStep = m_queueStep;
    controller.firstStretch = std::max(m_firstStretch, m_shortestSkip);
    controller.stretchGrowth = m_stretchGrowth;
    controller.shortestSkip = m_shortestSkip;
    controller.detail = IsFirst("Detail", m_detail, "ports", "flows")
                            ? wormhole::GraphDetail::Ports
                            : wormhole::GraphDetail::Flows;
    options.memo = m_memo;
    options.memoFile = m_memoFile;
    options.code = m_code;
    options.partitions = m_partitions;
    options.acknowledgements = AcknowledgementsOf(m_acknowledgements);
    options.includeBuffers = IsFirst("SharedBuffers", m_sharedBuffers, "include", "watch");
    options.watchTolerance = m_watchTolerance;
    options.sampleRtts = m_sampleRtts;
    options.samplePackets = m_samplePackets;
    return options;
}

void
WormholeSimulatorImpl::NetworkStarted(RdmaNetwork& network)
{
    const char* const why = m_enabled ? network.WhyEveryPacket() : "Enabled is false";
    NS_LOG_INFO("a network starts: " << (why ? "every packet: " : "fast-forward")
                                     << (why ? why : ""));
    m_used = true;
    m_everyPacket = why && m_enabled ? why : m_everyPacket;
    RdmaSimulatorImpl::NetworkStarted(network);
    if (!why)
    {
        m_networks.push_back(std::make_unique<WormholeNetwork>(network, MakeOptions()));
        WormholeNetwork& ours = *m_networks.back();
        ours.SetDecisionHandler(
            [this, &ours](const wormhole::Decision& decision) { m_decisionTrace(ours, decision); });
    }
}

WormholeNetwork*
WormholeSimulatorImpl::Find(const RdmaNetwork& network) const
{
    const auto found = std::find_if(m_networks.begin(), m_networks.end(), [&](const auto& n) {
        return &n->GetNetwork() == &network;
    });
    return found == m_networks.end() ? nullptr : found->get();
}

void
WormholeSimulatorImpl::NetworkGone(RdmaNetwork& network)
{
    m_networks.erase(
        std::remove_if(m_networks.begin(),
                       m_networks.end(),
                       [&network](const auto& n) { return &n->GetNetwork() == &network; }),
        m_networks.end());
    RdmaSimulatorImpl::NetworkGone(network);
}

void
WormholeSimulatorImpl::Run()
{
    RdmaSimulatorImpl::Run();
    WarnOfAudit();
    if (m_enabled && !m_used && !m_warned && GetEventCount() > 0)
    {
        m_warned = true;
        std::cerr << "wormhole: warning: fast-forward is on, but has accelerated nothing: "
                  << ExplainIdle() << std::endl;
    }
}

void
WormholeSimulatorImpl::WarnOfAudit()
{
    WormholeAudit audit;
    for (const auto& network : m_networks)
    {
        audit.Add(network->GetController().Statistics());
    }
    const bool isWrong =
        audit.GetMean() > MAX_AUDITED_ERROR ||
        static_cast<double>(audit.thrownOut) > MAX_THROWN_OUT * static_cast<double>(audit.audited);
    if (!isWrong || m_warnedOfAudit)
    {
        return;
    }
    m_warnedOfAudit = true;
    std::cerr << "wormhole: warning: fast-forward may be wrong here: of what it left out, "
              << audit.audited << " replays and skips were simulated after all, and differ by "
              << 100 * audit.GetMean() << " % on average, " << 100 * audit.largest
              << " % at most; compare with packet level, or set Strict=true or Memo=false"
              << std::endl;
}

void
WormholeSimulatorImpl::Stop()
{
    for (const auto& network : m_networks)
    {
        network->Finish();
    }
    RdmaSimulatorImpl::Stop();
}

} // namespace ns3

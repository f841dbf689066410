/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wormhole-network.h"

#include "ns3/rdma-congestion-control.h"

#include <algorithm>
#include <cmath>
#include <limits>

// What the kernel's controller asks about flows and ports.

namespace ns3
{

namespace
{

using wormhole::FlowId;
using wormhole::PortId;

/** By how much the bytes in flight in a steady state may exceed what they should be. */
constexpr double TAIL_SLACK = 1.5;

/** Part of a round trip by which acknowledgements of flows that are alike may wait longer. */
constexpr double WAIT_STEP = 0.1;

/** By how much telemetry may say more of one flow than of another that is alike. */
constexpr double EXCESS_STEP = 0.005;

/** Time of a frame, ns, below which it matters in which part of a nanosecond flows begin that share
 * a port: INT's time stamps are whole ones. At NVLink's 2,880 Gb/s, a frame takes 3 ns. */
constexpr int64_t SHORT_FRAME = 8;

/** Packets that a tail holds at least. */
constexpr uint64_t TAIL_PACKETS = 8;

/** \return how many times the rate of \p qp its window allows without queues; 0 if there is none */
double
WindowByRate(const RdmaQueuePair& qp)
{
    const double product =
        static_cast<double>(qp.GetRate()) / 8e9 * static_cast<double>(qp.GetBaseRttNs());
    return product > 0 ? static_cast<double>(qp.GetEffectiveWindow()) / product : 0;
}

/** \return bit/s that \p qp may send at without queues: some controls set the window alone */
uint64_t
AllowedRate(const RdmaQueuePair& qp)
{
    const double byWindow = WindowByRate(qp);
    return byWindow > 0 && byWindow < 1
               ? static_cast<uint64_t>(byWindow * static_cast<double>(qp.GetRate()))
               : qp.GetRate();
}

/** \return for how much of a round trip an acknowledgement of \p qp would wait in queues now */
double
AckWait(const RdmaQueuePair& qp)
{
    if (qp.GetAckRoute().empty())
    {
        return 0;
    }
    int64_t wait = 0;
    for (const RdmaPort* port : qp.GetAckRoute())
    {
        const uint64_t ahead = port->GetAssumedQueue() + port->queues.GetBytes();
        wait += port->TransmissionTime(static_cast<uint32_t>(ahead));
    }
    const int64_t steps = qp.GetAckRoute().front()->GetContext().clock.StepsPerNs();
    return static_cast<double>(wait) /
           static_cast<double>(std::max<int64_t>(qp.GetBaseRttNs() * steps, 1));
}

/** \return which part of a nanosecond, \p ns steps, \p steps are: 0, or an eighth of it, from 1 */
uint64_t
PhaseOf(int64_t steps, int64_t ns)
{
    constexpr int64_t PARTS = 8;
    return steps > 0 ? static_cast<uint64_t>(1 + steps * PARTS / ns) : 0;
}

/** \return whether acknowledgements of \p qp would wait in queues now that make up much of a round
 * trip */
bool
Queues(const RdmaQueuePair& qp)
{
    return AckWait(qp) >= WAIT_STEP;
}

} // namespace

const WormholeNetwork::Flow&
WormholeNetwork::Get(FlowId flow) const
{
    return m_flows.at(flow.Value());
}

std::vector<RdmaQueuePair*>
WormholeNetwork::GetFlows(const wormhole::Members& members) const
{
    std::vector<RdmaQueuePair*> flows;
    flows.reserve(members.flows.size());
    for (const FlowId flow : members.flows)
    {
        flows.push_back(Get(flow).qp);
    }
    return flows;
}

std::vector<RdmaPort*>
WormholeNetwork::GetPorts(const wormhole::Members& members) const
{
    std::vector<RdmaPort*> ports;
    ports.reserve(members.ports.size());
    for (const PortId port : members.ports)
    {
        if (RdmaPort* p = m_ports.Get(port))
        {
            ports.push_back(p);
        }
    }
    return ports;
}

// ---- observation

wormhole::FlowProgress
WormholeNetwork::Observe(FlowId flow) const
{
    const RdmaQueuePair& qp = *Get(flow).qp;
    wormhole::FlowProgress progress;
    progress.delivered = RdmaPacketState::GetDelivered(qp);
    progress.left = RdmaPacketState::GetSize(qp) - progress.delivered;
    progress.inFlight = RdmaPacketState::GetInFlight(qp);
    progress.rate = RateOf(AllowedRate(qp));
    const int64_t arrival = RdmaPacketState::GetLastArrival(qp);
    if (arrival >= 0)
    {
        progress.deliveredAt = wormhole::Time{wormhole::Duration{arrival}};
    }
    progress.lost = RdmaPacketState::GetDataLost(qp);
    progress.recovers = progress.lost > 0 && RdmaPacketState::IsRecovering(qp);
    progress.draws = RdmaPacketState::GetDraws(qp);
    progress.events = RdmaPacketState::GetHops(qp);
    progress.eventsPerByte = RdmaPacketState::GetHopsPerByte(qp);
    return progress;
}

wormhole::Bytes
WormholeNetwork::QueueOf(PortId port) const
{
    const RdmaPort* p = m_ports.Get(port);
    return p ? p->queues.GetBytes() : 0;
}

wormhole::FlowAttributes
WormholeNetwork::Describe(FlowId flow) const
{
    const Flow& f = Get(flow);
    const auto wait = static_cast<uint64_t>(f.watched ? AckWait(*f.qp) / WAIT_STEP : 0);
    uint64_t excess = 0;
    uint64_t phase = 0;
    const RdmaCongestionControl* control = f.qp->GetCongestionControl();
    if (control && control->GetTelemetry() == RdmaTelemetry::INT)
    {
        excess = static_cast<uint64_t>(
            std::lround(m_packets.GetTelemetryExcess(*f.qp, GetAlone(f)) / EXCESS_STEP));
        const int64_t ns = m_network.GetContext().clock.StepsPerNs();
        if (f.packet.count() < SHORT_FRAME * ns && m_ports.GetMostSenders(f.ports, f.dataPorts) > 1)
        {
            phase = PhaseOf(m_network.GetContext().eventQueue->Now() % ns, ns);
        }
    }
    // A window that does not hold a flow back now will, once it meets others.
    const int32_t window =
        wormhole::QuantiseLog(std::max(WindowByRate(*f.qp), 1.0), m_options.controller.rateStep);
    const uint64_t behind = f.watched ? 0 : RdmaPacketState::GetAcksBefore(*f.qp);
    wormhole::FlowAttributes attributes = f.attributes;
    if (wait + excess + phase + behind > 0 || window > 0)
    {
        attributes.extra = wormhole::SignatureBuilder()
                               .Add(attributes.extra)
                               .Add(wait)
                               .Add(excess)
                               .Add(phase)
                               .Add(static_cast<uint64_t>(window))
                               .Add(behind)
                               .Get()
                               .low;
    }
    return attributes;
}

wormhole::PortAttributes
WormholeNetwork::Describe(PortId port) const
{
    return m_ports.Describe(port, m_options.watchTolerance);
}

wormhole::Rate
WormholeNetwork::CapacityOf(PortId port) const
{
    const RdmaPort* p = m_ports.Get(port);
    return p ? RateOf(p->GetRate()) : wormhole::Simulator::CapacityOf(port);
}

double
WormholeNetwork::WireBytesPerByte(FlowId flow) const
{
    const RdmaQueuePair& qp = *Get(flow).qp;
    return 1 + static_cast<double>(qp.GetDataHeaderBytes()) / qp.GetPayloadSize();
}

std::size_t
WormholeNetwork::DataPortsOf(FlowId flow) const
{
    return Get(flow).qp->GetDataRoute().size();
}

std::size_t
WormholeNetwork::PortsApartOf(FlowId id) const
{
    const Flow& flow = Get(id);
    return ComesApart(flow) ? flow.qp->GetDataRoute().size() : flow.ports.size();
}

void
WormholeNetwork::SetApart(const wormhole::Members& members)
{
    // Some that come apart from others that do not gain nothing.
    const auto waits = [this](FlowId id) {
        const Flow& flow = Get(id);
        return ComesApart(flow) && Queues(*flow.qp);
    };
    const auto& flows = members.flows;
    const auto behind = [&] {
        std::vector<const Flow*> those;
        those.reserve(flows.size());
        for (const FlowId id : flows)
        {
            those.push_back(&Get(id));
        }
        return ManyTravelBehind(those);
    };
    if (std::none_of(flows.begin(), flows.end(), waits) && !behind())
    {
        m_apart.insert(m_apart.end(), flows.begin(), flows.end());
        ArmTouch();
    }
}

void
WormholeNetwork::SetExact(const std::vector<FlowId>& flows)
{
    for (const FlowId id : flows)
    {
        if (Get(id).watched)
        {
            m_together.push_back(id);
        }
    }
    ArmTouch();
}

double
WormholeNetwork::PacketsInFlight(FlowId flow) const
{
    const Flow& f = Get(flow);
    return static_cast<double>(GetRtt(*f.qp)) / static_cast<double>(f.packet.count());
}

wormhole::Duration
WormholeNetwork::SampleInterval(FlowId flow) const
{
    // So many packets at line rate are fewer of a flow that shares its links.
    const Flow& f = Get(flow);
    const uint32_t users = m_ports.GetMostSenders(f.ports, f.dataPorts);
    if (m_options.controller.Expects())
    {
        return f.sampleInterval * std::max(users / 4, 1U); // means of samples are judged, too
    }
    return users < 4 ? f.sampleInterval : f.sampleInterval * (users / 2);
}

wormhole::Duration
WormholeNetwork::ShortestReplay(FlowId flow) const
{
    return SampleInterval(flow);
}

wormhole::Duration
WormholeNetwork::SlowestPeriod(FlowId flow) const
{
    return wormhole::Duration{RdmaPacketState::GetControlPeriodNs(*Get(flow).qp) *
                              m_network.GetContext().clock.StepsPerNs()};
}

bool
WormholeNetwork::IsAsItSeems(FlowId flow) const
{
    // Those that measure delays come to their shares by small steps.
    const RdmaCongestionControl* control = Get(flow).qp->GetCongestionControl();
    return !control || !control->MeasuresDelay();
}

wormhole::Bytes
WormholeNetwork::TailOf(FlowId flow, wormhole::Rate rate) const
{
    const RdmaQueuePair& qp = *Get(flow).qp;
    const int64_t rtt = qp.GetBaseRttNs() * m_network.GetContext().clock.StepsPerNs();
    const auto product = static_cast<double>(wormhole::BytesIn(rate, wormhole::Duration{rtt}));
    // To a power of two, so that rates that differ by noise have tails that are alike.
    uint64_t tail = TAIL_PACKETS * qp.GetPayloadSize();
    while (static_cast<double>(tail) < product * TAIL_SLACK)
    {
        tail *= 2;
    }
    // Without a window, queues may hold more.
    while (tail < RdmaPacketState::GetInFlight(qp))
    {
        tail *= 2;
    }
    // Whole packets are skipped: a flow goes on from the place within a frame at which it paused.
    return tail + qp.GetFlow().bytes % qp.GetPayloadSize();
}

std::optional<uint64_t>
WormholeNetwork::TotalEvents() const
{
    return m_network.GetContext().counters.GetHops();
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wormhole-network.h"

#include "ns3/double.h"
#include "ns3/rdma-congestion-control.h"

#include <algorithm>

// What the network knows of the flows that it tells the controller of.

namespace ns3
{

namespace
{

using wormhole::FlowId;
using wormhole::PortId;

/** By how much waits of acknowledgements may hold a flow back that is not to be exact. */
constexpr double HELD_BACK = 0.003;

/** By how much they may lengthen a round trip: flows that share a link get shares as different as
 * their round trips are. */
constexpr double LENGTHENED = 0.06;

/** \return bit/s that the links of \p qp's data let it have */
uint64_t
PathRate(const RdmaQueuePair& qp)
{
    uint64_t rate = qp.GetMaxRate();
    for (const RdmaPort* port : qp.GetDataRoute())
    {
        rate = std::min(rate, port->GetRate());
    }
    return rate;
}

/** \return time steps that an acknowledgement waits at most where no queue is: at each port, for
 * the data frame that is just being sent */
int64_t
LongestWait(const RdmaQueuePair& qp)
{
    int64_t wait = 0;
    for (const RdmaPort* port : qp.GetAckRoute())
    {
        wait += port->TransmissionTime(qp.GetPayloadSize() + qp.GetDataHeaderBytes());
    }
    return wait;
}

/** \return whether such waits, half as long on average, make up much of a round trip */
bool
WaitsLengthen(const RdmaQueuePair& qp)
{
    if (qp.GetAckRoute().empty())
    {
        return false;
    }
    const int64_t steps = qp.GetAckRoute().front()->GetContext().clock.StepsPerNs();
    return static_cast<double>(LongestWait(qp)) / 2 >
           LENGTHENED * static_cast<double>(qp.GetBaseRttNs() * steps);
}

/**
 * An acknowledgement that passes by a pipe does not wait for the data frame that is just being sent
 * at a port. One that is simulated does, one frame at each port at most where no queue is: then its
 * window lets a flow have less than its path.
 * \param target the share of a link that the control leaves to no queue
 * \return whether that is so
 */
bool
WaitsHoldBack(const RdmaQueuePair& qp, double target)
{
    if (!qp.GetFlow().window || qp.GetDataRoute().empty())
    {
        return false;
    }
    const RdmaContext& context = qp.GetDataRoute().front()->GetContext();
    const uint32_t frame = qp.GetPayloadSize() + qp.GetDataHeaderBytes();
    const int64_t rtt = qp.GetBaseRttNs() * context.clock.StepsPerNs() + LongestWait(qp);
    const double wanted = target * (1 - HELD_BACK);
    const double windowOnWire =
        static_cast<double>(qp.GetFlow().window) / qp.GetPayloadSize() * frame;
    const double perSecond = 1e9 * static_cast<double>(context.clock.StepsPerNs());
    const double windowTime = 8 * windowOnWire / static_cast<double>(PathRate(qp)) * perSecond;
    return windowTime < wanted * static_cast<double>(rtt);
}

} // namespace

void
WormholeNetwork::AddPort(Flow& flow, PortId port)
{
    if (std::find(flow.ports.begin(), flow.ports.end(), port) == flow.ports.end())
    {
        flow.ports.push_back(port);
    }
}

void
WormholeNetwork::SetPorts(Flow& flow)
{
    flow.ports.clear();
    flow.ackPorts.clear();
    flow.losses.reset();
    for (const auto* route : {&flow.qp->GetDataRoute(), &flow.qp->GetAckRoute()})
    {
        for (const RdmaPort* port : *route)
        {
            if (!flow.watched || route == &flow.qp->GetDataRoute())
            {
                AddPort(flow, PortId{port->GetPortId()});
            }
            else
            {
                flow.ackPorts.emplace_back(port->GetPortId());
            }
        }
        flow.dataPorts = route == &flow.qp->GetDataRoute() ? flow.ports.size() : flow.dataPorts;
    }
    if (!flow.ackPorts.empty())
    {
        const double rate = static_cast<double>(flow.qp->GetMaxRate());
        flow.ackLoad = {PortId{flow.qp->GetDataRoute().front()->GetPortId()},
                        flow.ackPorts.front(),
                        static_cast<int64_t>(RdmaPacketState::GetAckLoad(*flow.qp, rate))};
    }
    if (m_options.includeBuffers)
    {
        for (const RdmaPort* port : flow.qp->GetDataRoute())
        {
            if (port->GetOwner().IsTransit())
            {
                AddPort(flow, m_ports.GetShared(&port->GetOwner()));
            }
        }
    }
    if (!m_options.partitions)
    {
        AddPort(flow, m_ports.GetShared(nullptr));
    }
}

double
WormholeNetwork::GetUtilizationTarget(const RdmaQueuePair& qp)
{
    const Ptr<const RdmaCongestionControl> prototype = qp.GetSender().GetCongestionControl();
    const auto [it, isNew] = m_targets.emplace(prototype, 1);
    DoubleValue target;
    if (isNew && prototype && prototype->GetAttributeFailSafe("UtilizationTarget", target))
    {
        it->second = target.Get();
    }
    return it->second;
}

bool
WormholeNetwork::MayWatch(const RdmaQueuePair& qp, bool heldBack) const
{
    const RdmaCongestionControl* control = qp.GetCongestionControl();
    const WormholeAcknowledgements acknowledgements = m_options.acknowledgements;
    // Where each queue pauses its senders, those that acknowledgements are in do, too.
    const auto sharesNothing = [](const RdmaPort* port) {
        return WormholePorts::SharesNothing(*port);
    };
    const auto& route = qp.GetAckRoute();
    return acknowledgements != WormholeAcknowledgements::INCLUDE &&
           std::none_of(route.begin(), route.end(), sharesNothing) &&
           !(control && control->MeasuresDelay()) &&
           (acknowledgements == WormholeAcknowledgements::WATCH ||
            !(WaitsLengthen(qp) || heldBack));
}

/** \return ports of the data of \p flow that no frames of others pass */
std::vector<RdmaPort*>
WormholeNetwork::GetAlone(const Flow& flow) const
{
    std::vector<RdmaPort*> alone;
    for (RdmaPort* port : flow.qp->GetDataRoute())
    {
        if (m_ports.IsAlone(PortId{port->GetPortId()}))
        {
            alone.push_back(port);
        }
    }
    return alone;
}

int64_t
WormholeNetwork::GetRtt(const RdmaQueuePair& qp) const
{
    return std::max<int64_t>(qp.GetBaseRttNs(), 1) * m_network.GetContext().clock.StepsPerNs();
}

void
WormholeNetwork::NoteWays(const RdmaQueuePair& qp)
{
    constexpr std::size_t FIRST = 64; // flows, which tell how others go
    if (m_severalWays || m_waysNoted == FIRST)
    {
        return;
    }
    ++m_waysNoted;
    std::vector<RdmaPort*> ports;
    m_severalWays = !m_network.GetRouting().FindPorts(qp.GetFlow().src, qp.GetFlow().dst, ports);
}

bool
WormholeNetwork::PathsCollide() const
{
    return m_severalWays;
}

WormholeNetwork::Flow
WormholeNetwork::MakeFlow(RdmaQueuePair& qp, bool starts)
{
    CheckControl(qp);
    NoteWays(qp);
    Flow flow;
    flow.qp = &qp;
    flow.heldBack = WaitsHoldBack(qp, GetUtilizationTarget(qp));
    flow.mayWatch = MayWatch(qp, flow.heldBack);
    if (starts && flow.mayWatch && AreAcksFree(qp) && m_controller->PaysOff())
    {
        Watch(flow);
    }
    SetPorts(flow);
    SetAttributes(flow);
    const int64_t rtt = GetRtt(qp);
    const int64_t packet =
        m_network.GetContext().clock.TransmissionTime(qp.GetPayloadSize(), PathRate(qp));
    const double frames = static_cast<double>(RdmaPacketState::GetSize(qp)) /
                          static_cast<double>(qp.GetPayloadSize());
    const double lasts = frames * static_cast<double>(packet);
    double& shortest = m_shortest.try_emplace(PathRate(qp), lasts).first->second;
    shortest = std::min(shortest, lasts);
    flow.sampleInterval = wormhole::Duration{
        std::max({static_cast<int64_t>(static_cast<double>(rtt) * m_options.sampleRtts),
                  m_options.samplePackets * packet,
                  int64_t{1}})};
    flow.packet = wormhole::Duration{packet};
    return flow;
}

void
WormholeNetwork::SetAttributes(Flow& flow)
{
    const RdmaQueuePair& qp = *flow.qp;
    flow.attributes.control = m_fingerprint.OfControl(qp);
    flow.attributes.lineRate = qp.GetMaxRate();
    flow.attributes.baseRttClass = WormholeFingerprint::ClassOf(qp.GetBaseRttNs());
    wormhole::SignatureBuilder extra;
    extra.Add(qp.GetFlow().window)
        .Add(qp.GetFlow().priority)
        .Add(qp.GetPayloadSize())
        .Add(qp.GetDataRoute().size())
        .Add(qp.GetAckRoute().size())
        .Add(flow.watched);
    if (!qp.GetAckRoute().empty())
    {
        extra.Add(m_fingerprint.OfPort(*qp.GetAckRoute().front())); // the receiver's attributes
    }
    flow.attributes.extra = extra.Get().low;
}

void
WormholeNetwork::ChangeLoad(const Flow& flow, bool comes)
{
    for (const PortId port : flow.ackPorts)
    {
        comes ? m_ports.AddLoad(port, flow.ackLoad) : m_ports.RemoveLoad(port, flow.ackLoad);
        m_controller->LoadChanged(port, Now());
    }
}

void
WormholeNetwork::Leave(const Flow& flow)
{
    ChangeLoad(flow, false);
    m_packets.Release(m_ports.Leave(flow.ports, flow.dataPorts));
}

void
WormholeNetwork::Remove(const RdmaQueuePair& qp)
{
    const auto it = m_flows.find(qp.GetId());
    Leave(it->second);
    m_watched -= it->second.watched;
    m_flows.erase(it);
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wormhole-network.h"

#include "ns3/rdma-congestion-control.h"
#include "ns3/rdma-foresight.h"
#include "ns3/rdma-late-flow.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

// What the kernel's controller does to the packets of flows and ports.

namespace ns3
{

namespace
{

using wormhole::FlowId;
using wormhole::PortId;

/** Sets a flag for as long as it lives. */
class Asking
{
  public:
    explicit Asking(bool& asks)
        : m_asks(asks)
    {
        m_asks = true;
    }

    ~Asking()
    {
        m_asks = false;
    }

    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;

  private:
    bool& m_asks;
};

int64_t
StepsOf(wormhole::Time time)
{
    return time.time_since_epoch().count();
}

} // namespace

// ---- time

void
WormholeNetwork::Pause(const wormhole::Members& members)
{
    m_packets.Pause(GetFlows(members), GetPorts(members));
}

void
WormholeNetwork::Stopped(const wormhole::Members& members)
{
    for (RdmaPort* port : GetPorts(members))
    {
        port->StartMeanPassing();
    }
}

void
WormholeNetwork::AssumeRate(FlowId id, wormhole::Rate rate)
{
    const Flow& flow = Get(id);
    if (!flow.watched)
    {
        return;
    }
    // Flows that are known to have more than an equal share of a port cause more acknowledgements.
    const double asked = RdmaPacketState::WireRate(*flow.qp, rate.InBitsPerSecond());
    const double share = std::isinf(asked) ? m_ports.GetLeastShare(flow.ports) : asked;
    const auto most = static_cast<double>(flow.qp->GetMaxRate());
    RdmaPacketState::AssumeRate(*flow.qp, std::min(share, most));
}

double
WormholeNetwork::AdditiveIncrease(FlowId id) const
{
    constexpr double NS_PER_S = 1e9;
    const RdmaQueuePair& qp = *Get(id).qp;
    const RdmaCongestionControl* control = qp.GetCongestionControl();
    const uint64_t increase = control ? control->GetAdditiveIncrease() : 0;
    return RateOf(increase).InBytesPerSecond() * NS_PER_S / static_cast<double>(qp.GetBaseRttNs());
}

double
WormholeNetwork::CongestionAverage(FlowId id) const
{
    const RdmaCongestionControl* control = Get(id).qp->GetCongestionControl();
    return control ? control->GetCongestionAverage() : 0;
}

bool
WormholeNetwork::CanScale(FlowId id) const
{
    const RdmaCongestionControl* control = Get(id).qp->GetCongestionControl();
    return control && control->CanScale();
}

void
WormholeNetwork::Scale(FlowId id, double factor)
{
    RdmaQueuePair& qp = *Get(id).qp;
    const Asking asking(m_asks);
    qp.GetCongestionControl()->Scale(qp, factor);
}

void
WormholeNetwork::AssumeQueue(PortId id, wormhole::Bytes bytes)
{
    RdmaPort* port = m_ports.Get(id);
    if (port && port->IsFrozen())
    {
        port->AssumeQueue(bytes);
    }
}

void
WormholeNetwork::Changing(const wormhole::Members& members)
{
    RdmaPacketState::CountCredited(GetPorts(members));
}

void
WormholeNetwork::Resume(const wormhole::Members& members, wormhole::Duration shift)
{
    m_packets.Resume(GetFlows(members), GetPorts(members), shift.count());
}

void
WormholeNetwork::CatchUp(const wormhole::Members& members,
                         wormhole::Time from,
                         wormhole::Time until,
                         wormhole::Duration shift)
{
    // The controller is not to be called back by alarms or touched ports of that past time.
    m_late = true;
    m_packets.CatchUp(GetFlows(members),
                      GetPorts(members),
                      StepsOf(from),
                      StepsOf(until),
                      shift.count());
    m_late = false;
    ArmTouch();
}

std::vector<RdmaQueuePair*>
WormholeNetwork::StartLate(const std::vector<RdmaLateFlow>& flows)
{
    // Switches' buffers, and a partition for all, are no ports that could be asked.
    if (m_options.includeBuffers || !m_options.partitions)
    {
        return {};
    }
    m_late = m_starts = true;
    const wormhole::Time time{wormhole::Duration{flows.front().time}};
    std::vector<RdmaQueuePair*> started =
        m_packets.StartLate(flows,
                            [this, time](const RdmaPort& port) { return MayGoBack(port, time); });
    m_late = m_starts = false;
    ArmTouch();
    Rearm();
    return started;
}

bool
WormholeNetwork::MayGoBack(const RdmaPort& port, wormhole::Time time) const
{
    const auto partition = m_controller->Partitions().PartitionOf(PortId{port.GetPortId()});
    return partition ? m_controller->MayGoBack(*partition, time)
                     : RdmaPacketState::IsIdleSince(port, StepsOf(time));
}

void
WormholeNetwork::Audit(const wormhole::Members& members)
{
    // Acknowledgements that are watched wait for a data frame wherever one may be.
    std::map<RdmaPort*, uint64_t> frames;
    for (const FlowId id : members.flows)
    {
        const Flow& flow = Get(id);
        for (const PortId port : flow.ackPorts)
        {
            if (m_ports.IsUsed(port))
            {
                frames[m_ports.Get(port)] =
                    flow.qp->GetPayloadSize() + flow.qp->GetDataHeaderBytes();
            }
        }
    }
    for (const auto& [port, frame] : frames)
    {
        port->AssumeQueue(port->GetAssumedQueue() + frame);
    }
}

// ---- progress without packets

namespace
{

/** \p foresight says what is in it. */
void
Tell(wormhole::Foresight& foresight)
{
    const auto& seen = *static_cast<const RdmaForesight*>(foresight.what.get());
    foresight.span = wormhole::Duration{seen.GetSpan()};
    foresight.bytes = seen.GetBytes();
    foresight.completes = seen.GetStop() == RdmaFluid::Stop::COMPLETED;
    foresight.goesOn = seen.GetStop() == RdmaFluid::Stop::TIME;
}

} // namespace

std::unordered_map<const RdmaPort*, double>
WormholeNetwork::WatchedLoads() const
{
    std::unordered_map<const RdmaPort*, double> loads;
    for (const auto& [id, flow] : m_flows)
    {
        const bool runs = !m_ports.Get(flow.ports.front())->IsFrozen();
        for (std::size_t i = 0; runs && i < flow.ackPorts.size(); ++i)
        {
            loads[m_ports.Get(flow.ackPorts[i])] +=
                RdmaPacketState::GetAckLoad(*flow.qp, static_cast<double>(flow.qp->GetRate()));
        }
    }
    return loads;
}

std::optional<wormhole::Foresight>
WormholeNetwork::Foresee(const wormhole::Members& members, wormhole::Duration atMost, bool draws)
{
    // Others' acknowledgements that are watched take their part of ports, whether they are skipped
    // or not.
    std::unordered_map<const RdmaPort*, double> loads;
    bool known = m_watched == 0; // most partitions are not foreseen, and nobody asks for them
    const auto loadOf = [&](const RdmaPort& port) {
        if (!std::exchange(known, true))
        {
            loads = WatchedLoads();
        }
        const auto found = loads.find(&port);
        return static_cast<double>(port.GetBackground()) +
               (found == loads.end() ? 0 : found->second);
    };
    std::shared_ptr<RdmaForesight> seen =
        m_packets.Foresee(GetFlows(members), GetPorts(members), loadOf, atMost.count(), draws);
    if (!seen)
    {
        return std::nullopt;
    }
    wormhole::Foresight foresight;
    foresight.what = std::move(seen);
    Tell(foresight);
    return foresight;
}

void
WormholeNetwork::Prolong(wormhole::Foresight& foresight, wormhole::Duration atMost)
{
    static_cast<RdmaForesight*>(foresight.what.get())->Prolong(atMost.count());
    Tell(foresight);
}

std::vector<wormhole::Bytes>
WormholeNetwork::Realise(const wormhole::Members& members,
                         wormhole::Foresight& foresight,
                         wormhole::Duration elapsed,
                         bool ends)
{
    return m_packets.Realise(*static_cast<RdmaForesight*>(foresight.what.get()),
                             GetFlows(members),
                             GetPorts(members),
                             elapsed.count(),
                             ends);
}

wormhole::Bytes
WormholeNetwork::Credit(FlowId flow, wormhole::Bytes bytes)
{
    return m_packets.Credit(*Get(flow).qp, bytes);
}

void
WormholeNetwork::AssumeState(FlowId flow, const wormhole::StateBlob& control)
{
    RdmaPacketState::AssumeState(*Get(flow).qp, control);
}

void
WormholeNetwork::Skipped(FlowId flow, wormhole::Bytes bytes)
{
    const Asking asking(m_asks);
    RdmaPacketState::Skipped(*Get(flow).qp, bytes);
}

void
WormholeNetwork::Complete(FlowId id, wormhole::Time time)
{
    CompleteWith(id, time, {});
}

void
WormholeNetwork::CompleteWith(FlowId id, wormhole::Time, const wormhole::StateBlob& end)
{
    RdmaQueuePair& qp = *Get(id).qp;
    Remove(qp);
    m_packets.Complete(qp, end);
}

wormhole::StateBlob
WormholeNetwork::CaptureEnd(FlowId flow) const
{
    return RdmaPacketState::SaveEnd(*Get(flow).qp);
}

// ---- state

std::optional<wormhole::StateBlob>
WormholeNetwork::CaptureFlow(FlowId flow) const
{
    return m_packets.Save(*Get(flow).qp);
}

std::optional<wormhole::StateBlob>
WormholeNetwork::CapturePort(PortId port) const
{
    const RdmaPort* p = m_ports.Get(port);
    if (!p)
    {
        return wormhole::StateBlob{};
    }
    return IsAllowed(*p) && !m_ports.HasJustLost(port) ? m_packets.Save(*p) : std::nullopt;
}

bool
WormholeNetwork::CanRestore(FlowId flow, const wormhole::StateBlob& control) const
{
    return m_packets.CanRestore(*Get(flow).qp, control);
}

bool
WormholeNetwork::CanRestore(PortId port, const wormhole::StateBlob& state) const
{
    const RdmaPort* p = m_ports.Get(port);
    return !p || RdmaPacketState::CanRestore(*p, state);
}

bool
WormholeNetwork::CanComplete(const wormhole::StateBlob& end) const
{
    return RdmaPacketState::CanComplete(end);
}

void
WormholeNetwork::Evict(const wormhole::Members& members)
{
    m_packets.Evict(GetFlows(members), GetPorts(members));
}

void
WormholeNetwork::Restore(const std::vector<wormhole::FlowState>& flows,
                         const std::vector<wormhole::PortState>& ports,
                         wormhole::Time at)
{
    std::vector<std::pair<RdmaQueuePair*, const std::string*>> texts;
    texts.reserve(flows.size());
    for (const wormhole::FlowState& state : flows)
    {
        texts.emplace_back(Get(state.flow).qp, &state.control);
    }
    std::vector<std::pair<RdmaPort*, const std::string*>> places;
    places.reserve(ports.size());
    for (const wormhole::PortState& state : ports)
    {
        if (RdmaPort* port = m_ports.Get(state.port))
        {
            places.emplace_back(port, &state.state);
        }
    }
    const Asking asking(m_asks);
    m_packets.Restore(texts, places, StepsOf(at));
}

} // namespace ns3

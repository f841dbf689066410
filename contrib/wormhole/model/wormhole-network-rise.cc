/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wormhole-network.h"

#include "ns3/rdma-congestion-control.h"
#include "ns3/rdma-paced-control.h"

#include <algorithm>
#include <unordered_map>

// Whether flows may come to more than they seem to have come to.

namespace ns3
{

namespace
{

/**
 * Telemetry counts in units, and no frame is one. Of several ports of nearly the same rate, the one
 * that says most is believed, so a flow leaves some of all of them idle for ever.
 * \return whether no more than one switch's port is nearly as slow as the slowest on the way of
 * data of \p qp
 */
bool
HasOneBottleneck(const RdmaQueuePair& qp)
{
    const auto frame = static_cast<double>(qp.GetPayloadSize() + qp.GetDataHeaderBytes());
    const auto& route = qp.GetDataRoute();
    uint64_t slowest = qp.GetMaxRate();
    for (const RdmaPort* port : route)
    {
        slowest = std::min(slowest, port->GetRate());
    }
    const auto isSlow = [&](const RdmaPort* port) {
        const double more = 1 + static_cast<double>(port->GetTelemetryUnit()) / frame;
        return port->GetOwner().IsTransit() &&
               static_cast<double>(port->GetRate()) < more * static_cast<double>(slowest);
    };
    return std::count_if(route.begin(), route.end(), isSlow) <= 1;
}

/** \return whether no port on the way of data of \p qp has more than \p share of its rate in
 * \p use, bit/s */
bool
HasRoom(const RdmaQueuePair& qp, std::unordered_map<const RdmaPort*, double>& use, double share)
{
    const auto& route = qp.GetDataRoute();
    return std::all_of(route.begin(), route.end(), [&](const RdmaPort* port) {
        return use[port] < share * static_cast<double>(port->GetRate());
    });
}

/** Part of a port's rate from which flows that only marks hold back share it: between marks they
 * leave some. */
constexpr double SHARED = 0.9;

} // namespace

std::unordered_map<const RdmaPort*, double>
WormholeNetwork::UseOf(const wormhole::Members& members,
                       const std::vector<wormhole::Rate>& rates) const
{
    std::unordered_map<const RdmaPort*, double> use;
    for (std::size_t i = 0; i < members.flows.size(); ++i)
    {
        const Flow& flow = Get(members.flows[i]);
        const double data = RdmaPacketState::WireRate(*flow.qp, rates[i].InBitsPerSecond());
        const double acks = flow.watched ? 0 : RdmaPacketState::GetAckLoad(*flow.qp, data);
        for (const RdmaPort* port : flow.qp->GetDataRoute())
        {
            use[port] += data;
        }
        for (const RdmaPort* port : flow.qp->GetAckRoute())
        {
            use[port] += acks;
        }
    }
    for (const wormhole::PortId id : members.ports)
    {
        if (const RdmaPort* port = m_ports.Get(id))
        {
            use[port] += static_cast<double>(m_ports.GetLoad(id));
        }
    }
    return use;
}

bool
WormholeNetwork::MayRise(const wormhole::Members& members,
                         const std::vector<wormhole::Rate>& rates) const
{
    auto use = UseOf(members, rates);
    return std::any_of(members.flows.begin(), members.flows.end(), [&](wormhole::FlowId id) {
        const RdmaQueuePair& qp = *Get(id).qp;
        const RdmaCongestionControl* control = qp.GetCongestionControl();
        return control && control->GetTelemetry() == RdmaTelemetry::INT && HasOneBottleneck(qp) &&
               HasRoom(qp, use, control->GetLinkUse().share);
    });
}

bool
WormholeNetwork::IsRising(const wormhole::Members& members,
                          const std::vector<wormhole::Rate>& rates,
                          wormhole::Duration time) const
{
    const int64_t ns = time.count() / m_network.GetContext().clock.StepsPerNs();
    const auto risesAlone = [&](wormhole::FlowId id) {
        const RdmaQueuePair& qp = *Get(id).qp;
        const auto* paced = dynamic_cast<const RdmaPaced*>(qp.GetCongestionControl());
        return paced && paced->HasRisenFor(qp, ns);
    };
    if (std::none_of(members.flows.begin(), members.flows.end(), risesAlone))
    {
        return false;
    }
    auto use = UseOf(members, rates);
    return std::any_of(members.flows.begin(), members.flows.end(), [&](wormhole::FlowId id) {
        return risesAlone(id) && HasRoom(*Get(id).qp, use, SHARED);
    });
}

} // namespace ns3

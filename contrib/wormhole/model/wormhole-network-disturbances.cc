/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wormhole-network.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

// What the kernel's controller asks about what may come in between: pauses, losses, turns of
// others, and what nobody can know.

namespace ns3
{

namespace
{

using wormhole::FlowId;
using wormhole::PortId;

/** Flows are short that have fewer bytes than this, in bytes that are on their way at line rate. */
constexpr double SHORT_FLOW = 8;

/** A flow on faster links, by this factor at least, ... */
constexpr uint64_t FASTER = 4;

/** ... that lasts for so many rounds of others, in which each of them has its turn, meets whom it
 * would also where these come a round sooner or later. */
constexpr double LONG_IN_ROUNDS = 100;

/** \return whether \p qp has few round trips */
bool
IsShort(const RdmaQueuePair& qp)
{
    const double roundTrip =
        static_cast<double>(qp.GetMaxRate()) * static_cast<double>(qp.GetBaseRttNs()) / 8e9;
    return static_cast<double>(RdmaPacketState::GetSize(qp)) < SHORT_FLOW * roundTrip;
}

} // namespace

bool
WormholeNetwork::IsAllowed(const RdmaPort& port) const
{
    return m_ports.IsCalm(port, m_pauseMemory, m_network.GetContext().eventQueue->Now());
}

bool
WormholeNetwork::TakesSlowTurns(const RdmaQueuePair& qp) const
{
    if (m_shortest.size() < 2 || qp.GetDataRoute().empty())
    {
        return false;
    }
    const RdmaPort& nic = *qp.GetDataRoute().front();
    const uint32_t senders = m_ports.GetMostSenders({PortId{nic.GetPortId()}}, 1);
    const double round =
        senders *
        static_cast<double>(nic.TransmissionTime(qp.GetPayloadSize() + qp.GetDataHeaderBytes()));
    return senders > 1 && std::any_of(m_shortest.lower_bound(FASTER * nic.GetRate()),
                                      m_shortest.end(),
                                      [round](const auto& shortest) {
                                          return shortest.second < LONG_IN_ROUNDS * round;
                                      });
}

std::optional<wormhole::Time>
WormholeNetwork::NextDisturbance(const wormhole::Members& members) const
{
    for (const FlowId id : members.flows)
    {
        const Flow& flow = Get(id);
        const auto allowed = [this](PortId port) { return IsAllowed(*m_ports.Get(port)); };
        if (RdmaPacketState::IsRecovering(*flow.qp) || TakesSlowTurns(*flow.qp) ||
            !std::all_of(flow.ackPorts.begin(), flow.ackPorts.end(), allowed))
        {
            return Now();
        }
    }
    for (const PortId id : members.ports)
    {
        const RdmaPort* port = m_ports.Get(id);
        if (port && (!IsAllowed(*port) || RdmaPacketState::HasNonRdmaPackets(*port)))
        {
            return Now();
        }
    }
    return m_network.GetContext().anyLoses && m_packets.AwaitsLoss(GetPorts(members))
               ? std::optional(Now())
               : std::nullopt;
}

wormhole::Bytes
WormholeNetwork::UndisturbedBytes(FlowId id, wormhole::Bytes atMost) const
{
    const Flow& flow = Get(id);
    if (!flow.heldBack)
    {
        return RdmaPacketState::GetUndisturbed(*flow.qp, flow.losses, atMost);
    }
    // Frames of a window follow each other in rounds, and which one of a round is lost decides
    // which round trips flows come to. A skip is right to some bytes, not to a round.
    const auto all = std::numeric_limits<wormhole::Bytes>::max();
    return RdmaPacketState::GetUndisturbed(*flow.qp, flow.losses, all) == all ? atMost : 0;
}

bool
WormholeNetwork::MayWait(const wormhole::Members& members) const
{
    // Where a buffer has nothing to share, every queue pauses its senders, whose flows are others.
    const auto mayPause = [this](PortId id) {
        const RdmaPort* port = m_ports.Get(id);
        return port && WormholePorts::SharesNothing(*port);
    };
    // Who waits has its acknowledgements pass evenly, from its start on. Those of a flow of few
    // round trips pass when most data that begin with it have gone.
    const auto meetsOthers = [this](FlowId id) {
        const Flow& flow = Get(id);
        const RdmaQueuePair& qp = *flow.qp;
        return flow.watched && IsShort(qp) &&
               std::any_of(flow.ackPorts.begin(), flow.ackPorts.end(), [this](PortId port) {
                   return m_ports.IsUsed(port);
               });
    };
    return std::none_of(members.ports.begin(), members.ports.end(), mayPause) &&
           std::none_of(members.flows.begin(), members.flows.end(), meetsOthers);
}

bool
WormholeNetwork::IsRepeatable(const wormhole::Members& members) const
{
    // Of what is on its way when the first byte has yet to arrive, it is known how much it is, not
    // where: to a flow of few round trips, that matters.
    const auto isOnItsWay = [this](FlowId id) {
        const RdmaQueuePair& qp = *Get(id).qp;
        return RdmaPacketState::GetDelivered(qp) == 0 && RdmaPacketState::GetInFlight(qp) > 0 &&
               IsShort(qp);
    };
    return std::none_of(members.flows.begin(), members.flows.end(), isOnItsWay);
}

} // namespace ns3

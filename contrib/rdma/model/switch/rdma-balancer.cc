/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-balancer.h"

#include "rdma-routing.h"

#include "ns3/abort.h"
#include "ns3/rdma-node.h"
#include "ns3/rdma-port.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/rdma-random.h"

#include <algorithm>
#include <array>
#include <limits>

namespace ns3
{

namespace
{

/** Names by RdmaBalancing. */
constexpr std::array<const char*, 8>
    BALANCING_NAMES{"ecmp", "spray", "flowlet", "adaptive", "entropy", "router", "valiant", "ugal"};

constexpr uint16_t NO_DETOUR = 0; //!< in a frame's entropy, which detours need for themselves

} // namespace

RdmaBalancing
RdmaBalancingFromName(const std::string& name)
{
    const auto found = std::find(BALANCING_NAMES.begin(), BALANCING_NAMES.end(), name);
    NS_ABORT_MSG_IF(found == BALANCING_NAMES.end(),
                    "RdmaSwitch::Routing: \""
                        << name
                        << "\" is none of ecmp, spray, flowlet, adaptive, entropy, router, valiant "
                           "and ugal");
    return static_cast<RdmaBalancing>(found - BALANCING_NAMES.begin());
}

std::string
RdmaBalancingName(RdmaBalancing balancing)
{
    return BALANCING_NAMES[static_cast<size_t>(balancing)];
}

void
RdmaBalancer::Configure(RdmaBalancing balancing, uint32_t node, int64_t gap, uint32_t entries)
{
    m_balancing = balancing;
    m_node = node;
    m_gap = gap;
    m_flowlets.resize(balancing == RdmaBalancing::FLOWLET ? entries : 0);
}

void
RdmaBalancer::SetRouter(Ptr<RdmaRouter> router)
{
    m_router = router;
}

RdmaPort*
RdmaBalancer::Next(const RdmaContext& context, RdmaRouting& routing, RdmaFrame& frame, bool first)
{
    if (m_balancing == RdmaBalancing::VALIANT || m_balancing == RdmaBalancing::UGAL)
    {
        frame.entropy = first ? ChooseDetour(context, routing, frame) : frame.entropy;
        if (RdmaPort* port = OnDetour(context, routing, frame))
        {
            return port;
        }
    }
    const Ports& ports = WaysTo(frame.qp->GetFlow().dst, context, routing);
    if (ports.size() < 2)
    {
        return ports.empty() ? nullptr : ports.front();
    }
    switch (m_balancing)
    {
    case RdmaBalancing::FLOWLET:
        return OfFlowlet(ports, context, frame);
    case RdmaBalancing::ADAPTIVE:
        return LeastLoaded(ports, context, frame);
    case RdmaBalancing::ENTROPY:
        return OfEntropy(ports, frame);
    case RdmaBalancing::ROUTER:
        return m_router->Choose(context, ports, frame);
    default:
        return Draw(ports, context, frame);
    }
}

const RdmaBalancer::Ports&
RdmaBalancer::WaysTo(uint32_t host, const RdmaContext& context, RdmaRouting& routing)
{
    if (m_version != context.routeVersion)
    {
        m_version = context.routeVersion;
        m_ways.clear();
    }
    const auto [known, isNew] = m_ways.try_emplace(host);
    if (isNew)
    {
        known->second = routing.NextPorts(m_node, host);
    }
    return known->second;
}

/** \return the port towards the host by way of whose switch \p frame goes; null if it does not, or
 * does no more: it has come there */
RdmaPort*
RdmaBalancer::OnDetour(const RdmaContext& context, RdmaRouting& routing, RdmaFrame& frame)
{
    if (frame.entropy == NO_DETOUR)
    {
        return nullptr;
    }
    const Ports& ports = WaysTo(routing.GetHosts()[frame.entropy - 1], context, routing);
    if (ports.empty() || !ports.front()->GetPeer().GetOwner().IsTransit())
    {
        frame.entropy = NO_DETOUR;
        return nullptr;
    }
    return Draw(ports, context, frame);
}

/** \return 1 more than the place of the drawn host among all, or NO_DETOUR */
uint16_t
RdmaBalancer::ChooseDetour(const RdmaContext& context, RdmaRouting& routing, const RdmaFrame& frame)
{
    const std::vector<uint32_t>& hosts = routing.GetHosts();
    NS_ABORT_MSG_IF(hosts.size() > std::numeric_limits<uint16_t>::max(),
                    "RdmaSwitch::Routing: valiant and ugal know at most 65535 hosts, not "
                        << hosts.size());
    const uint64_t key = RdmaDrawKey(context.seed, RdmaDraw::DETOUR, 0, frame.qp->GetId() + 1);
    const uint64_t drawn = RdmaDrawBits(key, frame.serial) % hosts.size();
    const bool shortest = m_balancing == RdmaBalancing::UGAL &&
                          IsShortestBetter(context, routing, frame, hosts[drawn]);
    return shortest ? NO_DETOUR : static_cast<uint16_t>(drawn + 1);
}

/** \return whether bytes queued at the next port, times links to go, are no more on the shortest
 * way than by way of the switch of host \p via */
bool
RdmaBalancer::IsShortestBetter(const RdmaContext& context,
                               RdmaRouting& routing,
                               const RdmaFrame& frame,
                               uint32_t via)
{
    const uint32_t to = frame.qp->GetFlow().dst;
    const auto queued = [&](uint32_t host) {
        const Ports& ports = WaysTo(host, context, routing);
        return ports.empty() ? 0 : Draw(ports, context, frame)->queues.GetBytes();
    };
    const uint64_t detour = uint64_t{routing.GetHops(m_node, via)} + routing.GetHops(via, to);
    // without the link to that host and back
    const uint64_t longer = via == to || detour < 2 ? routing.GetHops(m_node, to) : detour - 2;
    return queued(to) * routing.GetHops(m_node, to) <= queued(via) * longer;
}

RdmaPort*
RdmaBalancer::Draw(const Ports& ports, const RdmaContext& context, const RdmaFrame& frame) const
{
    const uint64_t key =
        RdmaDrawKey(context.seed, RdmaDraw::NEXT_PORT, m_node, frame.qp->GetId() + 1);
    return ports[RdmaDrawBits(key, frame.serial) % ports.size()];
}

/** The value is the source port that the hash sees, as UEC has it. */
RdmaPort*
RdmaBalancer::OfEntropy(const Ports& ports, const RdmaFrame& frame) const
{
    RdmaTuple tuple = RdmaRouting::TupleOf(*frame.qp, false);
    tuple.ports = (tuple.ports & 0xffff0000) | frame.entropy;
    return ports[RdmaRouting::EcmpHash(tuple, m_node) % ports.size()];
}

RdmaPort*
RdmaBalancer::OfFlowlet(const Ports& ports, const RdmaContext& context, const RdmaFrame& frame)
{
    const RdmaTuple tuple = RdmaRouting::TupleOf(*frame.qp, false);
    Flowlet& flowlet = m_flowlets[RdmaRouting::EcmpHash(tuple, m_node) % m_flowlets.size()];
    const int64_t now = context.eventQueue->Now();
    // a flow of the same hash may lead elsewhere, and a link may have failed
    if (now - flowlet.last > m_gap ||
        std::find(ports.begin(), ports.end(), flowlet.port) == ports.end())
    {
        flowlet.port = Draw(ports, context, frame);
    }
    flowlet.last = now;
    return flowlet.port;
}

RdmaPort*
RdmaBalancer::LeastLoaded(const Ports& ports, const RdmaContext& context, const RdmaFrame& frame)
{
    m_least.clear();
    uint64_t least = std::numeric_limits<uint64_t>::max();
    for (RdmaPort* port : ports)
    {
        const uint64_t load = port->queues.GetBytes() + port->IsSending(); // idle ones first
        if (load < least)
        {
            least = load;
            m_least.clear();
        }
        if (load == least)
        {
            m_least.push_back(port);
        }
    }
    return Draw(m_least, context, frame);
}

} // namespace ns3

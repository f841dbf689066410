/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wormhole-passed-over.h"

#include <algorithm>
#include <utility>

namespace ns3
{

void
WormholePassedOver::Add(uint64_t flow, RdmaQueuePair* qp, PortIds ports)
{
    for (const wormhole::PortId port : ports)
    {
        m_flows[port.Value()].push_back(flow);
    }
    m_places.emplace(flow, Place{qp, std::move(ports)});
}

void
WormholePassedOver::Remove(uint64_t flow)
{
    const auto found = m_places.find(flow);
    if (found == m_places.end())
    {
        return;
    }
    for (const wormhole::PortId port : found->second.ports)
    {
        const auto at = m_flows.find(port.Value());
        std::vector<uint64_t>& flows = at->second;
        *std::find(flows.begin(), flows.end(), flow) = flows.back();
        flows.pop_back();
        if (flows.empty())
        {
            m_flows.erase(at);
        }
    }
    m_places.erase(found);
}

void
WormholePassedOver::Clear()
{
    m_places.clear();
    m_flows.clear();
}

WormholePassedOver::PortIds
WormholePassedOver::GetPorts() const
{
    PortIds ports;
    ports.reserve(m_flows.size());
    for (const auto& [port, flows] : m_flows)
    {
        ports.emplace_back(port);
    }
    std::sort(ports.begin(), ports.end());
    return ports;
}

WormholePassedOver::Flows
WormholePassedOver::Take(const PortIds& ports)
{
    Flows taken;
    PortIds next = ports;
    while (!next.empty() && !IsEmpty())
    {
        const auto at = m_flows.find(next.back().Value());
        if (at == m_flows.end())
        {
            next.pop_back();
            continue;
        }
        const uint64_t flow = at->second.back();
        const Place& place = m_places.at(flow);
        taken.emplace(flow, place.qp);
        next.insert(next.end(), place.ports.begin(), place.ports.end());
        Remove(flow);
    }
    return taken;
}

} // namespace ns3

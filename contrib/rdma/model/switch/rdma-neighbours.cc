/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-neighbours.h"

#include "ns3/rdma-node.h"
#include "ns3/rdma-port.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/** A port of a node, and where its link leads. */
struct PortTo
{
    uint32_t neighbour;
    uint32_t place;
    RdmaPort* port;
};

int64_t
PayloadTimeNs(uint32_t payload, uint64_t rate)
{
    return static_cast<int64_t>(static_cast<uint64_t>(payload) * 1000000000 * 8 / rate);
}

int64_t
DelayNs(const RdmaPort& port)
{
    return port.GetDelay() / port.GetContext().clock.StepsPerNs();
}

} // namespace

void
RdmaNeighbours::Build(const std::vector<RdmaNode*>& nodes,
                      const std::vector<uint32_t>& places,
                      bool collapseParallel,
                      uint32_t payload)
{
    Clear();
    std::vector<PortTo> ports; // of a node
    for (uint32_t node = 0; node < nodes.size(); ++node)
    {
        ports.clear();
        for (RdmaPort* port : nodes[node]->GetPorts())
        {
            const uint32_t neighbour = port->GetPeer().GetOwner().GetRdmaId();
            ports.push_back({neighbour, places[neighbour], port});
        }
        std::stable_sort(ports.begin(), ports.end(), [](const PortTo& a, const PortTo& b) {
            return std::make_pair(a.place == 0, b.neighbour) <
                   std::make_pair(b.place == 0, a.neighbour);
        });
        const auto number = [this] { return static_cast<uint32_t>(m_links.size()); };
        Span span{number(), number(), 0};
        for (size_t i = 0, end = 0; i < ports.size(); i = end)
        {
            const auto firstPort = static_cast<uint32_t>(m_ports.size());
            for (end = i; end < ports.size() && ports[end].neighbour == ports[i].neighbour; ++end)
            {
            }
            for (size_t p = collapseParallel ? end - 1 : i; p < end; ++p)
            {
                if (ports[p].port->IsLinkUp())
                {
                    m_ports.push_back(ports[p].port);
                }
            }
            const auto endPort = static_cast<uint32_t>(m_ports.size());
            if (endPort == firstPort)
            {
                continue;
            }
            const RdmaPort& last = *m_ports.back();
            m_adjacencies.push_back({ports[i].neighbour, ports[i].place});
            m_links.push_back({node,
                               firstPort,
                               endPort,
                               DelayNs(last),
                               PayloadTimeNs(payload, last.GetRate()),
                               last.GetRate()});
            span.hosts = ports[i].place ? number() : span.hosts;
        }
        span.end = number();
        m_spans.push_back(span);
    }
}

void
RdmaNeighbours::Clear()
{
    m_spans.clear();
    m_adjacencies.clear();
    m_links.clear();
    m_ports.clear();
}

const RdmaNeighbours::Adjacency&
RdmaNeighbours::Find(uint32_t node, uint32_t neighbour) const
{
    const Adjacencies all = ToSwitches(node);
    return *std::lower_bound(all.begin(),
                             all.end(),
                             neighbour,
                             [](const Adjacency& a, uint32_t number) {
                                 return a.neighbour > number; // descending
                             });
}

} // namespace ns3

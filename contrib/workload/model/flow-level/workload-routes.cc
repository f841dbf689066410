/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-routes.h"

#include "ns3/rdma-frame.h"

namespace ns3
{

namespace
{

constexpr uint16_t FIRST_SOURCE_PORT = 10000;

/** A node that only has ports: nothing is ever sent. */
class Junction final : public RdmaNode
{
  public:
    explicit Junction(bool transit)
        : m_transit(transit)
    {
    }

    void PortFree(RdmaPort&) override
    {
    }

    void Receive(RdmaPort&, RdmaFrame*) override
    {
    }

    void LinkChanged(RdmaPort&) override
    {
    }

    bool IsTransit() const override
    {
        return m_transit;
    }

  private:
    bool m_transit;
};

} // namespace

WorkloadRoutes::WorkloadRoutes(const RdmaTopology& topology,
                               bool collapseParallel,
                               const RdmaClock& clock,
                               uint32_t payload)
{
    m_context.clock = clock;
    std::vector<RdmaNode*> nodes;
    std::vector<bool> nvSwitches;
    for (const RdmaNodeKind kind : topology.nodes)
    {
        m_nodes.emplace_back(CreateObject<Junction>(kind != RdmaNodeKind::HOST));
        nodes.push_back(PeekPointer(m_nodes.back()));
        nodes.back()->Install(m_context, m_routing, static_cast<uint32_t>(nvSwitches.size()));
        nvSwitches.push_back(kind == RdmaNodeKind::NVSWITCH);
    }
    for (const RdmaLinkSpec& link : topology.links)
    {
        const auto id = static_cast<uint32_t>(m_ports.size());
        RdmaPort& a = m_ports.emplace_back();
        RdmaPort& b = m_ports.emplace_back();
        nodes[link.a]->AddPort(a, id);
        nodes[link.b]->AddPort(b, id + 1);
        const int64_t delay = link.DelaySteps(clock);
        a.Connect(b, link.rate.GetBitRate(), delay, 0);
        b.Connect(a, link.rate.GetBitRate(), delay, 0);
    }
    m_routing.Build(nodes, nvSwitches, collapseParallel, payload);
}

uint16_t
WorkloadRoutes::Next(uint32_t from, uint32_t to, uint16_t dport, std::vector<uint32_t>& links)
{
    const uint64_t pair = static_cast<uint64_t>(from) << 32 | to;
    const uint16_t sport = m_sourcePorts.emplace(pair, FIRST_SOURCE_PORT).first->second++;
    Find(from, to, sport, dport, links);
    return sport;
}

void
WorkloadRoutes::Find(uint32_t from,
                     uint32_t to,
                     uint16_t sport,
                     uint16_t dport,
                     std::vector<uint32_t>& links)
{
    const RdmaTuple tuple{RdmaRouting::AddressOf(from),
                          RdmaRouting::AddressOf(to),
                          static_cast<uint32_t>(sport) | static_cast<uint32_t>(dport) << 16};
    links.clear();
    for (const RdmaPort* port : m_routing.FindRoute(from, to, tuple))
    {
        links.push_back(port->GetPortId());
    }
}

void
WorkloadRoutes::GetLargest(int64_t& rttNs, uint64_t& bdp)
{
    m_routing.GetLargest(rttNs, bdp);
}

} // namespace ns3

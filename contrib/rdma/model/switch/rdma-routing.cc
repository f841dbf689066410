/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-routing.h"

#include "rdma-routing-tree.h"

#include "ns3/assert.h"
#include "ns3/hash.h"
#include "ns3/rdma-node.h"
#include "ns3/rdma-port.h"
#include "ns3/rdma-queue-pair.h"

#include <algorithm>

// The choice of a way; rdma-routing-search.cc has the search for all of them.

namespace ns3
{

namespace
{

constexpr uint32_t ADDRESS_BASE = 0x0b000001;
} // namespace

RdmaRouting::RdmaRouting() = default;
RdmaRouting::~RdmaRouting() = default;

void
RdmaRouting::Build(const std::vector<RdmaNode*>& nodes,
                   const std::vector<bool>& nvSwitches,
                   bool collapseParallel,
                   uint32_t payload)
{
    m_nodes = nodes;
    m_nvSwitches = nvSwitches;
    m_collapse = collapseParallel;
    m_payload = payload;
    m_switches = 0;
    m_compact.clear();
    m_hosts.clear();
    for (const RdmaNode* node : nodes)
    {
        m_compact.push_back(node->IsTransit() ? ++m_switches : 0);
        if (!node->IsTransit())
        {
            m_hosts.push_back(node->GetRdmaId());
        }
    }
    Invalidate();
}

void
RdmaRouting::Invalidate()
{
    m_neighbours.Clear();
    m_class.clear();
    m_representative.clear();
    m_classSize.clear();
    m_trees.clear();
    m_lists.clear();
}

uint32_t
RdmaRouting::AddressOf(uint32_t node)
{
    return ADDRESS_BASE + (node / 256 << 16) + (node % 256 << 8);
}

uint32_t
RdmaRouting::NodeOf(uint32_t address) const
{
    if (address < ADDRESS_BASE || (address & 0xff) != 1)
    {
        return RDMA_NOWHERE;
    }
    const uint32_t node = (address - ADDRESS_BASE) >> 8;
    return node < m_nodes.size() && !m_nodes[node]->IsTransit() ? node : RDMA_NOWHERE;
}

RdmaTuple
RdmaRouting::TupleOf(const RdmaQueuePair& qp, bool reverse)
{
    const RdmaFlow& flow = qp.GetFlow();
    const uint32_t src = AddressOf(flow.src);
    const uint32_t dst = AddressOf(flow.dst);
    const uint32_t sport = qp.GetSourcePort();
    const uint32_t dport = flow.dport;
    return reverse ? RdmaTuple{dst, src, dport | sport << 16}
                   : RdmaTuple{src, dst, sport | dport << 16};
}

uint32_t
RdmaRouting::EcmpHash(const RdmaTuple& tuple, uint32_t seed)
{
    auto rotl = [](uint32_t x, int r) { return x << r | x >> (32 - r); };
    uint32_t h = seed;
    for (uint32_t k : {tuple.source, tuple.destination, tuple.ports})
    {
        h ^= rotl(k * 0xcc9e2d51, 15) * 0x1b873593;
        h = rotl(h, 13) * 5 + 0xe6546b64;
    }
    h ^= 12; // bytes hashed
    h = (h ^ h >> 16) * 0x85ebca6b;
    h = (h ^ h >> 13) * 0xc2b2ae35;
    return h ^ h >> 16;
}

const std::vector<RdmaPort*>&
RdmaRouting::Candidates(uint32_t node, uint32_t to)
{
    Tree& tree = TreeOf(to);
    if (!m_nodes[node]->IsTransit() || tree.at[m_compact[node]].distance == 1)
    {
        return CandidatesNear(tree, node, to);
    }
    Tree::At& at = tree.at[m_compact[node]];
    if (at.distance == RDMA_NOWHERE)
    {
        return m_noPorts;
    }
    if (!at.ports)
    {
        at.ports = &*m_lists.insert(FindWays(tree, node)).first;
    }
    return *at.ports;
}

/** \return as Candidates, next to the destination, or at a host: of those of one class each has
 * links of its own there */
const std::vector<RdmaPort*>&
RdmaRouting::CandidatesNear(const Tree& tree, uint32_t node, uint32_t to)
{
    const bool transit = m_nodes[node]->IsTransit();
    m_nearest.clear();
    uint32_t min = RDMA_NOWHERE;
    bool nv = false;
    for (const RdmaNeighbours::Adjacency& a : m_neighbours.Of(node))
    {
        const bool isDestination = a.neighbour == to;
        if (!isDestination && (transit || a.place == 0))
        {
            continue;
        }
        const uint32_t distance = isDestination ? 0 : tree.at[a.place].distance;
        if (distance == RDMA_NOWHERE || distance > min)
        {
            continue;
        }
        if (distance < min || (m_nvSwitches[a.neighbour] && !nv))
        {
            m_nearest.clear();
            nv = m_nvSwitches[a.neighbour];
            min = distance;
        }
        if (m_nvSwitches[a.neighbour] == nv)
        {
            m_nearest.emplace_back(isDestination ? 0 : tree.at[a.place].rank, &a);
        }
    }
    SortNearest();
    m_candidates.clear();
    for (const auto& [rank, adjacency] : m_nearest)
    {
        const RdmaNeighbours::Ports ports = m_neighbours.PortsOf(*adjacency);
        m_candidates.insert(m_candidates.end(), ports.begin(), ports.end());
    }
    return m_candidates;
}

/** \return the ports at \p node, a switch, that lead one link nearer to the root of \p tree, in
 * the order in which the search left the switches there */
RdmaRouting::Ports
RdmaRouting::FindWays(const Tree& tree, uint32_t node)
{
    const uint32_t nearer = tree.at[m_compact[node]].distance - 1;
    m_nearest.clear();
    bool nv = false;
    for (const RdmaNeighbours::Adjacency& a : m_neighbours.ToSwitches(node))
    {
        const bool isNv = m_nvSwitches[a.neighbour];
        if (tree.at[a.place].distance != nearer || (nv && !isNv))
        {
            continue;
        }
        if (isNv && !nv)
        {
            nv = true;
            m_nearest.clear();
        }
        m_nearest.emplace_back(tree.at[a.place].rank, &a);
    }
    SortNearest();
    Ports ports;
    for (const auto& [rank, adjacency] : m_nearest)
    {
        // parallel links are in the order of the switch that the search came from
        for (const RdmaPort* port :
             m_neighbours.PortsOf(m_neighbours.Find(adjacency->neighbour, node)))
        {
            ports.push_back(&port->GetPeer());
        }
    }
    return ports;
}

void
RdmaRouting::SortNearest()
{
    std::sort(m_nearest.begin(), m_nearest.end(), [](const auto& x, const auto& y) {
        return x.first < y.first;
    });
}

RdmaPort*
RdmaRouting::NextPort(uint32_t node, uint32_t to, const RdmaTuple& tuple)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    const std::vector<RdmaPort*>& candidates = Candidates(node, to);
    if (candidates.size() < 2)
    {
        return candidates.empty() ? nullptr : candidates.front();
    }
    uint32_t hash;
    if (m_nodes[node]->IsTransit())
    {
        hash = EcmpHash(tuple, node);
    }
    else
    {
        // hosts hash with ns-3's own function, bytes in the order of HPCC's simulator on a
        // little-endian machine
        char bytes[12];
        uint32_t n = 0;
        for (uint32_t word : {tuple.source, tuple.destination, tuple.ports})
        {
            for (uint32_t shift = 0; shift < 32; shift += 8)
            {
                bytes[n++] = static_cast<char>(word >> shift);
            }
        }
        hash = Hash32(bytes, sizeof(bytes));
    }
    return candidates[hash % candidates.size()];
}

std::vector<RdmaPort*>
RdmaRouting::NextPorts(uint32_t node, uint32_t to)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return Candidates(node, to);
}

uint32_t
RdmaRouting::GetHops(uint32_t from, uint32_t to)
{
    if (from == to)
    {
        return 0;
    }
    const std::lock_guard<std::mutex> lock(m_mutex);
    const std::vector<RdmaPort*>& candidates = Candidates(from, to);
    if (candidates.empty())
    {
        return 0;
    }
    const uint32_t next = candidates.front()->GetPeer().GetOwner().GetRdmaId();
    return next == to ? 1 : 1 + TreeOf(to).at[m_compact[next]].distance;
}

RdmaPort*
RdmaRouting::NextPort(uint32_t node, const RdmaQueuePair& qp, bool reverse)
{
    return NextPort(node, reverse ? qp.GetFlow().src : qp.GetFlow().dst, TupleOf(qp, reverse));
}

RdmaPort*
RdmaRouting::NextPort(uint32_t node, uint32_t source, uint32_t destination, uint32_t ports)
{
    const uint32_t to = NodeOf(destination);
    return to == RDMA_NOWHERE ? nullptr : NextPort(node, to, {source, destination, ports});
}

std::vector<RdmaPort*>
RdmaRouting::FindRoute(uint32_t from, uint32_t to, const RdmaTuple& tuple)
{
    std::vector<RdmaPort*> route;
    for (uint32_t node = from; node != to;)
    {
        RdmaPort* port = NextPort(node, to, tuple);
        if (!port)
        {
            return {};
        }
        route.push_back(port);
        node = port->GetPeer().GetOwner().GetRdmaId();
    }
    return route;
}

bool
RdmaRouting::FindPorts(uint32_t from, uint32_t to, std::vector<RdmaPort*>& ports)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    bool only = true;
    std::vector<uint32_t> reached{from};
    for (size_t i = 0; i < reached.size(); ++i)
    {
        if (reached[i] == to)
        {
            continue;
        }
        const std::vector<RdmaPort*>& candidates = Candidates(reached[i], to);
        only = only && candidates.size() == 1;
        for (RdmaPort* port : candidates)
        {
            const uint32_t next = port->GetPeer().GetOwner().GetRdmaId();
            ports.push_back(port);
            if (std::find(reached.begin(), reached.end(), next) == reached.end())
            {
                reached.push_back(next);
            }
        }
    }
    return only;
}

} // namespace ns3

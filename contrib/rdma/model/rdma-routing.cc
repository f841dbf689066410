/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-routing.h"

#include "rdma-node.h"
#include "rdma-port.h"
#include "rdma-queue-pair.h"

#include "ns3/assert.h"
#include "ns3/hash.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace ns3
{

namespace
{

constexpr uint32_t NOWHERE = std::numeric_limits<uint32_t>::max();
constexpr uint32_t ADDRESS_BASE = 0x0b000001;
__extension__ using Wide = unsigned __int128;

int64_t
PayloadTimeNs(uint32_t payload, uint64_t rate)
{
    return static_cast<int64_t>(static_cast<uint64_t>(payload) * 1000000000 * 8 / rate);
}

int64_t
DelayNs(const RdmaPort& port)
{
    return port.GetDelay() / std::max<int64_t>(port.GetContext().clock.StepsPerNs(), 1);
}

} // namespace

uint64_t
RdmaPathFacts::GetBdp() const
{
    return static_cast<uint64_t>(static_cast<Wide>(GetRttNs()) * rate / 1000000000 / 8);
}

/** What a breadth-first search from a host found, for every switch. */
struct RdmaRouting::Tree
{
    struct At
    {
        uint32_t distance{NOWHERE}; //!< links to the host
        uint32_t rank{NOWHERE};     //!< when the search left it for its neighbours
        RdmaPathFacts facts;
        std::vector<RdmaPort*> ports; //!< towards the host, in the order of the search
        bool viaNvSwitch{false};
    };

    std::vector<At> at; //!< the root, then the switches: by m_compact
};

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
    for (const RdmaNode* node : nodes)
    {
        m_compact.push_back(node->IsTransit() ? ++m_switches : 0);
    }
    Invalidate();
}

void
RdmaRouting::Invalidate()
{
    m_neighbours.clear();
    m_neighbours.resize(m_nodes.size());
    m_class.clear();
    m_representative.clear();
    m_classSize.clear();
    m_trees.clear();
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
        return NOWHERE;
    }
    const uint32_t node = (address - ADDRESS_BASE) >> 8;
    return node < m_nodes.size() && !m_nodes[node]->IsTransit() ? node : NOWHERE;
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

std::vector<RdmaRouting::Adjacency>
RdmaRouting::AdjacenciesOf(uint32_t node) const
{
    std::map<uint32_t, std::vector<RdmaPort*>, std::greater<>> byNeighbour;
    for (RdmaPort* port : m_nodes[node]->GetPorts())
    {
        // the last of parallel links stands for all, even if it is the one that is down
        std::vector<RdmaPort*>& ports = byNeighbour[port->GetPeer().GetOwner().GetRdmaId()];
        if (m_collapse)
        {
            ports.clear();
        }
        ports.push_back(port);
    }
    std::vector<Adjacency> result;
    for (auto& [neighbour, ports] : byNeighbour)
    {
        ports.erase(std::remove_if(ports.begin(),
                                   ports.end(),
                                   [](const RdmaPort* p) { return !p->IsLinkUp(); }),
                    ports.end());
        if (!ports.empty())
        {
            result.push_back({neighbour, ports});
        }
    }
    return result;
}

const std::vector<RdmaRouting::Adjacency>&
RdmaRouting::Neighbours(uint32_t node)
{
    auto& known = m_neighbours[node];
    if (!known)
    {
        known = std::make_unique<std::vector<Adjacency>>(AdjacenciesOf(node));
    }
    return *known;
}

uint32_t
RdmaRouting::ClassOf(uint32_t host)
{
    if (m_class.empty())
    {
        // hosts with the same neighbours over links of the same rate and delay are one class
        using Link = std::tuple<uint32_t, uint64_t, int64_t>;
        std::map<std::vector<Link>, uint32_t> classes;
        m_class.assign(m_nodes.size(), NOWHERE);
        for (uint32_t node = 0; node < m_nodes.size(); ++node)
        {
            if (m_nodes[node]->IsTransit())
            {
                continue;
            }
            std::vector<Link> links;
            for (const Adjacency& a : Neighbours(node))
            {
                for (const RdmaPort* port : a.ports)
                {
                    links.emplace_back(a.neighbour, port->GetRate(), port->GetDelay());
                }
            }
            const auto [known, isNew] =
                classes.emplace(links, static_cast<uint32_t>(m_representative.size()));
            if (isNew)
            {
                m_representative.push_back(node);
                m_classSize.push_back(0);
            }
            m_class[node] = known->second;
            ++m_classSize[known->second];
        }
        m_trees.resize(m_representative.size());
    }
    return m_class[host];
}

RdmaRouting::Tree
RdmaRouting::Search(uint32_t host, bool wantPorts)
{
    Tree tree;
    tree.at.resize(m_switches + 1);
    std::vector<uint32_t> queue{host};
    tree.at[m_compact[host]].distance = 0;
    tree.at[m_compact[host]].facts = {true, 0, 0, std::numeric_limits<uint64_t>::max()};
    for (uint32_t i = 0; i < queue.size(); ++i)
    {
        const uint32_t now = queue[i];
        tree.at[m_compact[now]].rank = i;
        const RdmaPathFacts here = tree.at[m_compact[now]].facts;
        const uint32_t distance = tree.at[m_compact[now]].distance + 1;
        for (const Adjacency& a : Neighbours(now))
        {
            if (!m_nodes[a.neighbour]->IsTransit())
            {
                continue; // hosts are leaves; what the search would find there is worked out when
                          // asked for
            }
            Tree::At& next = tree.at[m_compact[a.neighbour]];
            if (next.distance == NOWHERE)
            {
                const RdmaPort& link = *a.ports.back();
                next.distance = distance;
                next.facts = {true,
                              here.delayNs + DelayNs(link),
                              here.txDelayNs + PayloadTimeNs(m_payload, link.GetRate()),
                              std::min(here.rate, link.GetRate())};
                queue.push_back(a.neighbour);
            }
            if (next.distance != distance || !wantPorts)
            {
                continue;
            }
            const bool nv = m_nvSwitches[now];
            if (nv && !next.viaNvSwitch)
            {
                next.ports.clear();
            }
            if (nv || !next.viaNvSwitch)
            {
                next.viaNvSwitch = nv;
                for (RdmaPort* port : a.ports)
                {
                    next.ports.push_back(&port->GetPeer());
                }
            }
        }
    }
    return tree;
}

const RdmaRouting::Tree&
RdmaRouting::TreeOf(uint32_t host)
{
    const uint32_t c = ClassOf(host);
    if (!m_trees[c])
    {
        m_trees[c] = std::make_unique<Tree>(Search(m_representative[c], true));
    }
    return *m_trees[c];
}

std::vector<RdmaPort*>
RdmaRouting::Candidates(uint32_t node, uint32_t to)
{
    const bool transit = m_nodes[node]->IsTransit();
    const Tree& tree = TreeOf(to);
    if (transit && tree.at[m_compact[node]].distance != 1)
    {
        return tree.at[m_compact[node]].ports;
    }
    // next to the destination, or at a host: look at the neighbours
    std::vector<std::pair<uint32_t, const Adjacency*>> nearest; // rank in the search
    uint32_t least = NOWHERE;
    bool nv = false;
    for (const Adjacency& a : Neighbours(node))
    {
        const bool isDestination = a.neighbour == to;
        if (!isDestination && (transit || !m_nodes[a.neighbour]->IsTransit()))
        {
            continue;
        }
        const uint32_t distance = isDestination ? 0 : tree.at[m_compact[a.neighbour]].distance;
        if (distance == NOWHERE || distance > least)
        {
            continue;
        }
        if (distance < least || (m_nvSwitches[a.neighbour] && !nv))
        {
            nearest.clear();
            nv = m_nvSwitches[a.neighbour];
            least = distance;
        }
        if (m_nvSwitches[a.neighbour] == nv)
        {
            nearest.emplace_back(isDestination ? 0 : tree.at[m_compact[a.neighbour]].rank, &a);
        }
    }
    std::sort(nearest.begin(), nearest.end(), [](const auto& x, const auto& y) {
        return x.first < y.first;
    });
    std::vector<RdmaPort*> ports;
    for (const auto& [rank, adjacency] : nearest)
    {
        ports.insert(ports.end(), adjacency->ports.begin(), adjacency->ports.end());
    }
    return ports;
}

RdmaPort*
RdmaRouting::NextPort(uint32_t node, uint32_t to, const RdmaTuple& tuple)
{
    const std::vector<RdmaPort*> candidates = Candidates(node, to);
    if (candidates.empty())
    {
        return nullptr;
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

RdmaPort*
RdmaRouting::NextPort(uint32_t node, const RdmaQueuePair& qp, bool reverse)
{
    return NextPort(node, reverse ? qp.GetFlow().src : qp.GetFlow().dst, TupleOf(qp, reverse));
}

RdmaPort*
RdmaRouting::NextPort(uint32_t node, uint32_t source, uint32_t destination, uint32_t ports)
{
    const uint32_t to = NodeOf(destination);
    return to == NOWHERE ? nullptr : NextPort(node, to, {source, destination, ports});
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

RdmaPathFacts
RdmaRouting::FactsFrom(const Tree& tree, uint32_t root, uint32_t host)
{
    // the neighbour that the search left first is the one that found the host
    const Adjacency* via = nullptr;
    uint32_t rank = NOWHERE;
    for (const Adjacency& a : Neighbours(host))
    {
        const bool counts = a.neighbour == root || m_nodes[a.neighbour]->IsTransit();
        if (counts && tree.at[m_compact[a.neighbour]].rank < rank)
        {
            rank = tree.at[m_compact[a.neighbour]].rank;
            via = &a;
        }
    }
    if (!via)
    {
        return {};
    }
    const RdmaPathFacts& there = tree.at[m_compact[via->neighbour]].facts;
    const RdmaPort& link = *via->ports.back();
    return {true,
            there.delayNs + DelayNs(link),
            there.txDelayNs + PayloadTimeNs(m_payload, link.GetRate()),
            std::min(there.rate, link.GetRate())};
}

RdmaPathFacts
RdmaRouting::GetFacts(uint32_t from, uint32_t to)
{
    if (from == to)
    {
        return {};
    }
    return FactsFrom(TreeOf(to), to, from);
}

void
RdmaRouting::GetLargest(int64_t& rttNs, uint64_t& bdp)
{
    rttNs = 0;
    bdp = 0;
    ClassOf(0); // makes the classes
    const auto classes = static_cast<uint32_t>(m_representative.size());
    for (uint32_t c = 0; c < classes; ++c)
    {
        const uint32_t root = m_representative[c];
        const Tree tree = Search(root, false);
        for (uint32_t other = 0; other < classes; ++other)
        {
            uint32_t host = m_representative[other];
            if (other == c && m_classSize[c] < 2)
            {
                continue;
            }
            if (other == c)
            {
                // any other host of the class
                host = static_cast<uint32_t>(
                    std::find(m_class.begin() + root + 1, m_class.end(), c) - m_class.begin());
            }
            const RdmaPathFacts facts = FactsFrom(tree, root, host);
            if (facts.reachable)
            {
                rttNs = std::max(rttNs, facts.GetRttNs());
                bdp = std::max(bdp, facts.GetBdp());
            }
        }
    }
}

} // namespace ns3

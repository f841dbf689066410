/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-routing-tree.h"

#include "ns3/rdma-node.h"
#include "ns3/rdma-port.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

// Which ways there are, and what they are like.

namespace ns3
{

namespace
{

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

/** What a search has found so far at a switch. */
struct Found
{
    std::vector<RdmaPort*> ports; //!< towards the host
    bool viaNvSwitch{false};
};

} // namespace

uint64_t
RdmaPathProperties::GetBdp() const
{
    return static_cast<uint64_t>(static_cast<Wide>(GetRttNs()) * rate / 1000000000 / 8);
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
        m_class.assign(m_nodes.size(), RDMA_NOWHERE);
        for (uint32_t node = 0; node < m_nodes.size(); ++node)
        {
            if (m_nodes[node]->IsTransit())
            {
                continue;
            }
            std::vector<Link> links;
            for (const Adjacency& a : AdjacenciesOf(node))
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
    std::vector<Found> found(wantPorts ? m_switches + 1 : 0);
    std::vector<uint32_t> queue{host};
    tree.at[m_compact[host]].distance = 0;
    tree.at[m_compact[host]].facts = {true, 0, 0, std::numeric_limits<uint64_t>::max()};
    for (uint32_t i = 0; i < queue.size(); ++i)
    {
        const uint32_t now = queue[i];
        tree.at[m_compact[now]].rank = i;
        const RdmaPathProperties here = tree.at[m_compact[now]].facts;
        const uint32_t distance = tree.at[m_compact[now]].distance + 1;
        for (const Adjacency& a : Neighbours(now))
        {
            if (!m_nodes[a.neighbour]->IsTransit())
            {
                continue; // hosts are leaves; what the search would find there is worked out when
                          // asked for
            }
            Tree::At& next = tree.at[m_compact[a.neighbour]];
            if (next.distance == RDMA_NOWHERE)
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
            Found& ways = found[m_compact[a.neighbour]];
            const bool nv = m_nvSwitches[now];
            if (nv && !ways.viaNvSwitch)
            {
                ways.ports.clear();
            }
            if (nv || !ways.viaNvSwitch)
            {
                ways.viaNvSwitch = nv;
                for (RdmaPort* port : a.ports)
                {
                    ways.ports.push_back(&port->GetPeer());
                }
            }
        }
    }
    for (size_t i = 0; i < found.size(); ++i)
    {
        if (!found[i].ports.empty())
        {
            tree.at[i].ports = &*m_lists.insert(std::move(found[i].ports)).first;
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

RdmaPathProperties
RdmaRouting::PropertiesFrom(const Tree& tree, uint32_t root, uint32_t host)
{
    // the neighbour that the search left first is the one that found the host
    const Adjacency* via = nullptr;
    uint32_t rank = RDMA_NOWHERE;
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
    const RdmaPathProperties& there = tree.at[m_compact[via->neighbour]].facts;
    const RdmaPort& link = *via->ports.back();
    return {true,
            there.delayNs + DelayNs(link),
            there.txDelayNs + PayloadTimeNs(m_payload, link.GetRate()),
            std::min(there.rate, link.GetRate())};
}

RdmaPathProperties
RdmaRouting::GetPathProperties(uint32_t from, uint32_t to)
{
    if (from == to)
    {
        return {};
    }
    return PropertiesFrom(TreeOf(to), to, from);
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
            const RdmaPathProperties facts = PropertiesFrom(tree, root, host);
            if (facts.reachable)
            {
                rttNs = std::max(rttNs, facts.GetRttNs());
                bdp = std::max(bdp, facts.GetBdp());
            }
        }
    }
}

} // namespace ns3

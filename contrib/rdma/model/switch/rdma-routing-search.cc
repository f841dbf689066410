/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-routing-tree.h"

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

/** What there is before the first link. */
constexpr RdmaPathProperties NO_WAY{true, 0, 0, std::numeric_limits<uint64_t>::max()};

} // namespace

uint64_t
RdmaPathProperties::GetBdp() const
{
    return static_cast<uint64_t>(static_cast<Wide>(GetRttNs()) * rate / 1000000000 / 8);
}

uint32_t
RdmaRouting::ClassOf(uint32_t host)
{
    if (m_class.empty())
    {
        MakeClasses();
    }
    return m_class[host];
}

/** Finds out which hosts have the same neighbours over links of the same rate and delay. */
void
RdmaRouting::MakeClasses()
{
    m_neighbours.Build(m_nodes, m_compact, m_collapse, m_payload);
    using Link = std::tuple<uint32_t, uint64_t, int64_t>;
    std::map<std::vector<Link>, uint32_t> classes;
    m_class.assign(m_nodes.size(), RDMA_NOWHERE);
    std::vector<Link> links;
    for (const uint32_t host : m_hosts)
    {
        links.clear();
        for (const RdmaNeighbours::Adjacency& a : m_neighbours.Of(host))
        {
            for (const RdmaPort* port : m_neighbours.PortsOf(a))
            {
                links.emplace_back(a.neighbour, port->GetRate(), port->GetDelay());
            }
        }
        const auto [known, isNew] =
            classes.emplace(links, static_cast<uint32_t>(m_representative.size()));
        if (isNew)
        {
            m_representative.push_back(host);
            m_classSize.push_back(0);
        }
        m_class[host] = known->second;
        ++m_classSize[known->second];
    }
    m_trees.resize(m_representative.size());
}

/** \return what a search from \p host finds; m_found has the nodes in its order */
RdmaRouting::Tree
RdmaRouting::Search(uint32_t host)
{
    Tree tree;
    tree.at.resize(m_switches + 1);
    m_found.assign(1, host);
    tree.at[0].distance = 0;
    for (uint32_t i = 0; i < m_found.size(); ++i)
    {
        const uint32_t now = m_found[i];
        Tree::At& here = tree.at[m_compact[now]];
        here.rank = i;
        const uint32_t distance = here.distance + 1;
        // hosts are leaves; what the search would find there is worked out when asked for
        for (const RdmaNeighbours::Adjacency& a : m_neighbours.ToSwitches(now))
        {
            Tree::At& next = tree.at[a.place];
            if (next.distance == RDMA_NOWHERE)
            {
                next.distance = distance;
                next.via = m_neighbours.NumberOf(a);
                m_found.push_back(a.neighbour);
            }
        }
    }
    return tree;
}

RdmaRouting::Tree&
RdmaRouting::TreeOf(uint32_t host)
{
    const uint32_t c = ClassOf(host);
    if (!m_trees[c])
    {
        m_trees[c] = std::make_unique<Tree>(Search(m_representative[c]));
    }
    return *m_trees[c];
}

/** \return \p way, and behind it the last link of \p adjacency */
RdmaPathProperties
RdmaRouting::Extend(const RdmaPathProperties& way, uint32_t adjacency) const
{
    const RdmaNeighbours::Links& links = m_neighbours.GetLinks(adjacency);
    return {true,
            way.delayNs + links.delayNs,
            way.txDelayNs + links.txDelayNs,
            std::min(way.rate, links.rate)};
}

/** \return the neighbour of \p host that the search from \p root left first, which is the one
 * that found the host; null if none did */
const RdmaNeighbours::Adjacency*
RdmaRouting::FindVia(const Tree& tree, uint32_t root, uint32_t host) const
{
    const RdmaNeighbours::Adjacency* via = nullptr;
    uint32_t rank = RDMA_NOWHERE;
    for (const RdmaNeighbours::Adjacency& a : m_neighbours.Of(host))
    {
        const bool counts = a.neighbour == root || a.place;
        if (counts && tree.at[a.place].rank < rank)
        {
            rank = tree.at[a.place].rank;
            via = &a;
        }
    }
    return via;
}

RdmaPathProperties
RdmaRouting::GetPathProperties(uint32_t from, uint32_t to)
{
    if (from == to)
    {
        return {};
    }
    const Tree& tree = TreeOf(to);
    const RdmaNeighbours::Adjacency* const via = FindVia(tree, to, from);
    if (!via)
    {
        return {};
    }
    RdmaPathProperties way = Extend(NO_WAY, m_neighbours.NumberOf(*via));
    for (uint32_t place = via->place; place != 0;)
    {
        const uint32_t back = tree.at[place].via;
        way = Extend(way, back);
        place = m_compact[m_neighbours.GetLinks(back).node];
    }
    return way;
}

void
RdmaRouting::GetLargest(int64_t& rttNs, uint64_t& bdp)
{
    rttNs = 0;
    bdp = 0;
    ClassOf(0); // makes the classes
    const auto classes = static_cast<uint32_t>(m_representative.size());
    std::vector<RdmaPathProperties> ways(m_switches + 1); // from the root
    for (uint32_t c = 0; c < classes; ++c)
    {
        const uint32_t root = m_representative[c];
        const Tree tree = Search(root);
        ways[0] = NO_WAY;
        for (size_t i = 1; i < m_found.size(); ++i)
        {
            const uint32_t place = m_compact[m_found[i]];
            const uint32_t via = tree.at[place].via;
            ways[place] = Extend(ways[m_compact[m_neighbours.GetLinks(via).node]], via);
        }
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
            if (const RdmaNeighbours::Adjacency* const via = FindVia(tree, root, host))
            {
                const RdmaPathProperties facts =
                    Extend(ways[via->place], m_neighbours.NumberOf(*via));
                rttNs = std::max(rttNs, facts.GetRttNs());
                bdp = std::max(bdp, facts.GetBdp());
            }
        }
    }
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-cut.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t MOST_NODES = 64; // that short links may join
constexpr uint32_t NOWHERE = std::numeric_limits<uint32_t>::max();

/** Nodes that links join. */
class Groups
{
  public:
    explicit Groups(size_t nodes)
        : m_root(nodes),
          m_size(nodes, 1),
          m_count(static_cast<uint32_t>(nodes))
    {
        std::iota(m_root.begin(), m_root.end(), 0);
    }

    uint32_t Find(uint32_t node)
    {
        while (m_root[node] != node)
        {
            node = m_root[node] = m_root[m_root[node]];
        }
        return node;
    }

    /** \return how many nodes are in the group of both now */
    uint32_t Join(uint32_t a, uint32_t b)
    {
        a = Find(a);
        b = Find(b);
        if (a != b)
        {
            m_root[b] = a;
            m_size[a] += m_size[b];
            --m_count;
        }
        return m_size[a];
    }

    uint32_t GetCount() const
    {
        return m_count;
    }

  private:
    std::vector<uint32_t> m_root;
    std::vector<uint32_t> m_size;
    uint32_t m_count;
};

} // namespace

RdmaCut::RdmaCut(std::vector<bool> hosts, std::vector<RdmaCutLink> links)
    : m_hosts(std::move(hosts)),
      m_links(std::move(links))
{
    std::vector<RdmaCutLink> shortest = m_links; // first
    std::sort(shortest.begin(), shortest.end(), [](const RdmaCutLink& a, const RdmaCutLink& b) {
        return a.delay < b.delay;
    });
    const size_t nodes = m_hosts.size();
    Groups trial(nodes);
    uint32_t largest = 1;
    uint64_t best = 0;
    for (auto link = shortest.begin(); link != shortest.end() && largest <= MOST_NODES;)
    {
        const int64_t delay = link->delay;
        // What is shorter has been joined. A window is worth its length for each process.
        const uint64_t worth = trial.GetCount() * static_cast<uint64_t>(delay);
        if (worth > best)
        {
            best = worth;
            m_length = static_cast<uint64_t>(delay);
        }
        for (; link != shortest.end() && link->delay == delay; ++link)
        {
            largest = std::max(largest, trial.Join(link->a, link->b));
        }
    }
    Groups groups(nodes);
    for (const RdmaCutLink& link : shortest)
    {
        if (static_cast<uint64_t>(link.delay) < m_length)
        {
            groups.Join(link.a, link.b);
        }
    }
    std::vector<uint32_t> number(nodes, 0);
    m_processOf.resize(nodes);
    for (uint32_t node = 0; node < nodes; ++node)
    {
        uint32_t& n = number[groups.Find(node)];
        n = n ? n : ++m_count;
        m_processOf[node] = n;
    }
}

std::vector<uint32_t>
RdmaCut::CountNodes() const
{
    std::vector<uint32_t> counts(m_count, 0);
    for (const uint32_t process : m_processOf)
    {
        ++counts[process - 1];
    }
    return counts;
}

/** \return of each node over how many links it is from a host, from 0; NOWHERE if none is there */
std::vector<uint32_t>
RdmaCut::FindTiers() const
{
    std::vector<size_t> begin(m_hosts.size() + 1, 0); // of the neighbours of each node
    for (const RdmaCutLink& link : m_links)
    {
        ++begin[link.a];
        ++begin[link.b];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<uint32_t> neighbours(begin.back());
    for (const RdmaCutLink& link : m_links)
    {
        neighbours[--begin[link.a]] = link.b;
        neighbours[--begin[link.b]] = link.a;
    }
    std::vector<uint32_t> tiers(m_hosts.size(), NOWHERE);
    std::vector<uint32_t> reached;
    for (uint32_t node = 0; node < m_hosts.size(); ++node)
    {
        if (m_hosts[node])
        {
            tiers[node] = 0;
            reached.push_back(node);
        }
    }
    for (size_t i = 0; i < reached.size(); ++i)
    {
        const uint32_t from = reached[i];
        for (size_t n = begin[from]; n < begin[from + 1]; ++n)
        {
            uint32_t& tier = tiers[neighbours[n]];
            if (tier == NOWHERE)
            {
                tier = tiers[from] + 1;
                reached.push_back(neighbours[n]);
            }
        }
    }
    return tiers;
}

/**
 * \return all nodes, so that the links between two halves, or more pieces, are few: hosts of a
 * switch are beside each other and near it. Each tier is spread evenly over the whole, since in
 * some windows hosts have most to do, and in others the switches far from them.
 */
std::vector<uint32_t>
RdmaCut::OrderNear() const
{
    std::vector<uint32_t> besides(m_hosts.size()); // of a host, the peer of its first link
    std::iota(besides.begin(), besides.end(), 0);
    for (auto link = m_links.rbegin(); link != m_links.rend(); ++link)
    {
        besides[link->a] = m_hosts[link->a] ? link->b : link->a;
        besides[link->b] = m_hosts[link->b] ? link->a : link->b;
    }
    const std::vector<uint32_t> tiers = FindTiers();
    std::map<uint32_t, std::vector<std::pair<uint32_t, uint32_t>>> members; // of tiers: order, node
    for (uint32_t node = 0; node < m_hosts.size(); ++node)
    {
        members[tiers[node]].emplace_back(besides[node], node);
    }
    std::vector<std::tuple<double, uint32_t, uint32_t>> order; // where from 0 to 1, tier, node
    for (auto& [tier, nodes] : members)
    {
        std::sort(nodes.begin(), nodes.end());
        for (size_t i = 0; i < nodes.size(); ++i)
        {
            const double where = (static_cast<double>(i) + 0.5) / static_cast<double>(nodes.size());
            order.emplace_back(where, tier, nodes[i].second);
        }
    }
    std::sort(order.begin(), order.end());
    std::vector<uint32_t> near;
    near.reserve(order.size());
    for (const auto& [where, tier, node] : order)
    {
        near.push_back(node);
    }
    return near;
}

std::vector<uint32_t>
RdmaCut::ListNear() const
{
    std::vector<uint32_t> near;
    std::vector<bool> listed(m_count + 1, false);
    for (const uint32_t node : OrderNear())
    {
        const uint32_t process = m_processOf[node];
        if (!listed[process])
        {
            listed[process] = true;
            near.push_back(process);
        }
    }
    return near;
}

std::vector<uint32_t>
RdmaCut::AssignTo(uint32_t pieces) const
{
    std::vector<uint64_t> loads(m_count, 0);
    for (const uint32_t process : m_processOf)
    {
        ++loads[process - 1];
    }
    for (const RdmaCutLink& link : m_links)
    {
        ++loads[m_processOf[link.a] - 1];
        ++loads[m_processOf[link.b] - 1];
    }
    return RdmaCutNear(ListNear(), loads, pieces);
}

std::vector<uint32_t>
RdmaCutNear(const std::vector<uint32_t>& near, const std::vector<uint64_t>& loads, uint32_t pieces)
{
    const uint64_t all = std::accumulate(loads.begin(), loads.end(), uint64_t{0});
    std::vector<uint32_t> pieceOf(loads.size());
    uint64_t before = 0;
    for (const uint32_t process : near)
    {
        const uint64_t load = loads[process - 1];
        const uint64_t middle = before + load / 2;
        pieceOf[process - 1] =
            static_cast<uint32_t>(std::min<uint64_t>(middle * pieces / all, pieces - 1));
        before += load;
    }
    return pieceOf;
}

} // namespace ns3

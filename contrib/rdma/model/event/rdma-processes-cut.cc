/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-processes.h"

#include "ns3/rdma-network.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

// How a network is cut into processes.

namespace ns3
{

namespace
{

/** Nodes that links join. */
class Groups
{
  public:
    explicit Groups(uint32_t nodes)
        : m_root(nodes),
          m_size(nodes, 1),
          m_count(nodes)
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

    /** \return how many nodes are in the group now */
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

    /** \return how many nodes are in the group of \p node */
    uint32_t GetSize(uint32_t node)
    {
        return m_size[Find(node)];
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

/** \return of each node over how many links it is from a host, from 0; UINT32_MAX if none is there
 */
std::vector<uint32_t>
FindTiers(RdmaNetwork& network)
{
    constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();
    std::vector<uint32_t> tiers(network.GetNodeCount(), NONE);
    std::vector<uint32_t> reached;
    for (uint32_t node = 0; node < network.GetNodeCount(); ++node)
    {
        if (!network.GetRdmaNode(node).IsTransit())
        {
            tiers[node] = 0;
            reached.push_back(node);
        }
    }
    for (size_t i = 0; i < reached.size(); ++i)
    {
        for (const auto& port : network.GetRdmaNode(reached[i]).GetPorts())
        {
            const uint32_t peer = port->GetPeer().GetOwner().GetRdmaId();
            if (tiers[peer] == NONE)
            {
                tiers[peer] = tiers[reached[i]] + 1;
                reached.push_back(peer);
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
OrderNear(RdmaNetwork& network)
{
    const std::vector<uint32_t> tiers = FindTiers(network);
    std::map<uint32_t, std::vector<std::pair<uint32_t, uint32_t>>> members; // of tiers: order, node
    for (uint32_t node = 0; node < network.GetNodeCount(); ++node)
    {
        RdmaNode& rdma = network.GetRdmaNode(node);
        const bool leaf = !rdma.IsTransit() && !rdma.GetPorts().empty();
        members[tiers[node]].emplace_back(
            leaf ? rdma.GetPorts().front()->GetPeer().GetOwner().GetRdmaId() : node,
            node);
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

} // namespace

/** Says which nodes are one process, and how long a window is. */
void
RdmaProcesses::Cut()
{
    std::vector<const RdmaPort*> links; // shortest first
    for (uint32_t link = 0; link < m_network.GetLinkCount(); ++link)
    {
        links.push_back(m_network.GetLink(link).first);
        const RdmaPort& port = *links.back();
        const int64_t frame = port.TransmissionTime(m_network.GetContext().largestFrame);
        m_longest = std::max(m_longest, static_cast<uint64_t>(port.GetDelay() + frame));
    }
    std::sort(links.begin(), links.end(), [](const RdmaPort* a, const RdmaPort* b) {
        return a->GetDelay() < b->GetDelay();
    });
    const uint32_t nodes = m_network.GetNodeCount();
    const auto join = [](Groups& groups, const RdmaPort& port) {
        return groups.Join(port.GetOwner().GetRdmaId(), port.GetPeer().GetOwner().GetRdmaId());
    };
    Groups trial(nodes);
    uint32_t largest = 1;
    uint64_t best = 0;
    for (auto link = links.begin(); link != links.end() && largest <= MOST_NODES;)
    {
        const int64_t delay = (*link)->GetDelay();
        // What is shorter has been joined. A window is worth its length for each process.
        const uint64_t worth = trial.GetCount() * static_cast<uint64_t>(delay);
        if (worth > best)
        {
            best = worth;
            m_length = static_cast<uint64_t>(delay);
        }
        for (; link != links.end() && (*link)->GetDelay() == delay; ++link)
        {
            largest = std::max(largest, join(trial, **link));
        }
    }
    Groups groups(nodes);
    for (const RdmaPort* link : links)
    {
        if (static_cast<uint64_t>(link->GetDelay()) < m_length)
        {
            join(groups, *link);
        }
    }
    uint32_t count = 0;
    std::vector<uint32_t> number(nodes, 0);
    for (uint32_t node = 0; node < nodes; ++node)
    {
        uint32_t& n = number[groups.Find(node)];
        n = n ? n : ++count;
    }
    if (m_length == 0 || m_length >> 32 || m_longest / m_length > LONGEST || groups.GetCount() < 2)
    {
        return;
    }
    m_network.GetContext().window = static_cast<int64_t>(m_length);
    m_processes.resize(groups.GetCount());
    m_processOf.resize(nodes);
    for (uint32_t node = 0; node < nodes; ++node)
    {
        m_processOf[node] = number[groups.Find(node)];
        m_network.GetRdmaNode(node).SetProcess(m_processOf[node], groups.GetSize(node) == 1);
    }
    std::vector<bool> listed(m_processes.size() + 1, false);
    for (const uint32_t node : OrderNear(m_network))
    {
        const uint32_t process = m_processOf[node];
        if (!listed[process])
        {
            listed[process] = true;
            m_near.push_back(process);
        }
    }
}

} // namespace ns3

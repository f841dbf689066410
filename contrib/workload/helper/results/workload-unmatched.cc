/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-unmatched.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{

namespace
{

/** A maximum flow (Dinic's algorithm), from node 0 to node 1. */
class MaximumFlow
{
  public:
    explicit MaximumFlow(size_t nodes)
        : m_edges(nodes),
          m_level(nodes),
          m_next(nodes)
    {
    }

    void Add(uint32_t from, uint32_t to, uint32_t capacity)
    {
        m_edges[from].push_back({to, static_cast<uint32_t>(m_edges[to].size()), capacity});
        m_edges[to].push_back({from, static_cast<uint32_t>(m_edges[from].size() - 1), 0});
    }

    void Run()
    {
        while (SetLevels())
        {
            std::fill(m_next.begin(), m_next.end(), 0);
            while (Augment())
            {
            }
        }
    }

    /** \return what an edge, counted from 0 at its node, could still take */
    uint32_t Left(uint32_t from, size_t edge) const
    {
        return m_edges[from][edge].capacity;
    }

  private:
    struct Edge
    {
        uint32_t to;
        uint32_t back; //!< index of the opposite edge at `to`
        uint32_t capacity;
    };

    /** Sets the distances from node 0. \return whether node 1 can be reached */
    bool SetLevels()
    {
        std::fill(m_level.begin(), m_level.end(), UINT32_MAX);
        m_level[0] = 0;
        std::vector<uint32_t> reached{0};
        for (size_t i = 0; i < reached.size(); ++i)
        {
            for (const Edge& edge : m_edges[reached[i]])
            {
                if (edge.capacity && m_level[edge.to] == UINT32_MAX)
                {
                    m_level[edge.to] = m_level[reached[i]] + 1;
                    reached.push_back(edge.to);
                }
            }
        }
        return m_level[1] != UINT32_MAX;
    }

    /** Pushes flow along one shortest path. \return whether there was one */
    bool Augment()
    {
        std::vector<Edge*> path;
        uint32_t node = 0;
        while (node != 1)
        {
            std::vector<Edge>& edges = m_edges[node];
            uint32_t& next = m_next[node];
            while (next < edges.size() &&
                   !(edges[next].capacity && m_level[edges[next].to] == m_level[node] + 1))
            {
                ++next;
            }
            if (next < edges.size())
            {
                path.push_back(&edges[next]);
                node = edges[next].to;
            }
            else if (path.empty())
            {
                return false;
            }
            else
            {
                // no way on from here: back, and past the edge that led here
                const Edge& last = *path.back();
                node = m_edges[last.to][last.back].to;
                ++m_next[node];
                path.pop_back();
            }
        }
        uint32_t flow = UINT32_MAX;
        for (const Edge* edge : path)
        {
            flow = std::min(flow, edge->capacity);
        }
        for (Edge* edge : path)
        {
            edge->capacity -= flow;
            m_edges[edge->to][edge->back].capacity += flow;
        }
        return true;
    }

    std::vector<std::vector<Edge>> m_edges;
    std::vector<uint32_t> m_level;
    std::vector<uint32_t> m_next; //!< edge to try, of each node
};

/** Pairs what is left of one destination's channels. */
void
PairAny(const WorkloadMessages& messages, std::vector<WorkloadUnmatched>& left)
{
    const std::vector<WorkloadChannel>& channels = messages.GetChannels();
    // node 2 passes messages of any tag on to all receives of any source
    constexpr uint32_t ANY_TAG = 2;
    constexpr uint32_t FIRST = 3;
    const auto sendNode = [](size_t i) { return static_cast<uint32_t>(FIRST + 2 * i); };
    const auto receiveNode = [](size_t i) { return static_cast<uint32_t>(FIRST + 2 * i + 1); };
    std::map<std::pair<uint32_t, uint32_t>, size_t> receives; // by source and tag
    std::map<uint32_t, std::vector<size_t>> bySource;
    MaximumFlow flow(FIRST + 2 * left.size());
    for (size_t i = 0; i < left.size(); ++i)
    {
        const WorkloadChannel& channel = channels[left[i].channel];
        flow.Add(0, sendNode(i), left[i].sends);
        if (left[i].receives)
        {
            flow.Add(receiveNode(i), 1, left[i].receives);
            receives[{channel.source, channel.tag}] = i;
            bySource[channel.source].push_back(i);
        }
    }
    for (const size_t i : bySource[WORKLOAD_ANY])
    {
        flow.Add(ANY_TAG, receiveNode(i), UINT32_MAX / 2);
    }
    for (size_t i = 0; i < left.size(); ++i)
    {
        const WorkloadChannel& channel = channels[left[i].channel];
        if (left[i].sends == 0)
        {
            continue;
        }
        if (channel.tag == WORKLOAD_ANY)
        {
            flow.Add(sendNode(i), ANY_TAG, left[i].sends);
            for (const size_t j : bySource[channel.source])
            {
                flow.Add(sendNode(i), receiveNode(j), left[i].sends);
            }
            continue;
        }
        for (const auto& key : {std::pair(channel.source, WORKLOAD_ANY),
                                std::pair(WORKLOAD_ANY, channel.tag),
                                std::pair(WORKLOAD_ANY, WORKLOAD_ANY)})
        {
            const auto found = receives.find(key);
            if (found != receives.end())
            {
                flow.Add(sendNode(i), receiveNode(found->second), left[i].sends);
            }
        }
    }
    flow.Run();
    for (size_t i = 0; i < left.size(); ++i)
    {
        left[i].sends = flow.Left(0, i);
        // the edge to node 1 is the first one of a receiving node
        left[i].receives = left[i].receives ? flow.Left(receiveNode(i), 0) : 0;
    }
}

} // namespace

std::vector<WorkloadUnmatched>
FindWorkloadUnmatched(const WorkloadMessages& messages)
{
    std::vector<WorkloadUnmatched> all;
    const std::vector<WorkloadChannel>& channels = messages.GetChannels();
    for (uint32_t begin = 0; begin < channels.size();)
    {
        const uint32_t destination = channels[begin].destination;
        const uint32_t end = messages.GetFirstChannel(destination + 1);
        std::vector<WorkloadUnmatched> left;
        for (uint32_t i = begin; i < end; ++i)
        {
            // a send of any tag may be worth more elsewhere than on a receive of any tag
            const uint32_t pairs = channels[i].tag == WORKLOAD_ANY
                                       ? 0
                                       : std::min(channels[i].sends, channels[i].receives);
            if (channels[i].sends > pairs || channels[i].receives > pairs)
            {
                left.push_back({i, channels[i].sends - pairs, channels[i].receives - pairs});
            }
        }
        if (messages.HasAny(destination) && !left.empty())
        {
            PairAny(messages, left);
        }
        std::copy_if(left.begin(), left.end(), std::back_inserter(all), [](const auto& channel) {
            return channel.sends || channel.receives;
        });
        begin = end;
    }
    return all;
}

} // namespace ns3

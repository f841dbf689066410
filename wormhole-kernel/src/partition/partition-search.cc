/*
 * SPDX-License-Identifier: MIT
 */
#include "partition/partition-search.h"

namespace wormhole
{

std::size_t
PartitionSearch::Run(const std::vector<Slot>& seeds)
{
    Begin(seeds);
    AlongSkeleton();
    AcrossSkeleton();

    m_pieces.clear();
    for (std::size_t search = 0; search < m_count; ++search)
    {
        if (GroupOf(search) == search && search != GroupOf(m_rest))
        {
            m_pieces.push_back(search);
        }
    }
    return m_pieces.size();
}

void
PartitionSearch::AppendPorts(std::size_t piece, std::vector<Slot>& ports)
{
    for (std::size_t search = 0; search < m_count; ++search)
    {
        if (GroupOf(search) == m_pieces[piece])
        {
            const std::vector<Slot>& reached = m_searches[search].reached;
            ports.insert(ports.end(), reached.begin(), reached.end());
        }
    }
}

void
PartitionSearch::Begin(const std::vector<Slot>& seeds)
{
    m_count = seeds.size();
    m_unfinishedGroups = m_count;
    m_firstMark = m_graph.NewMarks(m_count);
    if (m_searches.size() < m_count)
    {
        m_searches.resize(m_count);
    }
    for (std::size_t i = 0; i < m_count; ++i)
    {
        Search& search = m_searches[i];
        search.reached.assign(1, seeds[i]);
        search.port = 0;
        search.use = 0;
        search.parent = i;
        search.unfinished = 1;
        Mark(m_graph.ports[seeds[i]], i);
    }
}

void
PartitionSearch::AlongSkeleton()
{
    while (m_unfinishedGroups > 1)
    {
        for (std::size_t search = 0; search < m_count && m_unfinishedGroups > 1; ++search)
        {
            Advance(search);
        }
    }
    for (std::size_t search = 0; search < m_count; ++search)
    {
        if (m_searches[GroupOf(search)].unfinished > 0)
        {
            m_rest = search;
        }
    }
}

void
PartitionSearch::Advance(std::size_t index)
{
    Search& search = m_searches[index];
    if (search.port == search.reached.size())
    {
        return; // finished earlier
    }
    while (search.port < search.reached.size())
    {
        const auto& uses = m_graph.ports[search.reached[search.port]].uses[PartitionGraph::NEEDED];
        if (search.use < uses.size())
        {
            Reach(index, uses[search.use++].flow);
            return;
        }
        ++search.port;
        search.use = 0;
    }
    Search& group = m_searches[GroupOf(index)];
    if (--group.unfinished == 0)
    {
        --m_unfinishedGroups;
    }
}

void
PartitionSearch::Reach(std::size_t search, Slot slot)
{
    PartitionGraph::Flow& flow = m_graph.flows[slot];
    if (Marked(flow))
    {
        return; // whichever search reached it has met this one at the port between
    }
    Mark(flow, search);
    for (const PortId id : flow.ports)
    {
        PartitionGraph::Port& port = m_graph.ports[id.Value()];
        if (!Marked(port))
        {
            Mark(port, search);
            m_searches[search].reached.push_back(id.Value());
        }
        else if (port.mark != m_firstMark + search)
        {
            Join(search, port.mark - m_firstMark);
        }
    }
}

void
PartitionSearch::AcrossSkeleton()
{
    for (std::size_t search = 0; search < m_count; ++search)
    {
        if (GroupOf(search) != GroupOf(m_rest))
        {
            Cross(search);
        }
    }
}

void
PartitionSearch::Cross(std::size_t search)
{
    for (const Slot port : m_searches[search].reached)
    {
        const auto& spare = m_graph.ports[port].uses[PartitionGraph::SPARE];
        for (std::size_t i = 0; i < spare.size();)
        {
            if (!Connects(search, spare[i].flow))
            {
                ++i; // a flow that does leaves its place in the list to another
            }
            else if (GroupOf(search) == GroupOf(m_rest))
            {
                return;
            }
        }
    }
}

bool
PartitionSearch::Connects(std::size_t search, Slot slot)
{
    PartitionGraph::Flow& flow = m_graph.flows[slot];
    if (Marked(flow))
    {
        return false; // looked at from another of its ports
    }
    Mark(flow, search);
    bool connects = false;
    for (const PortId id : flow.ports)
    {
        const PartitionGraph::Port& port = m_graph.ports[id.Value()];
        const std::size_t other = Marked(port) ? port.mark - m_firstMark : m_rest;
        if (GroupOf(other) != GroupOf(search))
        {
            Join(search, other);
            connects = true;
        }
    }
    if (connects)
    {
        m_graph.Relist(slot, PartitionGraph::NEEDED);
    }
    return connects;
}

std::size_t
PartitionSearch::GroupOf(std::size_t search)
{
    while (m_searches[search].parent != search)
    {
        search = m_searches[search].parent = m_searches[m_searches[search].parent].parent;
    }
    return search;
}

void
PartitionSearch::Join(std::size_t a, std::size_t b)
{
    a = GroupOf(a);
    b = GroupOf(b);
    if (a == b)
    {
        return;
    }
    // Along the skeleton, nobody meets a finished group: it has reached all that can be reached.
    if (m_searches[a].unfinished > 0 && m_searches[b].unfinished > 0)
    {
        --m_unfinishedGroups;
    }
    m_searches[b].parent = a;
    m_searches[a].unfinished += m_searches[b].unfinished;
}

} // namespace wormhole

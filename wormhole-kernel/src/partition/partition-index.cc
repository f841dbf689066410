/*
 * SPDX-License-Identifier: MIT
 */
#include "partition/partition-index.h"

#include <algorithm>
#include <utility>

namespace wormhole
{
namespace
{

using Slot = PartitionGraph::Slot;

// What a vertex stands for, as a number
std::uint32_t
PortOwner(Slot port)
{
    return 2 * port;
}

std::uint32_t
FlowOwner(Slot flow)
{
    return 2 * flow + 1;
}

bool
IsPort(std::uint32_t owner)
{
    return owner % 2 == 0;
}

Slot
SlotOf(std::uint32_t owner)
{
    return owner / 2;
}

/** \return number of nodes for a flow: itself and, by hop, two for an edge */
std::uint32_t
NodesOf(const PartitionGraph::Flow& flow)
{
    return static_cast<std::uint32_t>(1 + 2 * flow.ports.size());
}

} // namespace

void
PartitionIndex::Build(Slot partition)
{
    const auto ports = m_graph.PortSlotsOf(partition);
    const std::uint64_t mark = m_graph.NewMarks(1);
    m_flows.clear();
    for (const Slot port : ports)
    {
        AddPort(port);
        for (const auto& use : m_graph.ports[port].uses[PartitionGraph::TIGHT])
        {
            if (std::exchange(m_graph.flows[use.flow].mark, mark) != mark)
            {
                m_flows.push_back(use.flow);
            }
        }
    }
    for (const Slot flow : m_flows)
    {
        const bool connects = Connects(m_graph.flows[flow]);
        m_graph.Relist(flow, connects ? PartitionGraph::LOOSE : PartitionGraph::SPARE);
        Add(flow);
    }
    for (const Slot port : ports)
    {
        SetFlag(m_graph.ports[port].node, MayCross(m_graph.ports[port]), true);
    }
    m_graph.partitions[partition].indexed = true;
}

void
PartitionIndex::Drop(Slot partition)
{
    for (const Slot port : m_graph.PortSlotsOf(partition))
    {
        auto& loose = m_graph.ports[port].uses[PartitionGraph::LOOSE];
        while (!loose.empty())
        {
            m_graph.Relist(loose.back().flow, loose.back().hop, PartitionGraph::TIGHT);
        }
        for (const auto& use : m_graph.ports[port].uses[PartitionGraph::TIGHT])
        {
            PartitionGraph::Flow& flow = m_graph.flows[use.flow];
            if (flow.node != PartitionGraph::NONE)
            {
                m_tours.Remove(std::exchange(flow.node, PartitionGraph::NONE), NodesOf(flow));
            }
        }
        RemovePort(port);
    }
    m_graph.partitions[partition].indexed = false;
}

void
PartitionIndex::Add(Slot flow)
{
    if (m_graph.flows[flow].Needed())
    {
        Tie(flow);
    }
    else
    {
        Refresh(flow);
    }
}

void
PartitionIndex::Remove(Slot slot)
{
    PartitionGraph::Flow& flow = m_graph.flows[slot];
    // Edges to ports that others use come first: the last ones are cut from a tree that is small.
    for (const bool unused : {false, true})
    {
        for (std::uint32_t hop = 0; hop < flow.ports.size(); ++hop)
        {
            const Slot port = flow.ports[hop].Value();
            if (m_graph.ports[port].Unused() != unused)
            {
                continue;
            }
            if (flow.uses[hop].list == PartitionGraph::TIGHT)
            {
                m_tours.Cut(EdgeOf(flow, hop));
            }
            if (unused)
            {
                RemovePort(port);
            }
            else
            {
                SetFlag(m_graph.ports[port].node, MayCross(m_graph.ports[port]), false);
            }
        }
    }
    if (flow.node != PartitionGraph::NONE)
    {
        m_tours.Remove(std::exchange(flow.node, PartitionGraph::NONE), NodesOf(flow));
    }
}

std::size_t
PartitionIndex::Run(const std::vector<Slot>& seeds)
{
    const auto nodeOf = [this](Slot port) { return m_graph.ports[port].node; };
    m_mark = m_graph.NewMarks(1);
    m_trees = seeds;
    m_pieces.clear();
    while (m_trees.size() > 1)
    {
        const auto smallest = std::min_element(m_trees.begin(), m_trees.end(), [&](Slot a, Slot b) {
            return m_tours.Size(nodeOf(a)) < m_tours.Size(nodeOf(b));
        });
        const Slot port = *smallest;
        m_trees.erase(smallest);
        if (!Reconnect(port))
        {
            m_pieces.push_back(port);
            continue;
        }
        // What has been connected is one tree now, of which one port is enough.
        const auto connected = std::remove_if(m_trees.begin(), m_trees.end(), [&](Slot other) {
            return m_tours.Connected(nodeOf(port), nodeOf(other));
        });
        m_trees.erase(connected, m_trees.end());
        m_trees.push_back(port);
    }
    return m_pieces.size();
}

void
PartitionIndex::AppendPorts(std::size_t piece, std::vector<Slot>& ports)
{
    m_flows.clear();
    m_tours.AppendOwners(m_graph.ports[m_pieces[piece]].node, m_flows);
    for (const std::uint32_t owner : m_flows)
    {
        if (IsPort(owner))
        {
            ports.push_back(SlotOf(owner));
        }
    }
}

void
PartitionIndex::AddPort(Slot port)
{
    m_graph.ports[port].node = m_tours.Add(PortOwner(port), 1);
}

void
PartitionIndex::RemovePort(Slot port)
{
    m_tours.Remove(std::exchange(m_graph.ports[port].node, PartitionGraph::NONE), 1);
}

void
PartitionIndex::Tie(Slot slot)
{
    PartitionGraph::Flow& flow = m_graph.flows[slot];
    flow.node = m_tours.Add(FlowOwner(slot), NodesOf(flow));
    // New ports come first: they are tied to a tree that is still small.
    for (std::uint32_t hop = 0; hop < flow.ports.size(); ++hop)
    {
        if (m_graph.ports[flow.ports[hop].Value()].node == PartitionGraph::NONE)
        {
            AddPort(flow.ports[hop].Value());
            Tighten(slot, hop);
        }
    }
    Tighten(slot);
    Refresh(slot);
}

bool
PartitionIndex::Tighten(Slot slot)
{
    const PartitionGraph::Flow& flow = m_graph.flows[slot];
    bool connects = false;
    for (std::uint32_t hop = 0; hop < flow.ports.size(); ++hop)
    {
        if (flow.uses[hop].list == PartitionGraph::LOOSE &&
            !m_tours.Connected(flow.node, m_graph.ports[flow.ports[hop].Value()].node))
        {
            Tighten(slot, hop);
            connects = true;
        }
    }
    return connects;
}

void
PartitionIndex::Tighten(Slot slot, std::uint32_t hop)
{
    const PartitionGraph::Flow& flow = m_graph.flows[slot];
    m_graph.Relist(slot, hop, PartitionGraph::TIGHT);
    m_tours.Link(flow.node, m_graph.ports[flow.ports[hop].Value()].node, EdgeOf(flow, hop));
}

void
PartitionIndex::Refresh(Slot slot)
{
    const PartitionGraph::Flow& flow = m_graph.flows[slot];
    if (flow.node != PartitionGraph::NONE)
    {
        SetFlag(flow.node, MayCross(flow), true);
    }
    for (const PortId id : flow.ports)
    {
        const PartitionGraph::Port& port = m_graph.ports[id.Value()];
        SetFlag(port.node, MayCross(port), true);
    }
}

void
PartitionIndex::SetFlag(Node vertex, bool crossing, bool fresh)
{
    const unsigned before = m_tours.FlagsOf(vertex);
    const unsigned flags = fresh || before == 0 ? 1U << FRESH : before;
    m_tours.SetFlags(vertex, static_cast<std::uint8_t>(crossing ? flags : 0));
}

bool
PartitionIndex::MayCross(const PartitionGraph::Port& port)
{
    return !port.uses[PartitionGraph::SPARE].empty() || !port.uses[PartitionGraph::LOOSE].empty();
}

bool
PartitionIndex::MayCross(const PartitionGraph::Flow& flow)
{
    return std::any_of(flow.uses.begin(), flow.uses.end(), [](const PartitionGraph::Place& place) {
        return place.list == PartitionGraph::LOOSE;
    });
}

bool
PartitionIndex::Reconnect(Slot port)
{
    if (LookAtPort(port))
    {
        return true;
    }
    const Node start = m_graph.ports[port].node;
    for (Node node = m_tours.First(start, FRESH); node != EulerTours::NONE;
         node = m_tours.Next(node, FRESH))
    {
        if (LookAt(node))
        {
            return true;
        }
        m_tours.SetFlags(node, 1U << STALE);
    }
    for (Node node = m_tours.First(start, STALE); node != EulerTours::NONE;
         node = m_tours.Next(node, STALE))
    {
        if (LookAt(node))
        {
            return true;
        }
    }
    return false;
}

bool
PartitionIndex::LookAt(Node vertex)
{
    const std::uint32_t owner = m_tours.OwnerOf(vertex);
    return IsPort(owner) ? LookAtPort(SlotOf(owner)) : LookAtLoose(SlotOf(owner));
}

bool
PartitionIndex::LookAtPort(Slot slot)
{
    PartitionGraph::Port& port = m_graph.ports[slot];
    Mark(port);
    // The lists do not change before one of their flows connects.
    const auto& spare = port.uses[PartitionGraph::SPARE];
    const auto& loose = port.uses[PartitionGraph::LOOSE];
    return std::any_of(spare.begin(),
                       spare.end(),
                       [this](const auto& use) { return LookAtSpare(use.flow); }) ||
           std::any_of(loose.begin(), loose.end(), [this](const auto& use) {
               return LookAtLoose(use.flow);
           });
}

bool
PartitionIndex::LookAtSpare(Slot flow)
{
    if (Mark(m_graph.flows[flow]) || !Connects(m_graph.flows[flow]))
    {
        return false;
    }
    m_graph.Relist(flow, PartitionGraph::LOOSE);
    Tie(flow);
    return true;
}

bool
PartitionIndex::LookAtLoose(Slot flow)
{
    if (Mark(m_graph.flows[flow]) || !Tighten(flow))
    {
        return false;
    }
    Refresh(flow);
    return true;
}

bool
PartitionIndex::Connects(const PartitionGraph::Flow& flow)
{
    const auto nodeOf = [this](PortId port) { return m_graph.ports[port.Value()].node; };
    return std::any_of(flow.ports.begin() + 1, flow.ports.end(), [&](PortId port) {
        return !m_tours.Connected(nodeOf(flow.ports.front()), nodeOf(port));
    });
}

template <class Thing>
bool
PartitionIndex::Mark(Thing& thing)
{
    const bool marked = std::exchange(thing.mark, m_mark) == m_mark;
    m_visited += marked ? 0 : 1;
    return marked;
}

} // namespace wormhole

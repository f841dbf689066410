/*
 * SPDX-License-Identifier: MIT
 */
#include "partition/partition-map-impl.h"
#include "wormhole/error.h"

#include <algorithm>
#include <string>

namespace wormhole
{
void
PartitionMap::Impl::SetPath(const std::vector<PortId>& ports)
{
    const std::uint64_t mark = graph.NewMarks(1);
    m_path.clear();
    for (const PortId port : ports)
    {
        graph.ReservePort(port);
        std::uint64_t& seen = graph.ports[port.Value()].mark;
        if (seen != mark)
        {
            seen = mark;
            m_path.push_back(port);
        }
    }
}

std::size_t
PartitionMap::Impl::Touch()
{
    const std::uint64_t mark = graph.NewMarks(1);
    std::size_t unused = 0;
    m_touched.clear();
    for (const PortId port : m_path)
    {
        const Slot partition = graph.ports[port.Value()].member.partition;
        if (partition == PartitionGraph::NONE)
        {
            ++unused;
        }
        else if (graph.partitions[partition].mark != mark)
        {
            graph.partitions[partition].mark = mark;
            m_touched.push_back(partition);
        }
    }
    return unused;
}

PartitionMap::Impl::Slot
PartitionMap::Impl::Largest() const
{
    return *std::min_element(m_touched.begin(), m_touched.end(), [this](Slot a, Slot b) {
        const auto& first = graph.partitions[a];
        const auto& second = graph.partitions[b];
        return first.Size() != second.Size() ? first.Size() > second.Size() : first.id < second.id;
    });
}

PartitionChange
PartitionMap::Impl::Start(FlowId flow, const std::vector<PortId>& ports)
{
    if (graph.FindFlow(flow) != PartitionGraph::NONE)
    {
        throw UsageError("flow " + std::to_string(flow.Value()) +
                         " is there already: end it first, or reroute it");
    }
    SetPath(ports); // a copy, since the ports may be those of another flow here
    const std::size_t unused = Touch();
    const std::size_t parts = m_touched.size() + unused;

    PartitionChange change;
    change.created = m_touched.empty();
    const Slot partition = change.created ? graph.AddPartition() : Largest();
    if (change.created)
    {
        graph.NamePartition(partition);
    }
    change.partition = graph.partitions[partition].id;
    for (const Slot other : m_touched)
    {
        if (other != partition)
        {
            change.merged.push_back(graph.partitions[other].id);
            Merge(partition, other);
        }
    }
    std::sort(change.merged.begin(), change.merged.end());
    Add(flow, parts > 1, partition);
    return change;
}

void
PartitionMap::Impl::Merge(Slot partition, Slot other)
{
    graph.Merge(partition, other);
    graph.RemovePartition(other);
}

void
PartitionMap::Impl::Add(FlowId flow, bool needed, Slot partition)
{
    const Slot slot = graph.AddFlow(flow, m_path);
    graph.Attach(slot, needed ? PartitionGraph::NEEDED : PartitionGraph::SPARE);
    graph.JoinFlow(slot, partition);
    for (const PortId port : m_path)
    {
        if (graph.ports[port.Value()].member.partition == PartitionGraph::NONE)
        {
            graph.JoinPort(port.Value(), partition);
        }
    }
}

PartitionChange
PartitionMap::Impl::End(Slot flow)
{
    const Slot partition = graph.flows[flow].member.partition;
    const bool needed = graph.flows[flow].Needed();
    Remove(flow);
    ++statistics.ends;

    PartitionChange change;
    change.partition = graph.partitions[partition].id;
    if (graph.partitions[partition].flows.count == 0)
    {
        change.vanished = true;
        graph.RemovePartition(partition);
    }
    else if (needed && m_seeds.size() > 1)
    {
        Separate(partition, change);
    }
    return change;
}

void
PartitionMap::Impl::Remove(Slot slot)
{
    graph.Detach(slot);
    graph.LeaveFlow(slot);
    const PartitionGraph::Flow& flow = graph.flows[slot];
    m_seeds.clear();
    for (std::size_t hop = 0; hop < flow.ports.size(); ++hop)
    {
        const Slot port = flow.ports[hop].Value();
        if (graph.ports[port].Unused())
        {
            graph.LeavePort(port);
        }
        else
        {
            m_seeds.push_back(port);
        }
    }
    graph.RemoveFlow(slot);
}

void
PartitionMap::Impl::Separate(Slot partition, PartitionChange& change)
{
    const std::size_t pieces = m_search.Run(m_seeds);
    ++statistics.searches;
    statistics.visited = m_search.Visited();
    if (pieces > 0)
    {
        ++statistics.splits;
        Split(partition, pieces, change);
    }
}

void
PartitionMap::Impl::Split(Slot partition, std::size_t pieces, PartitionChange& change)
{
    struct Part
    {
        Slot slot;
        std::uint64_t size;
        FlowId smallest;
    };

    std::vector<Part> parts;
    bool restIsLargest = true;
    for (std::size_t piece = 0; piece < pieces; ++piece)
    {
        const Slot slot = CutOff(piece);
        parts.push_back({slot, graph.partitions[slot].Size(), graph.SmallestFlow(slot)});
    }
    const std::uint64_t restSize = graph.partitions[partition].Size();
    for (const Part& part : parts)
    {
        restIsLargest = restIsLargest && part.size < restSize;
    }
    if (!restIsLargest)
    {
        // As small as what was searched, so that it can be looked at after all.
        parts.push_back({partition, restSize, graph.SmallestFlow(partition)});
        const auto largest =
            std::min_element(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
                return a.size != b.size ? a.size > b.size : a.smallest < b.smallest;
            });
        graph.NamePartition(largest->slot, change.partition);
        parts.erase(largest);
    }
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
        return a.smallest < b.smallest;
    });
    for (const Part& part : parts)
    {
        change.split.push_back(graph.NamePartition(part.slot));
    }
}

PartitionMap::Impl::Slot
PartitionMap::Impl::CutOff(std::size_t piece)
{
    const Slot partition = graph.AddPartition();
    m_cut.clear();
    m_search.AppendPorts(piece, m_cut);
    for (const Slot port : m_cut)
    {
        graph.LeavePort(port);
        graph.JoinPort(port, partition);
        for (const auto& uses : graph.ports[port].uses)
        {
            for (const auto& use : uses)
            {
                if (graph.flows[use.flow].member.partition != partition)
                {
                    graph.LeaveFlow(use.flow);
                    graph.JoinFlow(use.flow, partition);
                }
            }
        }
    }
    return partition;
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: MIT
 */
#include "wormhole/partition-map.h"

#include "partition-graph.h"
#include "partition-search.h"
#include "wormhole/error.h"

#include <algorithm>
#include <string>
#include <utility>

namespace wormhole
{
namespace
{

using Slot = PartitionGraph::Slot;

constexpr Slot NONE = PartitionGraph::NONE;

} // namespace

class PartitionMap::Impl
{
  public:
    PartitionChange Start(FlowId flow, const std::vector<PortId>& ports);
    PartitionChange End(Slot flow);

    /** \throws UsageError if there is no such flow */
    Slot SlotOf(FlowId flow) const;
    /** \throws UsageError if there is no such partition */
    Slot SlotOf(PartitionId partition) const;

    PartitionGraph graph;
    PartitionSearchStatistics statistics;

  private:
    /** Makes the ports exist, and #m_path their list without duplicates. */
    void SetPath(const std::vector<PortId>& ports);

    /** Sets #m_touched to the partitions of the ports in #m_path.
     *  \return number of these ports that are unused */
    std::size_t Touch();

    /** \return which of #m_touched has most members; among equals, the lowest id */
    Slot Largest() const;

    /** Takes \p flow out of the graph and of its partition, with the ports that it alone used.
     * Sets #m_seeds to the other ones. */
    void Remove(Slot flow);

    /** Makes partitions of the pieces that the search found in \p partition. */
    void Split(Slot partition, std::size_t pieces, PartitionChange& change);

    /** Moves piece \p piece into a new partition without id. \return its slot */
    Slot CutOff(std::size_t piece);

    PartitionSearch m_search{graph};

    // Kept for their memory
    std::vector<PortId> m_path;
    std::vector<Slot> m_touched;
    std::vector<Slot> m_seeds;
};

Slot
PartitionMap::Impl::SlotOf(FlowId flow) const
{
    const Slot slot = graph.FindFlow(flow);
    if (slot == NONE)
    {
        throw UsageError("flow " + std::to_string(flow.Value()) +
                         " is not there: start it first, and do not end it twice");
    }
    return slot;
}

Slot
PartitionMap::Impl::SlotOf(PartitionId partition) const
{
    const Slot slot = graph.FindPartition(partition);
    if (slot == NONE)
    {
        throw UsageError("partition " + std::to_string(partition.Value()) +
                         " is not there (any more): ask for that of one of its flows");
    }
    return slot;
}

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
        if (partition == NONE)
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

Slot
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
    if (graph.FindFlow(flow) != NONE)
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
            graph.Merge(partition, other);
            graph.RemovePartition(other);
        }
    }
    std::sort(change.merged.begin(), change.merged.end());

    const Slot slot = graph.AddFlow(flow, m_path);
    graph.flows[slot].needed = parts > 1;
    graph.Attach(slot);
    graph.JoinFlow(slot, partition);
    for (const PortId port : m_path)
    {
        if (graph.ports[port.Value()].member.partition == NONE)
        {
            graph.JoinPort(port.Value(), partition);
        }
    }
    return change;
}

PartitionChange
PartitionMap::Impl::End(Slot flow)
{
    const Slot partition = graph.flows[flow].member.partition;
    const bool needed = graph.flows[flow].needed;
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
        const std::size_t pieces = m_search.Run(m_seeds);
        ++statistics.searches;
        statistics.visited = m_search.Visited();
        if (pieces > 0)
        {
            ++statistics.splits;
            Split(partition, pieces, change);
        }
    }
    return change;
}

void
PartitionMap::Impl::Remove(Slot flow)
{
    graph.Detach(flow);
    graph.LeaveFlow(flow);
    m_seeds.clear();
    for (const PortId port : graph.flows[flow].ports)
    {
        if (graph.ports[port.Value()].Unused())
        {
            graph.LeavePort(port.Value());
        }
        else
        {
            m_seeds.push_back(port.Value());
        }
    }
    graph.RemoveFlow(flow);
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

Slot
PartitionMap::Impl::CutOff(std::size_t piece)
{
    const Slot partition = graph.AddPartition();
    for (const std::vector<Slot>* ports : m_search.PortsOfPiece(piece))
    {
        for (const Slot port : *ports)
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
    }
    return partition;
}

PartitionMap::PartitionMap()
    : m_impl(std::make_unique<Impl>())
{
}

PartitionMap::~PartitionMap() = default;
PartitionMap::PartitionMap(PartitionMap&&) noexcept = default;
PartitionMap& PartitionMap::operator=(PartitionMap&&) noexcept = default;

PartitionChange
PartitionMap::Start(FlowId flow, const std::vector<PortId>& ports)
{
    return m_impl->Start(flow, ports);
}

PartitionChange
PartitionMap::End(FlowId flow)
{
    return m_impl->End(m_impl->SlotOf(flow));
}

PartitionMap::RerouteChange
PartitionMap::Reroute(FlowId flow, const std::vector<PortId>& ports)
{
    // The ports may be the flow's own: these can be read until Start has copied them.
    RerouteChange change;
    change.end = End(flow);
    change.start = Start(flow, ports);
    return change;
}

bool
PartitionMap::Contains(FlowId flow) const
{
    return m_impl->graph.FindFlow(flow) != NONE;
}

bool
PartitionMap::Contains(PartitionId partition) const
{
    return m_impl->graph.FindPartition(partition) != NONE;
}

PartitionId
PartitionMap::PartitionOf(FlowId flow) const
{
    const PartitionGraph& graph = m_impl->graph;
    return graph.partitions[graph.flows[m_impl->SlotOf(flow)].member.partition].id;
}

std::optional<PartitionId>
PartitionMap::PartitionOf(PortId port) const
{
    const PartitionGraph& graph = m_impl->graph;
    if (port.Value() >= graph.ports.size() || graph.ports[port.Value()].member.partition == NONE)
    {
        return std::nullopt;
    }
    return graph.partitions[graph.ports[port.Value()].member.partition].id;
}

const std::vector<PortId>&
PartitionMap::PortsOf(FlowId flow) const
{
    return m_impl->graph.flows[m_impl->SlotOf(flow)].ports;
}

std::vector<FlowId>
PartitionMap::FlowsOn(PortId port) const
{
    const PartitionGraph& graph = m_impl->graph;
    std::vector<FlowId> flows;
    if (port.Value() < graph.ports.size())
    {
        for (const auto& uses : graph.ports[port.Value()].uses)
        {
            for (const auto& use : uses)
            {
                flows.push_back(graph.flows[use.flow].id);
            }
        }
    }
    std::sort(flows.begin(), flows.end());
    return flows;
}

std::vector<FlowId>
PartitionMap::FlowsOf(PartitionId partition) const
{
    std::vector<FlowId> flows;
    for (const Slot slot : m_impl->graph.FlowSlotsOf(m_impl->SlotOf(partition)))
    {
        flows.push_back(m_impl->graph.flows[slot].id);
    }
    std::sort(flows.begin(), flows.end());
    return flows;
}

std::vector<PortId>
PartitionMap::PortsOf(PartitionId partition) const
{
    std::vector<PortId> ports;
    for (const Slot slot : m_impl->graph.PortSlotsOf(m_impl->SlotOf(partition)))
    {
        ports.emplace_back(slot);
    }
    std::sort(ports.begin(), ports.end());
    return ports;
}

std::size_t
PartitionMap::FlowCount(PartitionId partition) const
{
    return m_impl->graph.partitions[m_impl->SlotOf(partition)].flows.count;
}

std::size_t
PartitionMap::PortCount(PartitionId partition) const
{
    return m_impl->graph.partitions[m_impl->SlotOf(partition)].ports.count;
}

std::vector<PartitionId>
PartitionMap::Partitions() const
{
    std::vector<PartitionId> ids;
    for (const auto& partition : m_impl->graph.partitions)
    {
        if (partition.flows.count > 0)
        {
            ids.push_back(partition.id);
        }
    }
    std::sort(ids.begin(), ids.end());
    return ids;
}

const PartitionSearchStatistics&
PartitionMap::Statistics() const
{
    return m_impl->statistics;
}

std::string
PartitionMap::SelfCheck() const
{
    return m_impl->graph.SelfCheck();
}

} // namespace wormhole

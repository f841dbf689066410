/*
 * SPDX-License-Identifier: MIT
 */
#include "wormhole/partition-map.h"

#include "partition/partition-map-impl.h"
#include "wormhole/error.h"

#include <algorithm>
#include <string>

namespace wormhole
{
namespace
{

using Slot = PartitionGraph::Slot;

} // namespace

PartitionMap::Impl::Slot
PartitionMap::Impl::SlotOf(FlowId flow) const
{
    const Slot slot = graph.FindFlow(flow);
    if (slot == PartitionGraph::NONE)
    {
        throw UsageError("flow " + std::to_string(flow.Value()) +
                         " is not there: start it first, and do not end it twice");
    }
    return slot;
}

PartitionMap::Impl::Slot
PartitionMap::Impl::SlotOf(PartitionId partition) const
{
    const Slot slot = graph.FindPartition(partition);
    if (slot == PartitionGraph::NONE)
    {
        throw UsageError("partition " + std::to_string(partition.Value()) +
                         " is not there (any more): ask for that of one of its flows");
    }
    return slot;
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

void
PartitionMap::Clear()
{
    auto empty = std::make_unique<Impl>();
    empty->graph.NameAfter(m_impl->graph);
    m_impl = std::move(empty);
}

bool
PartitionMap::Contains(FlowId flow) const
{
    return m_impl->graph.FindFlow(flow) != PartitionGraph::NONE;
}

bool
PartitionMap::Contains(PartitionId partition) const
{
    return m_impl->graph.FindPartition(partition) != PartitionGraph::NONE;
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
    if (port.Value() >= graph.ports.size() ||
        graph.ports[port.Value()].member.partition == PartitionGraph::NONE)
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

/*
 * SPDX-License-Identifier: MIT
 */
#include "partition/partition-graph.h"

#include <algorithm>

namespace wormhole
{
namespace
{

using Slot = PartitionGraph::Slot;
using Members = PartitionGraph::Members;

/** Of a Place: more flows than fit into memory. */
constexpr std::uint32_t MAX_INDEX = (std::uint32_t{1} << 31) - 1;

/** Puts items[slot] at the end of the list. */
template <class Item>
void
Join(std::vector<Item>& items, Members& members, Slot slot, Slot partition)
{
    auto& member = items[slot].member;
    member = {partition, slot, slot};
    if (members.count++ == 0)
    {
        members.first = slot;
        return;
    }
    auto& first = items[members.first].member;
    member.next = members.first;
    member.previous = first.previous;
    items[first.previous].member.next = slot;
    first.previous = slot;
}

/** Takes items[slot] out of the list. */
template <class Item>
void
Leave(std::vector<Item>& items, Members& members, Slot slot)
{
    auto& member = items[slot].member;
    items[member.previous].member.next = member.next;
    items[member.next].member.previous = member.previous;
    --members.count;
    if (members.first == slot)
    {
        members.first = member.next;
    }
    member = {};
}

/** Moves all of \p from, which is left empty, to the end of \p into, the list of \p partition.
 * Neither is empty before. */
template <class Item>
void
Splice(std::vector<Item>& items, Members& into, Members& from, Slot partition)
{
    Slot slot = from.first;
    do
    {
        items[slot].member.partition = partition;
        slot = items[slot].member.next;
    } while (slot != from.first);

    const Slot lastInto = items[into.first].member.previous;
    const Slot lastFrom = items[from.first].member.previous;
    items[lastInto].member.next = from.first;
    items[from.first].member.previous = lastInto;
    items[lastFrom].member.next = into.first;
    items[into.first].member.previous = lastFrom;
    into.count += from.count;
    from = {};
}

template <class Item>
std::vector<Slot>
SlotsOf(const std::vector<Item>& items, const Members& members)
{
    std::vector<Slot> slots;
    slots.reserve(members.count);
    Slot slot = members.first;
    for (std::uint32_t i = 0; i < members.count; ++i)
    {
        slots.push_back(slot);
        slot = items[slot].member.next;
    }
    return slots;
}

/** \return a free slot of \p items, a new one if there is none */
template <class Item>
Slot
TakeSlot(std::vector<Item>& items, std::vector<Slot>& free)
{
    if (free.empty())
    {
        items.emplace_back();
        return static_cast<Slot>(items.size() - 1);
    }
    const Slot slot = free.back();
    free.pop_back();
    return slot;
}

} // namespace

std::uint64_t
PartitionGraph::NewMarks(std::uint64_t count)
{
    m_nextMark += count;
    return m_nextMark - count;
}

Slot
PartitionGraph::FindFlow(FlowId flow) const
{
    return m_flowSlots.Find(flow.Value());
}

Slot
PartitionGraph::AddFlow(FlowId flow, const std::vector<PortId>& path)
{
    const Slot slot = TakeSlot(flows, m_freeFlows);
    flows[slot].id = flow;
    flows[slot].ports = path;
    flows[slot].uses.resize(path.size());
    m_flowSlots.Set(flow.Value(), slot);
    return slot;
}

void
PartitionGraph::RemoveFlow(Slot flow)
{
    m_flowSlots.Erase(flows[flow].id.Value());
    m_freeFlows.push_back(flow);
}

void
PartitionGraph::AddUse(Slot slot, Flow& flow, std::uint32_t hop, List list)
{
    auto& uses = ports[flow.ports[hop].Value()].uses[list];
    flow.uses[hop] = {static_cast<std::uint32_t>(uses.size()) & MAX_INDEX, list};
    uses.push_back({slot, hop});
}

void
PartitionGraph::RemoveUse(const Flow& flow, std::uint32_t hop)
{
    const Place place = flow.uses[hop];
    auto& uses = ports[flow.ports[hop].Value()].uses[place.list];
    const Use last = uses.back();
    uses[place.index] = last;
    flows[last.flow].uses[last.hop] = place;
    uses.pop_back();
}

void
PartitionGraph::Attach(Slot slot, List list)
{
    Flow& flow = flows[slot];
    const auto hops = static_cast<std::uint32_t>(flow.ports.size());
    for (std::uint32_t hop = 0; hop < hops; ++hop)
    {
        AddUse(slot, flow, hop, list);
    }
}

void
PartitionGraph::Detach(Slot slot)
{
    const Flow& flow = flows[slot];
    const auto hops = static_cast<std::uint32_t>(flow.ports.size());
    for (std::uint32_t hop = 0; hop < hops; ++hop)
    {
        RemoveUse(flow, hop);
    }
}

void
PartitionGraph::Relist(Slot flow, List list)
{
    Detach(flow);
    Attach(flow, list);
}

void
PartitionGraph::ReservePort(PortId port)
{
    if (port.Value() >= ports.size())
    {
        ports.resize(std::size_t{port.Value()} + 1);
    }
}

Slot
PartitionGraph::FindPartition(PartitionId partition) const
{
    return m_partitionSlots.Find(partition.Value());
}

Slot
PartitionGraph::AddPartition()
{
    return TakeSlot(partitions, m_freePartitions);
}

PartitionId
PartitionGraph::NamePartition(Slot partition)
{
    NamePartition(partition, PartitionId(m_nextPartition++));
    return partitions[partition].id;
}

void
PartitionGraph::NamePartition(Slot partition, PartitionId id)
{
    partitions[partition].id = id;
    m_partitionSlots.Set(id.Value(), partition);
}

void
PartitionGraph::RemovePartition(Slot partition)
{
    m_partitionSlots.Erase(partitions[partition].id.Value());
    m_freePartitions.push_back(partition);
}

void
PartitionGraph::JoinFlow(Slot flow, Slot partition)
{
    Join(flows, partitions[partition].flows, flow, partition);
}

void
PartitionGraph::LeaveFlow(Slot flow)
{
    Leave(flows, partitions[flows[flow].member.partition].flows, flow);
}

void
PartitionGraph::JoinPort(Slot port, Slot partition)
{
    Join(ports, partitions[partition].ports, port, partition);
}

void
PartitionGraph::LeavePort(Slot port)
{
    Leave(ports, partitions[ports[port].member.partition].ports, port);
}

void
PartitionGraph::Merge(Slot into, Slot from)
{
    Splice(flows, partitions[into].flows, partitions[from].flows, into);
    Splice(ports, partitions[into].ports, partitions[from].ports, into);
}

std::vector<Slot>
PartitionGraph::FlowSlotsOf(Slot partition) const
{
    return SlotsOf(flows, partitions[partition].flows);
}

std::vector<Slot>
PartitionGraph::PortSlotsOf(Slot partition) const
{
    return SlotsOf(ports, partitions[partition].ports);
}

FlowId
PartitionGraph::SmallestFlow(Slot partition) const
{
    FlowId smallest = flows[partitions[partition].flows.first].id;
    for (const Slot flow : FlowSlotsOf(partition))
    {
        smallest = std::min(smallest, flows[flow].id);
    }
    return smallest;
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: MIT
 */
#include "tracking/packet-state.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace wormhole
{
namespace
{

bool
AreAll(const PartitionMembers& members, Condition condition)
{
    return std::all_of(members.flows.begin(), members.flows.end(), [=](const FlowRecord* flow) {
        return flow->condition == condition;
    });
}

void
SetCondition(const PartitionMembers& members, Condition from, Condition to)
{
    for (FlowRecord* flow : members.flows)
    {
        if (flow->condition == from)
        {
            flow->condition = to;
        }
    }
}

} // namespace

PacketState::PacketState(Simulator& simulator, const PartitionMap& partitions)
    : m_simulator(simulator),
      m_partitions(partitions)
{
}

Members
PacketState::Select(const PartitionMembers& members, Condition condition) const
{
    if (AreAll(members, condition))
    {
        return members.ids;
    }
    Members selected;
    for (const FlowRecord* flow : members.flows)
    {
        if (flow->condition == condition)
        {
            selected.flows.push_back(flow->id);
            const auto& path = m_partitions.PortsOf(flow->id);
            selected.ports.insert(selected.ports.end(), path.begin(), path.end());
        }
    }
    std::sort(selected.ports.begin(), selected.ports.end());
    selected.ports.erase(std::unique(selected.ports.begin(), selected.ports.end()),
                         selected.ports.end());
    return selected;
}

void
PacketState::Pause(const PartitionMembers& members)
{
    const Members running = Select(members, Condition::Running);
    if (!running.flows.empty())
    {
        m_simulator.Pause(running);
        SetCondition(members, Condition::Running, Condition::Paused);
    }
    m_simulator.Stopped(members.ids);
}

void
PacketState::Resume(const PartitionMembers& members, Duration shift)
{
    const Members paused = Select(members, Condition::Paused);
    if (!paused.flows.empty())
    {
        m_simulator.Resume(paused, shift);
        SetCondition(members, Condition::Paused, Condition::Running);
    }
}

void
PacketState::Run(const PartitionMembers& members, Time now)
{
    Restore(members, now);
    Resume(members, Duration{0});
    for (FlowRecord* flow : members.flows)
    {
        flow->steady.reset();
    }
}

void
PacketState::CatchUp(const PartitionMembers& members, Time from, Time until, Duration shift)
{
    Restore(members, from);
    // First, for flows may end within, and their records with them.
    for (FlowRecord* flow : members.flows)
    {
        flow->condition = Condition::Running;
        flow->steady.reset();
    }
    m_simulator.CatchUp(members.ids, from, until, shift);
}

bool
PacketState::ArePaused(const PartitionMembers& members)
{
    return AreAll(members, Condition::Paused);
}

void
PacketState::Restore(const PartitionMembers& members, Time at)
{
    const Members evicted = Select(members, Condition::Evicted);
    if (evicted.flows.empty())
    {
        return;
    }
    std::vector<FlowState> flows;
    for (FlowRecord* flow : members.flows)
    {
        if (flow->condition == Condition::Evicted)
        {
            const FlowOutcome& outcome = flow->episode->flows[flow->index];
            flows.push_back({flow->id,
                             flow->steady.value_or(outcome.endRate),
                             outcome.control,
                             outcome.inFlight});
            flow->condition = Condition::Paused;
            flow->episode.reset();
        }
    }
    std::vector<PortState> ports;
    for (const PortId port : evicted.ports)
    {
        const PortOutcome* outcome = OutcomeOf(port);
        ports.push_back(outcome ? PortState{port, outcome->queue, outcome->state}
                                : PortState{port, 0, {}});
        Remember(port, {});
    }
    m_simulator.Restore(flows, ports, at);
}

void
PacketState::EvictTo(const PartitionMembers& members,
                     const std::shared_ptr<const Episode>& episode,
                     const std::vector<std::uint32_t>& indices)
{
    const Members paused = Select(members, Condition::Paused);
    if (!paused.flows.empty())
    {
        m_simulator.Evict(paused);
    }
    for (const PortId port : members.ids.ports)
    {
        Remember(port, {}); // with GraphDetail::Flows, the episode may not have it
    }
    std::vector<FlowId> byIndex(members.flows.size());
    for (std::size_t i = 0; i < members.flows.size(); ++i)
    {
        FlowRecord& flow = *members.flows[i];
        assert(flow.condition != Condition::Running);
        flow.condition = Condition::Evicted;
        flow.episode = episode;
        flow.index = indices[i];
        flow.steady = episode->flows[indices[i]].endRate;
        byIndex[indices[i]] = flow.id;
        m_simulator.AssumeState(flow.id, episode->flows[indices[i]].control);
    }
    for (std::uint32_t i = 0; i < episode->ports.size(); ++i)
    {
        const PortOutcome& outcome = episode->ports[i];
        const auto& path = m_partitions.PortsOf(byIndex[outcome.flow]);
        if (outcome.hop < path.size())
        {
            Remember(path[outcome.hop], {episode, i});
            m_simulator.AssumeQueue(path[outcome.hop], outcome.queue);
        }
    }
}

void
PacketState::Credit(FlowRecord& flow, Bytes bytes)
{
    flow.credited += m_simulator.Credit(flow.id, bytes);
}

void
PacketState::ForgetUnused(const std::vector<PortId>& ports)
{
    for (const PortId port : ports)
    {
        if (!m_partitions.PartitionOf(port))
        {
            Remember(port, {});
        }
    }
}

void
PacketState::Remember(PortId port, EvictedPort evicted)
{
    if (m_ports.size() <= port.Value())
    {
        m_ports.resize(port.Value() + std::size_t{1});
    }
    m_ports[port.Value()] = std::move(evicted);
}

const PortOutcome*
PacketState::OutcomeOf(PortId port) const
{
    if (port.Value() >= m_ports.size() || !m_ports[port.Value()].episode)
    {
        return nullptr;
    }
    const EvictedPort& evicted = m_ports[port.Value()];
    return &evicted.episode->ports[evicted.index];
}

Bytes
PacketState::QueueOf(PortId port) const
{
    const PortOutcome* outcome = OutcomeOf(port);
    return outcome ? outcome->queue : m_simulator.QueueOf(port);
}

} // namespace wormhole

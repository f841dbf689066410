/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-memory-parts.h"

#include <algorithm>

// Where the flows of collectives go, and who else may send there.

namespace ns3
{

namespace
{

/** Flows of all collectives that differ, up to which their ways are looked at. */
constexpr uint64_t MOST_FLOWS = 4000000;

} // namespace

void
WorkloadSimAiMemory::FindUsers()
{
    std::set<std::pair<const WorkloadSimAiFlowSet*, WorkloadSimAiGroup>> known;
    uint64_t flows = 0;
    for (uint32_t operation = 0; operation < m_program.operations.size(); ++operation)
    {
        const WorkloadSimAiGroup kind = m_program.operations[operation].group;
        const uint32_t count = m_groups.GetCount() / m_groups.GetSize(kind);
        if (m_groups.GetSize(kind) < 2)
        {
            continue;
        }
        const WorkloadSimAiFlowSet& set = m_collectives.PlanOf(operation, 0).set;
        if (!known.emplace(&set, kind).second)
        {
            continue;
        }
        flows += count * set.flows.size();
        m_isOn = flows <= MOST_FLOWS;
        if (!m_isOn)
        {
            return;
        }
        for (uint32_t group = 0; group < count; ++group)
        {
            for (const uint32_t port : FootprintOf(operation, group).ports)
            {
                m_users[port].emplace(kind, group);
            }
        }
    }
}

const WorkloadSimAiMemory::Footprint&
WorkloadSimAiMemory::FootprintOf(uint32_t operation, uint32_t group)
{
    const WorkloadSimAiPlan plan = m_collectives.PlanOf(operation, group);
    std::unique_ptr<Footprint>& known =
        m_footprints[{&plan.set, {m_program.operations[operation].group, group}}];
    if (known)
    {
        return *known;
    }
    known = std::make_unique<Footprint>();
    std::set<std::pair<uint32_t, uint32_t>> pairs;
    std::unordered_map<uint32_t, size_t> places;
    std::vector<uint64_t> shape;
    std::vector<WorkloadHop> hops;
    for (const WorkloadSimAiFlow& flow : plan.set.flows)
    {
        if (!pairs.emplace(flow.src, flow.dst).second)
        {
            continue;
        }
        hops.clear();
        known->isSure =
            m_repeater.FindHops(plan.ends[flow.src], plan.ends[flow.dst], hops) && known->isSure;
        for (const WorkloadHop& hop : hops)
        {
            const auto [place, isFirst] = places.try_emplace(hop.port, places.size());
            if (isFirst)
            {
                known->ports.push_back(hop.port);
            }
            shape.push_back(place->second);
            shape.push_back(hop.kind);
        }
        shape.push_back(UINT64_MAX);
    }
    known->shape = m_shapes.try_emplace(std::move(shape), m_shapes.size()).first->second;
    return *known;
}

void
WorkloadSimAiMemory::Joined(uint32_t slot)
{
    m_slots.resize(std::max<size_t>(m_slots.size(), slot + 1));
    if (m_slots[slot].footprint || !m_isOn)
    {
        return;
    }
    const WorkloadSimAiRunning& running = m_collectives.Get(slot);
    m_slots[slot].footprint = &FootprintOf(running.operation, running.group);
    for (const uint32_t port : m_slots[slot].footprint->ports)
    {
        m_slotsAt[port].push_back(slot);
    }
}

void
WorkloadSimAiMemory::Leave(uint32_t slot)
{
    if (m_slots[slot].footprint)
    {
        for (const uint32_t port : m_slots[slot].footprint->ports)
        {
            std::vector<uint32_t>& slots = m_slotsAt[port];
            slots.erase(std::find(slots.begin(), slots.end(), slot));
        }
    }
    m_slots[slot] = {};
}

} // namespace ns3

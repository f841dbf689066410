/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-memory-parts.h"

#include <algorithm>

// What is to be done with a unit whose first flow is about to start.

namespace ns3
{

/** All collectives that share ports with that in \p slot, directly or by others. \return whether
 * none of them has begun to send */
bool
WorkloadSimAiMemory::Gather(uint32_t slot, Unit& unit)
{
    bool allWait = m_slots[slot].footprint != nullptr;
    unit.slots.push_back(slot);
    for (size_t i = 0; i < unit.slots.size() && allWait; ++i)
    {
        for (const uint32_t port : m_slots[unit.slots[i]].footprint->ports)
        {
            for (const uint32_t other : m_slotsAt[port])
            {
                if (m_slots[other].isDecided)
                {
                    allWait = false;
                    if (m_slots[other].unit != NO_UNIT)
                    {
                        m_units[m_slots[other].unit].isMet = true;
                    }
                }
                else if (std::find(unit.slots.begin(), unit.slots.end(), other) == unit.slots.end())
                {
                    unit.slots.push_back(other);
                }
            }
        }
    }
    // by number of group, so that equal units have equal keys
    std::sort(unit.slots.begin(), unit.slots.end(), [this](uint32_t a, uint32_t b) {
        const WorkloadSimAiRunning& x = m_collectives.Get(a);
        const WorkloadSimAiRunning& y = m_collectives.Get(b);
        return std::make_pair(x.operation, x.group) < std::make_pair(y.operation, y.group);
    });
    return allWait;
}

/** \return whether nobody can come between, but for those who are idle for long enough */
bool
WorkloadSimAiMemory::IsClosed(const Unit& unit) const
{
    return std::all_of(unit.slots.begin(), unit.slots.end(), [this](uint32_t slot) {
        const WorkloadSimAiRunning& running = m_collectives.Get(slot);
        const uint32_t members = running.instance.GetSet().members;
        return m_slots[slot].footprint->isSure &&
               std::all_of(running.ends.begin(),
                           running.ends.begin() + members,
                           [&](uint32_t rank) {
                               return m_ranks.BeganAt(rank, running.operation) >= 0 &&
                                      m_ranks.WaitsFor(rank, running.operation);
                           });
    });
}

/** \return other ranks that ever use ports of \p unit */
std::vector<uint32_t>
WorkloadSimAiMemory::OthersOf(const Unit& unit) const
{
    std::set<std::pair<WorkloadSimAiGroup, uint32_t>> groups;
    std::set<uint32_t> members;
    for (const uint32_t slot : unit.slots)
    {
        const WorkloadSimAiRunning& running = m_collectives.Get(slot);
        members.insert(running.ends.begin(),
                       running.ends.begin() + running.instance.GetSet().members);
        for (const uint32_t port : m_slots[slot].footprint->ports)
        {
            const auto& users = m_users.at(port);
            groups.insert(users.begin(), users.end());
        }
    }
    std::vector<uint32_t> others;
    for (const auto& [kind, group] : groups)
    {
        for (const uint32_t rank : m_groups.GetRanks(kind, group))
        {
            if (members.insert(rank).second)
            {
                others.push_back(rank);
            }
        }
    }
    return others;
}

WorkloadSimAiMemory::Key
WorkloadSimAiMemory::KeyOf(const Unit& unit) const
{
    Key key;
    std::unordered_map<uint32_t, size_t> places;
    for (const uint32_t slot : unit.slots)
    {
        const WorkloadSimAiRunning& running = m_collectives.Get(slot);
        const WorkloadSimAiOperation& what = m_program.operations[running.operation];
        const WorkloadSimAiFlowSet& set = running.instance.GetSet();
        key.insert(key.end(),
                   {static_cast<uint64_t>(what.kind),
                    running.flowBytes,
                    what.dimension,
                    static_cast<uint64_t>(running.choice.algorithm),
                    static_cast<uint64_t>(static_cast<int8_t>(running.choice.protocol)),
                    reinterpret_cast<uintptr_t>(&set),
                    m_slots[slot].footprint->shape});
        for (uint32_t member = 0; member < set.members; ++member)
        {
            key.push_back(unit.since - m_ranks.BeganAt(running.ends[member], running.operation));
        }
        if (unit.slots.size() > 1)
        {
            for (const uint32_t port : m_slots[slot].footprint->ports)
            {
                key.push_back(places.try_emplace(port, places.size()).first->second);
            }
        }
    }
    return key;
}

void
WorkloadSimAiMemory::Decide(uint32_t slot)
{
    Unit unit;
    unit.since = m_ranks.Now();
    const bool allWait = Gather(slot, unit);
    for (const uint32_t each : unit.slots)
    {
        m_slots[each].isDecided = true;
    }
    if (!allWait || !IsClosed(unit))
    {
        return;
    }
    unit.left = unit.slots.size();
    const std::vector<uint32_t> others = OthersOf(unit);
    const auto areIdle = [&](int64_t until) {
        return std::all_of(others.begin(), others.end(), [&](uint32_t rank) {
            return m_ranks.IdleUntil(rank) >= until;
        });
    };
    const Key key = KeyOf(unit);
    const std::shared_ptr<Episode> episode = m_episodes[key];
    if (!episode)
    {
        Record(Take(std::move(unit)), key);
        return;
    }
    const bool follows = !episode->isOver && m_repeater.GetOptions().follow && others.empty();
    if (episode->isWrong ||
        !(follows || (episode->isOver && areIdle(unit.since + episode->length))))
    {
        return;
    }
    if (episode->isOver && m_repeater.BeginsAudit(episode->hops, episode->uses++))
    {
        unit.audited = episode;
        Record(Take(std::move(unit)), {});
        return;
    }
    unit.episode = episode;
    const uint32_t number = Take(std::move(unit));
    if (follows)
    {
        ++m_repeater.GetStatistics().followed;
        m_units[episode->leader].followers.push_back(number);
    }
    for (size_t done = 0; done < episode->dones.size(); ++done)
    {
        m_ranks.Schedule(episode->dones[done].at, number, static_cast<uint32_t>(done));
    }
    if (!follows)
    {
        m_ranks.Schedule(episode->length, number, ALL_OVER);
    }
}

uint32_t
WorkloadSimAiMemory::Take(Unit unit)
{
    uint32_t number = static_cast<uint32_t>(m_units.size());
    if (m_freeUnits.empty())
    {
        m_units.emplace_back();
    }
    else
    {
        number = m_freeUnits.back();
        m_freeUnits.pop_back();
    }
    for (uint32_t place = 0; place < unit.slots.size(); ++place)
    {
        m_slots[unit.slots[place]].unit = number;
        m_slots[unit.slots[place]].place = place;
    }
    m_units[number] = std::move(unit);
    return number;
}

void
WorkloadSimAiMemory::Record(uint32_t number, const Key& key)
{
    Unit& unit = m_units[number];
    unit.isRecorded = true;
    unit.isExact = true;
    unit.troubles = m_repeater.CountTroubles();
    unit.key = key;
    unit.episode = std::make_shared<Episode>();
    unit.episode->leader = number;
    for (const uint32_t slot : unit.slots)
    {
        unit.isExact = unit.isExact && m_repeater.IsShort(m_collectives.TransferOf(slot, 0));
        m_slots[slot].at.assign(m_collectives.Get(slot).instance.GetSet().flows.size(), UINT32_MAX);
    }
    if (!key.empty())
    {
        m_episodes[key] = unit.episode;
    }
}

} // namespace ns3

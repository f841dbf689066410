/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-memory-parts.h"

#include <algorithm>
#include <cstdlib>

// What happens to units.

namespace ns3
{

WorkloadSimAiMemory::WorkloadSimAiMemory(const WorkloadSimAiProgram& program,
                                         const WorkloadSimAiGroups& groups,
                                         WorkloadSimAiCollectives& collectives,
                                         WorkloadRepeater& repeater,
                                         WorkloadSimAiRanks& ranks)
    : m_program(program),
      m_groups(groups),
      m_collectives(collectives),
      m_repeater(repeater),
      m_ranks(ranks)
{
    FindUsers();
}

WorkloadSimAiMemory::~WorkloadSimAiMemory() = default;

void
WorkloadSimAiMemory::Waits(uint32_t slot, uint32_t flow, int64_t delayPs)
{
    m_slots[slot].waits.push_back({m_ranks.Now() + delayPs, m_waits++, flow});
}

bool
WorkloadSimAiMemory::Repeats(uint32_t slot, uint32_t flow)
{
    if (!m_slots[slot].isDecided)
    {
        Decide(slot);
    }
    Slot& state = m_slots[slot];
    if (state.unit == NO_UNIT)
    {
        return false;
    }
    Unit& unit = m_units[state.unit];
    if (!unit.isRecorded)
    {
        return true;
    }
    if (unit.underWay == 0 && unit.stepLeft == 0)
    {
        BeginStep(unit, state.unit);
    }
    state.waits.erase(std::find_if(state.waits.begin(),
                                   state.waits.end(),
                                   [flow](const Slot::Wait& wait) { return wait.flow == flow; }));
    ++unit.underWay;
    std::vector<Episode::Flow>& flows = unit.episode->flows;
    const auto order = static_cast<uint32_t>(flows.size());
    state.at[flow] = order;
    flows.push_back({state.place, flow, order, m_ranks.Now() - unit.since, 0, 0});
    const auto inStep = unit.flowOf.find({slot, flow});
    if (inStep != unit.flowOf.end())
    {
        unit.flows[inStep->second].place = order;
        return unit.isStepRepeated;
    }
    if (unit.step)
    {
        unit.step->isWrong = true; // a further flow
    }
    return false;
}

bool
WorkloadSimAiMemory::IsExact(uint32_t slot) const
{
    return m_slots[slot].unit != NO_UNIT && m_units[m_slots[slot].unit].isExact;
}

void
WorkloadSimAiMemory::Delivered(uint32_t slot, uint32_t flow)
{
    const Slot& state = m_slots[slot];
    if (state.unit != NO_UNIT)
    {
        Unit& unit = m_units[state.unit];
        unit.episode->flows[state.at[flow]].delivered = m_ranks.Now() - unit.since;
        StepMoves(unit, slot, flow, false);
    }
}

void
WorkloadSimAiMemory::Ended(uint32_t slot, uint32_t flow)
{
    const Slot& state = m_slots[slot];
    if (state.unit != NO_UNIT)
    {
        Unit& unit = m_units[state.unit];
        unit.episode->flows[state.at[flow]].end = m_ranks.Now() - unit.since;
        unit.episode->hops += m_repeater.CountHops(m_collectives.TransferOf(slot, flow));
        StepMoves(unit, slot, flow, true);
    }
}

void
WorkloadSimAiMemory::Done(uint32_t slot, uint32_t end)
{
    const Slot& state = m_slots[slot];
    if (state.unit == NO_UNIT || !m_units[state.unit].isRecorded)
    {
        return;
    }
    const Unit& unit = m_units[state.unit];
    unit.episode->dones.push_back({state.place, end, m_ranks.Now() - unit.since});
    for (const uint32_t follower : unit.followers)
    {
        m_ranks.Schedule(m_units[follower].since - unit.since,
                         follower,
                         static_cast<uint32_t>(unit.episode->dones.size() - 1));
    }
}

void
WorkloadSimAiMemory::Over(uint32_t slot)
{
    const uint32_t number = m_slots[slot].unit;
    Leave(slot);
    if (number == NO_UNIT || --m_units[number].left > 0)
    {
        return;
    }
    Finish(m_units[number]);
    m_units[number] = {};
    m_freeUnits.push_back(number);
}

void
WorkloadSimAiMemory::Finish(Unit& unit)
{
    WorkloadRepeats& statistics = m_repeater.GetStatistics();
    Episode& episode = *unit.episode;
    episode.length = m_ranks.Now() - unit.since;
    episode.isOver = true;
    if (unit.audited)
    {
        Compare(unit);
        return;
    }
    const bool isDisturbed = unit.isMet || m_repeater.CountTroubles() != unit.troubles ||
                             episode.dones.empty() ||
                             episode.length - episode.dones.front().at >= m_ranks.GetLeastLatency();
    std::stable_sort(episode.flows.begin(),
                     episode.flows.end(),
                     [](const Episode::Flow& a, const Episode::Flow& b) { return a.end < b.end; });
    ++(isDisturbed ? statistics.disturbed : statistics.recorded);
    episode.isWrong = isDisturbed;
    for (const uint32_t follower : unit.followers)
    {
        m_ranks.Schedule(m_units[follower].since - unit.since, follower, ALL_OVER);
    }
}

/** What an audit says. */
void
WorkloadSimAiMemory::Compare(const Unit& unit)
{
    std::map<std::pair<uint32_t, uint32_t>, int64_t> expected;
    for (const Episode::Done& done : unit.audited->dones)
    {
        expected[{done.place, done.end}] = done.at;
    }
    int64_t most = std::abs(unit.episode->length - unit.audited->length);
    for (const Episode::Done& done : unit.episode->dones)
    {
        most = std::max(most, std::abs(done.at - expected[{done.place, done.end}]));
    }
    unit.audited->isWrong = !m_repeater.IsRight(most, unit.episode->length);
}

void
WorkloadSimAiMemory::Due(uint32_t unit, uint32_t what)
{
    if (what == ALL_OVER)
    {
        End(unit);
        return;
    }
    if (what & OF_STEP)
    {
        const Unit::Flow flow = m_units[unit].flows[(what & ~OF_STEP) >> 1];
        what & 1 ? m_ranks.Arrived(flow.slot, flow.flow) : m_ranks.Sent(flow.slot, flow.flow);
        return;
    }
    const Episode::Done& done = m_units[unit].episode->dones[what];
    m_ranks.Done(m_units[unit].slots[done.place], done.end);
}

void
WorkloadSimAiMemory::End(uint32_t number)
{
    const Unit unit = std::move(m_units[number]);
    m_units[number] = {};
    m_freeUnits.push_back(number);
    ++m_repeater.GetStatistics().repeated;
    Emit(unit, unit.episode->length);
    for (const uint32_t slot : unit.slots)
    {
        Leave(slot);
        m_ranks.Over(slot);
    }
}

void
WorkloadSimAiMemory::Stop()
{
    for (const Unit& unit : m_units)
    {
        if (unit.episode && !unit.isRecorded)
        {
            Emit(unit, m_ranks.Now() - unit.since);
        }
        else if (unit.isStepRepeated && unit.stepLeft > 0)
        {
            EmitStep(unit);
        }
    }
}

/** Records transfers of \p unit that ended up to \p until of it. */
void
WorkloadSimAiMemory::Emit(const Unit& unit, int64_t until)
{
    std::vector<WorkloadRepeatedTransfer> transfers;
    transfers.reserve(unit.episode->flows.size());
    for (const Episode::Flow& flow : unit.episode->flows)
    {
        if (flow.end > 0 && flow.end <= until)
        {
            transfers.push_back({m_collectives.TransferOf(unit.slots[flow.place], flow.flow),
                                 flow.order,
                                 unit.since + flow.start,
                                 unit.since + flow.delivered,
                                 unit.since + flow.end});
        }
    }
    m_repeater.Repeat(transfers);
}

} // namespace ns3

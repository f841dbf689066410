/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-memory-parts.h"

#include <algorithm>
#include <tuple>

// The steps of a collective that is simulated.

namespace ns3
{

/** No flow of \p unit is under way, and the first one is about to start. */
void
WorkloadSimAiMemory::BeginStep(Unit& unit, uint32_t number)
{
    struct Start
    {
        Slot::Wait wait;
        uint32_t slot;
    };

    std::vector<Start> starts;
    Key key;
    std::unordered_map<uint32_t, size_t> places;
    for (const uint32_t slot : unit.slots)
    {
        for (const Slot::Wait& wait : m_slots[slot].waits)
        {
            starts.push_back({wait, slot});
        }
        key.push_back(m_slots[slot].footprint ? m_slots[slot].footprint->shape : UINT64_MAX);
        key.push_back(m_slots[slot].footprint ? m_collectives.Get(slot).flowBytes : 0);
        for (size_t i = 0; unit.slots.size() > 1 && m_slots[slot].footprint &&
                           i < m_slots[slot].footprint->ports.size();
             ++i)
        {
            key.push_back(
                places.try_emplace(m_slots[slot].footprint->ports[i], places.size()).first->second);
        }
    }
    // by pair, and then in the order in which they start
    const auto order = [this](const Start& start) {
        const WorkloadSimAiFlow& flow =
            m_collectives.Get(start.slot).instance.GetSet().flows[start.wait.flow];
        return std::make_tuple(m_slots[start.slot].place,
                               flow.src,
                               flow.dst,
                               start.wait.until,
                               start.wait.number);
    };
    std::sort(starts.begin(), starts.end(), [&order](const Start& a, const Start& b) {
        return order(a) < order(b);
    });
    unit.flows.clear();
    unit.flowOf.clear();
    std::vector<int64_t> times;
    for (const Start& start : starts)
    {
        const auto [place, src, dst, until, turn] = order(start);
        key.insert(key.end(), {place, src, dst});
        times.push_back(until - m_ranks.Now());
        unit.flowOf[{start.slot, start.wait.flow}] = static_cast<uint32_t>(unit.flows.size());
        unit.flows.push_back({start.slot, start.wait.flow, 0});
    }
    unit.stepSince = m_ranks.Now();
    unit.stepLeft = unit.flows.size();
    unit.stepTroubles = m_repeater.CountTroubles();
    unit.isStepRepeated = false;
    unit.auditedStep.reset();
    unit.step = std::make_shared<WorkloadKnownStep>();
    unit.step->starts = times;
    if (unit.audited)
    {
        return; // as an audit, it is simulated
    }
    std::vector<std::shared_ptr<WorkloadKnownStep>>& alike = m_steps[key];
    const auto near = std::find_if(alike.begin(), alike.end(), [&times](const auto& step) {
        return step->IsNear(times);
    });
    if (near == alike.end())
    {
        if (alike.size() < WorkloadKnownStep::MOST_ALIKE)
        {
            alike.push_back(unit.step);
        }
        return;
    }
    const std::shared_ptr<WorkloadKnownStep> known = *near;
    if (known->isWrong)
    {
        return;
    }
    if (m_repeater.BeginsAudit(known->hops, known->uses++))
    {
        unit.auditedStep = known;
        return;
    }
    unit.step = known;
    unit.isStepRepeated = true;
    for (const WorkloadKnownStep::Event& event : known->events)
    {
        // as they were: flows that start a little earlier or later do not drift apart thereby
        m_ranks.Schedule(event.at, number, OF_STEP | event.place << 1 | (event.isEnd ? 1 : 0));
    }
}

/** A flow of \p unit, which is simulated, was delivered or has ended. */
void
WorkloadSimAiMemory::StepMoves(Unit& unit, uint32_t slot, uint32_t flow, bool isEnd)
{
    unit.underWay -= isEnd ? 1 : 0;
    const auto inStep = unit.flowOf.find({slot, flow});
    if (inStep == unit.flowOf.end() || unit.stepLeft == 0)
    {
        return;
    }
    if (!unit.isStepRepeated)
    {
        unit.step->events.push_back({m_ranks.Now() - unit.stepSince, inStep->second, isEnd});
        unit.step->hops += isEnd ? m_repeater.CountHops(m_collectives.TransferOf(slot, flow)) : 0;
    }
    unit.stepLeft -= isEnd ? 1 : 0;
    if (unit.stepLeft == 0)
    {
        EndStep(unit);
    }
}

void
WorkloadSimAiMemory::EndStep(const Unit& unit)
{
    WorkloadKnownStep& step = *unit.step;
    if (unit.isStepRepeated)
    {
        ++m_repeater.GetStatistics().steps;
        EmitStep(unit);
        return;
    }
    step.isOver = true;
    step.isWrong = step.isWrong || unit.isMet || m_repeater.CountTroubles() != unit.stepTroubles ||
                   step.events.back().at - step.events.front().at >= m_ranks.GetLeastLatency();
    if (unit.auditedStep)
    {
        unit.auditedStep->isWrong =
            !m_repeater.IsRight(unit.auditedStep->LargestDifference(step), step.events.back().at);
    }
}

/** Records transfers of the step of \p unit, which is repeated, that have ended. */
void
WorkloadSimAiMemory::EmitStep(const Unit& unit)
{
    std::vector<WorkloadRepeatedTransfer> transfers;
    for (const WorkloadKnownStep::Event& event : unit.step->events)
    {
        const Unit::Flow& flow = unit.flows[event.place];
        const Episode::Flow& times = unit.episode->flows[flow.place];
        if (event.isEnd && event.at <= m_ranks.Now() - unit.stepSince)
        {
            transfers.push_back({m_collectives.TransferOf(flow.slot, flow.flow),
                                 flow.place,
                                 unit.since + times.start,
                                 unit.since + times.delivered,
                                 unit.since + times.end});
        }
    }
    m_repeater.Repeat(transfers);
}

} // namespace ns3

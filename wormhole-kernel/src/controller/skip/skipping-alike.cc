/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/deciding.h"
#include "controller/replaying.h"
#include "controller/sample/trends.h"
#include "controller/settling.h"
#include "controller/skip/recalling.h"
#include "controller/skip/skip-plan.h"
#include "controller/skip/skipping.h"

#include <cstddef>
#include <utility>

// How partitions are skipped as others were, or are.

namespace wormhole
{

bool
Skipping::StartFromEpisode(PartitionRecord& record, std::vector<Rate> rates, Duration verified)
{
    StartTrend(record.sampling, rates);
    record.skipping.held = Duration{0};
    record.skipping.steadySince = m_table.Now();
    record.skipping.stretch = verified;
    record.skipping.sourceRates = rates;
    std::vector<double> noise;
    if (const KnownRate* const known = m_recalling.Find(record))
    {
        noise.push_back(known->noise); // by which looks are short
    }
    return m_context.options.skip &&
           GoOn(record,
                {std::move(rates), Duration::max(), Duration{0}, true, std::move(noise), {}},
                Reason::EpisodeOver);
}

void
Skipping::StartWith(PartitionRecord& record, const SteadyRates& steady, ConflictGraph key)
{
    record.skipping.source = std::move(key);
    record.skipping.sourceRates.clear();
    StartTrend(record.sampling, steady.rates);
    if (!TakeRates(record, steady))
    {
        m_deciding.RunUnrecorded(record, Reason::EpisodeOver, false);
    }
}

std::vector<PartitionId>
Skipping::BringAlong(const PartitionRecord& probe, const SharedLook& look, const SteadyRates& rates)
{
    std::vector<PartitionId> refuted;
    for (const PartitionId id : look.waiting)
    {
        PartitionRecord* const record = m_table.Find(id);
        if (record != nullptr && !Join(*record, probe, look, rates))
        {
            refuted.push_back(id);
        }
    }
    return refuted;
}

void
Skipping::CatchUpRefuted(const std::vector<PartitionId>& refuted)
{
    for (const PartitionId id : refuted)
    {
        PartitionRecord* const record = m_table.Find(id);
        if (record != nullptr && record->state == PartitionState::Skipping)
        {
            m_settling.CatchUp(*record, record->since, Reason::Audited);
        }
    }
}

bool
Skipping::Join(PartitionRecord& record,
               const PartitionRecord& probe,
               const SharedLook& look,
               const SteadyRates& rates)
{
    SkipState& skip = record.skipping;
    const bool isAlike = record.state == PartitionState::Skipping && record.since < look.from &&
                         Probes::AreOfOneSource(record, probe);
    const auto flows = isAlike ? Probes::Counterparts(record, probe) : std::vector<std::uint32_t>();
    if (flows.empty())
    {
        return true;
    }
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const FlowId flow = record.members.ids.flows[i];
        const FlowOutcome& outcome = look.episode->flows[flows[i]];
        const Bytes budget = SkipBudget(m_context.simulator, flow, skip.rates[i]);
        const Bytes bytes =
            SkipCredit(budget, skip.rates[i], look.from - record.since) + outcome.bytes;
        const Bytes sent = bytes + outcome.inFlight;
        if (budget < bytes || m_context.simulator.UndisturbedBytes(flow, sent) < sent)
        {
            return true; // it is at its tail, or would lose frames
        }
    }
    if (m_leaping.IsRefuted(record))
    {
        return false;
    }
    const SteadyRates own = OfCounterparts(rates, flows);
    m_leaping.EndAt(record, look.from);
    m_replaying.Apply(record, {look.episode, flows});
    skip.stretch = probe.skipping.stretch;
    skip.looks = probe.skipping.looks;
    StartTrend(record.sampling, own.rates);
    if (!GoOn(record, own, Reason::RatesHeld))
    {
        Wake(record);
    }
    return true;
}

} // namespace wormhole

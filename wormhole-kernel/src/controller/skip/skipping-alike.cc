/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/sample/sampling.h"
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

bool
Skipping::StartWith(PartitionRecord& record, const SteadyRates& steady, ConflictGraph key)
{
    record.skipping.source = std::move(key);
    record.skipping.sourceRates.clear();
    StartTrend(record.sampling, steady.rates);
    return TakeRates(record, steady);
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
    SteadyRates own = rates;
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
        own.rates[i] = rates.rates[flows[i]];
        if (!own.noise.empty())
        {
            own.noise[i] = rates.noise[flows[i]];
        }
    }
    if (m_leaping.IsRefuted(record))
    {
        return false;
    }
    m_leaping.EndWith(record, look.from, look.episode, flows);
    skip.stretch = probe.skipping.stretch;
    skip.looks = probe.skipping.looks;
    StartTrend(record.sampling, own.rates);
    if (!GoOn(record, own, Reason::RatesHeld))
    {
        m_packets.Run(record.members, m_table.Now());
        m_table.Enter(record, PartitionState::Waking, Reason::StretchOver);
        m_sampling.Start(record);
    }
    return true;
}

} // namespace wormhole

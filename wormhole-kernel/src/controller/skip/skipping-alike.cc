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

void
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
        return;
    }
    SteadyRates own = rates;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const Bytes budget =
            SkipBudget(m_context.simulator, record.members.ids.flows[i], skip.rates[i]);
        if (budget < SkipCredit(budget, skip.rates[i], look.from - record.since) +
                         look.episode->flows[flows[i]].bytes)
        {
            return; // it is at its tail
        }
        own.rates[i] = rates.rates[flows[i]];
        if (!own.noise.empty())
        {
            own.noise[i] = rates.noise[flows[i]];
        }
    }
    if (m_leaping.IsRefuted(record))
    {
        m_settling.CatchUp(record, record.since, Reason::Audited);
        return;
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
}

} // namespace wormhole

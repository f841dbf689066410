/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/skip/leaping.h"

#include "controller/auditing.h"
#include "controller/sample/trends.h"
#include "controller/skip/skip-plan.h"
#include "controller/skip/wandering.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

namespace wormhole
{
namespace
{

/** \p skip is with the means of rates that are on their way for \p span. */
void
TakeMeans(SkipState& skip, Duration span)
{
    skip.source.reset(); // by which others would be skipped alike
    skip.begins = skip.rates;
    for (std::size_t i = 0; i < skip.rates.size(); ++i)
    {
        skip.rates[i] = skip.approaches[i].Mean(skip.begins[i], span);
    }
}

} // namespace

Leaping::Leaping(const ControllerContext& context,
                 PartitionTable& table,
                 PacketState& packets,
                 Account& account,
                 Wandering& wandering,
                 Auditing& auditing)
    : m_context(context),
      m_table(table),
      m_packets(packets),
      m_account(account),
      m_wandering(wandering),
      m_auditing(auditing)
{
}

Duration
Leaping::Begin(PartitionRecord& record, Duration span, bool toTail)
{
    m_account.Spend(LEAP_WORK * static_cast<double>(record.members.flows.size()));
    m_packets.Pause(record.members);
    SkipState& skip = record.skipping;
    skip.toTail = toTail;
    const bool moves = !skip.approaches.empty();
    if (moves)
    {
        TakeMeans(skip, span);
    }
    else if (record.wandering.wander)
    {
        skip.rates = m_wandering.Go(record, span);
    }
    if (moves || record.wandering.wander)
    {
        const Duration left = TimeToTail(m_context.simulator, record.members, skip.rates);
        skip.toTail = left <= span;
        span = std::min(left, span);
    }
    for (std::size_t i = 0; i < skip.rates.size(); ++i)
    {
        m_context.simulator.AssumeRate(record.members.ids.flows[i], skip.rates[i]);
    }
    return span;
}

void
Leaping::End(PartitionRecord& record, bool changes)
{
    Credit(record, m_table.Now() - record.since);
    if (changes)
    {
        m_context.simulator.Changing(record.members.ids);
    }
    m_packets.Resume(record.members, m_table.Now() - record.since);
    Carry(record);
}

void
Leaping::EndAt(PartitionRecord& record, Time until)
{
    record.skipping.toTail = false;
    Credit(record, until - record.since);
    m_context.simulator.Changing(record.members.ids);
}

void
Leaping::Credit(PartitionRecord& record, Duration elapsed)
{
    const bool isDrawn = record.wandering.wander && record.wandering.wander->deviation > 0;
    record.skipping.held += elapsed;
    record.sampling.trend->Skip(elapsed);
    for (std::size_t i = 0; i < record.skipping.rates.size(); ++i)
    {
        const FlowId id = record.members.ids.flows[i];
        const Bytes budget = SkipBudget(m_context.simulator, id, record.skipping.rates[i]);
        Bytes bytes = SkipCredit(budget, record.skipping.rates[i], elapsed);
        if (record.skipping.toTail &&
            static_cast<double>(budget - bytes) <=
                m_context.options.tailAlignment * static_cast<double>(bytes))
        {
            bytes = budget;
        }
        bytes = UndisturbedCredit(m_context.simulator, id, record.skipping.rates[i], bytes);
        FlowRecord& flow = *record.members.flows[i];
        m_context.statistics.eventsSkipped +=
            EventsFor(flow, m_context.simulator.Observe(id), bytes);
        m_packets.Credit(flow, bytes);
        m_context.simulator.Skipped(id, bytes);
        m_context.statistics.bytesSkipped += bytes;
        m_context.statistics.bytesDrawn += isDrawn ? bytes : 0;
    }
}

void
Leaping::CarryControls(const PartitionRecord& record, Duration elapsed)
{
    const std::vector<double>& drifts = record.skipping.drifts;
    for (std::size_t i = 0; i < drifts.size(); ++i)
    {
        const FlowId flow = record.members.ids.flows[i];
        if (drifts[i] != 0 && m_context.simulator.CanScale(flow))
        {
            const double turns = drifts[i] * std::chrono::duration<double>(elapsed).count();
            m_context.simulator.Scale(flow, std::exp(turns));
        }
    }
}

void
Leaping::Carry(PartitionRecord& record)
{
    SkipState& skip = record.skipping;
    const Duration elapsed = m_table.Now() - record.since;
    CarryControls(record, elapsed);
    if (skip.begins.empty())
    {
        return;
    }
    skip.rates = skip.begins;
    Follow(skip.rates, skip.approaches, elapsed);
    for (std::size_t i = 0; i < skip.rates.size(); ++i)
    {
        if (skip.approaches[i].speed > 0)
        {
            const double before = skip.begins[i].InBytesPerSecond();
            m_context.simulator.Scale(record.members.ids.flows[i],
                                      skip.rates[i].InBytesPerSecond() / before);
        }
    }
    CarryTrend(record.sampling, skip.approaches, elapsed);
}

bool
Leaping::IsRefuted(PartitionRecord& record)
{
    const double events = EventsIn(m_context.simulator,
                                   record.members,
                                   record.skipping.rates,
                                   m_table.Now() - record.since);
    if (!m_auditing.DrawSkip(events))
    {
        return false;
    }
    LeftOut what{record.since, events, {}, record.wandering.wander ? 0.0 : 1.0};
    for (std::size_t i = 0; i < record.skipping.rates.size(); ++i)
    {
        what.bytes.push_back(DeliveredBy(record, i, m_table.Now()));
    }
    std::optional<Auditing::Subject> source;
    if (record.skipping.source)
    {
        source.emplace(record.skipping.source->GetSignature(), EpisodeEnd::Converged);
    }
    return m_auditing.Refutes(record, what, source);
}

Bytes
Leaping::DeliveredBy(const PartitionRecord& record, std::size_t index, Time now) const
{
    const Rate rate = record.skipping.rates[index];
    const Bytes budget = SkipBudget(m_context.simulator, record.members.ids.flows[index], rate);
    return UndisturbedCredit(m_context.simulator,
                             record.members.ids.flows[index],
                             rate,
                             SkipCredit(budget, rate, now - record.since));
}

} // namespace wormhole

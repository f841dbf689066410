/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/sampling.h"

#include "controller/following.h"
#include "controller/skipping.h"

#include <algorithm>

namespace wormhole
{

Sampling::Sampling(const ControllerContext& context,
                   PartitionTable& table,
                   Account& account,
                   Following& following,
                   Skipping& skipping)
    : m_context(context),
      m_table(table),
      m_account(account),
      m_following(following),
      m_skipping(skipping)
{
}

void
Sampling::Start(PartitionRecord& record)
{
    if (m_context.options.skip || m_context.store)
    {
        m_account.Spend(SAMPLE_WORK * static_cast<double>(record.members.flows.size()));
        record.sampling.sampler.Start(m_context.simulator,
                                      record.members,
                                      m_context.options.steady);
        record.sampling.sampler.Spans(SlowestPeriod(record), m_context.simulator, record.members);
        record.sampling.lookedUntil = m_table.Now();
        m_table.SetAlarm(record,
                         Later(m_table.Now(), record.sampling.sampler.Interval()),
                         Alarm::Phase::Decide);
    }
}

void
Sampling::Sample(PartitionRecord& record)
{
    ++m_context.statistics.samples;
    m_account.Spend(ALARM_WORK + SAMPLE_WORK * static_cast<double>(record.members.flows.size()));
    record.sampling.sampler.Sample(m_context.simulator, m_table.Map(), record.members);
    m_following.TellFollowers(record, record.sampling.sampler);
    auto steady = record.sampling.sampler.Judge();
    if (steady &&
        !record.sampling.sampler.Spans(SlowestPeriod(record), m_context.simulator, record.members))
    {
        steady.reset(); // it may be so only until the next tick of a timer
    }
    m_table.SetAlarm(record,
                     Later(m_table.Now(), record.sampling.sampler.Interval()),
                     Alarm::Phase::Decide);

    const bool waking = record.state == PartitionState::Waking;
    if (!steady)
    {
        m_skipping.NotSteady(record);
        if (waking && record.sampling.sampler.Count() >=
                          Skipping::WAKING_WINDOWS * m_context.options.steady.window)
        {
            m_skipping.GiveUpRates(record);
        }
        return;
    }
    const bool held = waking && m_skipping.HasHeld(record, steady->rates);
    if (waking && !held && record.sampling.sampler.Count() == m_context.options.steady.window)
    {
        record.sampling.trend.reset(); // a step: no trend does this in one window, and is steady
    }
    LookAtTrend(record, *steady);
    if (held)
    {
        m_skipping.KeepOn(record, *steady);
        return;
    }
    if (waking)
    {
        m_skipping.GiveUpRates(record);
    }
    if (!record.sampling.trend)
    {
        StartTrend(record, steady->rates);
    }
    m_skipping.TakeRates(record, *steady);
}

void
Sampling::LookAtTrend(PartitionRecord& record, SteadyRates& steady)
{
    if (record.sampling.trend)
    {
        record.sampling.trend->Look(m_table.Now() - record.sampling.lookedUntil, steady.rates);
        record.sampling.lookedUntil = m_table.Now();
        // Of trends, looks that are apart say more than a window does.
        steady.horizon = record.sampling.trend->Horizon(m_context.options.steady.theta);
    }
}

void
Sampling::StartTrend(PartitionRecord& record, const std::vector<Rate>& rates)
{
    record.sampling.trend.emplace().Start(rates);
}

void
Sampling::SkipTrend(PartitionRecord& record, Duration elapsed)
{
    record.sampling.trend->Skip(elapsed);
}

void
Sampling::ForgetTrend(PartitionRecord& record)
{
    record.sampling.trend.reset();
}

Duration
Sampling::SlowestPeriod(const PartitionRecord& record) const
{
    Duration slowest{0};
    for (const FlowId flow : record.members.ids.flows)
    {
        slowest = std::max(slowest, m_context.simulator.SlowestPeriod(flow));
    }
    return slowest;
}

} // namespace wormhole

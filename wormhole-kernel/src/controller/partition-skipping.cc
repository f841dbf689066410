/*
 * SPDX-License-Identifier: MIT
 */
// Sampling and skipping: the fourth part of Controller::Impl.

#include "controller/controller-impl.h"
#include "controller/skip-plan.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace wormhole
{
namespace
{

/** Windows of samples within which a partition that has been woken must be steady again. */
constexpr std::uint32_t WAKING_WINDOWS = 4;

/** By how much rates that are looked at again may differ without being new ones: a packet more or
 * less in a window of samples makes as much of a difference. So partitions that are alike stay in
 * step, although they are not looked at together. */
constexpr double UNCHANGED_RATE = 1e-3;

/** Those of \p rates that are the same as when they were \p used become these. */
void
KeepRates(std::vector<Rate>& rates, const std::vector<Rate>& used)
{
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        const double before = used[i].InBytesPerSecond();
        if (std::abs(rates[i].InBytesPerSecond() - before) <= UNCHANGED_RATE * before)
        {
            rates[i] = used[i];
        }
    }
}

} // namespace

void
Controller::Impl::StartSampling(PartitionRecord& record)
{
    if (m_options.skip || m_store)
    {
        m_budget.Spend(SAMPLE_WORK * static_cast<double>(record.members.flows.size()));
        record.sampler.Start(m_simulator, record.members, m_options.steady);
        record.sampler.Spans(SlowestPeriod(record), m_simulator, record.members);
        record.lookedUntil = m_now;
        SetAlarm(record, Later(m_now, record.sampler.Interval()), Alarm::Phase::Decide);
    }
}

void
Controller::Impl::Sample(PartitionRecord& record)
{
    ++m_statistics.samples;
    m_budget.Spend(ALARM_WORK + SAMPLE_WORK * static_cast<double>(record.members.flows.size()));
    record.sampler.Sample(m_simulator, m_map, record.members);
    TellFollowers(record);
    auto steady = record.sampler.Judge();
    if (steady && !record.sampler.Spans(SlowestPeriod(record), m_simulator, record.members))
    {
        steady.reset(); // it may be so only until the next tick of a timer
    }
    SetAlarm(record, Later(m_now, record.sampler.Interval()), Alarm::Phase::Decide);

    const bool waking = record.state == PartitionState::Waking;
    if (!steady)
    {
        record.waits.reset();
        if (waking && record.sampler.Count() >= WAKING_WINDOWS * m_options.steady.window)
        {
            GiveUpRates(record);
        }
        return;
    }
    const bool held = waking && AreClose(steady->rates, record.rates);
    if (waking && !held && record.sampler.Count() == m_options.steady.window)
    {
        record.trend.reset(); // a step: no trend does this in one window, and is steady
    }
    LookAtTrend(record, *steady);
    if (held)
    {
        KeepOn(record, *steady);
        return;
    }
    if (waking)
    {
        GiveUpRates(record);
    }
    TakeRates(record, *steady);
}

void
Controller::Impl::LookAtTrend(PartitionRecord& record, SteadyRates& steady)
{
    if (record.trend)
    {
        record.trend->Look(m_now - record.lookedUntil, steady.rates);
        record.lookedUntil = m_now;
        // Of trends, looks that are apart say more than a window does.
        steady.horizon = record.trend->Horizon(m_options.steady.theta);
    }
}

void
Controller::Impl::KeepOn(PartitionRecord& record, SteadyRates& steady)
{
    KeepRates(steady.rates, record.rates);
    const Duration last = record.stretch;
    record.stretch = Scale(last, m_options.stretchGrowth);
    if (GoOnSteadily(record, steady, Reason::RatesHeld))
    {
        ConfirmSource(record, steady.rates);
    }
    else
    {
        record.stretch = last; // it grows once for each skip, not with each sample
    }
}

void
Controller::Impl::TakeRates(PartitionRecord& record, const SteadyRates& steady)
{
    if (!record.trend)
    {
        record.trend.emplace().Start(steady.rates);
    }
    record.stretch = FirstStretch(record);
    record.held = Duration{0};
    record.steadySince = m_now;
    GoOnSteadily(record, steady, Reason::Steady);
}

Duration
Controller::Impl::SlowestPeriod(const PartitionRecord& record) const
{
    Duration slowest{0};
    for (const FlowId flow : record.members.ids.flows)
    {
        slowest = std::max(slowest, m_simulator.SlowestPeriod(flow));
    }
    return slowest;
}

void
Controller::Impl::GiveUpRates(PartitionRecord& record)
{
    record.source.reset(); // even if they come back, they have not held
    Enter(record, PartitionState::Running, Reason::RatesChanged);
}

bool
Controller::Impl::AreClose(const std::vector<Rate>& rates, const std::vector<Rate>& used) const
{
    return FarthestApart(rates, used) < m_options.steady.theta;
}

void
Controller::Impl::ConfirmSource(PartitionRecord& record, const std::vector<Rate>& rates)
{
    if (!record.source)
    {
        return;
    }
    // Each skip goes on with the rates of the last look, which may creep; the episode's do not.
    if (AreClose(rates, record.sourceRates))
    {
        m_store->Confirm(*record.source, record.held);
    }
    else
    {
        record.source.reset();
    }
}

bool
Controller::Impl::GoOnSteadily(PartitionRecord& record, const SteadyRates& steady, Reason reason)
{
    const Duration shortest = std::max(Windows(record, m_options.shortestSkip), steady.shortest);
    const Duration toTail = TimeToTail(m_simulator, record.members, steady.rates);
    if (std::min(steady.horizon, record.stretch) < std::min(shortest, toTail))
    {
        return false;
    }
    const auto disturbance = m_simulator.NextDisturbance(record.members.ids);
    if (disturbance && *disturbance <= m_now)
    {
        return false;
    }
    CountUnused(record);
    const Duration longest = m_options.guard ? record.stretch : Duration::max();
    Duration span = std::min({toTail, longest, steady.horizon});
    if (toTail - span < shortest)
    {
        span = toTail; // a look in between would not be over before
    }
    if (m_options.skip && toTail >= shortest && !IsWorthSkipping(record, steady, span))
    {
        return false;
    }
    NoteSteady(record, steady);
    if (!m_options.skip)
    {
        ClearAlarm(record);
        Enter(record, PartitionState::Running, reason);
        return true;
    }
    if (toTail < shortest)
    {
        ClearAlarm(record);
        ReplayOrRecord(record, true);
        return true;
    }
    m_budget.Spend(LEAP_WORK * static_cast<double>(record.members.flows.size()));
    m_packets.Pause(record.members);
    for (std::size_t i = 0; i < steady.rates.size(); ++i)
    {
        m_simulator.AssumeRate(record.members.ids.flows[i], steady.rates[i]);
    }
    record.skipsToTail = span == toTail;
    Enter(record, PartitionState::Skipping, reason, span);
    SetAlarm(record, Later(m_now, span), Alarm::Phase::End);
    return true;
}

void
Controller::Impl::NoteSteady(PartitionRecord& record, const SteadyRates& steady)
{
    record.rates = steady.rates;
    for (std::size_t i = 0; i < steady.rates.size(); ++i)
    {
        record.members.flows[i]->steady = steady.rates[i];
    }
    if (record.recording)
    {
        const Duration trusted = std::min(steady.horizon, FirstStretch(record));
        const std::unique_ptr<Recording> recording = EndRecording(record, false);
        m_recorder.Converged(*recording, steady.rates, trusted, m_now);
        record.sourceRates = steady.rates;
        record.source = std::move(recording->converged);
    }
}

void
Controller::Impl::CreditSkip(PartitionRecord& record)
{
    const Duration elapsed = m_now - record.since;
    record.held += elapsed;
    record.trend->Skip(elapsed);
    for (std::size_t i = 0; i < record.rates.size(); ++i)
    {
        const FlowId id = record.members.ids.flows[i];
        const Bytes budget = SkipBudget(m_simulator, id, record.rates[i]);
        Bytes bytes = SkipCredit(budget, record.rates[i], elapsed);
        if (record.skipsToTail && static_cast<double>(budget - bytes) <=
                                      m_options.tailAlignment * static_cast<double>(bytes))
        {
            bytes = budget;
        }
        FlowRecord& flow = *record.members.flows[i];
        m_statistics.eventsSkipped += EventsFor(flow, m_simulator.Observe(id), bytes);
        Credit(flow, bytes);
        m_statistics.bytesSkipped += bytes;
    }
}

void
Controller::Impl::Credit(FlowRecord& flow, Bytes bytes)
{
    m_simulator.Credit(flow.id, bytes);
    flow.credited += bytes;
}

std::optional<Time>
Controller::Impl::NextLook(const PartitionRecord& record)
{
    if (!m_options.follow || !record.source)
    {
        return std::nullopt;
    }
    PartitionId& sentinel =
        m_sentinels.try_emplace(record.source->GetSignature(), record.id).first->second;
    const auto found = m_records.find(sentinel);
    if (sentinel != record.id && found != m_records.end())
    {
        const PartitionRecord& other = *found->second;
        const bool same = !other.fresh && other.source &&
                          other.source->GetSignature() == record.source->GetSignature() &&
                          other.steadySince <= record.steadySince;
        // One that looks for longer does not know whether it may go on.
        if (same && other.state == PartitionState::Waking &&
            m_now - other.since <= Windows(other, WAKING_WINDOWS))
        {
            return Later(m_now, Windows(record, 1));
        }
        if (same && other.state == PartitionState::Skipping && other.alarm->time > m_now)
        {
            return Later(other.alarm->time, Windows(record, 1));
        }
    }
    sentinel = record.id;
    return std::nullopt;
}

bool
Controller::Impl::SkipOn(PartitionRecord& record)
{
    const auto look = record.skipsToTail ? std::nullopt : NextLook(record);
    if (!look)
    {
        return false;
    }
    const Time tail = Later(record.since, TimeToTail(m_simulator, record.members, record.rates));
    record.skipsToTail = tail <= *look;
    SetAlarm(record, std::min(tail, *look), Alarm::Phase::End);
    return true;
}

void
Controller::Impl::EndSkip(PartitionRecord& record)
{
    if (SkipOn(record))
    {
        return;
    }
    CreditSkip(record);
    m_packets.Resume(record.members, m_now - record.since);
    if (record.skipsToTail)
    {
        ReplayOrRecord(record, true);
        return;
    }
    m_packets.Run(record.members, m_now);
    Enter(record, PartitionState::Waking, Reason::StretchOver);
    StartSampling(record);
}

Duration
Controller::Impl::FirstStretch(const PartitionRecord& record) const
{
    return Windows(record, m_options.firstStretch);
}

Duration
Controller::Impl::Windows(const PartitionRecord& record, double count) const
{
    const Duration interval = RateSampler::IntervalOf(m_simulator, record.members);
    return Scale(interval, count * m_options.steady.window);
}

} // namespace wormhole

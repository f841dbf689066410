/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/skip/skipping.h"

#include "controller/deciding.h"
#include "controller/following.h"
#include "controller/replaying.h"
#include "controller/sample/sampling.h"
#include "controller/sample/trends.h"
#include "controller/settling.h"
#include "controller/skip/held-rates.h"
#include "controller/skip/recalling.h"
#include "controller/skip/skip-plan.h"

#include <algorithm>
#include <utility>

namespace wormhole
{
namespace
{

/** By which a skip is longer than the one before, at most, while rates are on their way: where to,
 * and how fast, is less well known than rates that stay. */
constexpr double GROWTH_ON_WAY = 2;

} // namespace

Skipping::Skipping(const ControllerContext& context,
                   PartitionTable& table,
                   PacketState& packets,
                   Recorder& recorder,
                   Account& account,
                   Sampling& sampling,
                   Wandering& wandering,
                   Recalling& recalling,
                   Following& following,
                   Replaying& replaying,
                   Deciding& deciding,
                   Settling& settling,
                   Auditing& auditing)
    : m_context(context),
      m_table(table),
      m_packets(packets),
      m_recorder(recorder),
      m_account(account),
      m_sampling(sampling),
      m_recalling(recalling),
      m_following(following),
      m_replaying(replaying),
      m_deciding(deciding),
      m_settling(settling),
      m_leaping(context, table, packets, account, wandering, auditing),
      m_probes(context, table, recorder),
      m_foreseeing(context, table, packets, account, settling, auditing)
{
}

void
Skipping::SetSource(PartitionRecord& record, ConflictGraph key)
{
    record.skipping.source = std::move(key);
}

bool
Skipping::KeepOn(PartitionRecord& record, SteadyRates& steady)
{
    KeepRates(steady.rates, record.skipping.rates);
    const bool proven = record.state == PartitionState::Waking;
    const Duration last =
        record.skipping.stretch > Duration{0} ? record.skipping.stretch : FirstStretch(record);
    const double growth =
        HaveMoved(steady.rates, record.skipping.rates, m_context.options.steady.theta)
            ? 1
            : m_context.options.stretchGrowth;
    record.skipping.stretch =
        Scale(last, steady.approaches.empty() ? growth : std::min(growth, GROWTH_ON_WAY));
    const std::optional<SharedLook> look =
        steady.approaches.empty() ? m_probes.End(record) : std::nullopt;
    if (GoOn(record, steady, Reason::RatesHeld))
    {
        record.skipping.recalled = false;
        m_recalling.Note(record, steady, proven);
        const auto refuted = look ? BringAlong(record, *look, steady) : std::vector<PartitionId>();
        ConfirmSource(record, steady.rates);
        CatchUpRefuted(refuted); // last, for flows may end within
        return true;
    }
    record.skipping.stretch = last; // it grows once for each skip, not with each sample
    return false;
}

bool
Skipping::TakeRates(PartitionRecord& record, const SteadyRates& steady)
{
    record.skipping.stretch =
        record.wandering.wander ? steady.horizon : std::max(FirstStretch(record), steady.shortest);
    record.skipping.held = Duration{0};
    record.skipping.steadySince = m_table.Now();
    record.skipping.looks = steady.windows;
    record.skipping.recalled = false;
    m_recalling.Note(record, steady, steady.strict);
    return GoOn(record, steady, Reason::Steady);
}

void
Skipping::GiveUpRates(PartitionRecord& record)
{
    record.skipping.source.reset(); // even if they come back, they have not held
    m_table.Enter(record, PartitionState::Running, Reason::RatesChanged);
}

void
Skipping::NotSteady(PartitionRecord& record)
{
    record.skipping.waits.reset();
}

void
Skipping::ConfirmSource(PartitionRecord& record, const std::vector<Rate>& rates)
{
    if (!record.skipping.source || record.skipping.sourceRates.empty())
    {
        return;
    }
    // Each skip goes on with the rates of the last look, which may creep; the episode's do not.
    if (FarthestApart(rates, record.skipping.sourceRates) < m_context.options.steady.theta)
    {
        m_context.store->Confirm(*record.skipping.source, record.skipping.held);
    }
    else
    {
        record.skipping.source.reset();
    }
}

bool
Skipping::GoOn(PartitionRecord& record, const SteadyRates& steady, Reason reason)
{
    if (!steady.strict && !record.following.followers.empty() &&
        record.sampling.sampler.Count() < WAKING_WINDOWS * record.sampling.sampler.Window())
    {
        return false; // what others wait for should be good
    }
    const Duration shortest = std::max(
        WindowsOf(m_context, m_table.Map(), record.members, m_context.options.shortestSkip),
        steady.shortest);
    const Duration toTail = TimeToTail(m_context.simulator, record.members, steady.rates);
    const Duration wayOn = HorizonOf(steady.approaches);
    const Duration horizon = std::min({steady.horizon, steady.free, wayOn});
    if (std::min(horizon, record.skipping.stretch) < std::min(shortest, toTail))
    {
        return false;
    }
    const auto disturbance = m_context.simulator.NextDisturbance(record.members.ids);
    if (disturbance && *disturbance <= m_table.Now())
    {
        return false;
    }
    m_replaying.CountUnused(record);
    const Duration longest = m_context.options.guard ? record.skipping.stretch : Duration::max();
    Duration span = std::min({toTail, longest, horizon});
    if (toTail - span < shortest && toTail <= wayOn)
    {
        span = toTail; // a look in between would not be over before
    }
    const Duration free =
        TimeToDisturbance(m_context.simulator, record.members, steady.rates, span);
    if (free < span && free < shortest)
    {
        return false;
    }
    span = free;
    if (m_context.options.skip && toTail >= shortest && !IsWorthIt(record, steady, span))
    {
        return false;
    }
    NoteSteady(record, steady);
    if (!m_context.options.skip)
    {
        m_table.ClearAlarm(record);
        m_table.Enter(record, PartitionState::Running, reason);
        return true;
    }
    if (toTail < shortest)
    {
        m_table.ClearAlarm(record);
        m_deciding.ReplayOrRecord(record, true);
        return true;
    }
    span = m_leaping.Begin(record, span, span == toTail);
    m_table.Enter(record, PartitionState::Skipping, reason, span);
    m_table.SetAlarm(record, Later(m_table.Now(), span), Alarm::Phase::End);
    return true;
}

bool
Skipping::Foresee(PartitionRecord& record)
{
    const ControllerOptions& options = m_context.options;
    const RateSampler& sampler = record.sampling.sampler;
    // Draws come all the time, so what is foreseen up to the next one is not worth asking for more
    // often.
    const bool asks =
        options.foresee || (sampler.Count() > 0 && sampler.Count() % sampler.Window() == 0);
    if (!asks || !options.Expects() ||
        (!record.following.followers.empty() &&
         record.sampling.sampler.Count() < WAKING_WINDOWS * record.sampling.sampler.Window()))
    {
        return false;
    }
    auto foresight = m_foreseeing.Look(record);
    if (!foresight)
    {
        return false;
    }
    const Duration span = foresight->span;
    const SteadyRates steady{Foreseeing::RatesOf(*foresight),
                             Duration::max(),
                             Duration{0},
                             false,
                             std::vector<double>(record.members.flows.size()),
                             {}};
    if (!IsWorthIt(record, steady, span))
    {
        return false;
    }
    if (m_following.IsRecording(record))
    {
        m_following.EndRecording(record, true);
    }
    NoteSteady(record, steady);
    m_foreseeing.Begin(record, std::move(*foresight));
    m_table.Enter(record, PartitionState::Skipping, Reason::Foreseen, span);
    m_table.SetAlarm(record, Later(m_table.Now(), span), Alarm::Phase::End);
    return true;
}

bool
Skipping::IsWorthIt(PartitionRecord& record, const SteadyRates& steady, Duration span)
{
    if (record.skipping.waits)
    {
        m_account.Miss(EventsIn(m_context.simulator,
                                record.members,
                                steady.rates,
                                m_table.Now() - *record.skipping.waits));
    }
    // What has not happened for so long is expected not to happen for as long again.
    const Duration undisturbed = m_table.Now() - record.undisturbedSince;
    if (m_account.PaysOff(EventsIn(m_context.simulator,
                                   record.members,
                                   steady.rates,
                                   std::min(span, undisturbed))))
    {
        record.skipping.waits.reset();
        return true;
    }
    record.skipping.waits = m_table.Now();
    if (m_following.IsRecording(record))
    {
        NoteSteady(record, steady);
        m_table.Enter(record, PartitionState::Running, Reason::SavesLittle);
    }
    return false;
}

void
Skipping::NoteSteady(PartitionRecord& record, const SteadyRates& steady)
{
    record.skipping.rates = steady.rates;
    record.skipping.noise = steady.noise;
    record.skipping.approaches = steady.approaches;
    record.skipping.drifts = steady.drifts;
    record.skipping.begins.clear();
    for (std::size_t i = 0; i < steady.rates.size(); ++i)
    {
        record.members.flows[i]->steady = steady.rates[i];
    }
    if (m_following.IsRecording(record) && !steady.strict)
    {
        // Good enough for a skip that is looked at.
        const bool isLeader = !record.following.followers.empty();
        std::unique_ptr<Recording> recording = m_following.EndSeeming(record, steady);
        record.skipping.source = isLeader ? std::move(recording->converged) : std::nullopt;
        record.skipping.sourceRates.clear();
    }
    if (m_following.IsRecording(record))
    {
        const Duration trusted = std::min(steady.horizon, record.skipping.stretch);
        const std::unique_ptr<Recording> recording = m_following.EndRecording(record, false);
        m_recorder.Converged(*recording, steady.rates, trusted, m_table.Now());
        record.skipping.sourceRates = steady.rates;
        record.skipping.source = std::move(recording->converged);
    }
}

bool
Skipping::SkipOn(PartitionRecord& record)
{
    const auto look = record.skipping.toTail ? std::nullopt : m_probes.NextLook(record);
    if (!look)
    {
        return false;
    }
    const Time tail =
        Later(record.since, TimeToTail(m_context.simulator, record.members, record.skipping.rates));
    const Time until = std::min(tail, *look);
    if (Later(record.since,
              TimeToDisturbance(m_context.simulator,
                                record.members,
                                record.skipping.rates,
                                until - record.since)) < until)
    {
        return false;
    }
    record.skipping.toTail = tail <= *look;
    m_table.SetAlarm(record, until, Alarm::Phase::End);
    return true;
}

void
Skipping::End(PartitionRecord& record)
{
    if (record.skipping.foreseen)
    {
        if (m_foreseeing.End(record))
        {
            m_table.Enter(record, PartitionState::Running, Reason::StretchOver);
            m_sampling.Start(record);
        }
        return;
    }
    if (SkipOn(record))
    {
        return;
    }
    if (m_leaping.IsRefuted(record))
    {
        record.wandering.wander.reset();
        m_settling.CatchUp(record, record.since, Reason::Audited);
        return;
    }
    m_leaping.End(record, record.skipping.toTail);
    if (record.skipping.toTail)
    {
        m_deciding.ReplayOrRecord(record, true);
        return;
    }
    Wake(record);
}

void
Skipping::Wake(PartitionRecord& record)
{
    m_packets.Run(record.members, m_table.Now());
    m_table.Enter(record, PartitionState::Waking, Reason::StretchOver);
    m_probes.Begin(record);
    m_sampling.Start(record);
}

bool
Skipping::GoOnRecalled(PartitionRecord& record)
{
    SkipState& skip = record.skipping;
    SteadyRates found{skip.rates, Duration::max(), Duration{0}, skip.proven, skip.noise, {}};
    StartTrend(record.sampling, found.rates);
    return KeepOn(record, found);
}

Time
Skipping::Interrupt(PartitionRecord& record)
{
    ++m_context.statistics.skipsInterrupted;
    const Time now = m_table.Now();
    if (record.skipping.foreseen)
    {
        m_foreseeing.Interrupt(record);
        return now;
    }
    // What controls do to what happens now depends on where in a round trip they are. If packets
    // went on as they stopped, that would be the same in all skips.
    const Duration sample = record.sampling.sampler.Interval();
    const bool mayBeLate = sample > Duration{0} && record.skipping.begins.empty() &&
                           record.skipping.drifts.empty() && PacketState::ArePaused(record.members);
    const Time from = mayBeLate ? now - (now - record.since) % sample : now;
    from < now ? m_leaping.EndAt(record, from) : m_leaping.End(record, true);
    return from;
}

Bytes
Skipping::DeliveredBy(const PartitionRecord& record, std::size_t index, Time now) const
{
    return m_leaping.DeliveredBy(record, index, now);
}

void
Skipping::Forget(PartitionRecord& record)
{
    record.skipping.waits.reset();
    record.skipping.source.reset();
    record.skipping.known = false;
    record.skipping.recalled = false;
    record.skipping.conditions.reset();
}

void
Skipping::ForgetProbes()
{
    m_probes.Forget();
}

Duration
Skipping::FirstStretch(const PartitionRecord& record) const
{
    return WindowsOf(m_context, m_table.Map(), record.members, m_context.options.firstStretch);
}

} // namespace wormhole

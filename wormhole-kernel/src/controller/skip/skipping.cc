/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/skip/skipping.h"

#include "controller/auditing.h"
#include "controller/deciding.h"
#include "controller/following.h"
#include "controller/replaying.h"
#include "controller/sampling.h"
#include "controller/settling.h"
#include "controller/skip/skip-plan.h"
#include "controller/skip/wandering.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wormhole
{
namespace
{

/** By how much rates that are looked at again may differ without being new ones: a packet more or
 * less in a window of samples makes as much of a difference. So partitions that are alike stay in
 * step, although they are not looked at together. */
constexpr double UNCHANGED_RATE = 1e-3;

/** Windows that a look lasts at least, ... */
constexpr double SHORTEST_LOOK = 0.5;

/** ... and at a flow that shares no port, and is expected to be steady. */
constexpr double SHORTEST_LOOK_ALONE = 0.25;

/** Part of theta by which the rate of such a flow may differ from what is seen of it. */
constexpr double RECALLED = 0.2;

/** Part of the way from e to 1 that shares go in one skip on their way to being equal. */
constexpr double LONGEST_WAY = 0.5;

/** Of looks that agree, the latest one counts for at least one in so many. */
constexpr std::uint32_t MAX_LOOKS = 4;

/** \return how long \p approaches may be followed without a look */
Duration
HorizonOf(const std::vector<Approach>& approaches)
{
    double fastest = 0;
    for (const Approach& approach : approaches)
    {
        fastest = std::max(fastest, approach.speed);
    }
    return fastest > 0 ? Scale(std::chrono::seconds{1}, LONGEST_WAY / fastest) : Duration::max();
}

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

Skipping::Skipping(const ControllerContext& context,
                   PartitionTable& table,
                   PacketState& packets,
                   Recorder& recorder,
                   Account& account,
                   Sampling& sampling,
                   Wandering& wandering,
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
      m_wandering(wandering),
      m_following(following),
      m_replaying(replaying),
      m_deciding(deciding),
      m_settling(settling),
      m_auditing(auditing)
{
}

void
Skipping::SetSource(PartitionRecord& record, ConflictGraph key)
{
    record.skipping.source = std::move(key);
}

bool
Skipping::StartFromEpisode(PartitionRecord& record, std::vector<Rate> rates, Duration verified)
{
    m_sampling.StartTrend(record, rates);
    record.skipping.held = Duration{0};
    record.skipping.steadySince = m_table.Now();
    record.skipping.stretch = verified;
    record.skipping.sourceRates = rates;
    std::vector<double> noise;
    if (const KnownRate* const known = KnownOf(record))
    {
        noise.push_back(known->noise); // by which looks are short
    }
    return m_context.options.skip &&
           GoOn(record,
                {std::move(rates), Duration::max(), Duration{0}, true, std::move(noise), {}},
                Reason::EpisodeOver);
}

bool
Skipping::HasHeld(const PartitionRecord& record,
                  const std::vector<Rate>& rates,
                  double shortness) const
{
    double sum = 0;
    double usedSum = 0;
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        const double used = record.skipping.rates[i].InBytesPerSecond();
        sum += rates[i].InBytesPerSecond();
        usedSum += used;
        const double noise = i < record.skipping.noise.size() ? record.skipping.noise[i] : 0;
        if (!(std::abs(rates[i].InBytesPerSecond() - used) <
              (m_context.options.steady.theta + noise * std::sqrt(shortness)) * used))
        {
            return false;
        }
    }
    return std::abs(sum - usedSum) < m_context.options.steady.theta * usedSum;
}

void
Skipping::Average(PartitionRecord& record, SteadyRates& found) const
{
    const double theta = m_context.options.steady.theta;
    const bool alone = IsShortLook(record);
    record.skipping.looks = std::min(record.skipping.looks + 1, MAX_LOOKS);
    for (std::size_t i = 0; i < found.rates.size(); ++i)
    {
        const double used = record.skipping.rates[i].InBytesPerSecond();
        const double now = found.rates[i].InBytesPerSecond();
        const double noise = alone ? std::max(RECALLED * theta, found.noise[i]) : found.noise[i];
        const bool moved = std::abs(now - used) > noise * used;
        const double weight = moved ? 1 : 1.0 / record.skipping.looks;
        found.rates[i] = Rate::BytesPerSecond(used + (now - used) * weight);
    }
}

bool
Skipping::KeepOn(PartitionRecord& record, SteadyRates& steady)
{
    KeepRates(steady.rates, record.skipping.rates);
    const bool proven = record.state == PartitionState::Waking;
    const Duration last =
        record.skipping.stretch > Duration{0} ? record.skipping.stretch : FirstStretch(record);
    record.skipping.stretch = Scale(last, m_context.options.stretchGrowth);
    if (GoOn(record, steady, Reason::RatesHeld))
    {
        record.skipping.recalled = false;
        NoteKnown(record, steady, proven);
        ConfirmSource(record, steady.rates);
        return true;
    }
    record.skipping.stretch = last; // it grows once for each skip, not with each sample
    return false;
}

void
Skipping::TakeRates(PartitionRecord& record, const SteadyRates& steady)
{
    record.skipping.stretch =
        record.wandering.wander ? steady.horizon : std::max(FirstStretch(record), steady.shortest);
    record.skipping.held = Duration{0};
    record.skipping.steadySince = m_table.Now();
    record.skipping.looks = 1;
    record.skipping.recalled = false;
    NoteKnown(record, steady, steady.strict);
    GoOn(record, steady, Reason::Steady);
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

bool
Skipping::AreClose(const std::vector<Rate>& rates, const std::vector<Rate>& used) const
{
    return FarthestApart(rates, used) < m_context.options.steady.theta;
}

void
Skipping::ConfirmSource(PartitionRecord& record, const std::vector<Rate>& rates)
{
    if (!record.skipping.source)
    {
        return;
    }
    // Each skip goes on with the rates of the last look, which may creep; the episode's do not.
    if (AreClose(rates, record.skipping.sourceRates))
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
        record.sampling.sampler.Count() < WAKING_WINDOWS * m_context.options.steady.window)
    {
        return false; // what others wait for should be good
    }
    const Duration shortest =
        std::max(Windows(record, m_context.options.shortestSkip), steady.shortest);
    const Duration toTail = TimeToTail(m_context.simulator, record.members, steady.rates);
    const Duration wayOn = HorizonOf(steady.approaches);
    const Duration horizon = std::min(steady.horizon, wayOn);
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
    m_account.Spend(LEAP_WORK * static_cast<double>(record.members.flows.size()));
    m_packets.Pause(record.members);
    record.skipping.toTail = span == toTail;
    if (!steady.approaches.empty())
    {
        span = TakeMeans(record, span);
    }
    else if (record.wandering.wander)
    {
        span = TakeShares(record, span);
    }
    for (std::size_t i = 0; i < steady.rates.size(); ++i)
    {
        m_context.simulator.AssumeRate(record.members.ids.flows[i], record.skipping.rates[i]);
    }
    m_table.Enter(record, PartitionState::Skipping, reason, span);
    m_table.SetAlarm(record, Later(m_table.Now(), span), Alarm::Phase::End);
    return true;
}

Duration
Skipping::TakeMeans(PartitionRecord& record, Duration span)
{
    SkipState& skip = record.skipping;
    skip.source.reset(); // by which others would be skipped alike
    skip.begins = skip.rates;
    for (std::size_t i = 0; i < skip.rates.size(); ++i)
    {
        skip.rates[i] = skip.approaches[i].Mean(skip.begins[i], span);
    }
    return UpToTail(record, span);
}

Duration
Skipping::TakeShares(PartitionRecord& record, Duration span)
{
    record.skipping.rates = m_wandering.Go(record, span);
    return UpToTail(record, span);
}

Duration
Skipping::UpToTail(PartitionRecord& record, Duration span) const
{
    const Duration toTail = TimeToTail(m_context.simulator, record.members, record.skipping.rates);
    record.skipping.toTail = toTail <= span;
    return std::min(toTail, span);
}

void
Skipping::Carry(PartitionRecord& record)
{
    SkipState& skip = record.skipping;
    if (skip.begins.empty())
    {
        return;
    }
    const Duration elapsed = m_table.Now() - record.since;
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
    Sampling::Carry(record, elapsed);
}

bool
Skipping::IsWorthIt(PartitionRecord& record, const SteadyRates& steady, Duration span)
{
    if (record.skipping.waits)
    {
        m_account.Miss(EventsIn(record, steady.rates, m_table.Now() - *record.skipping.waits));
    }
    // What has not happened for so long is expected not to happen for as long again.
    const Duration undisturbed = m_table.Now() - record.undisturbedSince;
    if (m_account.PaysOff(EventsIn(record, steady.rates, std::min(span, undisturbed))))
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

double
Skipping::EventsIn(const PartitionRecord& record,
                   const std::vector<Rate>& rates,
                   Duration time) const
{
    double events = 0;
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        const FlowRecord& flow = *record.members.flows[i];
        events += EventsFor(flow, m_context.simulator.Observe(flow.id), BytesIn(rates[i], time));
    }
    return events;
}

void
Skipping::NoteSteady(PartitionRecord& record, const SteadyRates& steady)
{
    record.skipping.rates = steady.rates;
    record.skipping.noise = steady.noise;
    record.skipping.approaches = steady.approaches;
    record.skipping.begins.clear();
    for (std::size_t i = 0; i < steady.rates.size(); ++i)
    {
        record.members.flows[i]->steady = steady.rates[i];
    }
    if (m_following.IsRecording(record) && !steady.strict)
    {
        m_following.EndRecording(record, true); // good enough for a skip that is looked at
    }
    if (m_following.IsRecording(record))
    {
        const Duration trusted = std::min(steady.horizon, FirstStretch(record));
        const std::unique_ptr<Recording> recording = m_following.EndRecording(record, false);
        m_recorder.Converged(*recording, steady.rates, trusted, m_table.Now());
        record.skipping.sourceRates = steady.rates;
        record.skipping.source = std::move(recording->converged);
    }
}

void
Skipping::CreditSkip(PartitionRecord& record)
{
    const Duration elapsed = m_table.Now() - record.since;
    record.skipping.held += elapsed;
    m_sampling.SkipTrend(record, elapsed);
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
        m_context.statistics.bytesSkipped += bytes;
        m_context.statistics.bytesDrawn += record.wandering.wander ? bytes : 0;
    }
}

bool
Skipping::IsRefuted(PartitionRecord& record)
{
    const double events = EventsIn(record, record.skipping.rates, m_table.Now() - record.since);
    if (!m_auditing.DrawSkip(events))
    {
        return false;
    }
    LeftOut what{record.since, events, {}, record.wandering.wander.has_value()};
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

std::optional<Time>
Skipping::NextLook(const PartitionRecord& record)
{
    if (!m_context.options.follow || !record.skipping.source)
    {
        return std::nullopt;
    }
    PartitionId& probe =
        m_probes.try_emplace(record.skipping.source->GetSignature(), record.id).first->second;
    const PartitionRecord* const found = m_table.Find(probe);
    if (probe != record.id && found != nullptr)
    {
        const PartitionRecord& other = *found;
        const bool same =
            !other.fresh && other.skipping.source &&
            other.skipping.source->GetSignature() == record.skipping.source->GetSignature() &&
            other.skipping.steadySince <= record.skipping.steadySince;
        // One that looks for longer does not know whether it may go on.
        if (same && other.state == PartitionState::Waking &&
            m_table.Now() - other.since <= Windows(other, WAKING_WINDOWS))
        {
            return Later(m_table.Now(), Windows(record, 1));
        }
        if (same && other.state == PartitionState::Skipping && other.alarm->time > m_table.Now())
        {
            return Later(other.alarm->time, Windows(record, 1));
        }
    }
    probe = record.id;
    return std::nullopt;
}

bool
Skipping::SkipOn(PartitionRecord& record)
{
    const auto look = record.skipping.toTail ? std::nullopt : NextLook(record);
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
    if (SkipOn(record))
    {
        return;
    }
    if (IsRefuted(record))
    {
        record.wandering.wander.reset();
        m_settling.CatchUp(record, record.since, Reason::Audited);
        return;
    }
    CreditSkip(record);
    m_packets.Resume(record.members, m_table.Now() - record.since);
    Carry(record);
    if (record.skipping.toTail)
    {
        m_deciding.ReplayOrRecord(record, true);
        return;
    }
    m_packets.Run(record.members, m_table.Now());
    m_table.Enter(record, PartitionState::Waking, Reason::StretchOver);
    m_sampling.Start(record);
}

void
Skipping::LookAgain(PartitionRecord& record)
{
    record.skipping.known = true;
    record.skipping.stretch = Duration{0}; // the first one again
    record.skipping.looks = 1;
}

const KnownRate*
Skipping::KnownOf(const PartitionRecord& record) const
{
    const auto& conditions = record.skipping.conditions;
    return conditions ? m_known.Find(*conditions) : nullptr;
}

bool
Skipping::Recall(PartitionRecord& record)
{
    const KnownRate* const known = KnownOf(record);
    if (known == nullptr)
    {
        return false;
    }
    LookAgain(record);
    record.skipping.recalled = true;
    record.skipping.proven = known->proven;
    record.skipping.rates = {known->rate};
    record.skipping.noise = {known->noise};
    record.skipping.approaches.clear();
    return true;
}

bool
Skipping::IsThere(const PartitionRecord& record, const std::vector<Rate>& rates) const
{
    const std::vector<double>& noise = record.skipping.noise;
    return FarthestApart(rates, record.skipping.rates) <
           m_context.options.steady.theta * RECALLED + (noise.empty() ? 0 : noise.front());
}

bool
Skipping::GoOnRecalled(PartitionRecord& record)
{
    SkipState& skip = record.skipping;
    SteadyRates found{skip.rates, Duration::max(), Duration{0}, skip.proven, skip.noise, {}};
    m_sampling.StartTrend(record, found.rates);
    return KeepOn(record, found);
}

void
Skipping::NoteKnown(const PartitionRecord& record, const SteadyRates& rates, bool proven)
{
    if (record.skipping.conditions && !rates.noise.empty() && rates.approaches.empty())
    {
        m_known.Note(*record.skipping.conditions,
                     {rates.rates.front(), rates.noise.front(), proven});
    }
}

bool
Skipping::IsShortLook(const PartitionRecord& record)
{
    return record.skipping.conditions &&
           (record.skipping.recalled || record.state == PartitionState::Waking);
}

std::uint32_t
Skipping::SamplesOfLook(const PartitionRecord& record) const
{
    const SteadyStateOptions& steady = m_context.options.steady;
    double noise = 0;
    for (const double of : record.skipping.noise)
    {
        noise = std::max(noise, of);
    }
    const double share = noise / steady.theta;
    const bool isShort = record.skipping.noise.empty() || IsShortLook(record);
    const double shortest = isShort ? SHORTEST_LOOK_ALONE : SHORTEST_LOOK;
    return static_cast<std::uint32_t>(
        std::ceil(steady.window * std::clamp(share * share, shortest, 1.0)));
}

void
Skipping::Interrupt(PartitionRecord& record)
{
    ++m_context.statistics.skipsInterrupted;
    CreditSkip(record);
    m_packets.Resume(record.members, m_table.Now() - record.since);
    Carry(record);
}

Bytes
Skipping::DeliveredBy(const PartitionRecord& record, std::size_t index, Time now) const
{
    const Rate rate = record.skipping.rates[index];
    const Bytes budget = SkipBudget(m_context.simulator, record.members.ids.flows[index], rate);
    return UndisturbedCredit(m_context.simulator,
                             record.members.ids.flows[index],
                             rate,
                             SkipCredit(budget, rate, now - record.since));
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
    m_probes.clear();
}

Duration
Skipping::FirstStretch(const PartitionRecord& record) const
{
    return Windows(record, m_context.options.firstStretch);
}

Duration
Skipping::Windows(const PartitionRecord& record, double count) const
{
    const Duration interval = RateSampler::IntervalOf(m_context.simulator, record.members);
    return Scale(interval, count * m_context.options.steady.window);
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/sample/sampling.h"

#include "controller/following.h"
#include "controller/sample/groups-apart.h"
#include "controller/sample/trends.h"
#include "controller/skip/fair-shares.h"
#include "controller/skip/held-rates.h"
#include "controller/skip/recalling.h"
#include "controller/skip/skip-plan.h"
#include "controller/skip/skipping.h"
#include "controller/skip/wandering.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace wormhole
{
namespace
{

/** Windows after which what seems steady is enough of flows that may share ports, ... */
constexpr std::uint32_t PATIENCE = 2;

/** ... of one that is alone, for mostly it shows all that is asked for, and is recorded then; where
 * timers of controls let rates climb by steps; and of shares that are on their way, whose speed is
 * not known before. */
constexpr std::uint32_t LONG_PATIENCE = 4;

/** Whole windows of a skip after which a look is by a whole one. */
constexpr std::uint32_t LONG_STRETCH = 10;

/** Part of theta by which shares may move within three windows, under controls of which it is not
 * known how fast they become what they will be. */
constexpr double MOVING_SHARE = 0.5;

/** Part of theta by which the mean of a window may be off without a longer look, if it is to be
 * remembered. */
constexpr double REMEMBERED = 0.02;

} // namespace

Sampling::Sampling(const ControllerContext& context,
                   PartitionTable& table,
                   Account& account,
                   Following& following,
                   Wandering& wandering,
                   Recalling& recalling,
                   Skipping& skipping)
    : m_context(context),
      m_table(table),
      m_account(account),
      m_following(following),
      m_wandering(wandering),
      m_recalling(recalling),
      m_skipping(skipping),
      m_looking(context, table, wandering, recalling, skipping)
{
}

void
Sampling::Start(PartitionRecord& record)
{
    if (!m_context.options.skip && !m_context.store)
    {
        return;
    }
    const bool looks =
        record.state == PartitionState::Recording || record.state == PartitionState::Running;
    if (looks && Expects(record) && m_recalling.Recall(record))
    {
        record.sampling.keeps = false;
    }
    if (!record.sampling.keeps)
    {
        m_account.Spend(SAMPLE_WORK * static_cast<double>(record.members.flows.size()));
        record.sampling.sampler.Start(m_context.simulator,
                                      record.members,
                                      OptionsFor(record),
                                      Expects(record));
        record.sampling.sampler.Spans(
            RateSampler::SlowestPeriodOf(m_context.simulator, record.members),
            m_context.simulator,
            record.members);
        record.sampling.lookedUntil = m_table.Now();
        record.sampling.steadySince = 0;
        FindGroupsApart(m_context.simulator, m_table.Map(), record);
        if (Expects(record))
        {
            m_wandering.Start(record);
        }
        record.sampling.next = Later(m_table.Now(), record.sampling.sampler.Interval());
    }
    if (!m_skipping.Foresee(record))
    {
        m_table.SetAlarm(record, record.sampling.next, Alarm::Phase::Decide);
    }
}

SteadyStateOptions
Sampling::OptionsFor(const PartitionRecord& record) const
{
    SteadyStateOptions options = m_context.options.steady;
    const bool wasLong =
        record.state == PartitionState::Waking &&
        record.skipping.stretch >= RateSampler::IntervalOf(m_context.simulator, record.members) *
                                       (LONG_STRETCH * options.window);
    if (!wasLong)
    {
        options.window = WindowOf(m_context, m_table.Map(), record.members);
    }
    return options;
}

void
Sampling::Sample(PartitionRecord& record)
{
    ++m_context.statistics.samples;
    m_account.Spend(ALARM_WORK + SAMPLE_WORK * static_cast<double>(record.members.flows.size()));
    // Of groups that may come apart, each is judged by itself.
    const bool restarts = record.sampling.apart.empty();
    if (!record.sampling.sampler.Sample(m_context.simulator,
                                        m_table.Map(),
                                        record.members,
                                        restarts))
    {
        record.sampling.shares = {};
        record.sampling.lookedUntil = m_table.Now();
        record.sampling.steadySince = 0;
        Await(record);
        m_skipping.NotSteady(record);
        return;
    }
    if (m_skipping.Foresee(record))
    {
        return;
    }
    m_following.GiveUpChance(record);
    m_following.TellFollowers(record, record.sampling.sampler);
    if (record.wandering.wander)
    {
        Await(record);
        m_looking.LookAtSum(record);
        return;
    }
    RateSampler& sampler = record.sampling.sampler;
    const bool looks = record.state == PartitionState::Waking || record.skipping.known;
    if (!looks && Expects(record) && sampler.Count() % m_context.options.steady.window == 0)
    {
        const Duration time = sampler.Interval() * m_context.options.steady.window;
        const std::vector<Rate> means = sampler.TakeMeans();
        record.sampling.shares.Look(time, means);
        m_wandering.Look(record, time, means);
    }
    auto steady = sampler.Judge();
    if (!steady || (!steady->noise.empty() && !FindApproaches(m_context.simulator,
                                                              m_table.Map(),
                                                              record,
                                                              m_context.options.steady.theta,
                                                              *steady)))
    {
        steady = Expect(record);
    }
    if (steady && !AreLongEnough(record))
    {
        record.sampling.shares = {};
        steady.reset();
    }
    const bool rises =
        (steady || looks) && IsRising(record, steady ? steady->rates : record.skipping.rates);
    if (rises || (steady && !looks && MayBeForAWhile(record, steady->rates)))
    {
        steady.reset();
    }
    if (steady && !looks)
    {
        record.sampling.rough = MayBeOfTransient(record, *steady);
        if (record.sampling.rough && m_recalling.IsLong(record, steady->rates))
        {
            steady.reset();
        }
    }
    Await(record);
    const bool waking = record.state == PartitionState::Waking;
    if ((waking || record.skipping.known) && !rises && m_context.options.Expects() &&
        m_looking.Look(record))
    {
        return;
    }
    if (!steady)
    {
        MissGroupsApart(m_context.simulator, m_account, record);
        m_skipping.NotSteady(record);
        if (waking &&
            record.sampling.sampler.Count() >= Skipping::WAKING_WINDOWS * sampler.Window())
        {
            m_skipping.GiveUpRates(record);
        }
        return;
    }
    const bool held =
        waking && HaveHeld(record.skipping, steady->rates, m_context.options.steady.theta);
    if (waking && !held && sampler.Count() == sampler.Window())
    {
        record.sampling.trend.reset(); // a step: no trend does this in one window, and is steady
    }
    if (record.wandering.wander)
    {
        m_skipping.TakeRates(record, *steady);
        return;
    }
    const bool inParts = held && !record.skipping.noise.empty(); // as m_looking does
    LookAtTrend(record.sampling,
                m_table.Now(),
                inParts ? sampler.Interval() * sampler.Window() : Duration{0},
                m_context.options.steady.theta,
                *steady);
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
        StartTrend(record.sampling, steady->rates);
        if (sampler.Count() > sampler.Window())
        {
            ++(steady->strict ? m_strictly : m_seemingly);
        }
    }
    m_skipping.TakeRates(record, *steady);
}

void
Sampling::Await(PartitionRecord& record)
{
    record.sampling.next = Later(m_table.Now(), record.sampling.sampler.Interval());
    m_table.SetAlarm(record, record.sampling.next, Alarm::Phase::Decide);
}

std::optional<SteadyRates>
Sampling::Expect(PartitionRecord& record) const
{
    // Where most never show more, there is nothing to wait for.
    const SteadyStateOptions& options = m_context.options.steady;
    const bool isAlone = record.members.flows.size() == 1;
    const bool inVain = m_seemingly > m_strictly;
    const bool isTimed =
        RateSampler::SlowestPeriodOf(m_context.simulator, record.members) > Duration{0};
    const std::uint32_t windows = inVain ? 1 : isAlone || isTimed ? LONG_PATIENCE : PATIENCE;
    const RateSampler& sampler = record.sampling.sampler;
    if (!Expects(record) || sampler.Count() < windows * sampler.Window())
    {
        return std::nullopt;
    }
    const bool mayBeOnWay = inVain || sampler.Count() >= LONG_PATIENCE * options.window;
    auto steady = sampler.Expect();
    return steady && !AreOnWay(record, steady->noise) &&
                   FindApproaches(m_context.simulator,
                                  m_table.Map(),
                                  record,
                                  options.theta,
                                  *steady) &&
                   (mayBeOnWay || steady->approaches.empty())
               ? steady
               : m_wandering.Expect(record);
}

/** \return whether rates that seem steady in a window may be on a way that is longer */
bool
Sampling::AreOnWay(const PartitionRecord& record, const std::vector<double>& noise) const
{
    const auto& flows = record.members.ids.flows;
    const auto canScale = [this](FlowId flow) { return m_context.simulator.CanScale(flow); };
    const bool looks = record.state == PartitionState::Waking || record.skipping.known;
    return !looks && flows.size() > 1 && !std::all_of(flows.begin(), flows.end(), canScale) &&
           record.sampling.shares.HaveMoved(MOVING_SHARE * m_context.options.steady.theta, noise);
}

/** \return whether the window of \p steady, a rate that is to be remembered for the whole run, may
 * begin with what is left of a transient: samples differ by more than they need to, and have not
 * been steady for a window */
bool
Sampling::MayBeOfTransient(PartitionRecord& record, const SteadyRates& steady) const
{
    const bool isCalm =
        steady.noise.empty() || steady.noise.front() < REMEMBERED * m_context.options.steady.theta;
    const KnownRate* const known = m_recalling.Find(record);
    if (!record.skipping.conditions || isCalm || (known != nullptr && !known->rough))
    {
        return false;
    }
    const RateSampler& sampler = record.sampling.sampler;
    std::uint32_t& since = record.sampling.steadySince;
    since = since > 0 ? since : sampler.Count();
    return sampler.Count() < since + sampler.Window();
}

bool
Sampling::AreLongEnough(PartitionRecord& record) const
{
    RateSampler& sampler = record.sampling.sampler;
    const Simulator& simulator = m_context.simulator;
    // Between ticks of a timer rates may be so only until the next one. Wandering shares are of
    // means.
    return sampler.Spans(RateSampler::SlowestPeriodOf(simulator, record.members),
                         simulator,
                         record.members) &&
           (record.wandering.wander || sampler.HoldsPackets(simulator, record.members));
}

bool
Sampling::IsRising(const PartitionRecord& record, const std::vector<Rate>& rates) const
{
    const RateSampler& sampler = record.sampling.sampler;
    return m_context.simulator.IsRising(record.members.ids,
                                        rates,
                                        sampler.Interval() * sampler.Window());
}

bool
Sampling::MayBeForAWhile(const PartitionRecord& record, const std::vector<Rate>& rates) const
{
    return record.members.flows.size() > 1 &&
           record.sampling.sampler.Count() < LONG_PATIENCE * record.sampling.sampler.Window() &&
           m_context.simulator.MayRise(record.members.ids, rates);
}

bool
Sampling::Expects(const PartitionRecord& record) const
{
    const auto& flows = record.members.ids.flows;
    return m_context.options.Expects() &&
           std::all_of(flows.begin(), flows.end(), [this](FlowId flow) {
               return m_context.simulator.IsAsItSeems(flow);
           });
}

} // namespace wormhole

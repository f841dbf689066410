/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/sampling.h"

#include "controller/following.h"
#include "controller/skip/fair-shares.h"
#include "controller/skip/skip-plan.h"
#include "controller/skip/skipping.h"
#include "controller/skip/wandering.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

namespace wormhole
{
namespace
{

/** Windows after which what seems steady is enough. */
constexpr std::uint32_t PATIENCE = 4;

/** Part of theta below which noise must be of shares that are on their way: others wander. */
constexpr double QUIET = 0.5;

/** Looks at the sum of rates in a window of samples. */
constexpr std::uint32_t LOOKS_PER_WINDOW = 4;

/** \return the groups that \p members fall into where two are connected by each port that both
 * have, of those that are their own in any case */
std::vector<FlowGroup>
GroupsApart(const Simulator& simulator, const PartitionMap& map, const PartitionMembers& members)
{
    std::vector<std::uint32_t> parent(members.flows.size());
    const auto root = [&parent](std::uint32_t flow) {
        while (parent[flow] != flow)
        {
            flow = parent[flow] = parent[parent[flow]];
        }
        return flow;
    };
    std::unordered_map<PortId, std::uint32_t> users;
    for (std::uint32_t i = 0; i < parent.size(); ++i)
    {
        parent[i] = i;
        const FlowId flow = members.ids.flows[i];
        const auto& ports = map.PortsOf(flow);
        const std::size_t own = std::min(ports.size(), simulator.PortsApartOf(flow));
        for (std::size_t p = 0; p < own; ++p)
        {
            const auto [user, isFirst] = users.try_emplace(ports[p], i);
            if (!isFirst)
            {
                parent[root(i)] = root(user->second);
            }
        }
    }
    std::vector<FlowGroup> groups;
    std::unordered_map<std::uint32_t, std::size_t> places;
    for (std::uint32_t i = 0; i < parent.size(); ++i)
    {
        const auto [place, isFirst] = places.try_emplace(root(i), groups.size());
        if (isFirst)
        {
            groups.emplace_back();
        }
        groups[place->second].push_back(i);
    }
    return groups;
}

} // namespace

Sampling::Sampling(const ControllerContext& context,
                   PartitionTable& table,
                   Account& account,
                   Following& following,
                   Wandering& wandering,
                   Skipping& skipping)
    : m_context(context),
      m_table(table),
      m_account(account),
      m_following(following),
      m_wandering(wandering),
      m_skipping(skipping)
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
    if (looks && Expects(record) && m_skipping.Recall(record))
    {
        record.sampling.keeps = false;
    }
    if (!record.sampling.keeps)
    {
        m_account.Spend(SAMPLE_WORK * static_cast<double>(record.members.flows.size()));
        record.sampling.sampler.Start(m_context.simulator,
                                      record.members,
                                      m_context.options.steady,
                                      Expects(record));
        record.sampling.sampler.Spans(SlowestPeriod(record), m_context.simulator, record.members);
        record.sampling.lookedUntil = m_table.Now();
        FindGroups(record);
        if (Expects(record))
        {
            m_wandering.Start(record);
        }
        record.sampling.next = Later(m_table.Now(), record.sampling.sampler.Interval());
    }
    m_table.SetAlarm(record, record.sampling.next, Alarm::Phase::Decide);
}

void
Sampling::FindGroups(PartitionRecord& record) const
{
    record.sampling.apart.clear();
    const auto& flows = record.members.ids.flows;
    const auto comesApart = [this](FlowId flow) {
        return m_context.simulator.PortsApartOf(flow) < m_table.Map().PortsOf(flow).size();
    };
    if (std::none_of(flows.begin(), flows.end(), comesApart))
    {
        return; // it is one by all its ports
    }
    record.sampling.apart = GroupsApart(m_context.simulator, m_table.Map(), record.members);
    if (record.sampling.apart.size() == 1)
    {
        record.sampling.apart.clear();
    }
}

void
Sampling::MissGroups(PartitionRecord& record)
{
    double events = 0;
    for (const FlowGroup& group : record.sampling.apart)
    {
        const RateSampler& sampler = record.sampling.sampler;
        if (!std::all_of(group.begin(), group.end(), [&](std::uint32_t flow) {
                return sampler.IsSteady(flow);
            }))
        {
            continue;
        }
        for (const std::uint32_t flow : group)
        {
            const Bytes bytes = BytesIn(sampler.Latest(flow), sampler.Interval());
            events += EventsFor(*record.members.flows[flow],
                                m_context.simulator.Observe(record.members.ids.flows[flow]),
                                bytes);
        }
    }
    m_account.Miss(events);
    if (events > 0 && m_account.PaysOff(0))
    {
        m_context.simulator.SetApart(record.members.ids);
    }
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
        Await(record);
        m_skipping.NotSteady(record);
        return;
    }
    m_following.GiveUpChance(record);
    m_following.TellFollowers(record, record.sampling.sampler);
    if (record.wandering.wander)
    {
        LookAtSum(record);
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
    if (!steady || (!steady->noise.empty() && !FindApproaches(record, *steady)))
    {
        steady = Expect(record);
    }
    if (steady && !sampler.Spans(SlowestPeriod(record), m_context.simulator, record.members))
    {
        record.sampling.shares = {};
        steady.reset(); // it may be so only until the next tick of a timer
    }
    Await(record);
    const bool waking = record.state == PartitionState::Waking;
    if ((waking || record.skipping.known) && m_context.options.Expects() && Look(record))
    {
        return;
    }
    if (!steady)
    {
        MissGroups(record);
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
    if (record.wandering.wander)
    {
        m_skipping.TakeRates(record, *steady);
        return;
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
        if (record.sampling.sampler.Count() > m_context.options.steady.window)
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
    const std::uint32_t windows = m_seemingly > m_strictly ? 1 : PATIENCE;
    const RateSampler& sampler = record.sampling.sampler;
    if (!Expects(record) || sampler.Count() < windows * m_context.options.steady.window)
    {
        return std::nullopt;
    }
    auto steady = sampler.Expect();
    return steady && FindApproaches(record, *steady) ? steady : m_wandering.Expect(record);
}

bool
Sampling::FindApproaches(const PartitionRecord& record, SteadyRates& rates) const
{
    const double theta = m_context.options.steady.theta;
    const auto all = SharesOf(m_context.simulator, m_table.Map(), record.members, rates);
    const auto mayMove = [&](std::uint32_t flow) {
        return rates.noise[flow] < QUIET * theta &&
               m_context.simulator.CanScale(record.members.ids.flows[flow]);
    };
    rates.approaches.clear();
    for (const Shares& shares : all)
    {
        const FlowGroup& group = shares.flows;
        if (!shares.AreUnfair(theta))
        {
            EvenShares(m_context.simulator, record.members, shares, rates);
            continue;
        }
        const auto approach = std::all_of(group.begin(), group.end(), mayMove)
                                  ? record.sampling.shares.Find(group, rates.noise)
                                  : std::nullopt;
        if (!approach)
        {
            return false;
        }
        rates.approaches.resize(rates.rates.size());
        for (const std::uint32_t flow : group)
        {
            rates.approaches[flow] = *approach;
        }
    }
    ForgetNoise(m_context.simulator, m_table.Map(), record.members, rates);
    return true;
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

bool
Sampling::Look(PartitionRecord& record)
{
    if (record.skipping.noise.empty())
    {
        return LookStrictly(record);
    }
    RateSampler& sampler = record.sampling.sampler;
    const std::uint32_t window = m_context.options.steady.window;
    // Timers must have had their time.
    const std::uint32_t samples =
        SlowestPeriod(record) > Duration{0} ? window : m_skipping.SamplesOfLook(record);
    if (sampler.Count() == 0 || sampler.Count() % samples != 0)
    {
        return false;
    }
    record.skipping.known = sampler.Count() < window;
    SteadyRates found{sampler.TakeMeans(),
                      Duration::max(),
                      Duration{0},
                      false,
                      record.skipping.noise,
                      {}};
    const Duration time = sampler.Interval() * samples;
    record.sampling.shares.Look(time, found.rates);
    Follow(record.skipping.rates, record.skipping.approaches, time);
    if (sampler.QueuesMove())
    {
        return false;
    }
    if (record.skipping.recalled)
    {
        return m_skipping.IsThere(record, found.rates) && m_skipping.GoOnRecalled(record);
    }
    if (!m_skipping.HasHeld(record, found.rates, static_cast<double>(window) / samples))
    {
        return false;
    }
    // Of what is found now, for means lag behind.
    const double shortness = std::sqrt(static_cast<double>(window) / samples);
    for (double& noise : found.noise)
    {
        noise *= shortness;
    }
    if (!FindApproaches(record, found))
    {
        return false; // what is not known any more
    }
    Follow(found.rates, found.approaches, time / 2); // from the middle of the look to its end
    LookAtTrend(record, found);
    found.noise = record.skipping.noise;
    m_skipping.Average(record, found);
    if (!record.sampling.trend)
    {
        StartTrend(record, found.rates); // of one that was known
    }
    return m_skipping.KeepOn(record, found);
}

bool
Sampling::LookStrictly(PartitionRecord& record)
{
    RateSampler& sampler = record.sampling.sampler;
    const bool isTime = record.state == PartitionState::Waking &&
                        sampler.Count() == m_skipping.SamplesOfLook(record);
    if (!isTime || SlowestPeriod(record) > Duration{0} ||
        !AreApart(m_context.simulator, m_table.Map(), record.members))
    {
        return false;
    }
    if (!m_skipping.IsThere(record, sampler.TakeMeans()))
    {
        return false;
    }
    // A longer look has found the rates, and no trend takes them further than what is there.
    SteadyRates found{record.skipping.rates, Duration::max(), Duration{0}, true, {}, {}};
    return m_skipping.KeepOn(record, found);
}

void
Sampling::LookAtSum(PartitionRecord& record)
{
    RateSampler& sampler = record.sampling.sampler;
    Await(record);
    const std::uint32_t window = m_context.options.steady.window;
    const std::uint32_t samples =
        SlowestPeriod(record) > Duration{0} ? window : std::max(window / LOOKS_PER_WINDOW, 1U);
    if (sampler.Count() % samples != 0)
    {
        return;
    }
    const Duration time = sampler.Interval() * samples;
    if (const auto shares = m_wandering.LookAgain(record, time, sampler.TakeMeans()))
    {
        m_skipping.TakeRates(record, *shares);
    }
    else if (sampler.Count() >= WanderWatch::LEAST_LOOKS * window)
    {
        record.wandering.wander.reset(); // as soon as it could be known anew
        m_skipping.GiveUpRates(record);
    }
}

void
Sampling::LookAtTrend(PartitionRecord& record, SteadyRates& steady)
{
    if (record.sampling.trend)
    {
        std::vector<double> noise = steady.noise;
        for (std::size_t i = 0; i < steady.approaches.size(); ++i)
        {
            // whose trend is known
            noise[i] =
                steady.approaches[i].speed > 0 ? std::numeric_limits<double>::infinity() : noise[i];
        }
        record.sampling.trend->Look(m_table.Now() - record.sampling.lookedUntil,
                                    steady.rates,
                                    noise);
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
Sampling::Carry(PartitionRecord& record, Duration elapsed)
{
    record.sampling.trend->Carry(record.skipping.approaches, elapsed);
    record.sampling.shares.Carry(record.skipping.approaches, elapsed);
}

void
Sampling::ForgetTrend(PartitionRecord& record)
{
    record.sampling.trend.reset();
    if (!record.sampling.keeps && !record.skipping.known)
    {
        record.sampling.shares = {};
    }
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

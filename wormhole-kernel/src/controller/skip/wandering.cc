/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/skip/wandering.h"

#include "controller/skip/fair-shares.h"
#include "controller/skip/skip-plan.h"
#include "steady/steady-judgement.h"
#include "wormhole/signature.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace wormhole
{
namespace
{

/** Flows that make a crowd: shares of fewer may keep a pattern for long. */
constexpr std::size_t CROWD = 8;

/** Part of theta by which the sum of rates may move while it is looked at. */
constexpr double STEADY_SHARE = 0.3;

/** Looks after which a crowd is worth being watched for long. */
constexpr std::uint32_t FIRST_LOOKS = 4;

/** Part of its fair share that a flow gets at least. */
constexpr double LEAST_SHARE = 0.1;

/** \return as many numbers of mean 0, variance 1 and about \p skewness, in an order that is drawn
 * from \p chance: what single flows get is chance, but how many get how much is not */
std::vector<double>
Scores(std::size_t count, double skewness, SignatureBuilder& chance)
{
    std::vector<double> scores;
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        const double p = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
        // The inverse of the normal distribution, nearly (Tukey's lambda distribution, 0.14), and
        // from it that of a gamma distribution (Wilson and Hilferty 1931).
        const double normal = 4.91 * (std::pow(p, 0.14) - std::pow(1 - p, 0.14));
        const double gamma = std::pow(1 + skewness * normal / 6 - skewness * skewness / 36, 3);
        scores.push_back(std::abs(skewness) > 0.01 ? 2 * (gamma - 1) / skewness : normal);
        sum += scores.back();
    }
    double squares = 0;
    for (double& score : scores)
    {
        score -= sum / static_cast<double>(count);
        squares += score * score;
    }
    for (double& score : scores)
    {
        score *= std::sqrt(static_cast<double>(count) / squares);
    }
    for (std::size_t i = count; i > 1; --i) // Fisher and Yates
    {
        std::swap(scores[i - 1], scores[chance.Add(i).Get().low % i]);
    }
    return scores;
}

} // namespace

Wandering::Wandering(const ControllerContext& context, PartitionTable& table, Account& account)
    : m_context(context),
      m_table(table),
      m_account(account),
      m_crowds(context, table)
{
}

void
Wandering::Start(PartitionRecord& record) const
{
    WanderState& state = record.wandering;
    state.watch.reset();
    state.looks = 0;
    state.meets = record.members.ids.flows.size() >= CROWD && AreSame(record.members) &&
                  MeetOnce(record.members);
    state.crowd = Crowds::Of(m_context.simulator, record.members);
    if (state.meets || state.crowd)
    {
        state.watch.emplace(STEADY_SHARE * m_context.options.steady.theta);
    }
}

/** \return whether the flows of \p members have the same attributes */
bool
Wandering::AreSame(const PartitionMembers& members) const
{
    const FlowAttributes first = m_context.simulator.Describe(members.ids.flows.front());
    return std::all_of(members.ids.flows.begin(), members.ids.flows.end(), [&](FlowId flow) {
        return m_context.simulator.Describe(flow) == first;
    });
}

/** \return whether the flows of \p members meet at one port alone: those that meet before may get
 * other shares than others */
bool
Wandering::MeetOnce(const PartitionMembers& members) const
{
    const auto& flows = members.ids.flows;
    std::unordered_map<PortId, std::size_t> users;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        std::size_t shared = 0;
        std::size_t byAll = 0;
        ForDataPorts(m_context.simulator, m_table.Map(), flows[i], [&](PortId port) {
            const std::size_t before = users[port]++;
            shared += before > 0 ? 1 : 0;
            byAll += before == i ? 1 : 0;
        });
        if (i > 0 && (shared != 1 || byAll != 1))
        {
            return false;
        }
    }
    return true;
}

void
Wandering::Look(PartitionRecord& record, Duration time, const std::vector<Rate>& rates)
{
    auto& watch = record.wandering.watch;
    if (!watch)
    {
        return;
    }
    FlowGroup all(record.members.flows.size());
    std::iota(all.begin(), all.end(), 0);
    if (!AreInStep(m_context.simulator, record.members, all))
    {
        watch.reset(); // how far they come apart is no Ornstein-Uhlenbeck process
        return;
    }
    watch->Look(time, rates);
    m_crowds.Look(record, rates);
    if (record.wandering.meets && ++record.wandering.looks == FIRST_LOOKS)
    {
        double events = 0;
        for (std::size_t i = 0; i < rates.size(); ++i)
        {
            const FlowProgress progress = m_context.simulator.Observe(record.members.ids.flows[i]);
            events += EventsFor(*record.members.flows[i], progress, progress.left);
        }
        m_account.Expect(events);
    }
}

SteadyRates
Wandering::MeanShares(const PartitionRecord& record)
{
    const WanderState& state = record.wandering;
    const double all = std::accumulate(state.lasting.begin(),
                                       state.lasting.end(),
                                       static_cast<double>(state.lasting.size()));
    const double fair = state.sum.InBytesPerSecond() / all;
    std::vector<Rate> shares;
    shares.reserve(state.lasting.size());
    for (const double lasting : state.lasting)
    {
        shares.push_back(Rate::BytesPerSecond(fair * (1 + lasting)));
    }
    return {std::move(shares), Scale(state.looked, FORESIGHT), Duration{0}, false, {}, {}};
}

std::optional<SteadyRates>
Wandering::Expect(PartitionRecord& record) const
{
    WanderState& state = record.wandering;
    if (!state.watch)
    {
        return std::nullopt;
    }
    const auto own = state.meets ? state.watch->Find() : std::nullopt;
    const bool known = own && own->IsKnown(state.watch->Looked());
    const auto wander = known ? own : m_crowds.Expect(record);
    if (!wander)
    {
        return std::nullopt;
    }
    state.sum = known ? state.watch->MeanSum() : state.watch->LatelySum();
    state.looked = state.summed = known ? state.watch->Looked() : state.watch->LatelyLooked();
    state.deviations = state.watch->Deviations();
    const bool once = state.meets || MeetOnce(record.members);
    state.lasting = once ? std::vector<double>() : state.watch->Lasting();
    if (!known && state.lasting.empty())
    {
        state.lasting = m_crowds.Lasting(record);
    }
    state.lasting.resize(state.deviations.size());
    for (std::size_t i = 0; i < state.lasting.size(); ++i)
    {
        state.deviations[i] -= state.lasting[i];
    }
    SteadyRates shares = MeanShares(record);
    if (!HaveOneBottleneck(m_context.simulator, m_table.Map(), record.members, shares.rates))
    {
        return std::nullopt;
    }
    state.wander = wander;
    state.flows = record.members.ids.flows;
    return shares;
}

void
Wandering::Keep(PartitionRecord& record)
{
    WanderState& state = record.wandering;
    if (!state.wander)
    {
        return;
    }
    const auto& left = record.members.ids.flows;
    if (left.size() < 2 ||
        !std::includes(state.flows.begin(), state.flows.end(), left.begin(), left.end()))
    {
        state.wander.reset();
        return;
    }
    std::vector<double> lasting;
    std::vector<double> deviations;
    for (const FlowId flow : left)
    {
        const auto found = std::lower_bound(state.flows.begin(), state.flows.end(), flow);
        const auto place = static_cast<std::size_t>(found - state.flows.begin());
        lasting.push_back(state.lasting[place]);
        deviations.push_back(state.deviations[place]);
    }
    state.flows = left;
    state.lasting = std::move(lasting);
    state.deviations = std::move(deviations);
    state.summed = Duration{0};
    state.latest = 0;
}

std::optional<SteadyRates>
Wandering::LookAgain(PartitionRecord& record, Duration time, const std::vector<Rate>& rates) const
{
    WanderState& state = record.wandering;
    const double before = state.sum.InBytesPerSecond();
    double sum = 0;
    for (const Rate rate : rates)
    {
        sum += rate.InBytesPerSecond();
    }
    const double theta = m_context.options.steady.theta;
    const double latest = std::exchange(state.latest, sum);
    const auto isAt = [&](double level) {
        return std::abs(sum - level) <= STEADY_SHARE * theta * level;
    };
    // Fewer flows may use a port less or more; but not if they are still on their way to that.
    if (std::abs(sum - before) > theta * before || !(isAt(before) || isAt(latest)))
    {
        return std::nullopt;
    }
    state.looked += time;
    state.summed = std::max(state.summed, time) + time; // what it was before counts as one look
    const double weight =
        std::chrono::duration<double>(time) / std::chrono::duration<double>(state.summed);
    state.sum = Rate::BytesPerSecond(before + (sum - before) * weight);
    return MeanShares(record);
}

std::vector<Rate>
Wandering::Go(PartitionRecord& record, Duration span) const
{
    WanderState& state = record.wandering;
    // Another state of packets, if by next to nothing, comes to others, as it does in packets.
    SignatureBuilder chance;
    chance.Add(m_context.options.seed);
    for (const double deviation : state.deviations)
    {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &deviation, sizeof(bits));
        chance.Add(bits);
    }
    const auto means = state.wander->Go(state.deviations, span, [&]() {
        return Scores(state.flows.size(), state.wander->skewness, chance);
    });
    std::vector<double> shares;
    shares.reserve(means.size());
    for (std::size_t i = 0; i < means.size(); ++i)
    {
        shares.push_back(std::max(1 + state.lasting[i] + means[i], LEAST_SHARE));
    }
    const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
    std::vector<Rate> rates;
    rates.reserve(shares.size());
    for (const double share : shares)
    {
        rates.push_back(Rate::BytesPerSecond(state.sum.InBytesPerSecond() * (share / all)));
    }
    return rates;
}

} // namespace wormhole

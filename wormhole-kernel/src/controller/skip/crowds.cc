/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/skip/crowds.h"

#include "controller/skip/fair-shares.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

namespace wormhole
{
namespace
{

/** Flows that make one if others like it are known. */
constexpr std::size_t LEAST_CROWD = 5;

/** Flows whose shares wander by chance for long: those of fewer become fair, or keep a pattern. */
constexpr std::size_t WANDERING = 14;

/** Deviations that flows have before they are as others: those of flows that have just begun. */
constexpr double BEGINNING = 1;

/** Times what is usual by which flows move that are as others. */
constexpr double USUAL = 1.5;

/** Part of the memory of shares after which these are expected to be fair: flows that have begun
 * lately are on their way to that, faster than shares wander. */
constexpr double RETURN = 0.3;

/** \return whether the flows that are \p watch -ed share a port as others do, lately */
bool
IsOrdinary(const WanderWatch& watch)
{
    if (!watch.IsSteadyLately())
    {
        return false;
    }
    const std::vector<double>& deviations = watch.Deviations();
    return std::all_of(deviations.begin(), deviations.end(), [](double deviation) {
        return std::abs(deviation) <= BEGINNING;
    });
}

} // namespace

Crowds::Crowds(const ControllerContext& context, const PartitionTable& table)
    : m_context(context),
      m_table(table)
{
}

std::optional<Signature>
Crowds::Of(const Simulator& simulator, const PartitionMembers& members)
{
    const auto& flows = members.ids.flows;
    if (flows.size() < LEAST_CROWD)
    {
        return std::nullopt;
    }
    const FlowAttributes first = simulator.Describe(flows.front());
    for (const FlowId flow : flows)
    {
        if (!AreAlike(simulator.Describe(flow), first))
        {
            return std::nullopt;
        }
    }
    SignatureBuilder crowd;
    crowd.Add(first.control)
        .Add(first.lineRate)
        .Add(static_cast<std::uint64_t>(first.baseRttClass));
    crowd.Add(static_cast<std::uint64_t>(std::ceil(std::log2(flows.size()))));
    return crowd.Get();
}

void
Crowds::Look(const PartitionRecord& record, const std::vector<Rate>& rates)
{
    const WanderState& state = record.wandering;
    if (state.crowd && IsOrdinary(*state.watch) &&
        HaveOneBottleneck(m_context.simulator, m_table.Map(), record.members, rates))
    {
        state.watch->Tell(m_pools[*state.crowd], Lasting(record));
    }
}

std::optional<Wander>
Crowds::Expect(const PartitionRecord& record) const
{
    const WanderState& state = record.wandering;
    const auto pool = state.crowd ? m_pools.find(*state.crowd) : m_pools.end();
    if (pool == m_pools.end() || !IsOrdinary(*state.watch))
    {
        return std::nullopt;
    }
    const auto wander = pool->second.Find();
    if (!wander || !wander->IsSeenIn(pool->second.Looked()))
    {
        return std::nullopt;
    }
    const double memories = std::chrono::duration<double>(state.watch->LatelyLooked()) /
                            std::chrono::duration<double>(wander->memory);
    const double usual = wander->deviation * std::sqrt(-2 * std::expm1(-memories));
    if (state.watch->LatelyMoved() > USUAL * usual)
    {
        return std::nullopt;
    }
    return record.members.flows.size() >= WANDERING
               ? *wander
               : Wander{0, std::max(Scale(wander->memory, RETURN), Duration{1}), 0};
}

std::vector<double>
Crowds::Lasting(const PartitionRecord& record) const
{
    struct Kind
    {
        double sum{0};
        std::size_t flows{0};
    };

    std::vector<double> lasting = record.wandering.watch->MeanDeviations();
    std::map<std::size_t, Kind> kinds; // by links
    const auto kindOf = [&](std::size_t i) -> Kind& {
        const FlowId flow = record.members.ids.flows[i];
        return kinds[CountDataPorts(m_context.simulator, m_table.Map(), flow)];
    };
    for (std::size_t i = 0; i < lasting.size(); ++i)
    {
        Kind& kind = kindOf(i);
        kind.sum += lasting[i];
        ++kind.flows;
    }
    for (std::size_t i = 0; i < lasting.size(); ++i)
    {
        const Kind& kind = kindOf(i);
        lasting[i] = kind.sum / static_cast<double>(kind.flows);
    }
    return lasting;
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/skip/recalling.h"

#include "controller/skip/held-rates.h"
#include "controller/skip/skip-plan.h"

#include <algorithm>
#include <cmath>

namespace wormhole
{
namespace
{

/** Windows that a look lasts at least, ... */
constexpr double SHORTEST_LOOK = 0.5;

/** ... and at a flow that shares no port, and is expected to be steady. */
constexpr double SHORTEST_LOOK_ALONE = 0.25;

/** ... and at most. */
constexpr double LONGEST_LOOK = 4;

/** Part of theta by which the rate of such a flow may differ from what is seen of it. */
constexpr double RECALLED = 0.2;

/** Windows that a flow goes on for at least whose rate is not to be rough. */
constexpr double LONG = 8;

} // namespace

Recalling::Recalling(const ControllerContext& context)
    : m_context(context)
{
}

const KnownRate*
Recalling::Find(const PartitionRecord& record) const
{
    const auto& conditions = record.skipping.conditions;
    return conditions ? m_known.Find(*conditions) : nullptr;
}

bool
Recalling::Recall(PartitionRecord& record) const
{
    const KnownRate* const known = Find(record);
    if (known == nullptr || (known->rough && IsLong(record, {known->rate})))
    {
        return false;
    }
    LookAgain(record.skipping);
    record.skipping.recalled = true;
    record.skipping.proven = known->proven;
    record.sampling.rough = known->rough;
    record.skipping.rates = {known->rate};
    record.skipping.noise = {known->noise};
    record.skipping.approaches.clear();
    return true;
}

bool
Recalling::IsLong(const PartitionRecord& record, const std::vector<Rate>& rates) const
{
    return TimeToTail(m_context.simulator, record.members, rates) >=
           Scale(RateSampler::IntervalOf(m_context.simulator, record.members),
                 LONG * m_context.options.steady.window);
}

bool
Recalling::IsThere(const PartitionRecord& record, const std::vector<Rate>& rates) const
{
    const std::vector<double>& noise = record.skipping.noise;
    return FarthestApart(rates, record.skipping.rates) <
           m_context.options.steady.theta * RECALLED + (noise.empty() ? 0 : noise.front());
}

void
Recalling::Note(const PartitionRecord& record, const SteadyRates& rates, bool proven)
{
    if (record.skipping.conditions && !rates.noise.empty() && rates.approaches.empty())
    {
        m_known.Note(*record.skipping.conditions,
                     {rates.rates.front(), rates.noise.front(), proven, record.sampling.rough});
    }
}

bool
Recalling::IsShortLook(const PartitionRecord& record)
{
    return record.skipping.conditions &&
           (record.skipping.recalled || record.state == PartitionState::Waking);
}

double
Recalling::LeastNoise(const PartitionRecord& record) const
{
    return IsShortLook(record) ? RECALLED * m_context.options.steady.theta : 0;
}

std::uint32_t
Recalling::SamplesOfLook(const PartitionRecord& record) const
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
    return static_cast<std::uint32_t>(std::ceil(record.sampling.sampler.Window() *
                                                std::clamp(share * share, shortest, LONGEST_LOOK)));
}

} // namespace wormhole

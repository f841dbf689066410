/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/sample/trends.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace wormhole
{
namespace
{

/** Part of the way from e to 1 that shares go in one skip on their way to being equal. */
constexpr double LONGEST_WAY = 0.5;

} // namespace

void
StartTrend(SampleState& sampled, const std::vector<Rate>& rates)
{
    sampled.trend.emplace().Start(rates);
}

void
LookAtTrend(SampleState& sampled, Time now, Duration window, double theta, SteadyRates& steady)
{
    if (!sampled.trend)
    {
        return;
    }
    if (now - sampled.lookedUntil < window)
    {
        steady.horizon = sampled.trend->Horizon(theta);
        return;
    }
    std::vector<double> noise = steady.noise;
    for (std::size_t i = 0; i < steady.approaches.size(); ++i)
    {
        // whose trend is known
        noise[i] =
            steady.approaches[i].speed > 0 ? std::numeric_limits<double>::infinity() : noise[i];
    }
    sampled.trend->Look(now - sampled.lookedUntil, steady.rates, noise);
    sampled.lookedUntil = now;
    // Of trends, looks that are apart say more than a window does.
    steady.horizon = sampled.trend->Horizon(theta);
}

void
CarryTrend(SampleState& sampled, const std::vector<Approach>& approaches, Duration elapsed)
{
    sampled.trend->Carry(approaches, elapsed);
    sampled.shares.Carry(approaches, elapsed);
}

void
ForgetTrend(PartitionRecord& record)
{
    record.sampling.trend.reset();
    if (!record.sampling.keeps && !record.skipping.known)
    {
        record.sampling.shares = {};
    }
}

Duration
HorizonOf(const std::vector<Approach>& approaches)
{
    double fastest = 0;
    Duration longest = Duration::max();
    for (const Approach& approach : approaches)
    {
        fastest = std::max(fastest, approach.speed);
        longest = std::min(longest, approach.holds);
    }
    return fastest > 0 ? std::min(longest, Scale(std::chrono::seconds{1}, LONGEST_WAY / fastest))
                       : longest;
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/sample/trends.h"

#include <cstddef>
#include <limits>

namespace wormhole
{

void
StartTrend(SampleState& sampled, const std::vector<Rate>& rates)
{
    sampled.trend.emplace().Start(rates);
}

void
LookAtTrend(SampleState& sampled, Time now, double theta, SteadyRates& steady)
{
    if (!sampled.trend)
    {
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

} // namespace wormhole

/*
 * SPDX-License-Identifier: MIT
 */
#include "steady/steady-outcome.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace wormhole::test
{
namespace
{

/** \return skips that \p verdict allows, of at most \p left samples */
std::vector<std::size_t>
SkipsAllowed(const SteadyVerdict& verdict, std::size_t left)
{
    const double longest = std::min(verdict.horizon, static_cast<double>(left));
    std::vector<std::size_t> skips;
    if (verdict.steadiness == Steadiness::Steady)
    {
        for (const double skip : {16.0, longest / 2, longest})
        {
            if (skip >= 16 && skip <= longest)
            {
                skips.push_back(static_cast<std::size_t>(skip));
            }
        }
        return skips;
    }
    for (const double periods : {1.0, 3.0, std::floor(longest / verdict.period)})
    {
        if (verdict.period == 0)
        {
            break; // nothing recurs
        }
        const auto skip = static_cast<std::size_t>(std::lround(periods * verdict.period));
        if (skip >= 1 && skip <= static_cast<std::size_t>(longest))
        {
            skips.push_back(skip);
        }
    }
    for (const double skip : {std::ceil(verdict.shortest), longest})
    {
        if (skip >= verdict.shortest && skip <= longest)
        {
            skips.push_back(static_cast<std::size_t>(skip));
        }
    }
    return skips;
}

} // namespace

Outcome
Examine(const RateSeries& series,
        const SteadyStateOptions& options,
        std::size_t from,
        const std::vector<Bytes>& queues)
{
    std::vector<double> total(series.size() + 1, 0.0);
    std::partial_sum(series.begin(), series.end(), total.begin() + 1);
    const double bound = options.theta / (1 - options.theta);
    SteadyStateDetector detector(options);
    Outcome outcome;
    for (std::size_t i = 0; i < series.size(); ++i)
    {
        detector.Add(Rate::BytesPerSecond(series[i]), queues.empty() ? 0 : queues[i]);
        const SteadyVerdict verdict = detector.Judge();
        if (!verdict.IsSteady() || i < from)
        {
            continue;
        }
        outcome.firstSteady = std::min(outcome.firstSteady, i + 1);
        ++outcome.steady;
        for (const std::size_t skip : SkipsAllowed(verdict, series.size() - i - 1))
        {
            const double truth = (total[i + 1 + skip] - total[i + 1]) / static_cast<double>(skip);
            const double error = std::abs(verdict.rate.InBytesPerSecond() - truth) / truth;
            ++outcome.skips;
            outcome.violations += error < bound ? 0 : 1;
            if (!(error <= outcome.worst))
            {
                outcome.worst = error;
                outcome.where =
                    std::string(ToString(verdict.steadiness)) + " after " + std::to_string(i + 1) +
                    " samples, skip of " + std::to_string(skip) + ", horizon " +
                    std::to_string(verdict.horizon) + ", period " + std::to_string(verdict.period);
            }
        }
    }
    return outcome;
}

SteadyVerdict
VerdictOf(const RateSeries& series, const SteadyStateOptions& options, Bytes queue)
{
    SteadyStateDetector detector(options);
    for (const double rate : series)
    {
        detector.Add(Rate::BytesPerSecond(rate), queue);
    }
    return detector.Judge();
}

RateSeries
Product(RateSeries a, const RateSeries& b)
{
    std::transform(a.begin(), a.end(), b.begin(), a.begin(), std::multiplies<>());
    return a;
}

} // namespace wormhole::test

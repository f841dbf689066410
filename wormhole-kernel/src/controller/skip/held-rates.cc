/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/skip/held-rates.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace wormhole
{
namespace
{

/** By how much rates that are looked at again may differ without being new ones: a packet more or
 * less in a window of samples makes as much of a difference. So partitions that are alike stay in
 * step, although they are not looked at together. */
constexpr double UNCHANGED_RATE = 1e-3;

/** Of looks that agree, the latest one counts for at least one in so many. */
constexpr std::uint32_t MAX_LOOKS = 4;

/** Part of theta by which rates have moved, though they have held. */
constexpr double MOVED = 0.25;

/** Part of the noise of a first window below which that of a look is another matter: something else
 * still moved in that window, which does not any more. */
constexpr double PRECISE = 1.0 / 3;

/** \return bytes per second */
double
SumOf(const std::vector<Rate>& rates)
{
    double sum = 0;
    for (const Rate rate : rates)
    {
        sum += rate.InBytesPerSecond();
    }
    return sum;
}

} // namespace

bool
HaveHeld(const SkipState& skip, const std::vector<Rate>& rates, double theta, double shortness)
{
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        const double used = skip.rates[i].InBytesPerSecond();
        const double noise = i < skip.noise.size() ? skip.noise[i] : 0;
        if (!(std::abs(rates[i].InBytesPerSecond() - used) <
              (theta + noise * std::sqrt(shortness)) * used))
        {
            return false;
        }
    }
    const double used = SumOf(skip.rates);
    return std::abs(SumOf(rates) - used) < theta * used;
}

bool
HaveMoved(const std::vector<Rate>& rates, const std::vector<Rate>& used, double theta)
{
    const double before = SumOf(used);
    return std::abs(SumOf(rates) - before) > MOVED * theta * before;
}

void
LookAgain(SkipState& skip)
{
    skip.known = true;
    skip.stretch = Duration{0}; // the first one again
    skip.looks = 1;
}

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

void
AverageLooks(SkipState& skip, SteadyRates& found, double least, const std::vector<double>& alone)
{
    skip.looks = std::min(skip.looks + 1, MAX_LOOKS);
    const double sum = SumOf(found.rates);
    const double usedSum = SumOf(skip.rates);
    double squares = 0;
    for (std::size_t i = 0; i < found.rates.size(); ++i)
    {
        const double used = skip.rates[i].InBytesPerSecond();
        squares += found.noise[i] * used * found.noise[i] * used;
    }
    // Noise of single rates is no reason not to believe their sum.
    const bool allMoved = std::abs(sum - usedSum) > std::max(least * usedSum, std::sqrt(squares));
    const double level = allMoved ? sum / usedSum : 1;
    for (std::size_t i = 0; i < found.rates.size(); ++i)
    {
        const double used = skip.rates[i].InBytesPerSecond();
        const double now = found.rates[i].InBytesPerSecond();
        const bool moved = std::abs(now - used) > std::max(least, found.noise[i]) * used;
        const bool isPrecise = i < alone.size() && alone[i] < PRECISE * found.noise[i];
        const double before = used * level;
        const double weight = moved || isPrecise ? 1 : 1.0 / skip.looks;
        found.rates[i] = Rate::BytesPerSecond(before + (now - before) * weight);
    }
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: MIT
 */
#include "steady/share-watch.h"

#include "steady/steady-judgement.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

namespace wormhole
{
namespace
{

/** Of the deviations of two looks, their difference by their mean: at most so much, below 2. */
constexpr double LARGEST_STEP = 1.9;

/** Part of it by which the mean of flows that are on their way to it may move, beyond noise: if
 * they get more together, or less, others have a part in where they go. */
constexpr double MEAN_STAYS = 0.02;

/** Looks that are kept to tell for how long rates have stood still. */
constexpr std::size_t LOOKS_KEPT = 16;

double
MeanOf(const std::vector<Rate>& rates, const FlowGroup& group)
{
    double sum = 0;
    for (const std::uint32_t flow : group)
    {
        sum += rates[flow].InBytesPerSecond();
    }
    return sum / static_cast<double>(group.size());
}

} // namespace

void
ShareWatch::Look(Duration time, const std::vector<Rate>& rates)
{
    m_before = {std::move(m_before[1]), std::move(m_latest.rates)};
    m_latest = {m_looked + time / 2, rates};
    m_looked += time;
    m_looks.push_back(m_latest);
    if (m_looks.size() > LOOKS_KEPT)
    {
        m_looks.pop_front();
    }
    if (m_base.Get().rates.empty())
    {
        m_base.Begin(m_latest);
        return;
    }
    m_base.Look(m_latest.at, rates);
}

void
ShareWatch::Carry(const std::vector<Approach>& approaches, Duration time)
{
    m_base.Carry(approaches, time);
    Follow(m_latest.rates, approaches, time);
    m_before = {};
    const auto moves = [](const Approach& approach) { return approach.speed > 0; };
    if (std::any_of(approaches.begin(), approaches.end(), moves))
    {
        m_looks.clear();
    }
}

bool
ShareWatch::HaveMoved(double share, const std::vector<double>& noise) const
{
    const std::vector<Rate>& first = m_before[0];
    bool moved = first.empty();
    for (std::size_t i = 0; i < first.size(); ++i)
    {
        const double now = m_latest.rates[i].InBytesPerSecond();
        const double step = std::abs(now - first[i].InBytesPerSecond());
        moved = moved || step > (share + std::sqrt(2.0) * noise[i]) * now;
    }
    return moved;
}

Duration
ShareWatch::StillFor(const FlowGroup& group, const std::vector<double>& noise, double share) const
{
    const auto moved = [&](const RateMark& look) {
        return std::any_of(group.begin(), group.end(), [&](std::uint32_t flow) {
            const double now = m_latest.rates[flow].InBytesPerSecond();
            const double step = std::abs(now - look.rates[flow].InBytesPerSecond());
            return step > (share + std::sqrt(2.0) * noise[flow]) * now;
        });
    };
    const auto last = std::find_if(m_looks.rbegin(), m_looks.rend(), moved);
    return last == m_looks.rbegin() ? Duration{0} : m_latest.at - std::prev(last)->at;
}

std::optional<Approach>
ShareWatch::Find(const FlowGroup& group, const std::vector<double>& noise) const
{
    const RateMark& base = m_base.Get();
    if (base.at == m_latest.at)
    {
        return std::nullopt;
    }
    const double before = MeanOf(base.rates, group);
    const double now = MeanOf(m_latest.rates, group);

    // By least squares, of the deviations half-way, whose noise has nothing to do with the steps'.
    struct Deviation
    {
        double halfWay;
        double step;
        double noise; //!< of the step
    };

    std::vector<Deviation> deviations;
    double squares = 0;
    double products = 0;
    double noises = 0;
    double noiseOfSum = 0; //!< its square
    for (const std::uint32_t flow : group)
    {
        const double first = base.rates[flow].InBytesPerSecond() - before;
        const double last = m_latest.rates[flow].InBytesPerSecond() - now;
        const double own = std::sqrt(2.0) * noise[flow] * m_latest.rates[flow].InBytesPerSecond();
        const Deviation deviation{(first + last) / 2, first - last, own};
        deviations.push_back(deviation);
        squares += deviation.halfWay * deviation.halfWay;
        products += deviation.halfWay * deviation.step;
        noises += deviation.halfWay * deviation.halfWay * own * own;
        noiseOfSum += own * own;
    }
    const double noiseOfMean = std::sqrt(noiseOfSum) / static_cast<double>(group.size());
    if (std::abs(now - before) > noiseOfMean + MEAN_STAYS * now)
    {
        return std::nullopt;
    }
    // Noise is of three standard errors.
    if (squares == 0 || products <= std::sqrt(noises))
    {
        return std::nullopt;
    }
    const double ratio = products / squares;
    const bool follows = std::all_of(deviations.begin(), deviations.end(), [ratio](const auto& of) {
        return std::abs(of.step - ratio * of.halfWay) <= of.noise;
    });
    if (!follows || ratio > LARGEST_STEP)
    {
        return std::nullopt;
    }
    // first - last = ratio (first + last) / 2, and first = last exp(speed time)
    const double speed =
        2 * std::atanh(ratio / 2) / std::chrono::duration<double>(m_latest.at - base.at).count();
    return Approach{Rate::BytesPerSecond(now), speed};
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: MIT
 */
#include "steady/share-watch.h"

#include "steady/steady-judgement.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace wormhole
{
namespace
{

/** Of the deviations of two looks, their difference by their mean: at most so much, below 2. */
constexpr double LARGEST_STEP = 1.9;

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

double
InSeconds(Duration time)
{
    return std::chrono::duration<double>(time).count();
}

} // namespace

Rate
Approach::After(Rate rate, Duration time) const
{
    const double to = target.InBytesPerSecond();
    const double off = rate.InBytesPerSecond() - to;
    return speed > 0 ? Rate::BytesPerSecond(to + off * std::exp(-speed * InSeconds(time))) : rate;
}

Rate
Approach::Mean(Rate rate, Duration time) const
{
    const double turns = speed * InSeconds(time);
    const double to = target.InBytesPerSecond();
    const double off = rate.InBytesPerSecond() - to;
    return turns > 0 ? Rate::BytesPerSecond(to - off * std::expm1(-turns) / turns) : rate;
}

void
Follow(std::vector<Rate>& rates, const std::vector<Approach>& approaches, Duration time)
{
    for (std::size_t i = 0; i < approaches.size(); ++i)
    {
        rates[i] = approaches[i].After(rates[i], time);
    }
}

void
ShareWatch::Look(Duration time, const std::vector<Rate>& rates)
{
    m_latest = {m_looked + time / 2, rates};
    m_looked += time;
    if (m_base.rates.empty())
    {
        m_base = m_next = m_latest;
    }
    else if (m_latest.at / 2 >= m_next.at)
    {
        m_base = std::move(m_next);
        m_next = m_latest;
    }
}

void
ShareWatch::Carry(const std::vector<Approach>& approaches, Duration time)
{
    for (Mark* mark : {&m_base, &m_next, &m_latest})
    {
        Follow(mark->rates, approaches, time);
    }
}

std::optional<Approach>
ShareWatch::Find(const FlowGroup& group, const std::vector<double>& noise) const
{
    if (m_base.at == m_latest.at)
    {
        return std::nullopt;
    }
    const double before = MeanOf(m_base.rates, group);
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
    for (const std::uint32_t flow : group)
    {
        const double first = m_base.rates[flow].InBytesPerSecond() - before;
        const double last = m_latest.rates[flow].InBytesPerSecond() - now;
        const double own = std::sqrt(2.0) * noise[flow] * m_latest.rates[flow].InBytesPerSecond();
        const Deviation deviation{(first + last) / 2, first - last, own};
        deviations.push_back(deviation);
        squares += deviation.halfWay * deviation.halfWay;
        products += deviation.halfWay * deviation.step;
        noises += deviation.halfWay * deviation.halfWay * own * own;
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
    const double speed = 2 * std::atanh(ratio / 2) / InSeconds(m_latest.at - m_base.at);
    return Approach{Rate::BytesPerSecond(now), speed};
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: MIT
 */
#include "steady/trend-watch.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace wormhole
{
namespace
{

/** Looks in a row that show that a rate is on its way: chance moves it one way so often once in
 * eight times. */
constexpr std::int32_t ONE_WAY = 4;

double
Apart(Rate rate, Rate used)
{
    const double before = used.InBytesPerSecond();
    return std::abs(rate.InBytesPerSecond() - before) / before;
}

} // namespace

double
FarthestApart(const std::vector<Rate>& rates, const std::vector<Rate>& used)
{
    double farthest = 0;
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        farthest = std::max(farthest, Apart(rates[i], used[i]));
    }
    return farthest;
}

void
TrendWatch::Start(const std::vector<Rate>& rates)
{
    m_skipped = m_looked = Duration{0};
    m_base.Begin({Duration{0}, rates});
    m_moved = 0;
    m_looks = 0;
    m_last = rates;
    m_runs.assign(rates.size(), 0);
}

void
TrendWatch::Skip(Duration time)
{
    m_skipped += time;
}

void
TrendWatch::Carry(const std::vector<Approach>& approaches, Duration time)
{
    m_base.Carry(approaches, time);
    Follow(m_last, approaches, time);
}

void
TrendWatch::Look(Duration time, const std::vector<Rate>& rates, const std::vector<double>& noise)
{
    m_looked += time;
    m_base.Look(m_looked, rates);
    ++m_looks;
    m_moved = 0;
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        Run& run = m_runs[i];
        if (rates[i] != m_last[i])
        {
            run = m_last[i] < rates[i] ? std::max(run, 0) + 1 : std::min(run, 0) - 1;
        }
        if (std::abs(run) >= std::min(ONE_WAY, m_looks))
        {
            const double moved = Apart(rates[i], m_base.Get().rates[i]);
            m_moved = std::max(m_moved, i < noise.size() ? moved - noise[i] : moved);
        }
    }
    m_last = rates;
}

Duration
TrendWatch::Horizon(double theta) const
{
    if (m_skipped == Duration{0} || m_moved == 0)
    {
        return Duration::max();
    }
    const Duration total = Scale(m_looked - m_base.Get().at, theta / m_moved);
    return total == Duration::max() ? total : std::max(total - m_skipped, Duration{0});
}

} // namespace wormhole

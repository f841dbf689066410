/*
 * SPDX-License-Identifier: MIT
 */
#include "steady/trend-watch.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace wormhole
{

double
FarthestApart(const std::vector<Rate>& rates,
              const std::vector<Rate>& used,
              const std::vector<double>& noise)
{
    double farthest = 0;
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        const double before = used[i].InBytesPerSecond();
        const double apart = std::abs(rates[i].InBytesPerSecond() - before) / before;
        farthest = std::max(farthest, i < noise.size() ? apart - noise[i] : apart);
    }
    return farthest;
}

void
TrendWatch::Start(const std::vector<Rate>& rates)
{
    m_skipped = m_looked = Duration{0};
    m_base = m_next = {Duration{0}, rates};
    m_moved = 0;
}

void
TrendWatch::Skip(Duration time)
{
    m_skipped += time;
}

void
TrendWatch::Look(Duration time, const std::vector<Rate>& rates, const std::vector<double>& noise)
{
    m_looked += time;
    if (m_looked / 2 >= m_next.looked)
    {
        m_base = std::move(m_next);
        m_next = {m_looked, rates};
    }
    m_moved = FarthestApart(rates, m_base.rates, noise);
}

Duration
TrendWatch::Horizon(double theta) const
{
    if (m_skipped == Duration{0} || m_moved == 0)
    {
        return Duration::max();
    }
    const Duration total = Scale(m_looked - m_base.looked, theta / m_moved);
    return total == Duration::max() ? total : std::max(total - m_skipped, Duration{0});
}

} // namespace wormhole

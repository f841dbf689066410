/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pace.h"

#include <cmath>

namespace wormhole
{

void
Pace::Look(double wallSeconds, double done)
{
    if (m_begun && wallSeconds > m_wall)
    {
        m_lastSeconds = wallSeconds - m_wall;
        m_lastGrowth = done - m_done;
        const double kept = std::exp(-m_lastSeconds / MEMORY);
        m_growth = m_growth * kept + m_lastGrowth;
        m_seconds = m_seconds * kept + m_lastSeconds;
    }
    m_begun = true;
    m_wall = wallSeconds;
    m_done = done;
}

double
Pace::PerSecond() const
{
    return m_seconds > 0 ? m_growth / m_seconds : 0;
}

} // namespace wormhole

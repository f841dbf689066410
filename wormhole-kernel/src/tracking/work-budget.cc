/*
 * SPDX-License-Identifier: MIT
 */
#include "tracking/work-budget.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wormhole
{

WorkBudget::WorkBudget(double share, double free)
    : m_share(share),
      m_max(MAX_KEPT * free),
      m_balance(std::isinf(share) ? share : free)
{
}

void
WorkBudget::Earn(double events, double wanted)
{
    if (events <= m_events)
    {
        return;
    }
    const double earned = m_share * (events - m_events);
    m_events = events;
    // What is there already stays, even if it was saved up for something larger.
    m_balance = std::max(m_balance, std::min(m_balance + earned, std::max(m_max, wanted)));
}

double
WorkBudget::EventsUntil(double work) const
{
    if (Affords(work))
    {
        return 0;
    }
    return m_share > 0 ? (work - m_balance) / m_share : std::numeric_limits<double>::infinity();
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: MIT
 */
#include "steady/rate-base.h"

#include <utility>

namespace wormhole
{

void
RateBase::Begin(const RateMark& mark)
{
    m_base = m_next = mark;
}

void
RateBase::Look(Duration at, const std::vector<Rate>& rates)
{
    if (at / 2 >= m_next.at)
    {
        m_base = std::move(m_next);
        m_next = {at, rates};
    }
}

void
RateBase::Carry(const std::vector<Approach>& approaches, Duration time)
{
    Follow(m_base.rates, approaches, time);
    Follow(m_next.rates, approaches, time);
}

} // namespace wormhole

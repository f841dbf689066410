/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_RATE_BASE_H
#define WORMHOLE_RATE_BASE_H

#include "steady/approach.h"

#include <vector>

namespace wormhole
{

/** The rates of the flows of a partition, and when they had them, in time of packets. */
struct RateMark
{
    Duration at{0};
    std::vector<Rate> rates;
};

/** The rates that slopes are taken from: between half and three quarters of all time ago. */
class RateBase
{
  public:
    /** All begins now. */
    void Begin(const RateMark& mark);

    /** The flows have \p rates now, \p at. */
    void Look(Duration at, const std::vector<Rate>& rates);

    /** For \p time, which was skipped, the flows were taken to follow \p approaches. */
    void Carry(const std::vector<Approach>& approaches, Duration time);

    /** \return the base; without rates before Begin */
    const RateMark& Get() const
    {
        return m_base;
    }

  private:
    RateMark m_base;
    RateMark m_next; //!< that is the base once there are twice as many packets
};

} // namespace wormhole

#endif // WORMHOLE_RATE_BASE_H

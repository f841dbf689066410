/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_TRENDS_H
#define WORMHOLE_TRENDS_H

#include "tracking/partition-record.h"

#include <vector>

namespace wormhole
{

/** A partition has become steady at \p rates, for the first time: looks from now on tell how these
 * move. */
void StartTrend(SampleState& sampled, const std::vector<Rate>& rates);

/** A partition is \p steady, for as long as its trend allows to move by \p theta.
 *  \param window up to \p now that this is the mean of, if parts of it may have been looked at: then
 *         it says nothing of the trend, for it lags behind these; 0 otherwise */
void LookAtTrend(SampleState& sampled,
                 Time now,
                 Duration window,
                 double theta,
                 SteadyRates& steady);

/** For \p elapsed, which was skipped, rates were taken to follow \p approaches. */
void CarryTrend(SampleState& sampled, const std::vector<Approach>& approaches, Duration elapsed);

/** Something has happened to \p record. */
void ForgetTrend(PartitionRecord& record);

/** \return how long \p approaches may be followed without a look */
Duration HorizonOf(const std::vector<Approach>& approaches);

} // namespace wormhole

#endif // WORMHOLE_TRENDS_H

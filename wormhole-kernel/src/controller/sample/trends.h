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

/** A partition is steady at \p now, for as long as its trend allows to move by \p theta. */
void LookAtTrend(SampleState& sampled, Time now, double theta, SteadyRates& steady);

/** For \p elapsed, which was skipped, rates were taken to follow \p approaches. */
void CarryTrend(SampleState& sampled, const std::vector<Approach>& approaches, Duration elapsed);

/** Something has happened to \p record. */
void ForgetTrend(PartitionRecord& record);

/** \return how long \p approaches may be followed without a look */
Duration HorizonOf(const std::vector<Approach>& approaches);

} // namespace wormhole

#endif // WORMHOLE_TRENDS_H

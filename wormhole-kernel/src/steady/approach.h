/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_APPROACH_H
#define WORMHOLE_APPROACH_H

#include "wormhole/units.h"

#include <vector>

namespace wormhole
{

/** A rate is on its way to \c target: what it is off that decays by e within 1 / \c speed. */
struct Approach
{
    Rate target;
    double speed{0};                 //!< 1/s; 0: it stays what it is
    Duration holds{Duration::max()}; //!< for how long that may be said

    /** \return what \p rate has become after \p time */
    Rate After(Rate rate, Duration time) const;

    /** \return its mean over \p time */
    Rate Mean(Rate rate, Duration time) const;
};

/** \p rates become what they are after \p time of \p approaches, if any. */
void Follow(std::vector<Rate>& rates, const std::vector<Approach>& approaches, Duration time);

} // namespace wormhole

#endif // WORMHOLE_APPROACH_H

/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_TREND_WATCH_H
#define WORMHOLE_TREND_WATCH_H

#include "steady/rate-base.h"
#include "wormhole/units.h"

#include <cstdint>
#include <vector>

namespace wormhole
{

/** \return the largest difference of \p rates from those that were \p used, relative to these; as
 * many as they, and positive */
double FarthestApart(const std::vector<Rate>& rates, const std::vector<Rate>& used);

/**
 * \brief Watches for trends that are too slow for a window of samples, in one partition that is
 * skipped again and again.
 *
 * What is skipped stands still: of a rate that goes on moving, a look after a skip shows no more
 * than moved in the packets of that look, however long the skip was. So each look may agree with
 * the last one while the rates fall behind, by their slope (per time in packets) times all that has
 * been skipped. That is what is limited here: Horizon() says how much more may be skipped until the
 * rates lag by theta. The slope is taken over between half and three quarters of the time in
 * packets, the latest: so noise matters ever less, and a trend that has ended is forgotten.
 *
 * A rate that has not moved the same way in each of the latest four looks (all, if these are fewer)
 * wanders: where it will be is not known better by its slope.
 */
class TrendWatch
{
  public:
    /** The partition has just become steady at \p rates. */
    void Start(const std::vector<Rate>& rates);

    /** No packet was simulated for \p time. */
    void Skip(Duration time);

    /** For \p time, which was skipped, the flows were taken to follow \p approaches. */
    void Carry(const std::vector<Approach>& approaches, Duration time);

    /** Packets were simulated for \p time, and the partition is steady at \p rates now.
     *  \param noise by how much each may differ without being another one, relative to it; or
     *         empty: none does */
    void Look(Duration time, const std::vector<Rate>& rates, const std::vector<double>& noise = {});

    /** \return how long a skip may be; Duration::max() if nothing has been skipped yet, or nothing
     * moves
     *  \param theta by which rates may lag, relative to themselves */
    Duration Horizon(double theta) const;

  private:
    /** Looks in a row at which a rate rose or, negative, fell; none at which it stayed the same. */
    using Run = std::int32_t;

    Duration m_skipped{0};
    Duration m_looked{0};
    RateBase m_base;          //!< that the slope is taken from
    double m_moved{0};        //!< since the base, relative, of rates that are on their way
    Run m_looks{0};           //!< all
    std::vector<Rate> m_last; //!< at the latest look
    std::vector<Run> m_runs;  //!< by flow
};

} // namespace wormhole

#endif // WORMHOLE_TREND_WATCH_H

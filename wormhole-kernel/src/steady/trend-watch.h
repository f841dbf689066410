/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_TREND_WATCH_H
#define WORMHOLE_TREND_WATCH_H

#include "wormhole/units.h"

#include <vector>

namespace wormhole
{

/** \return the largest difference of \p rates from those that were \p used, relative to these, less
 * the \p noise of each, if any; as many as they, and positive */
double FarthestApart(const std::vector<Rate>& rates,
                     const std::vector<Rate>& used,
                     const std::vector<double>& noise = {});

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
 */
class TrendWatch
{
  public:
    /** The partition has just become steady at \p rates. */
    void Start(const std::vector<Rate>& rates);

    /** No packet was simulated for \p time. */
    void Skip(Duration time);

    /** Packets were simulated for \p time, and the partition is steady at \p rates now.
     *  \param noise by how much each may differ without being another one, relative to it; or
     *         empty: none does */
    void Look(Duration time, const std::vector<Rate>& rates, const std::vector<double>& noise = {});

    /** \return how long a skip may be; Duration::max() if nothing has been skipped yet, or nothing
     * moves
     *  \param theta by which rates may lag, relative to themselves */
    Duration Horizon(double theta) const;

  private:
    struct Mark
    {
        Duration looked{0};
        std::vector<Rate> rates;
    };

    Duration m_skipped{0};
    Duration m_looked{0};
    Mark m_base;       //!< that the slope is taken from
    Mark m_next;       //!< that is the next base once there are twice as many packets
    double m_moved{0}; //!< since the base, relative
};

} // namespace wormhole

#endif // WORMHOLE_TREND_WATCH_H

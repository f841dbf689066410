/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_WANDER_POOL_H
#define WORMHOLE_WANDER_POOL_H

#include "steady/wander.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace wormhole
{

/** How the shares of flows wander by all that was seen of partitions that are alike. */
class WanderPool
{
  public:
    /** Flows whose deviations were looked at \p lag apart, the sum of whose products is \p product.
     * \param unit in which lags are told apart, positive; that of the first call counts */
    void Add(Duration unit, Duration lag, double product, std::size_t flows);

    /** Partitions were looked at for \p time more. */
    void AddTime(Duration time)
    {
        m_looked += time;
    }

    /** \return how the shares wander; nullopt if nothing was seen of that */
    std::optional<Wander> Find() const;

    /** \return for how long partitions were looked at, in total */
    Duration Looked() const
    {
        return m_looked;
    }

  private:
    struct Products
    {
        double sum{0};
        double flows{0};
    };

    Duration m_unit{0};
    Duration m_looked{0};
    std::vector<Products> m_products; //!< by lag, in units
};

} // namespace wormhole

#endif // WORMHOLE_WANDER_POOL_H

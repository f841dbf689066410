/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_SHARE_WATCH_H
#define WORMHOLE_SHARE_WATCH_H

#include "wormhole/units.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace wormhole
{

/** Flows of a partition, by their places among its members. */
using FlowGroup = std::vector<std::uint32_t>;

/** A rate is on its way to \c target: what it is off that decays by e within 1 / \c speed. */
struct Approach
{
    Rate target;
    double speed{0}; //!< 1/s; 0: it stays what it is

    /** \return what \p rate has become after \p time */
    Rate After(Rate rate, Duration time) const;

    /** \return its mean over \p time */
    Rate Mean(Rate rate, Duration time) const;
};

/** \p rates become what they are after \p time of \p approaches, if any. */
void Follow(std::vector<Rate>& rates, const std::vector<Approach>& approaches, Duration time);

/**
 * \brief Measures how fast the shares that the flows of a partition have of a link become equal.
 *
 * Where all flows raise their rates by as much and cut them in proportion (additive increase,
 * multiplicative decrease), what a share differs from the mean of all decays exponentially (Chiu
 * and Jain, Computer Networks and ISDN Systems 17, 1989), at a speed that all flows have in common:
 * so that it can be measured long before one flow's rate shows a trend. Only packets count: what
 * was skipped is taken into account by Carry. Speeds are taken over between half and three quarters
 * of the time in packets, the latest.
 */
class ShareWatch
{
  public:
    /** The flows had \p rates on average while packets were simulated for \p time, next. */
    void Look(Duration time, const std::vector<Rate>& rates);

    /** For \p time, which was skipped, the flows were taken to follow \p approaches. */
    void Carry(const std::vector<Approach>& approaches, Duration time);

    /**
     * \param group flows that share a link, and are limited by nothing else
     * \param noise by how much rates may differ without being others, relative to them
     * \return what each of them is on its way to; nullopt if that is not known: if it does not stand
     *         out from noise, or what has been seen differs from it by more
     */
    std::optional<Approach> Find(const FlowGroup& group, const std::vector<double>& noise) const;

  private:
    /** Means, and of when they are: the middle of a look, in time of packets. */
    struct Mark
    {
        Duration at{0};
        std::vector<Rate> rates;
    };

    Duration m_looked{0};
    Mark m_base;   //!< that speeds are taken from
    Mark m_next;   //!< that is the next base
    Mark m_latest; //!< the latest look
};

} // namespace wormhole

#endif // WORMHOLE_SHARE_WATCH_H

/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_SHARE_WATCH_H
#define WORMHOLE_SHARE_WATCH_H

#include "steady/approach.h"
#include "steady/rate-base.h"

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace wormhole
{

/** Flows of a partition, by their places among its members. */
using FlowGroup = std::vector<std::uint32_t>;

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

    /** \return for how long, in packets up to the latest look, the rates of \p group have stood
     * still: none has moved by more than \p share and its \p noise, both relative to it */
    Duration StillFor(const FlowGroup& group, const std::vector<double>& noise, double share) const;

    /** \return whether the rate of any flow was other than in the latest look by more than \p share
     * and its \p noise, both relative to it, in the look before the last but one; true if none of
     * the three is known, or something was skipped in between */
    bool HaveMoved(double share, const std::vector<double>& noise) const;

  private:
    Duration m_looked{0};
    RateBase m_base;   //!< that speeds are taken from; means are of the middle of a look
    RateMark m_latest; //!< the latest look
    std::array<std::vector<Rate>, 2> m_before; //!< of the looks before it, the earlier one first
    std::deque<RateMark> m_looks; //!< the latest ones, since rates were last carried on
};

} // namespace wormhole

#endif // WORMHOLE_SHARE_WATCH_H

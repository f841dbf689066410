/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_COURSE_WATCH_H
#define WORMHOLE_COURSE_WATCH_H

#include "steady/approach.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace wormhole
{

/** Where the rates of a partition's flows are, and where they go. */
struct Course
{
    std::vector<Rate> rates;          //!< now
    std::vector<Approach> approaches; //!< of each
    Duration horizon{0};              //!< for how long this may be used, at most
};

/**
 * \brief Follows rates that move slowly, and are not steady for long.
 *
 * Where few flows share several links, their frames lock into patterns: for tens of milliseconds,
 * shares are unequal, wander a little, and creep. What they come to is not known, but where they
 * will be soon is: the latest mean predicts what comes next, and the slope of the last milliseconds
 * carries it along (projective integration, Gear and Kevrekidis, SIAM Journal on Scientific
 * Computing 24, 2003). A slope counts less the less it stands out from noise: one that is left out
 * would leave rates where they are for as long as packets are left out, and so unequal shares. It
 * is followed for about as long as it was seen. Only packets count: what was skipped is taken into
 * account by Carry.
 */
class CourseWatch
{
  public:
    /** Samples of which means are taken. */
    static constexpr std::uint32_t SAMPLES = 4;

    /** The flows had \p rates in a sample, next. */
    void Look(const std::vector<Rate>& rates);

    /** For \p time, which was skipped, the flows were taken to follow \p approaches. */
    void Carry(const std::vector<Approach>& approaches, Duration time);

    /** All is forgotten. */
    void Clear();

    /**
     * \param interval of a sample
     * \param theta within which the latest means must be of a straight line, and by four times
     *        which this may move, relative to the rate
     * \return nullopt if there are too few means, or a rate moves by more
     */
    std::optional<Course> Find(Duration interval, double theta);

    /** \return whether Find found one the last time */
    bool IsKnown() const
    {
        return m_known;
    }

  private:
    std::deque<std::vector<Rate>> m_means; //!< the latest ones
    std::vector<double> m_sums;            //!< of the samples of the next one, bytes/s
    bool m_known{false};
    std::uint32_t m_samples{0}; //!< how many these are
};

} // namespace wormhole

#endif // WORMHOLE_COURSE_WATCH_H

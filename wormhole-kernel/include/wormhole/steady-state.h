/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_STEADY_STATE_H
#define WORMHOLE_STEADY_STATE_H

#include "wormhole/units.h"

#include <cstdint>
#include <memory>

namespace wormhole
{

/** When a flow counts as steady. */
struct SteadyStateOptions
{
    double theta{0.05};       //!< bound of the relative fluctuation; in (0, 1)
    std::uint32_t window{16}; //!< l, samples that it is taken over; at least 4
    std::uint32_t maxPeriod{
        256}; //!< longest period of an oscillation that is averaged over; samples; >= window
    std::uint32_t periods{3}; //!< whole periods that must agree
    double queueTolerance{
        0.25}; //!< by how much the queues may move over the window, relative to their mean...
    Bytes queueSlack{4096}; //!< ... or absolute; what is below is settled
};

/** Why a flow counts as steady, or why not. */
enum class Steadiness : std::uint8_t
{
    Steady,         //!< (max - min) / mean of the window is below theta
    SteadyPeriodic, //!< it oscillates more than that, but the means of whole periods agree
    TooFewSamples,
    Fluctuating,
    Drifting, //!< a trend
    QueuesMoving,
};

/** What is known of a flow's rate. */
struct SteadyVerdict
{
    Steadiness steadiness{Steadiness::TooFewSamples};
    Rate rate; //!< the mean: over the window, or over whole periods; meaningful if steady
    double uncertainty{
        0};            //!< bound of |rate - long-run mean| / long-run mean that the samples support
    double horizon{0}; //!< samples for which a trend that the window cannot exclude stays below
                       //!< theta; may be infinite
    std::uint32_t samples{0}; //!< that the rate is the mean of

    bool IsSteady() const
    {
        return steadiness <= Steadiness::SteadyPeriodic;
    }
};

const char* ToString(Steadiness steadiness);

/** Rate samples of one flow, taken at equal intervals, and whether it is steady. */
class SteadyStateDetector
{
  public:
    explicit SteadyStateDetector(const SteadyStateOptions& options = {}); // throws UsageError
    /** Constant cost per sample */
    void Add(Rate rate, Bytes queue);
    SteadyVerdict Judge() const; // O(1)
    void Reset();
};

} // namespace wormhole

#endif // WORMHOLE_STEADY_STATE_H

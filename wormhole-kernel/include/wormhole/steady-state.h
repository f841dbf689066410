/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_STEADY_STATE_H
#define WORMHOLE_STEADY_STATE_H

#include "wormhole/units.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace wormhole
{

/** When a flow counts as steady. */
struct SteadyStateOptions
{
    double theta{0.05};           //!< bound of the relative fluctuation; in (0, 1)
    std::uint32_t window{16};     //!< l, samples that it is taken over; 4 to 65,535
    std::uint32_t maxPeriod{256}; //!< longest period of an oscillation that is averaged over;
                                  //!< samples; window to 1,000,000
    std::uint32_t periods{3};     //!< whole periods that must agree; 2 to 64
    double queueTolerance{0.25};  //!< by how much the queues may move over the window, relative to
                                  //!< their mean; 0 or more; ...
    Bytes queueSlack{4096};       //!< ... or absolute; what is below is settled
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

/**
 * \brief What is known of a flow's rate.
 *
 * For a flow that is steady: used in place of what the flow does in the next N samples, \c rate
 * obeys the bound of Theorem 2 (Long et al.), |rate - mean| / mean < theta / (1 - theta), where
 * mean is the flow's true mean rate over those N samples, as long as it goes on as it did in the \c
 * samples that the verdict rests on. N is at most \c horizon, and
 * - Steady: at least the window (fewer may have another mean: a packet more or less);
 * - SteadyPeriodic: either a multiple of \c period, rounded to a sample, or at least \c shortest: a
 *   part of a period has another mean.
 */
struct SteadyVerdict
{
    Steadiness steadiness{Steadiness::TooFewSamples};
    Rate rate; //!< the mean: over the window or longer, or over whole periods; 0 unless steady
    double uncertainty{0}; //!< bound of |rate - long-run mean| / long-run mean that the samples
                           //!< support: three standard errors; 0 unless steady
    double ofWindow{0};    //!< the same of the mean of one window, where the rate is that of more
    double horizon{0}; //!< samples for which a trend that the samples cannot exclude stays below
                       //!< theta; may be infinite; 0 unless steady
    double period{0};  //!< SteadyPeriodic: after so many samples all is as it was; 0 if that is not
                       //!< known well enough, or nothing recurs
    double shortest{0}; //!< SteadyPeriodic: samples from which on a part of a period matters less
                        //!< than theta / 4; else 0
    std::uint32_t samples{0}; //!< that the rate is the mean of; 0 unless steady

    bool IsSteady() const
    {
        return steadiness <= Steadiness::SteadyPeriodic;
    }
};

/** \return the enumerator's name */
const char* ToString(Steadiness steadiness);

/**
 * \brief Rate samples of one flow, taken at equal intervals, and whether it is steady.
 *
 * The paper's test (Long et al., NSDI 2026, steady-state identification: (max - min) / mean < theta
 * over the last l samples) comes first. It is fooled by slow drift, by oscillations longer than the
 * window, and by queues that still fill; so these are looked for too:
 *
 * - *Trend*: a parabola is fitted to the window. If its slope or curvature is significant (3
 *   standard errors) and would move the rate by theta within maxPeriod samples, the flow is
 *   Drifting. Otherwise \c horizon says when what cannot be excluded (estimate plus 3 standard
 *   errors) would. While the flow stays flat, further windows are compared, and the horizon grows
 *   with the time for which it has been flat. It is infinite for constant
 *   samples, but at most 4 times as long as the flow has been flat if it was not, less than
 *   maxPeriod samples ago.
 * - *Oscillation*: from upturn to upturn is a cycle. If the window fluctuates by theta or more, or
 *   is flat but lies within a known oscillation (twice its longest cycle has not passed yet, nor
 *   has it been calm, within theta / 10, half as long again as it ever was between), then whole
 *   periods decide. A period is 1, 2, 4, 8 or 16 cycles; \c periods of them, of 4 windows or more
 *   together, must agree in mean within theta, and in length within theta or a sample; so must
 *   their halves in mean, for half a slow period has the mean of the next half.
 *   What fluctuates without regularity, but at least 4 times as fast, is averaged over stretches of
 *   1 to 16 windows instead.
 * - *Queues*: the means of the window's halves (of the oldest and newest period) agree within
 *   queueTolerance or queueSlack; quarters (periods) do not rise or fall one after another, but by
 *   a quarter of queueSlack: what moves one way is on its way to where rates are different.
 *
 * What no detector can see: a change that nothing announced, such as the first cut of a rate that
 * was constant for longer than the window, or an oscillation longer than maxPeriod. So a window of
 * samples must be longer than the timers of the congestion control, by two samples: DCQCN's rate is
 * constant between two ticks of its rate timer (see Simulator::SlowestPeriod). A flow whose samples
 * hold fewer than 1 / (window theta) packets can look constant for a window though its mean
 * differs by more than theta: take samples of two packets or more. Samples of correlated noise
 * support less than \c uncertainty says. So skips should be guarded.
 *
 * A flow all of whose samples in the window are 0 (blocked) is never steady.
 *
 * Nothing is allocated after construction but the memory of cycles, once, when the first one is
 * complete; 0.9 kB, then 2 kB if flat and up to 4.3 kB if not, with the options' defaults. Distinct
 * objects may be used from distinct threads.
 */
class SteadyStateDetector
{
  public:
    /** \throws UsageError if an option is out of range */
    explicit SteadyStateDetector(const SteadyStateOptions& options = {});
    ~SteadyStateDetector();
    SteadyStateDetector(SteadyStateDetector&& other) noexcept;
    SteadyStateDetector& operator=(SteadyStateDetector&& other) noexcept;

    /**
     * The next sample. O(1), amortised.
     * \param rate mean of the sample's interval; 0 to 1e30 bytes/s; below 1e-30 counts as 0
     * \param queue bytes queued on the flow's path: the sum over its ports, or the longest queue
     * \throws UsageError for other rates; the sample is then not counted
     */
    void Add(Rate rate, Bytes queue);

    /** \return what the samples so far say. O(1) if flat, O(periods) if not (at most 31 * periods
     * cycles are looked at) */
    SteadyVerdict Judge() const;

    /**
     * What may be used by who looks again soon, and notices if it was wrong (a guarded skip).
     *
     * The paper's test is enough then: for the samples of the window or, where samples are too
     * short for their noise, for means of 4 stretches of a quarter, half, ... 4 windows. A trend
     * does not forbid it, but bounds \c horizon, in which it may move the rate by theta / 5: by its
     * estimate if that is significant (for stretches: if all move one way); else it is 8 times as
     * long as what was looked at.
     *
     * \return Steady or why not; \c uncertainty: of the mean of one window
     */
    SteadyVerdict Expect() const;

    /** \return whether the window is full, and its queues move as Expect() does not allow: they
     * come to where rates are different sooner than after as long again */
    bool DoQueuesMove() const;

    /** \return the mean of the samples of the window, bytes/s; 0 as long as it is not full */
    double Mean() const;

    /** Forgets all samples, but keeps the memory. */
    void Reset();

    /** \return memory used, the object itself included */
    std::size_t MemoryBytes() const;

  private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace wormhole

#endif // WORMHOLE_STEADY_STATE_H

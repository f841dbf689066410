/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_STEADY_JUDGEMENT_H
#define WORMHOLE_STEADY_JUDGEMENT_H

#include "steady/cycle-log.h"
#include "steady/queue-window.h"
#include "steady/sliding-window.h"
#include "wormhole/steady-state.h"

#include <cstdint>

namespace wormhole
{

/** Standard errors from which on an estimate is significant, and up to which one is not excluded.
 */
inline constexpr double SIGNIFICANT = 3;

/** How many times longer than it was looked at something is expected to go on. */
constexpr double FORESIGHT = 8;

/** Part of theta that is kept for parts of a period. */
inline constexpr double PARTIAL_SHARE = 0.25;

/** \return \p options
 *  \throws UsageError if one is out of range */
const SteadyStateOptions& Validated(const SteadyStateOptions& options);

/** \return a verdict that says no, and \p why */
SteadyVerdict NotSteady(Steadiness why);

/** Puts \p verdict in place of \p best if it says more. */
void Improve(SteadyVerdict& best, const SteadyVerdict& verdict);

/** \return Steady with what a trend of \p rates, a full window that does not fluctuate, leaves of
 * its horizon; or Drifting. The queues are not looked at. */
SteadyVerdict JudgeWindow(const SlidingWindow& rates, const SteadyStateOptions& options);

/**
 * \return SteadyPeriodic with what \p agreement supports, or why not
 * \param agreement of as many groups of cycles as SteadyStateOptions::periods
 * \param age samples since the latest of its cycles
 * \param least samples that the horizon must have
 */
SteadyVerdict JudgeAgreement(const CycleAgreement& agreement,
                             std::uint32_t age,
                             double least,
                             const SteadyStateOptions& options);

/** \return SteadyStateDetector::Expect of a window that does not fluctuate */
SteadyVerdict ExpectWindow(const SlidingWindow& rates,
                           const QueueWindow& queues,
                           const SteadyStateOptions& options);

/** \return SteadyStateDetector::Expect of 4 stretches */
SteadyVerdict ExpectStretches(const CycleAgreement& stretches, const SteadyStateOptions& options);

/** \return samples until \p queues, a full window, have moved by what counts as settled: 0 if they
 * have already, infinite if they do not move one way */
double QueueHorizon(const QueueWindow& queues, const SteadyStateOptions& options);

} // namespace wormhole

#endif // WORMHOLE_STEADY_JUDGEMENT_H

/*
 * SPDX-License-Identifier: MIT
 */
#include "steady/steady-judgement.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wormhole
{
namespace
{

/** Part of the queue slack by which a queue may rise or fall steadily over the window. */
constexpr double CREEP_SHARE = 0.25;

/** Part of theta by which a trend may move a rate until it is looked at again. */
constexpr double DRIFT_SHARE = 0.2;

constexpr double UNBOUNDED = std::numeric_limits<double>::infinity();

/** \return the distance t at which \p linear t + \p quadratic t^2 reaches \p allowance */
double
ReachOf(double linear, double quadratic, double allowance)
{
    if (allowance <= 0)
    {
        return 0;
    }
    const double root = std::sqrt(linear * linear + 4 * quadratic * allowance);
    return 2 * allowance / (linear + root); // infinite if there is no trend
}

/** \return where \p fit has come to at the end of \p rates, within what these are */
double
ValueAtEnd(const SlidingWindow& rates, const TrendFit& fit)
{
    const double n = rates.Size();
    const double half = (n - 1) / 2;
    const double value =
        rates.Mean() + fit.slope * half + fit.curvature * (half * half - (n * n - 1) / 12);
    return std::clamp(value, rates.Min(), rates.Max());
}

/**
 * \return samples until a queue has moved by what counts as settled, given its means \p before and
 *         \p after, \p distance samples apart: 0 if it has already, infinite unless \p monotonic
 */
double
QueueHorizon(double before,
             double after,
             double distance,
             bool monotonic,
             const SteadyStateOptions& options)
{
    const double move = std::abs(after - before);
    const double allowance = std::max(options.queueTolerance * (before + after) / 2,
                                      static_cast<double>(options.queueSlack));
    // What moves one way is on its way to somewhere, and a skip only puts off that it gets there:
    // the rates of the way would be used for all of the skip.
    const double creep = static_cast<double>(options.queueSlack) * CREEP_SHARE;
    if (move > allowance || (monotonic && move > creep))
    {
        return 0;
    }
    return monotonic && move > 0 ? static_cast<double>(options.queueSlack) / (move / distance)
                                 : UNBOUNDED;
}

/** \return the same of groups, the oldest and newest of which are \p distance samples apart */
double
QueueHorizon(const CycleAgreement& groups, double distance, const SteadyStateOptions& options)
{
    return QueueHorizon(groups.firstQueue,
                        groups.lastQueue,
                        distance,
                        groups.queueMonotonic,
                        options);
}

} // namespace

SteadyVerdict
NotSteady(Steadiness why)
{
    SteadyVerdict verdict;
    verdict.steadiness = why;
    return verdict;
}

void
Improve(SteadyVerdict& best, const SteadyVerdict& verdict)
{
    if (verdict.IsSteady() ? verdict.horizon > best.horizon : !best.IsSteady())
    {
        best = verdict.IsSteady() ? verdict : NotSteady(verdict.steadiness);
    }
}

SteadyVerdict
JudgeWindow(const SlidingWindow& rates, const SteadyStateOptions& options)
{
    const double mean = rates.Mean();
    const TrendFit fit = rates.Fit();
    const double slope = std::abs(fit.slope);
    const double curvature = std::abs(fit.curvature);
    SteadyVerdict verdict;
    verdict.steadiness = Steadiness::Steady;
    verdict.rate = Rate::BytesPerSecond(mean);
    verdict.samples = options.window;
    verdict.uncertainty = SIGNIFICANT * fit.noise / std::sqrt(options.window) / mean;
    const double reach = ReachOf((slope + SIGNIFICANT * fit.slopeError) / mean,
                                 (curvature + SIGNIFICANT * fit.curvatureError) / mean,
                                 options.theta - verdict.uncertainty);
    verdict.horizon = std::max(0.0, reach - (options.window - 1) / 2.0);
    const bool significant =
        slope > SIGNIFICANT * fit.slopeError || curvature > SIGNIFICANT * fit.curvatureError;
    if (significant && verdict.horizon < options.maxPeriod)
    {
        return NotSteady(Steadiness::Drifting);
    }
    return verdict;
}

SteadyVerdict
JudgeAgreement(const CycleAgreement& agreement,
               std::uint32_t age,
               double least,
               const SteadyStateOptions& options)
{
    const std::uint32_t periods = options.periods;
    const double theta = options.theta;
    const double range = agreement.range / agreement.mean;
    if (!(range < theta)) // also if the mean is 0
    {
        return NotSteady(Steadiness::Fluctuating);
    }
    SteadyVerdict verdict;
    verdict.steadiness = Steadiness::SteadyPeriodic;
    verdict.rate = Rate::BytesPerSecond(agreement.mean);
    verdict.samples = agreement.samples;
    verdict.uncertainty = SIGNIFICANT * agreement.deviation / std::sqrt(periods) / agreement.mean;
    // A trend or a bend that moved the means by their range while they were looked at moves them by
    // at most range (t / half)^2 at a distance t from the middle, half of what they span.
    const double span = (periods - 1.0) * agreement.samples / periods;
    const double reach =
        ReachOf(0, range / (span * span / 4), (1 - PARTIAL_SHARE) * theta - verdict.uncertainty);
    verdict.horizon = reach - agreement.samples / 2.0 - age;
    if (!(verdict.horizon >= least))
    {
        return NotSteady(Steadiness::Drifting);
    }
    const double queueHorizon = QueueHorizon(agreement, span, options);
    verdict.horizon = std::min(verdict.horizon, queueHorizon);
    return verdict.horizon >= least ? verdict : NotSteady(Steadiness::QueuesMoving);
}

SteadyVerdict
ExpectWindow(const SlidingWindow& rates,
             const QueueWindow& queues,
             const SteadyStateOptions& options)
{
    const double mean = rates.Mean();
    const TrendFit fit = rates.Fit();
    const bool moves = std::abs(fit.slope) > SIGNIFICANT * fit.slopeError ||
                       std::abs(fit.curvature) > SIGNIFICANT * fit.curvatureError;
    SteadyVerdict verdict;
    verdict.steadiness = Steadiness::Steady;
    verdict.rate = Rate::BytesPerSecond(moves ? ValueAtEnd(rates, fit) : mean);
    verdict.samples = options.window;
    verdict.uncertainty = SIGNIFICANT * fit.noise / std::sqrt(options.window) / mean;
    const double slope = std::abs(fit.slope + fit.curvature * (options.window - 1));
    verdict.horizon =
        moves ? ReachOf(slope / mean, 0, DRIFT_SHARE * options.theta) : FORESIGHT * options.window;
    const double queueHorizon = QueueHorizon(queues, options);
    verdict.horizon = std::min(verdict.horizon, queueHorizon);
    return verdict.horizon >= options.window
               ? verdict
               : NotSteady(queueHorizon < options.window ? Steadiness::QueuesMoving
                                                         : Steadiness::Drifting);
}

SteadyVerdict
ExpectStretches(const CycleAgreement& stretches, const SteadyStateOptions& options)
{
    constexpr double COUNT = 4;
    const double range = stretches.range / stretches.mean;
    if (!(range < options.theta)) // also if the mean is 0
    {
        return NotSteady(Steadiness::Fluctuating);
    }
    SteadyVerdict verdict;
    verdict.steadiness = Steadiness::Steady;
    verdict.rate = Rate::BytesPerSecond(stretches.mean);
    verdict.samples = stretches.samples;
    verdict.uncertainty = SIGNIFICANT * stretches.deviation / stretches.mean *
                          std::sqrt(stretches.samples / COUNT / options.window);
    const double span = (COUNT - 1) / COUNT * stretches.samples;
    verdict.horizon = stretches.monotonic
                          ? DRIFT_SHARE * options.theta / range * span - stretches.samples / 2.0
                          : FORESIGHT * stretches.samples;
    const double queueHorizon = QueueHorizon(stretches, span, options);
    verdict.horizon = std::min(verdict.horizon, queueHorizon);
    const double least = stretches.samples / 2.0;
    return verdict.horizon >= least
               ? verdict
               : NotSteady(queueHorizon < least ? Steadiness::QueuesMoving : Steadiness::Drifting);
}

double
QueueHorizon(const QueueWindow& queues, const SteadyStateOptions& options)
{
    const double halves =
        QueueHorizon(queues.MeanOfHalf(0), queues.MeanOfHalf(1), 1, false, options);
    Monotony quarterly;
    for (std::uint32_t quarter = 0; quarter < 4; ++quarter)
    {
        quarterly.Add(queues.MeanOf(quarter));
    }
    const double quarters = QueueHorizon(queues.MeanOf(0),
                                         queues.MeanOf(3),
                                         options.window * 0.75,
                                         quarterly.Holds(),
                                         options);
    return quarterly.Holds() ? std::min(halves, quarters) : halves;
}

} // namespace wormhole

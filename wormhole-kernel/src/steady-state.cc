/*
 * SPDX-License-Identifier: MIT
 */
#include "wormhole/steady-state.h"

#include "cycle-log.h"
#include "queue-window.h"
#include "sliding-window.h"
#include "wormhole/error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>

namespace wormhole
{
namespace
{

/** Standard errors from which on an estimate is significant, and up to which one is not excluded.
 */
constexpr double SIGNIFICANT = 3;

/** Cycles that may make up one period; a power of two. */
constexpr std::uint32_t MOST_CYCLES = 16;

/** Windows that periods must span together: short cycles may look regular by chance. */
constexpr std::uint32_t LEAST_WINDOWS = 4;

/** Cycles that stretches must be longer than if they are to ignore them. */
constexpr std::uint32_t CYCLES_IN_STRETCH = 4;

/** How many times longer what turned flat a moment ago is expected to stay so, at most. */
constexpr double FLAT_FORESIGHT = 4;

/** A window that fluctuates less than this part of theta is calm: what oscillated before may have
 * died away, ... */
constexpr double CALM_SHARE = 0.1;

/** ... and has if it has been calm so many times longer than it ever was and then went on. */
constexpr double CALM_AGAIN = 1.5;

/** Part of the queue slack by which a queue may rise or fall steadily over the window. */
constexpr double CREEP_SHARE = 0.25;

/** Samples that are counted at most. */
constexpr std::uint32_t LONGEST_COUNT = 1U << 31;

/** Part of theta that is kept for parts of a period. */
constexpr double PARTIAL_SHARE = 0.25;

/** Bytes/s; so that no square overflows, ... */
constexpr double HIGHEST_RATE = 1e30;

/** ... and none becomes 0. */
constexpr double LOWEST_RATE = 1e-30;

constexpr double INFINITE = std::numeric_limits<double>::infinity();

template <class T>
void
Require(bool valid, const char* name, T value, const std::string& range)
{
    if (!valid)
    {
        std::ostringstream text;
        text << "SteadyStateOptions::" << name << " is " << value << ", but must be " << range;
        throw UsageError(text.str());
    }
}

const SteadyStateOptions&
Validated(const SteadyStateOptions& options)
{
    Require(options.theta > 0 && options.theta < 1, "theta", options.theta, "above 0 and below 1");
    Require(options.window >= 4 && options.window <= 65535,
            "window",
            options.window,
            "4 to 65535 samples");
    Require(options.maxPeriod >= options.window && options.maxPeriod <= 1000000,
            "maxPeriod",
            options.maxPeriod,
            "window (" + std::to_string(options.window) + ") to 1000000 samples");
    Require(options.periods >= 2 && options.periods <= 64, "periods", options.periods, "2 to 64");
    Require(options.queueTolerance >= 0 && std::isfinite(options.queueTolerance),
            "queueTolerance",
            options.queueTolerance,
            "0 or more, and finite");
    return options;
}

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

/** A verdict that says no. */
SteadyVerdict
No(Steadiness why)
{
    SteadyVerdict verdict;
    verdict.steadiness = why;
    return verdict;
}

} // namespace

const char*
ToString(Steadiness steadiness)
{
    switch (steadiness)
    {
    case Steadiness::Steady:
        return "Steady";
    case Steadiness::SteadyPeriodic:
        return "SteadyPeriodic";
    case Steadiness::TooFewSamples:
        return "TooFewSamples";
    case Steadiness::Fluctuating:
        return "Fluctuating";
    case Steadiness::Drifting:
        return "Drifting";
    case Steadiness::QueuesMoving:
        return "QueuesMoving";
    }
    return "?";
}

class SteadyStateDetector::Impl
{
  public:
    explicit Impl(const SteadyStateOptions& options);

    void Add(double rate, Bytes queue);
    SteadyVerdict Judge() const;
    void Reset();

    std::size_t MemoryBytes() const
    {
        return sizeof(Impl) + m_rates.AllocatedBytes() + m_queues.AllocatedBytes() +
               m_fast.AllocatedBytes() + m_slow.AllocatedBytes() + m_windows.AllocatedBytes();
    }

  private:
    bool Fluctuates() const;
    void NoteCalm();
    bool HasDiedAway() const;
    std::uint32_t SamplesUntilOver(const CycleLog& cycles) const;
    SteadyVerdict JudgeWindow() const;
    SteadyVerdict JudgePeriods(const CycleLog& cycles) const;
    SteadyVerdict JudgeStretches() const;
    SteadyVerdict JudgeFlatStretches() const;
    SteadyVerdict JudgeAgreement(const CycleAgreement& agreement,
                                 std::uint32_t age,
                                 double least) const;
    static void Improve(SteadyVerdict& best, const SteadyVerdict& verdict);
    double WindowQueueHorizon() const;
    double QueueHorizon(double before, double after, double distance, bool monotonic) const;

    SteadyStateOptions m_options;
    SlidingWindow m_rates;
    QueueWindow m_queues;
    std::uint32_t m_sinceFluctuating{LONGEST_COUNT}; //!< samples; that many if never
    std::uint32_t m_calm{0};                         //!< calm windows up to now, without a break
    std::uint32_t m_longestPause{0};                 //!< most of them that others came after
    UpturnFinder m_fastUpturns;
    UpturnFinder m_slowUpturns;
    CycleLog m_fast;    //!< of the samples
    CycleLog m_slow;    //!< of the means of the window: what is too slow for a window to show
    CycleLog m_windows; //!< one window after another, taken as cycles
};

// The fast finder sees what is half as large as matters, so that all that matters is well marked.
SteadyStateDetector::Impl::Impl(const SteadyStateOptions& options)
    : m_options(Validated(options)),
      m_rates(options.window),
      m_queues(options.window),
      m_fastUpturns(options.theta / 2),
      m_slowUpturns(options.theta * 3 / 4),
      m_fast(options.periods * MOST_CYCLES, options.maxPeriod),
      m_slow(options.periods * MOST_CYCLES, options.maxPeriod),
      m_windows(options.periods * MOST_CYCLES, options.window)
{
}

void
SteadyStateDetector::Impl::Reset()
{
    m_rates.Clear();
    m_queues.Clear();
    m_sinceFluctuating = LONGEST_COUNT;
    m_calm = 0;
    m_longestPause = 0;
    m_fastUpturns = UpturnFinder(m_options.theta / 2);
    m_slowUpturns = UpturnFinder(m_options.theta * 3 / 4);
    m_fast.Clear();
    m_slow.Clear();
    m_windows.Clear();
}

void
SteadyStateDetector::Impl::Add(double rate, Bytes queue)
{
    m_rates.Add(rate);
    m_queues.Add(queue);
    m_fast.Add(rate, queue, m_fastUpturns.Add(rate));
    if (!m_rates.Full())
    {
        return;
    }
    m_slow.Add(rate, queue, m_slowUpturns.Add(m_rates.Mean()));
    NoteCalm();
    m_sinceFluctuating = Fluctuates() ? 0 : std::min(m_sinceFluctuating + 1, LONGEST_COUNT);
    const std::uint32_t length = m_windows.SinceMark();
    m_windows.Add(rate, queue, length == 0 || length == m_options.window);
}

/** Whether the window fails the paper's test. */
bool
SteadyStateDetector::Impl::Fluctuates() const
{
    // Rates are not negative; if all are 0, this says that they fluctuate.
    return !(m_rates.Max() - m_rates.Min() < m_options.theta * m_rates.Mean());
}

/** Keeps count of calm windows: so flat that they are no part of an oscillation that matters, but
 * for one that pauses. */
void
SteadyStateDetector::Impl::NoteCalm()
{
    if (m_rates.Max() - m_rates.Min() < CALM_SHARE * m_options.theta * m_rates.Mean())
    {
        // What is over for so long is forgotten everywhere.
        m_longestPause = ++m_calm > m_options.maxPeriod ? 0 : m_longestPause;
        m_calm = std::min(m_calm, LONGEST_COUNT);
        return;
    }
    m_longestPause = std::max(m_longestPause, std::min(m_calm, m_options.maxPeriod));
    m_calm = 0;
}

/** Whether the window is calm, and not just for as long as a square wave is, too. */
bool
SteadyStateDetector::Impl::HasDiedAway() const
{
    return m_calm > CALM_AGAIN * m_longestPause;
}

/** \return how many samples must pass since an oscillation was last seen before it counts as over
 */
std::uint32_t
SteadyStateDetector::Impl::SamplesUntilOver(const CycleLog& cycles) const
{
    return cycles.Count() == 0 ? 0 : std::min(2 * cycles.Longest(), m_options.maxPeriod + 1);
}

SteadyVerdict
SteadyStateDetector::Impl::Judge() const
{
    if (!m_rates.Full())
    {
        return No(Steadiness::TooFewSamples);
    }
    if (!(m_rates.Max() > 0))
    {
        return No(Steadiness::Fluctuating);
    }
    // Oscillations of at most two windows are left to the fast finder: means of the window beat
    // with them.
    const bool over = HasDiedAway();
    if (!over && m_slow.Longest() > 2 * m_options.window &&
        m_slow.SinceMark() < SamplesUntilOver(m_slow))
    {
        return JudgePeriods(m_slow);
    }
    if (Fluctuates() || (!over && m_sinceFluctuating < SamplesUntilOver(m_fast)))
    {
        const SteadyVerdict regular = JudgePeriods(m_fast);
        const SteadyVerdict irregular = regular.IsSteady() ? regular : JudgeStretches();
        return irregular.IsSteady() ? irregular : regular;
    }
    SteadyVerdict verdict = JudgeWindow();
    if (verdict.IsSteady() && verdict.horizon < m_options.maxPeriod)
    {
        // What one window cannot exclude, several may.
        const SteadyVerdict longer = JudgeFlatStretches();
        if (longer.horizon > verdict.horizon)
        {
            verdict = longer;
            verdict.steadiness = Steadiness::Steady;
        }
    }
    if (!verdict.IsSteady())
    {
        return verdict;
    }
    const double queueHorizon = WindowQueueHorizon();
    verdict.horizon = std::min(verdict.horizon, queueHorizon);
    if (m_sinceFluctuating < m_options.maxPeriod)
    {
        // Flat since a moment ago: it may be a step of something that goes on.
        const double flat = static_cast<double>(m_sinceFluctuating) + m_options.window;
        verdict.horizon = std::min(verdict.horizon, FLAT_FORESIGHT * flat);
    }
    return verdict.horizon >= 1
               ? verdict
               : No(queueHorizon < 1 ? Steadiness::QueuesMoving : Steadiness::Fluctuating);
}

SteadyVerdict
SteadyStateDetector::Impl::JudgeWindow() const
{
    const double mean = m_rates.Mean();
    const TrendFit fit = m_rates.Fit();
    const double slope = std::abs(fit.slope);
    const double curvature = std::abs(fit.curvature);
    SteadyVerdict verdict;
    verdict.steadiness = Steadiness::Steady;
    verdict.rate = Rate::BytesPerSecond(mean);
    verdict.samples = m_options.window;
    verdict.uncertainty = SIGNIFICANT * fit.noise / std::sqrt(m_options.window) / mean;
    const double reach = ReachOf((slope + SIGNIFICANT * fit.slopeError) / mean,
                                 (curvature + SIGNIFICANT * fit.curvatureError) / mean,
                                 m_options.theta - verdict.uncertainty);
    verdict.horizon = std::max(0.0, reach - (m_options.window - 1) / 2.0);
    const bool significant =
        slope > SIGNIFICANT * fit.slopeError || curvature > SIGNIFICANT * fit.curvatureError;
    if (significant && verdict.horizon < m_options.maxPeriod)
    {
        return No(Steadiness::Drifting);
    }
    return verdict;
}

/** \return the best that periods of any number of cycles can say */
SteadyVerdict
SteadyStateDetector::Impl::JudgePeriods(const CycleLog& cycles) const
{
    const std::uint32_t periods = m_options.periods;
    SteadyVerdict best = No(Steadiness::Fluctuating);
    for (std::uint32_t size = 1; size <= MOST_CYCLES && size * periods <= cycles.Count(); size *= 2)
    {
        const CycleAgreement agreement = cycles.Agreement(periods, size);
        const double length = static_cast<double>(agreement.samples) / periods;
        if (agreement.samples < LEAST_WINDOWS * m_options.window ||
            agreement.longest - agreement.shortest > std::max(1.0, m_options.theta * length))
        {
            continue;
        }
        // Halves of a slow oscillation's period may agree in mean, but not in their course.
        if (size > 1 &&
            std::max(cycles.RangeOfHalves(periods, size, 0),
                     cycles.RangeOfHalves(periods, size, 1)) >= m_options.theta * agreement.mean)
        {
            continue;
        }
        // Periods are known to a sample; how much one more or less matters tells whether they are
        // worth keeping to, and how long they last, how much a part of one does.
        const double swing = agreement.amplitude / agreement.mean;
        const double share = PARTIAL_SHARE * m_options.theta;
        const double shortest = swing * length / size / 4 / share;
        const bool exact = swing <= share * length;
        SteadyVerdict verdict = JudgeAgreement(agreement,
                                               cycles.SinceMark(),
                                               exact ? 2 * length : std::max(length, shortest));
        verdict.period = exact ? length : 0;
        verdict.shortest = shortest;
        Improve(best, verdict);
    }
    return best;
}

/** \return the best that stretches of any number of windows can say of a flow that fluctuates with
 * no regularity, but much faster than them */
SteadyVerdict
SteadyStateDetector::Impl::JudgeStretches() const
{
    const std::uint32_t periods = m_options.periods;
    SteadyVerdict best = No(Steadiness::Fluctuating);
    for (std::uint32_t size = 1; size <= MOST_CYCLES && size * periods <= m_windows.Count();
         size *= 2)
    {
        const double length = size * m_options.window;
        if (m_fast.Count() == 0 || length < CYCLES_IN_STRETCH * m_fast.Longest())
        {
            continue;
        }
        const CycleAgreement agreement = m_windows.Agreement(periods, size);
        // Of n samples, the mean deviates from that of a stretch's by sqrt(length / n).
        const double deviation =
            m_windows.Residual(size * periods, agreement.mean) / agreement.mean / std::sqrt(size);
        const double noise = SIGNIFICANT * deviation / (PARTIAL_SHARE * m_options.theta);
        const double shortest = std::max(length, length * noise * noise);
        SteadyVerdict verdict = JudgeAgreement(agreement, m_windows.SinceMark(), shortest);
        verdict.shortest = shortest;
        Improve(best, verdict);
    }
    return best;
}

/** \return the best that stretches of any number of windows can say of a flow that has been flat
 * all along them */
SteadyVerdict
SteadyStateDetector::Impl::JudgeFlatStretches() const
{
    const std::uint32_t periods = m_options.periods;
    const std::uint32_t flat = m_windows.SinceMark() < m_sinceFluctuating
                                   ? (m_sinceFluctuating - m_windows.SinceMark()) / m_options.window
                                   : 0;
    SteadyVerdict best = No(Steadiness::Fluctuating);
    for (std::uint32_t size = 1;
         size <= MOST_CYCLES && size * periods <= std::min(flat, m_windows.Count());
         size *= 2)
    {
        Improve(best, JudgeAgreement(m_windows.Agreement(periods, size), m_windows.SinceMark(), 1));
    }
    return best;
}

/** Puts \p verdict in place of \p best if it says more. */
void
SteadyStateDetector::Impl::Improve(SteadyVerdict& best, const SteadyVerdict& verdict)
{
    if (verdict.IsSteady() ? verdict.horizon > best.horizon : !best.IsSteady())
    {
        best = verdict.IsSteady() ? verdict : No(verdict.steadiness);
    }
}

/**
 * \return SteadyPeriodic with what \p agreement supports, or why not
 * \param age samples since the latest of its cycles
 * \param least samples that the horizon must have
 */
SteadyVerdict
SteadyStateDetector::Impl::JudgeAgreement(const CycleAgreement& agreement,
                                          std::uint32_t age,
                                          double least) const
{
    const std::uint32_t periods = m_options.periods;
    const double theta = m_options.theta;
    const double range = agreement.range / agreement.mean;
    if (!(range < theta)) // also if the mean is 0
    {
        return No(Steadiness::Fluctuating);
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
        return No(Steadiness::Drifting);
    }
    const double queueHorizon =
        QueueHorizon(agreement.firstQueue, agreement.lastQueue, span, agreement.queueMonotonic);
    verdict.horizon = std::min(verdict.horizon, queueHorizon);
    return verdict.horizon >= least ? verdict : No(Steadiness::QueuesMoving);
}

double
SteadyStateDetector::Impl::WindowQueueHorizon() const
{
    const double halves = QueueHorizon(m_queues.MeanOfHalf(0), m_queues.MeanOfHalf(1), 1, false);
    Monotony quarterly;
    for (std::uint32_t quarter = 0; quarter < 4; ++quarter)
    {
        quarterly.Add(m_queues.MeanOf(quarter));
    }
    const double quarters = QueueHorizon(m_queues.MeanOf(0),
                                         m_queues.MeanOf(3),
                                         m_options.window * 0.75,
                                         quarterly.Holds());
    return quarterly.Holds() ? std::min(halves, quarters) : halves;
}

/**
 * \return samples until a queue has moved by what counts as settled, given its means \p before and
 *         \p after, \p distance samples apart: 0 if it has already, infinite unless \p monotonic
 */
double
SteadyStateDetector::Impl::QueueHorizon(double before,
                                        double after,
                                        double distance,
                                        bool monotonic) const
{
    const double move = std::abs(after - before);
    const double allowance = std::max(m_options.queueTolerance * (before + after) / 2,
                                      static_cast<double>(m_options.queueSlack));
    // What moves one way is on its way to somewhere, and a skip only puts off that it gets there:
    // the rates of the way would be used for all of the skip.
    const double creep = static_cast<double>(m_options.queueSlack) * CREEP_SHARE;
    if (move > allowance || (monotonic && move > creep))
    {
        return 0;
    }
    return monotonic && move > 0 ? static_cast<double>(m_options.queueSlack) / (move / distance)
                                 : INFINITE;
}

SteadyStateDetector::SteadyStateDetector(const SteadyStateOptions& options)
    : m_impl(std::make_unique<Impl>(options))
{
}

SteadyStateDetector::~SteadyStateDetector() = default;
SteadyStateDetector::SteadyStateDetector(SteadyStateDetector&& other) noexcept = default;
SteadyStateDetector& SteadyStateDetector::operator=(SteadyStateDetector&& other) noexcept = default;

void
SteadyStateDetector::Add(Rate rate, Bytes queue)
{
    const double value = rate.InBytesPerSecond();
    if (!(value >= 0 && value <= HIGHEST_RATE))
    {
        std::ostringstream text;
        text << "a rate sample is " << value << " bytes/s, but must be from 0 to " << HIGHEST_RATE;
        throw UsageError(text.str());
    }
    m_impl->Add(value < LOWEST_RATE ? 0 : value, queue);
}

SteadyVerdict
SteadyStateDetector::Judge() const
{
    return m_impl->Judge();
}

void
SteadyStateDetector::Reset()
{
    m_impl->Reset();
}

std::size_t
SteadyStateDetector::MemoryBytes() const
{
    return sizeof(*this) + m_impl->MemoryBytes();
}

} // namespace wormhole

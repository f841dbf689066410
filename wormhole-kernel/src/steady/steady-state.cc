/*
 * SPDX-License-Identifier: MIT
 */
#include "wormhole/steady-state.h"

#include "steady/calm-watch.h"
#include "steady/cycle-log.h"
#include "steady/queue-window.h"
#include "steady/sliding-window.h"
#include "steady/steady-judgement.h"
#include "wormhole/error.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

namespace wormhole
{
namespace
{

/** Cycles that may make up one period; a power of two. */
constexpr std::uint32_t MAX_CYCLES = 16;

/** Stretches that Expect compares. */
constexpr std::uint32_t QUARTERS = 4;

/** Windows that periods must span together: short cycles may look regular by chance. */
constexpr std::uint32_t MIN_WINDOWS = 4;

/** By how much more the noise of quarters tells a window to differ than that of four stretches does
 * if these agree by chance. */
constexpr double BY_CHANCE = 3;

/** Cycles that stretches must be longer than if they are to ignore them. */
constexpr std::uint32_t CYCLES_IN_STRETCH = 4;

/** How many times longer what turned flat a moment ago is expected to stay so, at most. */
constexpr double FLAT_FORESIGHT = 4;

/** A window that fluctuates less than this part of theta is calm: what oscillated before may have
 * died away. */
constexpr double CALM_SHARE = 0.1;

/** Samples that are counted at most. */
constexpr std::uint32_t LONGEST_COUNT = 1U << 31;

/** Bytes/s; so that no square overflows, ... */
constexpr double HIGHEST_RATE = 1e30;

/** ... and none becomes 0. */
constexpr double LOWEST_RATE = 1e-30;

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
    SteadyVerdict Expect() const;
    bool DoQueuesMove() const;

    double Mean() const
    {
        return m_rates.Full() ? m_rates.Mean() : 0;
    }

    void Reset();

    std::size_t MemoryBytes() const
    {
        return sizeof(Impl) + m_rates.AllocatedBytes() + m_queues.AllocatedBytes() +
               m_fast.AllocatedBytes() + m_slow.AllocatedBytes() + m_windows.AllocatedBytes() +
               m_quarters.AllocatedBytes();
    }

  private:
    bool Fluctuates() const;
    std::uint32_t SamplesUntilOver(const CycleLog& cycles) const;
    SteadyVerdict JudgePeriods(const CycleLog& cycles) const;
    SteadyVerdict JudgeStretches() const;
    SteadyVerdict JudgeFlatStretches() const;
    SteadyVerdict JudgeFlat() const;

    SteadyStateOptions m_options;
    SlidingWindow m_rates;
    QueueWindow m_queues;
    std::uint32_t m_sinceFluctuating{LONGEST_COUNT}; //!< samples; that many if never
    CalmWatch m_calm;
    UpturnFinder m_fastUpturns;
    UpturnFinder m_slowUpturns;
    CycleLog m_fast;     //!< of the samples
    CycleLog m_slow;     //!< of the means of the window: what is too slow for a window to show
    CycleLog m_windows;  //!< one window after another, taken as cycles
    CycleLog m_quarters; //!< the same for quarters of windows
};

// The fast finder sees what is half as large as matters, so that all that matters is well marked.
SteadyStateDetector::Impl::Impl(const SteadyStateOptions& options)
    : m_options(Validated(options)),
      m_rates(options.window),
      m_queues(options.window),
      m_calm(options.maxPeriod),
      m_fastUpturns(options.theta / 2),
      m_slowUpturns(options.theta * 3 / 4),
      m_fast(options.periods * MAX_CYCLES, options.maxPeriod),
      m_slow(options.periods * MAX_CYCLES, options.maxPeriod),
      m_windows(options.periods * MAX_CYCLES, options.window),
      m_quarters(QUARTERS * MAX_CYCLES, options.window / QUARTERS)
{
}

void
SteadyStateDetector::Impl::Reset()
{
    m_rates.Clear();
    m_queues.Clear();
    m_sinceFluctuating = LONGEST_COUNT;
    m_calm.Clear();
    m_fastUpturns = UpturnFinder(m_options.theta / 2);
    m_slowUpturns = UpturnFinder(m_options.theta * 3 / 4);
    m_fast.Clear();
    m_slow.Clear();
    m_windows.Clear();
    m_quarters.Clear();
}

void
SteadyStateDetector::Impl::Add(double rate, Bytes queue)
{
    m_rates.Add(rate);
    m_queues.Add(queue);
    m_fast.Add(rate, queue, m_fastUpturns.Add(rate));
    const std::uint32_t sinceQuarter = m_quarters.SinceMark();
    m_quarters.Add(rate, queue, sinceQuarter == 0 || sinceQuarter == m_options.window / QUARTERS);
    if (!m_rates.Full())
    {
        return;
    }
    m_slow.Add(rate, queue, m_slowUpturns.Add(m_rates.Mean()));
    const double calm = CALM_SHARE * m_options.theta * m_rates.Mean();
    m_calm.Add(m_rates.Max() - m_rates.Min() < calm);
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
        return NotSteady(Steadiness::TooFewSamples);
    }
    if (!(m_rates.Max() > 0))
    {
        return NotSteady(Steadiness::Fluctuating);
    }
    // Oscillations of at most two windows are left to the fast finder: means of the window beat
    // with them.
    const bool over = m_calm.HasDiedAway();
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
    return JudgeFlat();
}

SteadyVerdict
SteadyStateDetector::Impl::Expect() const
{
    if (!m_rates.Full())
    {
        return NotSteady(Steadiness::TooFewSamples);
    }
    if (!(m_rates.Max() > 0))
    {
        return NotSteady(Steadiness::Fluctuating);
    }
    SteadyVerdict best = Fluctuates() ? NotSteady(Steadiness::Fluctuating)
                                      : ExpectWindow(m_rates, m_queues, m_options);
    if (best.IsSteady())
    {
        return best;
    }
    for (std::uint32_t size = 1; size <= MAX_CYCLES && size * QUARTERS <= m_quarters.Count();
         size *= 2)
    {
        const CycleAgreement agreement = m_quarters.Agreement(QUARTERS, size);
        SteadyVerdict verdict = ExpectStretches(agreement, m_options);
        // Stretches of an oscillation may agree by chance; shorter ones differ all the same.
        const double ofWindow = SIGNIFICANT * m_quarters.Residual(size * QUARTERS, agreement.mean) /
                                agreement.mean / std::sqrt(QUARTERS);
        verdict.ofWindow = ofWindow > BY_CHANCE * verdict.uncertainty ? ofWindow : 0;
        Improve(best, verdict);
    }
    return best;
}

bool
SteadyStateDetector::Impl::DoQueuesMove() const
{
    return m_rates.Full() && QueueHorizon(m_queues, m_options) < m_options.window;
}

/** \return what a window says that does not fluctuate */
SteadyVerdict
SteadyStateDetector::Impl::JudgeFlat() const
{
    SteadyVerdict verdict = JudgeWindow(m_rates, m_options);
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
    const double queueHorizon = QueueHorizon(m_queues, m_options);
    verdict.horizon = std::min(verdict.horizon, queueHorizon);
    if (m_sinceFluctuating < m_options.maxPeriod)
    {
        // Flat since a moment ago: it may be a step of something that goes on.
        const double flat = static_cast<double>(m_sinceFluctuating) + m_options.window;
        verdict.horizon = std::min(verdict.horizon, FLAT_FORESIGHT * flat);
    }
    return verdict.horizon >= 1
               ? verdict
               : NotSteady(queueHorizon < 1 ? Steadiness::QueuesMoving : Steadiness::Fluctuating);
}

/** \return the best that periods of any number of cycles can say */
SteadyVerdict
SteadyStateDetector::Impl::JudgePeriods(const CycleLog& cycles) const
{
    const std::uint32_t periods = m_options.periods;
    SteadyVerdict best = NotSteady(Steadiness::Fluctuating);
    for (std::uint32_t size = 1; size <= MAX_CYCLES && size * periods <= cycles.Count(); size *= 2)
    {
        const CycleAgreement agreement = cycles.Agreement(periods, size);
        const double length = static_cast<double>(agreement.samples) / periods;
        if (agreement.samples < MIN_WINDOWS * m_options.window ||
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
                                               exact ? 2 * length : std::max(length, shortest),
                                               m_options);
        verdict.period = exact ? length : 0;
        verdict.shortest = shortest;
        verdict.ofWindow = swing * std::min(length / size / 4 / m_options.window, 0.5);
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
    SteadyVerdict best = NotSteady(Steadiness::Fluctuating);
    for (std::uint32_t size = 1; size <= MAX_CYCLES && size * periods <= m_windows.Count();
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
        SteadyVerdict verdict =
            JudgeAgreement(agreement, m_windows.SinceMark(), shortest, m_options);
        verdict.shortest = shortest;
        verdict.ofWindow = SIGNIFICANT * deviation * std::sqrt(size);
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
    SteadyVerdict best = NotSteady(Steadiness::Fluctuating);
    for (std::uint32_t size = 1;
         size <= MAX_CYCLES && size * periods <= std::min(flat, m_windows.Count());
         size *= 2)
    {
        Improve(best,
                JudgeAgreement(m_windows.Agreement(periods, size),
                               m_windows.SinceMark(),
                               1,
                               m_options));
    }
    return best;
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

double
SteadyStateDetector::Mean() const
{
    return m_impl->Mean();
}

bool
SteadyStateDetector::DoQueuesMove() const
{
    return m_impl->DoQueuesMove();
}

SteadyVerdict
SteadyStateDetector::Expect() const
{
    return m_impl->Expect();
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

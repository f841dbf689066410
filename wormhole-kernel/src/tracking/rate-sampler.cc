/*
 * SPDX-License-Identifier: MIT
 */
#include "tracking/rate-sampler.h"

#include "steady/steady-judgement.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace wormhole
{
namespace
{

/** Rates this near to each other, relative to themselves, are taken for one. */
constexpr double SAME_RATE = 5e-4;

/** Allowed rates are judged as queues are: they must be at rest, but may fluctuate as long as what
 * arrives does not. So this is what their detector is told of rates, ... */
constexpr Rate CONSTANT = Rate::BytesPerSecond(1);

/** ... and this is what stands for the first of them. */
constexpr double UNIT = 1e6;

/** Part of the first rate within theta of which all is at rest: rates may fall far. */
constexpr double SLACK_SHARE = 1.0 / 16;

/** How many times more than what arrives a control must allow if it is not what limits it. */
constexpr double FREE = 1.15;

/** Standard errors of a drift that is no noise; more than of independent samples. */
constexpr double SURE = 6;

/** Part of theta by which a control has been cut that allows less than what arrives. */
constexpr double CUT = 0.5;

/** Samples of a window beside those that last for a period of a control's timer. */
constexpr std::uint32_t BESIDE_PERIOD = 2;

/** By which samples are longer if some held no packets. */
constexpr int LONGER = 4;

/** \return \p rate, where \p unit is UNIT */
Bytes
InUnits(Rate rate, Rate unit)
{
    const double share = rate.InBytesPerSecond() / std::max(unit.InBytesPerSecond(), 1.0);
    return static_cast<Bytes>(std::min(share, 1e6) * UNIT);
}

/** \return \p options, but for queues that must stay within theta */
SteadyStateOptions
ForAllowed(SteadyStateOptions options)
{
    options.queueTolerance = options.theta;
    options.queueSlack = static_cast<Bytes>(options.theta * UNIT * SLACK_SHARE);
    return options;
}

/** Gives rates that differ by noise alone their mean: flows that are alike stay in step then, and
 * meet contention that is known. */
void
Align(std::vector<Rate>& rates)
{
    std::vector<std::size_t> order(rates.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const Rate first = rates[a];
        const Rate second = rates[b];
        return first != second ? first < second : a < b;
    });
    for (std::size_t begin = 0; begin < order.size();)
    {
        const double lowest = rates[order[begin]].InBytesPerSecond();
        double sum = 0;
        std::size_t end = begin;
        while (end < order.size() &&
               rates[order[end]].InBytesPerSecond() <= lowest * (1 + SAME_RATE))
        {
            sum += rates[order[end++]].InBytesPerSecond();
        }
        for (std::size_t i = begin; i < end; ++i)
        {
            rates[order[i]] = Rate::BytesPerSecond(sum / static_cast<double>(end - begin));
        }
        begin = end;
    }
}

} // namespace

SteadyRates
OfCounterparts(const SteadyRates& rates, const std::vector<std::uint32_t>& flows)
{
    SteadyRates own = rates;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        own.rates[i] = rates.rates[flows[i]];
        if (!own.noise.empty())
        {
            own.noise[i] = rates.noise[flows[i]];
        }
        if (!own.drifts.empty())
        {
            own.drifts[i] = rates.drifts[flows[i]];
        }
    }
    return own;
}

Duration
RateSampler::IntervalOf(const Simulator& simulator, const PartitionMembers& members)
{
    Duration interval{1};
    for (const FlowId flow : members.ids.flows)
    {
        interval = std::max(interval, simulator.SampleInterval(flow));
    }
    return interval;
}

Duration
RateSampler::SlowestPeriodOf(const Simulator& simulator, const PartitionMembers& members)
{
    Duration slowest{0};
    for (const FlowId flow : members.ids.flows)
    {
        slowest = std::max(slowest, simulator.SlowestPeriod(flow));
    }
    return slowest;
}

void
RateSampler::Start(const Simulator& simulator,
                   const PartitionMembers& members,
                   const SteadyStateOptions& options,
                   bool expects)
{
    m_expects = expects;
    if (m_window != options.window)
    {
        m_series.clear();
    }
    m_window = options.window;
    m_theta = options.theta;
    m_interval = IntervalOf(simulator, members);
    const std::size_t flows = members.flows.size();
    while (m_series.size() > flows)
    {
        m_series.pop_back();
    }
    const SteadyStateOptions forAllowed = ForAllowed(options);
    while (m_series.size() < flows)
    {
        m_series.push_back(
            Series{SteadyStateDetector(options),
                   SlidingWindow(options.window),
                   SlidingWindow(options.window),
                   SlidingWindow(options.window),
                   SlidingWindow(options.window),
                   SteadyStateDetector(forAllowed),
                   SlidingWindow(options.window),
                   SlidingWindow(std::min(2 * options.window, SlidingWindow::LONGEST))});
    }
    Begin(simulator, members);
}

void
RateSampler::Begin(const Simulator& simulator, const PartitionMembers& members)
{
    m_count = m_meansTaken = 0;
    for (std::size_t i = 0; i < m_series.size(); ++i)
    {
        Series& series = m_series[i];
        const FlowProgress progress = simulator.Observe(members.ids.flows[i]);
        series.arriving.Reset(); // which is cheaper than another one
        series.allowed.Reset();
        series.control.Clear();
        series.controlLonger.Clear();
        series.bytes.Clear();
        series.spans.Clear();
        series.delay.Clear();
        series.place.Clear();
        series.unit = progress.rate;
        series.delivered = progress.delivered;
        series.lost = progress.lost;
        series.at = progress.deliveredAt;
        series.deliveredFirst = series.deliveredBegin = series.delivered;
        series.firstAt = series.at;
        series.emptyAt = 0;
    }
}

bool
RateSampler::Sample(const Simulator& simulator,
                    const PartitionMap& partitions,
                    const PartitionMembers& members,
                    bool restarts)
{
    ++m_count;
    for (std::size_t i = 0; i < m_series.size(); ++i)
    {
        Series& series = m_series[i];
        const FlowId flow = members.ids.flows[i];
        const FlowProgress progress = simulator.Observe(flow);
        if (restarts && (progress.recovers || progress.lost != series.lost))
        {
            Begin(simulator, members);
            return false;
        }
        Bytes queue = 0;
        double delay = 0;
        double place = 0;
        double hops = 0;
        for (const PortId port : partitions.PortsOf(flow))
        {
            const Bytes here = simulator.QueueOf(port);
            const double wait =
                static_cast<double>(here) / simulator.CapacityOf(port).InBytesPerSecond();
            queue += here;
            delay += wait;
            place += hops * wait;
            ++hops;
        }
        const Bytes bytes = progress.delivered - series.delivered;
        series.emptyAt = bytes == 0 ? m_count : series.emptyAt;
        const bool exact = series.at && progress.deliveredAt && *progress.deliveredAt > *series.at;
        const Duration span = exact ? *progress.deliveredAt - *series.at : m_interval;
        series.latest = RateOf(bytes, span);
        series.bytes.Add(static_cast<double>(bytes));
        series.spans.Add(std::chrono::duration<double>(span).count());
        series.arriving.Add(series.latest, queue);
        if (m_expects)
        {
            series.control.Add(progress.rate.InBytesPerSecond());
            series.controlLonger.Add(progress.rate.InBytesPerSecond());
            series.allows = progress.rate;
        }
        series.delay.Add(delay);
        series.place.Add(place);
        series.allowed.Add(CONSTANT, InUnits(progress.rate, series.unit));
        series.delivered = progress.delivered;
        series.at = progress.deliveredAt;
    }
    return true;
}

bool
RateSampler::Spans(Duration period, const Simulator& simulator, const PartitionMembers& members)
{
    // Of a window that is just a period long, each sample may lie between the same two ticks of a
    // timer. With two samples more there is a tick in it with a whole sample before or after.
    const std::uint32_t samples = m_window > BESIDE_PERIOD ? m_window - BESIDE_PERIOD : 1;
    const Duration enough = (period + Duration{samples - 1}) / samples; // a window may have no end
    if (enough <= m_interval)
    {
        return true;
    }
    m_interval = enough;
    Begin(simulator, members);
    return false;
}

bool
RateSampler::HoldsPackets(const Simulator& simulator, const PartitionMembers& members)
{
    const auto isEmpty = [this](const Series& series) {
        return series.emptyAt > 0 && m_count - series.emptyAt < m_window;
    };
    if (std::none_of(m_series.begin(), m_series.end(), isEmpty))
    {
        return true;
    }
    m_interval *= LONGER;
    Begin(simulator, members);
    return false;
}

std::vector<Rate>
RateSampler::TakeMeans()
{
    const std::uint32_t samples = m_count - std::exchange(m_meansTaken, m_count);
    std::vector<Rate> means;
    means.reserve(m_series.size());
    for (Series& series : m_series)
    {
        const Bytes bytes = series.delivered - series.deliveredFirst;
        const bool exact = series.firstAt && series.at && *series.at > *series.firstAt;
        means.push_back(RateOf(bytes, exact ? *series.at - *series.firstAt : m_interval * samples));
        series.deliveredFirst = series.delivered;
        series.firstAt = series.at;
    }
    return means;
}

bool
RateSampler::QueuesShift(const Series& series) const
{
    if (!series.place.Full() || series.delay.Max() == 0)
    {
        return false;
    }
    // The mean place times the delay moves with the delay, too: that is what QueuesMove is for.
    const TrendFit fit = series.place.Fit();
    const double hops = series.place.Mean() / series.delay.Mean();
    const double slope = std::abs(fit.slope - hops * series.delay.Fit().slope);
    return slope > SIGNIFICANT * fit.slopeError &&
           slope * m_window > m_theta * std::chrono::duration<double>(m_interval).count();
}

SteadyVerdict
RateSampler::JudgeFlow(const Series& series) const
{
    SteadyVerdict verdict = series.arriving.Judge();
    if (!verdict.IsSteady())
    {
        return verdict;
    }
    if (QueuesShift(series))
    {
        return NotSteady(Steadiness::QueuesMoving);
    }
    const SteadyVerdict allowed = series.allowed.Judge();
    if (!allowed.IsSteady())
    {
        return allowed;
    }
    verdict.horizon = std::min(verdict.horizon, allowed.horizon);
    verdict.shortest = std::max(verdict.shortest, allowed.shortest);
    return verdict;
}

bool
RateSampler::QueuesMove(const Series& series) const
{
    const Duration looked = m_interval * std::min(m_count, m_window);
    return series.delay.Max() - series.delay.Min() >
           m_theta * std::chrono::duration<double>(looked).count();
}

SteadyVerdict
RateSampler::ExpectFlow(const Series& series) const
{
    SteadyVerdict verdict = series.arriving.Expect();
    if (!verdict.IsSteady())
    {
        return verdict;
    }
    if (QueuesMove(series) || QueuesShift(series))
    {
        verdict.steadiness = Steadiness::QueuesMoving;
        return verdict;
    }
    // What its control allows no more comes from queues until these are empty.
    const double allows = series.allows.InBytesPerSecond();
    if (series.allows < verdict.rate && allows < series.control.Mean() * (1 - CUT * m_theta))
    {
        verdict.steadiness = Steadiness::QueuesMoving;
        return verdict;
    }
    // Where something else than its control limits a flow, this must not come to do so. Where it
    // does, what arrives shows how it moves.
    const TrendFit fit = series.control.Fit();
    const double arriving = verdict.rate.InBytesPerSecond();
    const double last = series.control.Mean() + fit.slope * m_window / 2;
    if (fit.slope < -SIGNIFICANT * fit.slopeError && series.control.Max() > arriving * FREE)
    {
        const double horizon = std::max(last - arriving, 0.0) / -fit.slope;
        verdict.horizon = std::min(verdict.horizon, horizon);
        verdict.steadiness = horizon < m_window ? Steadiness::Drifting : verdict.steadiness;
    }
    return verdict;
}

Rate
RateSampler::OfBytes(const Series& series, Rate rate)
{
    const double mean = series.arriving.Mean();
    if (!series.spans.Full() || series.spans.Min() == series.spans.Max() || mean == 0)
    {
        return rate;
    }
    const double ofBytes = series.bytes.Mean() / series.spans.Mean();
    return Rate::BytesPerSecond(rate.InBytesPerSecond() * (ofBytes / mean));
}

double
RateSampler::DriftOf(const Series& series) const
{
    if (!series.control.Full())
    {
        return 0;
    }
    const TrendFit latest = series.control.Fit();
    const TrendFit longer = series.controlLonger.Full() ? series.controlLonger.Fit() : latest;
    const auto isSure = [](const TrendFit& fit) {
        return std::abs(fit.slope) > SURE * fit.slopeError;
    };
    const double arriving =
        RateOf(series.delivered - series.deliveredBegin, m_interval * m_count).InBytesPerSecond();
    const double last = series.control.Mean() + latest.slope * m_window / 2;
    if (!isSure(latest) || !isSure(longer) || latest.slope * longer.slope <= 0 ||
        last <= arriving * FREE)
    {
        return 0;
    }
    const double slope =
        std::abs(latest.slope) < std::abs(longer.slope) ? latest.slope : longer.slope;
    return slope / last / std::chrono::duration<double>(m_interval).count();
}

void
RateSampler::FindDrifts(SteadyRates& steady) const
{
    std::vector<double> drifts;
    for (std::size_t i = 0; i < m_series.size(); ++i)
    {
        const double drift = DriftOf(m_series[i]);
        drifts.push_back(drift);
        if (drift < 0)
        {
            const double allows =
                m_series[i].allows.InBytesPerSecond() / steady.rates[i].InBytesPerSecond();
            steady.free =
                std::min(steady.free,
                         Scale(std::chrono::seconds{1}, std::log(std::max(allows, 1.0)) / -drift));
        }
    }
    if (std::any_of(drifts.begin(), drifts.end(), [](double drift) { return drift != 0; }))
    {
        steady.drifts = std::move(drifts);
    }
}

template <typename Verdict>
std::optional<SteadyRates>
RateSampler::Collect(const Verdict& verdictOf) const
{
    SteadyRates steady;
    steady.rates.reserve(m_series.size());
    double shortest = 0;
    double horizon = std::numeric_limits<double>::infinity();
    std::uint32_t samples = std::numeric_limits<std::uint32_t>::max();
    for (const Series& series : m_series)
    {
        const SteadyVerdict verdict = verdictOf(series);
        if (!verdict.IsSteady())
        {
            return std::nullopt;
        }
        steady.rates.push_back(OfBytes(series, verdict.rate));
        steady.noise.push_back(std::max(verdict.uncertainty, verdict.ofWindow));
        horizon = std::min(horizon, verdict.horizon);
        shortest = std::max(shortest, verdict.shortest);
        samples = std::min(samples, verdict.samples);
    }
    steady.windows = std::max(samples / m_window, 1U);
    Align(steady.rates);
    steady.horizon = Scale(m_interval, horizon);
    steady.shortest = Scale(m_interval, shortest);
    return steady;
}

std::optional<SteadyRates>
RateSampler::Judge() const
{
    auto steady = Collect([this](const Series& series) { return JudgeFlow(series); });
    if (steady && !m_expects)
    {
        steady->noise.clear();
    }
    return steady;
}

std::optional<SteadyRates>
RateSampler::Expect() const
{
    auto steady = Collect([this](const Series& series) { return ExpectFlow(series); });
    if (steady)
    {
        steady->strict = false;
        FindDrifts(*steady);
    }
    return steady;
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: MIT
 */
#include "rate-sampler.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace wormhole
{
namespace
{

/** Rates this near to each other, relative to themselves, are taken for one. */
constexpr double SAME_RATE = 5e-4;

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

void
RateSampler::Start(const Simulator& simulator,
                   const PartitionMembers& members,
                   const SteadyStateOptions& options)
{
    m_interval = IntervalOf(simulator, members);
    m_count = 0;
    const std::size_t flows = members.flows.size();
    while (m_series.size() > flows)
    {
        m_series.pop_back();
    }
    for (Series& series : m_series)
    {
        series.detector.Reset(); // which is cheaper than another one
    }
    while (m_series.size() < flows)
    {
        m_series.push_back({SteadyStateDetector(options), {}, 0, std::nullopt});
    }
    for (std::size_t i = 0; i < flows; ++i)
    {
        const FlowProgress progress = simulator.Observe(members.ids.flows[i]);
        m_series[i].delivered = progress.delivered;
        m_series[i].at = progress.deliveredAt;
    }
}

void
RateSampler::Sample(const Simulator& simulator,
                    const PartitionMap& partitions,
                    const PartitionMembers& members)
{
    ++m_count;
    for (std::size_t i = 0; i < m_series.size(); ++i)
    {
        Series& series = m_series[i];
        const FlowId flow = members.ids.flows[i];
        const FlowProgress progress = simulator.Observe(flow);
        Bytes queue = 0;
        for (const PortId port : partitions.PortsOf(flow))
        {
            queue += simulator.QueueOf(port);
        }
        const Bytes bytes = progress.delivered - series.delivered;
        const bool exact = series.at && progress.deliveredAt && *progress.deliveredAt > *series.at;
        series.latest = RateOf(bytes, exact ? *progress.deliveredAt - *series.at : m_interval);
        series.detector.Add(series.latest, queue);
        series.delivered = progress.delivered;
        series.at = progress.deliveredAt;
    }
}

std::optional<SteadyRates>
RateSampler::Judge() const
{
    SteadyRates steady;
    steady.rates.reserve(m_series.size());
    double shortest = 0;
    double horizon = std::numeric_limits<double>::infinity();
    for (const Series& series : m_series)
    {
        const SteadyVerdict verdict = series.detector.Judge();
        if (!verdict.IsSteady())
        {
            return std::nullopt;
        }
        steady.rates.push_back(verdict.rate);
        horizon = std::min(horizon, verdict.horizon);
        shortest = std::max(shortest, verdict.shortest);
    }
    Align(steady.rates);
    steady.horizon = Scale(m_interval, horizon);
    steady.shortest = Scale(m_interval, shortest);
    return steady;
}

} // namespace wormhole

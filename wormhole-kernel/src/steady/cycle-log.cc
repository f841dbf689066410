/*
 * SPDX-License-Identifier: MIT
 */
#include "steady/cycle-log.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wormhole
{
namespace
{

/** Part of their range by which means that rise, or fall, may turn in between. */
constexpr double TURN = 0.1;

} // namespace

void
CycleLog::Clear()
{
    m_count = 0;
    m_next = 0;
    m_longest = 0;
    m_marked = false;
    m_current = {};
}

void
CycleLog::Add(double rate, Bytes queue, bool mark)
{
    if (mark)
    {
        if (m_marked)
        {
            m_cycles.resize(m_capacity);
            m_cycles[m_next] = m_current;
            m_next = m_next + 1 == m_capacity ? 0 : m_next + 1;
            m_count = std::min(m_count + 1, m_capacity);
            // Fades, so that one long cycle does not count for ever.
            m_longest = std::max(m_current.length, m_longest - m_longest / 16);
        }
        m_marked = true;
        m_current = {};
    }
    if (!m_marked)
    {
        return;
    }
    const auto single = static_cast<float>(rate);
    m_current.least = m_current.length == 0 ? single : std::min(m_current.least, single);
    m_current.most = std::max(m_current.most, single);
    m_current.sum += rate;
    m_current.queueSum += static_cast<float>(queue);
    if (++m_current.length > m_longestAllowed)
    {
        Clear();
    }
}

CycleAgreement
CycleLog::Agreement(std::uint32_t groups, std::uint32_t size) const
{
    CycleAgreement result;
    result.shortest = std::numeric_limits<std::uint32_t>::max();
    double sum = 0;
    double sumOfMeans = 0;
    double sumOfSquares = 0;
    double least = 0;
    double most = 0;
    double reference = 0;
    Monotony queues;
    double last = 0;
    double rise = 0; // the largest from a group to the next
    double fall = 0;
    std::uint32_t position = (m_next + m_capacity - groups * size) % m_capacity;
    for (std::uint32_t group = 0; group < groups; ++group)
    {
        Cycle total;
        for (std::uint32_t i = 0; i < size; ++i)
        {
            const Cycle& cycle = m_cycles[position];
            total.sum += cycle.sum;
            total.queueSum += cycle.queueSum;
            total.length += cycle.length;
            result.amplitude = std::max<double>(result.amplitude, cycle.most - cycle.least);
            position = position + 1 == m_capacity ? 0 : position + 1;
        }
        const double mean = total.sum / total.length;
        const double queue = static_cast<double>(total.queueSum) / total.length;
        if (group == 0)
        {
            reference = least = most = last = mean;
            result.firstQueue = queue;
        }
        queues.Add(queue);
        rise = std::max(rise, mean - last);
        fall = std::max(fall, last - mean);
        last = mean;
        result.lastQueue = queue;
        sum += total.sum;
        sumOfMeans += mean - reference;
        sumOfSquares += (mean - reference) * (mean - reference);
        least = std::min(least, mean);
        most = std::max(most, mean);
        result.samples += total.length;
        result.shortest = std::min(result.shortest, total.length);
        result.longest = std::max(result.longest, total.length);
    }
    result.queueMonotonic = queues.Holds();
    result.mean = sum / result.samples;
    result.range = most - least;
    result.monotonic = std::min(rise, fall) < TURN * result.range;
    const double squares = sumOfSquares - sumOfMeans * sumOfMeans / groups;
    result.deviation = std::sqrt(std::max(squares, 0.0) / (groups - 1));
    return result;
}

double
CycleLog::RangeOfHalves(std::uint32_t groups, std::uint32_t size, std::uint32_t half) const
{
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    for (std::uint32_t group = 0; group < groups; ++group)
    {
        double sum = 0;
        std::uint32_t length = 0;
        for (std::uint32_t i = half * size / 2; i < (half + 1) * size / 2; ++i)
        {
            const std::uint32_t age = (groups - group) * size - i;
            const Cycle& cycle = m_cycles[(m_next + m_capacity - age) % m_capacity];
            sum += cycle.sum;
            length += cycle.length;
        }
        least = std::min(least, sum / length);
        most = std::max(most, sum / length);
    }
    return most - least;
}

double
CycleLog::Residual(std::uint32_t count, double mean) const
{
    double squares = 0;
    std::uint32_t position = (m_next + m_capacity - count) % m_capacity;
    for (std::uint32_t i = 0; i < count; ++i)
    {
        const double residual = m_cycles[position].sum / m_cycles[position].length - mean;
        squares += residual * residual;
        position = position + 1 == m_capacity ? 0 : position + 1;
    }
    return std::sqrt(squares / (count - 1));
}

} // namespace wormhole

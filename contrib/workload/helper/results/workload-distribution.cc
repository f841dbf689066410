/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-distribution.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr unsigned BITS = 8; // of a value after its highest one, which tell classes apart
constexpr uint64_t CLASSES_PER_OCTAVE = 1 << BITS;
constexpr size_t CLASSES = (64 - BITS + 1) << BITS;

} // namespace

size_t
WorkloadDistribution::ClassOf(uint64_t value)
{
    unsigned shift = 0;
    while (value >> shift >= 2 * CLASSES_PER_OCTAVE)
    {
        ++shift;
    }
    return shift * CLASSES_PER_OCTAVE + (value >> shift);
}

uint64_t
WorkloadDistribution::UpperBound(size_t number)
{
    if (number < 2 * CLASSES_PER_OCTAVE)
    {
        return number;
    }
    const size_t shift = number / CLASSES_PER_OCTAVE - 1;
    return ((number - shift * CLASSES_PER_OCTAVE + 1) << shift) - 1;
}

void
WorkloadDistribution::Add(int64_t value)
{
    ++m_count;
    m_sum += static_cast<double>(value);
    m_max = std::max(m_max, value);
    if (m_classes.empty() && m_values.size() < m_limit)
    {
        m_values.push_back(value);
        return;
    }
    if (m_classes.empty())
    {
        m_classes.resize(CLASSES);
        for (int64_t kept : m_values)
        {
            ++m_classes[ClassOf(static_cast<uint64_t>(kept))];
        }
        m_values = {};
    }
    ++m_classes[ClassOf(static_cast<uint64_t>(value))];
}

int64_t
WorkloadDistribution::GetQuantile(double share) const
{
    if (m_count == 0)
    {
        return 0;
    }
    const auto place = static_cast<uint64_t>(std::ceil(share * static_cast<double>(m_count)));
    uint64_t left = std::clamp<uint64_t>(place, 1, m_count);
    if (IsExact())
    {
        std::vector<int64_t> values = m_values;
        const auto nth = values.begin() + static_cast<std::ptrdiff_t>(left - 1);
        std::nth_element(values.begin(), nth, values.end());
        return *nth;
    }
    size_t number = 0;
    while (m_classes[number] < left)
    {
        left -= m_classes[number++];
    }
    return std::min(static_cast<int64_t>(UpperBound(number)), m_max);
}

} // namespace ns3

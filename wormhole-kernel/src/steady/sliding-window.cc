/*
 * SPDX-License-Identifier: MIT
 */
#include "steady/sliding-window.h"

#include <algorithm>
#include <cmath>

namespace wormhole
{
namespace
{

/** A maximum that falls by this factor may have left sums behind that are too coarse for what
 * remains. */
constexpr double COLLAPSE = 1024;

} // namespace

SlidingWindow::SlidingWindow(std::uint32_t size)
    : m_size(size),
      m_samples(size),
      m_minima(size),
      m_maxima(size)
{
}

void
SlidingWindow::Clear()
{
    m_count = 0;
    m_next = 0;
    m_sinceSummed = 0;
    m_minima.Clear();
    m_maxima.Clear();
}

void
SlidingWindow::Add(double value)
{
    const auto position = static_cast<std::uint16_t>(m_next);
    const bool full = Full();
    const double maximumBefore = full ? Max() : 0;
    if (full)
    {
        Drop(m_samples[position]);
        if (m_minima.Front() == position)
        {
            m_minima.PopFront();
        }
        if (m_maxima.Front() == position)
        {
            m_maxima.PopFront();
        }
    }
    while (!m_minima.Empty() && m_samples[m_minima.Back()] >= value)
    {
        m_minima.PopBack();
    }
    while (!m_maxima.Empty() && m_samples[m_maxima.Back()] <= value)
    {
        m_maxima.PopBack();
    }
    m_samples[position] = value;
    m_minima.PushBack(position);
    m_maxima.PushBack(position);
    m_next = m_next + 1 == m_size ? 0 : m_next + 1;
    m_count += full ? 0 : 1;
    ++m_sinceSummed;
    if (m_sinceSummed >= m_size || (full && maximumBefore > COLLAPSE * Max()))
    {
        if (Full())
        {
            SumAnew();
        }
        return;
    }
    const double half = (m_size - 1) / 2.0;
    const double d = value - m_reference;
    m_sum += d;
    m_sumX += d * half;
    m_sumXX += d * half * half;
    m_sumSquare += d * d;
}

/** Takes \p oldest out of the sums, and moves the others one place towards the past. */
void
SlidingWindow::Drop(double oldest)
{
    const double half = (m_size - 1) / 2.0;
    const double d = oldest - m_reference;
    m_sum -= d;
    m_sumX += d * half;
    m_sumXX -= d * half * half;
    m_sumSquare -= d * d;
    m_sumXX += m_sum - 2 * m_sumX;
    m_sumX -= m_sum;
}

void
SlidingWindow::SumAnew()
{
    m_sinceSummed = 0;
    m_reference = m_samples[m_next];
    m_sum = m_sumX = m_sumXX = m_sumSquare = 0;
    double x = -((m_size - 1) / 2.0);
    for (std::uint32_t i = 0; i < m_size; ++i, ++x)
    {
        const std::uint32_t position = m_next + i;
        const double d = m_samples[position < m_size ? position : position - m_size] - m_reference;
        m_sum += d;
        m_sumX += d * x;
        m_sumXX += d * x * x;
        m_sumSquare += d * d;
    }
}

double
SlidingWindow::Mean() const
{
    return m_reference + m_sum / m_size;
}

TrendFit
SlidingWindow::Fit() const
{
    // 1, x and x^2 - mean(x^2) are orthogonal on a symmetric grid, so each is fitted by itself.
    const double n = m_size;
    const double meanXX = (n * n - 1) / 12;
    const double normX = n * meanXX;
    const double normXX = normX * (n * n - 4) / 15;
    TrendFit fit;
    fit.slope = m_sumX / normX;
    fit.curvature = (m_sumXX - meanXX * m_sum) / normXX;
    const double rest = m_sumSquare - m_sum * m_sum / n - fit.slope * fit.slope * normX -
                        fit.curvature * fit.curvature * normXX;
    fit.noise = std::sqrt(std::max(rest, 0.0) / (n - 3));
    fit.slopeError = fit.noise / std::sqrt(normX);
    fit.curvatureError = fit.noise / std::sqrt(normXX);
    return fit;
}

std::size_t
SlidingWindow::AllocatedBytes() const
{
    return m_samples.capacity() * sizeof(double) + m_minima.AllocatedBytes() +
           m_maxima.AllocatedBytes();
}

} // namespace wormhole

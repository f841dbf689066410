/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_QUEUE_WINDOW_H
#define WORMHOLE_QUEUE_WINDOW_H

#include "wormhole/units.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace wormhole
{

/**
 * \brief The last samples of a queue's length, and their means by quarters.
 *
 * All O(1), exact in whole bytes; lengths above 2^47 count as that.
 */
class QueueWindow
{
  public:
    /** \param size samples that it holds; 4 to 65,535 */
    explicit QueueWindow(std::uint32_t size)
        : m_samples(size)
    {
    }

    void Add(Bytes length)
    {
        length = std::min(length, Bytes{1} << 47);
        // Slots not written yet are 0: sums of a window that is not full are not asked for.
        const auto size = static_cast<std::uint32_t>(m_samples.size());
        for (std::uint32_t quarter = 0; quarter < 4; ++quarter)
        {
            m_sums[quarter] -= At(Begin(quarter));
            m_sums[quarter] += quarter == 3 ? length : At(Begin(quarter + 1));
        }
        m_samples[m_oldest] = length;
        m_oldest = m_oldest + 1 == size ? 0 : m_oldest + 1;
    }

    void Clear()
    {
        std::fill(m_samples.begin(), m_samples.end(), 0);
        m_sums = {};
        m_oldest = 0;
    }

    /** \return mean of quarter \p quarter, 0 the oldest, of the window, which must be full */
    double MeanOf(std::uint32_t quarter) const
    {
        return static_cast<double>(m_sums[quarter]) / (Begin(quarter + 1) - Begin(quarter));
    }

    /** \return mean of half \p half, 0 the older one */
    double MeanOfHalf(std::uint32_t half) const
    {
        const std::uint32_t first = 2 * half;
        return static_cast<double>(m_sums[first] + m_sums[first + 1]) /
               (Begin(first + 2) - Begin(first));
    }

    std::size_t AllocatedBytes() const
    {
        return m_samples.capacity() * sizeof(Bytes);
    }

  private:
    /** \return how many samples are older than \p quarter */
    std::uint32_t Begin(std::uint32_t quarter) const
    {
        return static_cast<std::uint32_t>(quarter * m_samples.size() / 4);
    }

    Bytes At(std::uint32_t age) const
    {
        const auto size = static_cast<std::uint32_t>(m_samples.size());
        const std::uint32_t position = m_oldest + age;
        return m_samples[position < size ? position : position - size];
    }

    std::vector<Bytes> m_samples; //!< a ring
    std::array<Bytes, 4> m_sums{};
    std::uint32_t m_oldest{0};
};

} // namespace wormhole

#endif // WORMHOLE_QUEUE_WINDOW_H

/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_SLIDING_WINDOW_H
#define WORMHOLE_SLIDING_WINDOW_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wormhole
{

/** A parabola fitted to the samples of a window by least squares; x = 0 is the window's centre. */
struct TrendFit
{
    double slope{0};          //!< per sample
    double slopeError{0};     //!< its standard error
    double curvature{0};      //!< coefficient of x squared
    double curvatureError{0}; //!< its standard error
    double noise{0};          //!< standard deviation of the samples about the parabola
};

/**
 * \brief The last samples of a series, with their extremes, their mean and their trend.
 *
 * Add is O(1) amortised, the rest O(1). Nothing is allocated after construction. The sums that the
 * mean and the trend come from are of differences from one of the samples, and are computed anew
 * once per window, so that they do not drift and are exact for a constant series.
 */
class SlidingWindow
{
  public:
    static constexpr std::uint32_t LONGEST = 65535; //!< samples that one can hold

    /** \param size samples that it holds; 4 to LONGEST */
    explicit SlidingWindow(std::uint32_t size);

    /** \param value finite */
    void Add(double value);
    void Clear();

    std::uint32_t Size() const
    {
        return m_size;
    }

    bool Full() const
    {
        return m_count == m_size;
    }

    /** \return the least of the samples held; there is one */
    double Min() const
    {
        return m_samples[m_minima.Front()];
    }

    /** \return the largest of the samples held; there is one */
    double Max() const
    {
        return m_samples[m_maxima.Front()];
    }

    /** \name Of the samples held; the window must be full
     * @{ */
    double Mean() const;
    TrendFit Fit() const;

    /** @} */

    /** \return bytes allocated */
    std::size_t AllocatedBytes() const;

  private:
    /** Positions of samples whose values are monotonic from front to back. */
    class Candidates
    {
      public:
        explicit Candidates(std::uint32_t size)
            : m_positions(size)
        {
        }

        bool Empty() const
        {
            return m_count == 0;
        }

        std::uint16_t Front() const
        {
            return m_positions[m_begin];
        }

        std::uint16_t Back() const
        {
            return m_positions[Slot(m_count - 1)];
        }

        void PushBack(std::uint16_t position)
        {
            m_positions[Slot(m_count++)] = position;
        }

        void PopBack()
        {
            --m_count;
        }

        void PopFront()
        {
            m_begin = Slot(1);
            --m_count;
        }

        void Clear()
        {
            m_begin = 0;
            m_count = 0;
        }

        std::size_t AllocatedBytes() const
        {
            return m_positions.capacity() * sizeof(std::uint16_t);
        }

      private:
        std::uint32_t Slot(std::uint32_t offset) const
        {
            const std::uint32_t slot = m_begin + offset;
            const auto size = static_cast<std::uint32_t>(m_positions.size());
            return slot < size ? slot : slot - size;
        }

        std::vector<std::uint16_t> m_positions; //!< a ring
        std::uint32_t m_begin{0};
        std::uint32_t m_count{0};
    };

    void Drop(double oldest);
    void SumAnew();

    std::uint32_t m_size;
    std::uint32_t m_count{0};
    std::uint32_t m_next{0};        //!< position of the next sample; once full, of the oldest
    std::uint32_t m_sinceSummed{0}; //!< samples
    std::vector<double> m_samples;  //!< a ring
    Candidates m_minima;
    Candidates m_maxima;
    // Sums over d = sample - m_reference, x = -(size - 1) / 2 ... (size - 1) / 2
    double m_reference{0};
    double m_sum{0};       //!< of d
    double m_sumX{0};      //!< of d x
    double m_sumXX{0};     //!< of d x x
    double m_sumSquare{0}; //!< of d d
};

} // namespace wormhole

#endif // WORMHOLE_SLIDING_WINDOW_H

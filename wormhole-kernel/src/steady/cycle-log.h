/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_CYCLE_LOG_H
#define WORMHOLE_CYCLE_LOG_H

#include "wormhole/units.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wormhole
{

/** Finds where a series turns upwards. Turns smaller than a fraction of its level are overlooked.
 */
class UpturnFinder
{
  public:
    /** \param hysteresis the fraction, in (0, 1) */
    explicit UpturnFinder(double hysteresis)
        : m_hysteresis(hysteresis)
    {
    }

    /** \param value not negative
     *  \return whether the series was found to fall before, and is found to rise with \p value */
    bool Add(double value)
    {
        if (m_rising)
        {
            if (value < m_extreme - m_hysteresis * m_extreme)
            {
                m_rising = false;
            }
            else if (value < m_extreme)
            {
                return false;
            }
        }
        else if (m_extreme < value - m_hysteresis * value)
        {
            m_rising = true;
            m_extreme = value;
            return true;
        }
        else if (value > m_extreme)
        {
            return false;
        }
        m_extreme = value;
        return false;
    }

  private:
    double m_hysteresis;
    double m_extreme{0}; //!< since the last turn
    bool m_rising{true};
};

/** Whether values rise, or fall, from each to the next. */
class Monotony
{
  public:
    void Add(double value)
    {
        m_rises = m_rises && (m_first || value > m_last);
        m_falls = m_falls && (m_first || value < m_last);
        m_first = false;
        m_last = value;
    }

    bool Holds() const
    {
        return m_rises || m_falls;
    }

  private:
    bool m_first{true};
    bool m_rises{true};
    bool m_falls{true};
    double m_last{0};
};

/** How well groups of consecutive cycles agree. */
struct CycleAgreement
{
    double mean{0};      //!< rate over all of them
    double deviation{0}; //!< standard deviation of the groups' means
    double range{0};     //!< largest mean of a group less the smallest
    double amplitude{0}; //!< largest less smallest sample, in the cycle where that is most
    std::uint32_t samples{0};
    std::uint32_t shortest{0}; //!< group; samples
    std::uint32_t longest{0};  //!< group; samples
    double firstQueue{0};      //!< mean queue of the oldest group; bytes
    double lastQueue{0};       //!< and of the newest
    bool queueMonotonic{true}; //!< from group to group
    bool monotonic{true};      //!< of the means, but for turns of a tenth of their range
};

/**
 * \brief The latest cycles of a series: what it did between one mark and the next.
 *
 * Memory is allocated with the first mark. Each member is O(1), Agreement O(cycles looked at).
 */
class CycleLog
{
  public:
    /** \param capacity cycles remembered
     *  \param longest a cycle of more samples is none, and nothing before it counts any more */
    CycleLog(std::uint32_t capacity, std::uint32_t longest)
        : m_capacity(capacity),
          m_longestAllowed(longest)
    {
    }

    /** The next sample; \p mark if a new cycle begins with it. */
    void Add(double rate, Bytes queue, bool mark);
    void Clear();

    /** \return complete cycles remembered */
    std::uint32_t Count() const
    {
        return m_count;
    }

    /** \return samples since the last mark */
    std::uint32_t SinceMark() const
    {
        return m_current.length;
    }

    /** \return samples of the longest cycle remembered; it may be one that was overwritten */
    std::uint32_t Longest() const
    {
        return m_longest;
    }

    /** \return how the latest \p groups groups of \p size cycles each agree; so many must be
     * remembered */
    CycleAgreement Agreement(std::uint32_t groups, std::uint32_t size) const;

    /** \return range of the means of the first halves (\p half 0) or second ones (1) of the same
     *  groups, whose \p size is even */
    double RangeOfHalves(std::uint32_t groups, std::uint32_t size, std::uint32_t half) const;

    /** \return standard deviation of the latest \p count cycles' means about \p mean */
    double Residual(std::uint32_t count, double mean) const;

    std::size_t AllocatedBytes() const
    {
        return m_cycles.capacity() * sizeof(Cycle);
    }

  private:
    struct Cycle
    {
        double sum{0};     //!< of the rates
        float queueSum{0}; //!< of the queues
        float least{0};    //!< rate
        float most{0};     //!< rate
        std::uint32_t length{0};
    };

    std::uint32_t m_capacity;
    std::uint32_t m_longestAllowed;
    std::uint32_t m_count{0};
    std::uint32_t m_next{0};
    std::uint32_t m_longest{0};
    bool m_marked{false}; //!< m_current began with a mark
    Cycle m_current;
    std::vector<Cycle> m_cycles; //!< a ring
};

} // namespace wormhole

#endif // WORMHOLE_CYCLE_LOG_H

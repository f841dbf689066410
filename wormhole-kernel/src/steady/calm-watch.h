/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_CALM_WATCH_H
#define WORMHOLE_CALM_WATCH_H

#include <algorithm>
#include <cstdint>

namespace wormhole
{

/** Whether an oscillation has died away: calm windows, one after another, tell it from a square
 * wave, which is calm between its edges, too. */
class CalmWatch
{
  public:
    /** \param memory windows, up to 2^31 - 1; what is over for longer is forgotten */
    explicit CalmWatch(std::uint32_t memory)
        : m_memory(memory)
    {
    }

    /** The next window; \p calm if it is no part of an oscillation that matters, but for one that
     * pauses. */
    void Add(bool calm)
    {
        if (calm)
        {
            m_longestPause = ++m_calm > m_memory ? 0 : m_longestPause;
            m_calm = std::min(m_calm, LONGEST_COUNT);
            return;
        }
        m_longestPause = std::max(m_longestPause, std::min(m_calm, m_memory));
        m_calm = 0;
    }

    void Clear()
    {
        m_calm = 0;
        m_longestPause = 0;
    }

    /** \return whether it is calm, and for longer than in any pause so far */
    bool HasDiedAway() const
    {
        return m_calm > CALM_AGAIN * m_longestPause;
    }

  private:
    /** How many times longer it is calm than it ever was, if what oscillated has died away. */
    static constexpr double CALM_AGAIN = 1.5;

    /** Windows that are counted at most. */
    static constexpr std::uint32_t LONGEST_COUNT = 1U << 31;

    std::uint32_t m_memory;
    std::uint32_t m_calm{0};         //!< calm windows up to now, without a break
    std::uint32_t m_longestPause{0}; //!< most of them that others came after
};

} // namespace wormhole

#endif // WORMHOLE_CALM_WATCH_H

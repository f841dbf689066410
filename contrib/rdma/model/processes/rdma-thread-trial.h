/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_THREAD_TRIAL_H
#define RDMA_THREAD_TRIAL_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Finds out by the clock whether several threads are faster than one.
 *
 * They are not where other programs have the processors too, or where the threads' caches are far
 * from each other. Both ways are tried, and the slower one again from time to time.
 */
class RdmaThreadTrial
{
  public:
    /** What a way must run to be judged by its time. */
    struct Enough
    {
        uint64_t windows; ///< at least
        uint64_t events;  ///< at least
        double seconds;   ///< wall clock: as good as the two others
    };

    static constexpr Enough BEGUN{256, 100000, 0.2}; ///< at first much is new to the caches
    static constexpr Enough USUAL{32, 100000, 0.2};
    /** The slower way so far: what it takes is mostly lost. */
    static constexpr Enough TRIED{8, 40000, 0.02};
    /** Windows from which on time alone is enough, if one holds so much that a trial is no less
     * than one: else a run of few large windows would be for the most part trials. */
    static constexpr uint64_t LARGE = 16;
    /** Judgements until the slower way is tried again: each time twice as many, as long as it stays
     * the slower one. */
    static constexpr uint32_t SOONEST = 4;
    static constexpr uint32_t LATEST = 32;

    /**
     * \param several whether several threads have run
     * \param seconds that this took, wall clock
     * \param windows that were run so
     * \param events in these
     * \return whether several may run from now on
     */
    bool Judge(bool several, double seconds, uint64_t windows, uint64_t events)
    {
        const Enough enough = GetEnough();
        if ((seconds < enough.seconds || windows < CountLeast(windows, events)) &&
            (windows < enough.windows || events < enough.events))
        {
            return m_several;
        }
        m_begun = true;
        m_cost[several] = seconds / static_cast<double>(events);
        const bool tried = std::exchange(m_trying, false);
        if (m_cost[!several] == 0 || (!tried && ++m_judged >= m_again))
        {
            m_trying = true;
            m_judged = 0;
            m_several = !several;
            return m_several;
        }
        const bool faster = m_cost[true] < m_cost[false];
        if (tried)
        {
            m_again = faster == several ? SOONEST : std::min(2 * m_again, LATEST);
        }
        m_several = faster;
        return m_several;
    }

    /** \return after how many windows to judge next, if they go on as so many \p windows, from 1,
     * that took so many \p seconds and held so many \p events, from 1 */
    uint64_t CountWindows(double seconds, uint64_t windows, uint64_t events) const
    {
        const Enough enough = GetEnough();
        const double most = enough.seconds * static_cast<double>(windows) / seconds;
        const uint64_t count = std::max(enough.windows, enough.events * windows / events + 1);
        return most < static_cast<double>(count)
                   ? std::max(static_cast<uint64_t>(most) + 1, CountLeast(windows, events))
                   : count;
    }

    /** \return what was judged last; at first they may */
    bool MayBeSeveral() const
    {
        return m_several;
    }

  private:
    Enough GetEnough() const
    {
        return m_trying ? TRIED : m_begun ? USUAL : BEGUN;
    }

    /** \return windows from which on time is enough, if so many \p windows hold so many \p events
     */
    uint64_t CountLeast(uint64_t windows, uint64_t events) const
    {
        return m_trying || events < windows * TRIED.events ? 1 : LARGE;
    }

    std::array<double, 2> m_cost{}; //!< seconds per event, of one and of several; 0: not known
    uint32_t m_judged{0};           //!< since both were tried
    uint32_t m_again{SOONEST / 2};  //!< after so many the slower way is tried again
    bool m_trying{false};           //!< what runs now is the slower way so far
    bool m_begun{false};            //!< something has been judged
    bool m_several{true};
};

} // namespace ns3

#endif // RDMA_THREAD_TRIAL_H

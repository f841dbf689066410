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
    static constexpr uint64_t EVENTS = 100000; ///< that a way must run to be judged by its time
    static constexpr uint64_t WINDOWS = 32;    ///< that these must be, at least
    static constexpr uint64_t BEGUN = 256; ///< and the first ones: then much is new to the caches
    static constexpr double LONG = 0.2;    ///< seconds: enough to be judged by in any case
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
        if (seconds < LONG && (windows < (m_begun ? WINDOWS : BEGUN) || events < EVENTS))
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

    /** \return what was judged last; at first they may */
    bool MayBeSeveral() const
    {
        return m_several;
    }

  private:
    std::array<double, 2> m_cost{}; //!< seconds per event, of one and of several; 0: not known
    uint32_t m_judged{0};           //!< since both were tried
    uint32_t m_again{SOONEST / 2};  //!< after so many the slower way is tried again
    bool m_trying{false};           //!< what runs now is the slower way so far
    bool m_begun{false};            //!< something has been judged
    bool m_several{true};
};

} // namespace ns3

#endif // RDMA_THREAD_TRIAL_H

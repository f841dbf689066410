/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_ARRIVALS_H
#define RDMA_ARRIVALS_H

#include "ns3/rdma-event-queue.h"
#include "ns3/rdma-frame.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup rdma A frame that arrives at a process in a window. */
struct RdmaArrival
{
    uint64_t place;   ///< in the order of scheduling, final
    int64_t time;     ///< time steps
    RdmaFrame* frame; ///< null behind the last
    RdmaPort* to;     ///< that it comes in by

    /** \return what arrivals and events are ordered by */
    RdmaEventEntry::Key GetKey() const
    {
        return static_cast<RdmaEventEntry::Key>(static_cast<uint64_t>(time)) << 64 | place;
    }
};

/**
 * \ingroup rdma
 * \brief All frames that arrive at a process in a window, in order.
 *
 * They have been on their links since before the window (RdmaProcesses), so they are known when it
 * begins: sorted at once, by buckets of time, they need no place in a queue one after the other,
 * and what they will touch can be fetched ahead.
 */
class RdmaArrivals
{
  public:
    using Key = RdmaEventEntry::Key;

    static constexpr size_t AHEAD = 8; ///< arrivals without a frame behind the last

    /** Forgets all. \param queue that knows places \param begin time of the window \param end
     * nothing is taken from here on, time and place */
    void Begin(const RdmaEventQueue& queue, int64_t begin, Key end)
    {
        m_queue = &queue;
        m_begin = begin;
        m_end = end;
        m_taken.clear();
        m_inOrder = true;
    }

    /**
     * Takes out of \p wire what arrives before the end.
     * \param due of its first frame, which is there
     * \param to where they come in
     * \param host whether that is at a host
     * \return when the first that stays is due
     */
    RdmaDue Take(RdmaFrameFifo& wire, RdmaDue due, RdmaPort& to, bool host);

    /** \return the first of all that were taken, in order; behind the last, AHEAD at the end,
     * without a frame */
    const RdmaArrival* Sort();

  private:
    void SortByBuckets();

    const RdmaEventQueue* m_queue{nullptr};
    int64_t m_begin{0};
    Key m_end{0};
    bool m_inOrder{true};
    std::vector<RdmaArrival> m_taken;
    std::vector<RdmaArrival> m_sorted;
    std::vector<uint32_t> m_buckets;
};

} // namespace ns3

#endif // RDMA_ARRIVALS_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_EVENT_QUEUE_H
#define WORKLOAD_EVENT_QUEUE_H

#include "ns3/workload-pool.h"

#include <cstdint>
#include <functional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Events by time; those of one time in the order in which they were put in. A time may be
 * earlier than what has been taken out.
 *
 * A first-in first-out list per distinct time and a heap of the distinct times: synchronous
 * programs have few of those, and then an event costs a list operation (bench-message: 0.7
 * times what a heap of events takes).
 * \tparam T a small plain value
 */
template <typename T>
class WorkloadEventQueue
{
  public:
    /** \return whether there is no event; drops lists that have run out */
    bool Empty()
    {
        while (!m_times.empty() && m_times.top().second->first == WORKLOAD_POOL_NONE)
        {
            m_buckets.erase(m_times.top().first);
            m_times.pop();
            m_recent = nullptr;
        }
        return m_times.empty();
    }

    /** \return time of the first event; there is one: Empty() has said so */
    int64_t FirstTime() const
    {
        return m_times.top().first;
    }

    /** Puts an event behind all others of its time. */
    void Push(int64_t time, const T& value)
    {
        if (!m_recent || time != m_recentTime)
        {
            const auto [place, added] = m_buckets.try_emplace(time);
            m_recent = &place->second;
            m_recentTime = time;
            if (added)
            {
                m_times.emplace(time, m_recent);
            }
        }
        const uint32_t slot = m_slots.Add({value, WORKLOAD_POOL_NONE});
        (m_recent->first == WORKLOAD_POOL_NONE ? m_recent->first : m_slots[m_recent->last].next) =
            slot;
        m_recent->last = slot;
    }

    /** \return the first event, taken out; there is one: Empty() has said so */
    T Pop()
    {
        Bucket& bucket = *m_times.top().second;
        const uint32_t slot = bucket.first;
        const T value = m_slots[slot].value;
        bucket.first = m_slots[slot].next;
        m_slots.Free(slot);
        return value;
    }

    /** \return whether there is another event of the time of the one that was taken out last,
     * unless earlier ones have been put in since */
    bool HasMore() const
    {
        return m_times.top().second->first != WORKLOAD_POOL_NONE;
    }

  private:
    struct Slot
    {
        T value;
        uint32_t next;
    };

    /** The events of a time. */
    struct Bucket
    {
        uint32_t first{WORKLOAD_POOL_NONE}; ///< WORKLOAD_POOL_NONE if it has run out
        uint32_t last{WORKLOAD_POOL_NONE};
    };

    using Time = std::pair<int64_t, Bucket*>;

    WorkloadPool<Slot> m_slots;
    std::unordered_map<int64_t, Bucket> m_buckets; //!< by time
    std::priority_queue<Time, std::vector<Time>, std::greater<>> m_times;
    Bucket* m_recent{nullptr}; //!< where the last event was put
    int64_t m_recentTime{0};
};

} // namespace ns3

#endif // WORKLOAD_EVENT_QUEUE_H

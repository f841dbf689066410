/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_EVENT_QUEUE_H
#define WORKLOAD_EVENT_QUEUE_H

#include "ns3/workload-pool.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Events by time; those of one time in the order in which they were put in. A time may be
 * earlier than what has been taken out.
 *
 * A first-in first-out list per distinct time, found by a hash table, and a heap of the distinct
 * times: synchronous programs have few of those, and then an event costs a list operation.
 * \tparam T a small plain value
 */
template <typename T>
class WorkloadEventQueue
{
  public:
    WorkloadEventQueue()
        : m_table(1 << MIN_LOG)
    {
    }

    /** \return whether there is no event; drops lists that have run out */
    bool Empty()
    {
        while (!m_heap.empty() && m_buckets[m_heap.front().second].head == WORKLOAD_POOL_NONE)
        {
            RemoveFirstBucket();
        }
        return m_heap.empty();
    }

    /** \return time of the first event; there is one: Empty() has said so */
    int64_t FirstTime() const
    {
        return m_heap.front().first;
    }

    /** Puts an event behind all others of its time. */
    void Push(int64_t time, const T& value)
    {
        Bucket& bucket = m_buckets[FindOrAdd(time)];
        const uint32_t slot = m_slots.Add({value, WORKLOAD_POOL_NONE});
        if (bucket.head == WORKLOAD_POOL_NONE)
        {
            bucket.head = slot;
        }
        else
        {
            m_slots[bucket.next].next = slot;
        }
        bucket.next = slot;
    }

    /** \return the first event, taken out; there is one: Empty() has said so */
    T Pop()
    {
        Bucket& bucket = m_buckets[m_heap.front().second];
        const uint32_t slot = bucket.head;
        const T value = m_slots[slot].value;
        bucket.head = m_slots[slot].next;
        m_slots.Free(slot);
        return value;
    }

    /** \return the event that is first now, or null; for prefetching */
    const T* Peek() const
    {
        const uint32_t head =
            m_heap.empty() ? WORKLOAD_POOL_NONE : m_buckets[m_heap.front().second].head;
        return head == WORKLOAD_POOL_NONE ? nullptr : &m_slots[head].value;
    }

    /**
     * Looks ahead.
     * \param events filled with the first events of the first time, in their order
     * \return how many there are, at most \p most
     */
    uint32_t Ahead(uint32_t most, T* events) const
    {
        uint32_t slot = m_buckets[m_heap.front().second].head;
        uint32_t count = 0;
        for (; count < most && slot != WORKLOAD_POOL_NONE; slot = m_slots[slot].next)
        {
            events[count++] = m_slots[slot].value;
        }
        return count;
    }

  private:
    static constexpr int MIN_LOG = 6;

    struct Slot
    {
        T value;
        uint32_t next;
    };

    struct Bucket
    {
        uint32_t head; ///< WORKLOAD_POOL_NONE if it has run out
        uint32_t next; ///< last of the list; the pool's while the bucket is free
    };

    /** Where the events of a time are; empty if \c bucket is WORKLOAD_POOL_NONE. */
    struct Place
    {
        int64_t time{0};
        uint32_t bucket{WORKLOAD_POOL_NONE};
    };

    size_t Hash(int64_t time) const
    {
        return static_cast<uint64_t>(time) * 0x9e3779b97f4a7c15 >> (64 - m_log);
    }

    size_t Mask() const
    {
        return m_table.size() - 1;
    }

    uint32_t FindOrAdd(int64_t time)
    {
        if (time == m_recent.time && m_recent.bucket != WORKLOAD_POOL_NONE)
        {
            return m_recent.bucket;
        }
        size_t i = Hash(time);
        while (m_table[i].bucket != WORKLOAD_POOL_NONE && m_table[i].time != time)
        {
            i = (i + 1) & Mask();
        }
        if (m_table[i].bucket == WORKLOAD_POOL_NONE)
        {
            m_table[i] = {time, m_buckets.Add({WORKLOAD_POOL_NONE, WORKLOAD_POOL_NONE})};
            AddToHeap({time, m_table[i].bucket});
            m_recent = m_table[i];
            if (m_heap.size() * 2 > m_table.size())
            {
                Grow();
            }
            return m_recent.bucket;
        }
        m_recent = m_table[i];
        return m_recent.bucket;
    }

    void Grow()
    {
        std::vector<Place> old(m_table.size() * 2);
        old.swap(m_table);
        ++m_log;
        for (const Place& place : old)
        {
            if (place.bucket != WORKLOAD_POOL_NONE)
            {
                size_t i = Hash(place.time);
                while (m_table[i].bucket != WORKLOAD_POOL_NONE)
                {
                    i = (i + 1) & Mask();
                }
                m_table[i] = place;
            }
        }
    }

    void AddToHeap(const std::pair<int64_t, uint32_t>& entry)
    {
        size_t i = m_heap.size();
        m_heap.push_back(entry);
        while (i > 0 && m_heap[(i - 1) / 4].first > entry.first)
        {
            m_heap[i] = m_heap[(i - 1) / 4];
            i = (i - 1) / 4;
        }
        m_heap[i] = entry;
    }

    void RemoveFirstBucket()
    {
        RemoveFromTable(m_heap.front().first);
        m_buckets.Free(m_heap.front().second);
        m_recent.bucket = WORKLOAD_POOL_NONE;
        const std::pair<int64_t, uint32_t> last = m_heap.back();
        m_heap.pop_back();
        const size_t size = m_heap.size();
        size_t i = 0;
        for (size_t child = 1; child < size; child = 4 * i + 1)
        {
            size_t least = child;
            for (size_t c = child + 1; c < child + 4 && c < size; ++c)
            {
                least = m_heap[c].first < m_heap[least].first ? c : least;
            }
            if (m_heap[least].first >= last.first)
            {
                break;
            }
            m_heap[i] = m_heap[least];
            i = least;
        }
        if (size > 0)
        {
            m_heap[i] = last;
        }
    }

    /** Removes a time, and moves up what linear probing had displaced. */
    void RemoveFromTable(int64_t time)
    {
        size_t hole = Hash(time);
        while (m_table[hole].time != time)
        {
            hole = (hole + 1) & Mask();
        }
        for (size_t i = (hole + 1) & Mask(); m_table[i].bucket != WORKLOAD_POOL_NONE;
             i = (i + 1) & Mask())
        {
            if (((i - Hash(m_table[i].time)) & Mask()) >= ((i - hole) & Mask()))
            {
                m_table[hole] = m_table[i];
                hole = i;
            }
        }
        m_table[hole] = Place();
    }

    WorkloadPool<Slot> m_slots;
    WorkloadPool<Bucket> m_buckets;
    std::vector<std::pair<int64_t, uint32_t>> m_heap; //!< distinct times, and their buckets
    std::vector<Place> m_table;                       //!< the same, by hash
    int m_log{MIN_LOG};                               //!< of the table's size
    Place m_recent;                                   //!< where the last event was put
};

} // namespace ns3

#endif // WORKLOAD_EVENT_QUEUE_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_ORDERED_QUEUE_H
#define WORKLOAD_ORDERED_QUEUE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Events by time, and those of one time by number: a heap with four children per node.
 * \tparam T a small plain value
 */
template <typename T>
class WorkloadOrderedQueue
{
  public:
    struct Entry
    {
        int64_t time;
        uint64_t number;
        T value;

        bool operator<(const Entry& other) const
        {
            return time != other.time ? time < other.time : number < other.number;
        }
    };

    bool Empty() const
    {
        return m_heap.empty();
    }

    /** \return the first event; there is one */
    const Entry& First() const
    {
        return m_heap.front();
    }

    void Push(const Entry& entry)
    {
        size_t i = m_heap.size();
        m_heap.push_back(entry);
        for (; i > 0 && entry < m_heap[(i - 1) / 4]; i = (i - 1) / 4)
        {
            m_heap[i] = m_heap[(i - 1) / 4];
        }
        m_heap[i] = entry;
    }

    /** Takes out the first event. */
    void Pop()
    {
        const Entry last = m_heap.back();
        m_heap.pop_back();
        const size_t size = m_heap.size();
        size_t i = 0;
        for (size_t child = 1; child < size; child = 4 * i + 1)
        {
            size_t least = child;
            for (size_t c = child + 1; c < child + 4 && c < size; ++c)
            {
                least = m_heap[c] < m_heap[least] ? c : least;
            }
            if (last < m_heap[least])
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

  private:
    std::vector<Entry> m_heap;
};

} // namespace ns3

#endif // WORKLOAD_ORDERED_QUEUE_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_FINISH_HEAP_H
#define WORKLOAD_FINISH_HEAP_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief When each of some items is due, where that changes all the time: O(log n) to set, to
 * change and to remove; at equal times by rank.
 */
class WorkloadFinishHeap
{
  public:
    bool IsEmpty() const
    {
        return m_heap.empty();
    }

    /** \return when the first item is due; only if not IsEmpty() */
    int64_t FirstTime() const
    {
        return m_heap.front().time;
    }

    /** \return the first item; only if not IsEmpty() */
    uint32_t First() const
    {
        return m_heap.front().item;
    }

    /** Sets when \p item is due. \param rank of items due at the same time the least comes first;
     * no two are equal */
    void Set(uint32_t item, int64_t time, uint64_t rank)
    {
        if (item >= m_place.size())
        {
            m_place.resize(item + 1, NOWHERE);
        }
        size_t at = m_place[item];
        if (at == NOWHERE)
        {
            at = m_heap.size();
            m_heap.emplace_back();
        }
        SiftDown(SiftUp(at, {time, rank, item}), {time, rank, item});
    }

    /** Removes the first item; only if not IsEmpty(). */
    void RemoveFirst()
    {
        m_place[First()] = NOWHERE;
        const Entry last = m_heap.back();
        m_heap.pop_back();
        if (!m_heap.empty())
        {
            SiftDown(0, last);
        }
    }

  private:
    static constexpr size_t NOWHERE = SIZE_MAX;

    struct Entry
    {
        int64_t time{0};
        uint64_t rank{0};
        uint32_t item{0};

        bool operator<(const Entry& o) const
        {
            return time < o.time || (time == o.time && rank < o.rank);
        }
    };

    void Put(size_t at, const Entry& entry)
    {
        m_heap[at] = entry;
        m_place[entry.item] = at;
    }

    size_t SiftUp(size_t at, const Entry& entry)
    {
        for (; at > 0 && entry < m_heap[(at - 1) / 2]; at = (at - 1) / 2)
        {
            Put(at, m_heap[(at - 1) / 2]);
        }
        return at;
    }

    void SiftDown(size_t at, const Entry& entry)
    {
        for (size_t child = 2 * at + 1; child < m_heap.size(); child = 2 * at + 1)
        {
            child += child + 1 < m_heap.size() && m_heap[child + 1] < m_heap[child] ? 1 : 0;
            if (!(m_heap[child] < entry))
            {
                break;
            }
            Put(at, m_heap[child]);
            at = child;
        }
        Put(at, entry);
    }

    std::vector<Entry> m_heap;
    std::vector<size_t> m_place; //!< of each item
};

} // namespace ns3

#endif // WORKLOAD_FINISH_HEAP_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_EVENT_HEAP_H
#define RDMA_EVENT_HEAP_H

#include "rdma-event-wheel.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Entries of which the first in the order of (time, place) is at hand.
 *
 * A few are in order: what ports schedule is mostly later than what they have scheduled before, so
 * that it finds its place at the end in a few steps, where a heap takes all of its levels. More
 * than that are a 4-ary heap.
 *
 * Entries are passed by value: what has just been written to memory in parts, and is read from
 * there as a whole, is waited for.
 */
class RdmaEventHeap
{
  public:
    using Entry = RdmaEventEntry;

    bool IsEmpty() const
    {
        return m_first == m_end;
    }

    size_t GetSize() const
    {
        return m_end - m_first;
    }

    /** \return the first entry; only if there is one */
    const Entry& Front() const
    {
        return m_memory[m_first];
    }

    /** \name All entries, in no order that anybody may rely on; what they are ordered by must not
     * change their order. @{ */
    Entry* begin()
    {
        return m_memory.get() + m_first;
    }

    Entry* end()
    {
        return m_memory.get() + m_end;
    }

    const Entry* begin() const
    {
        return m_memory.get() + m_first;
    }

    const Entry* end() const
    {
        return m_memory.get() + m_end;
    }

    /** @} */

    /** \return all entries, which are here no more; nor is their memory */
    std::vector<Entry> TakeAll()
    {
        std::vector<Entry> entries(begin(), end());
        *this = RdmaEventHeap();
        return entries;
    }

    /** \param entries in order, of which none is here */
    void AddSorted(const std::vector<Entry>& entries)
    {
        for (const Entry& entry : entries)
        {
            Push(entry);
        }
    }

    void Swap(RdmaEventHeap& other)
    {
        m_memory.swap(other.m_memory);
        std::swap(m_capacity, other.m_capacity);
        std::swap(m_end, other.m_end);
        std::swap(m_first, other.m_first);
        std::swap(m_isHeap, other.m_isHeap);
    }

    void Push(Entry entry)
    {
        if (m_end == m_capacity)
        {
            MakeRoom();
        }
        if (!m_isHeap && m_end - m_first == FEW)
        {
            Compact();
            m_isHeap = true; // what is in order is a heap
        }
        ++m_end;
        m_isHeap ? SiftUp(entry) : Insert(entry);
    }

    /** Puts \p entry in the place of the first one. */
    void ReplaceFront(Entry entry)
    {
        if (m_isHeap)
        {
            SiftDown(entry);
            return;
        }
        ++m_first;
        Push(entry);
    }

    /** Removes the first entry; only if there is one. */
    void PopFront()
    {
        if (!m_isHeap)
        {
            ++m_first;
            return;
        }
        --m_end;
        if (m_end > 0)
        {
            SiftDown(m_memory[m_end]);
        }
        if (m_end < FEW / 4)
        {
            m_isHeap = false;
            std::sort(begin(), end(), [](const Entry& a, const Entry& b) {
                return a.GetKey() < b.GetKey();
            });
        }
    }

  private:
    static constexpr uint32_t FEW = 64; //!< entries that may be in order

    /** Moves all to the beginning of the memory. */
    void Compact()
    {
        std::copy(begin(), end(), m_memory.get());
        m_end -= m_first;
        m_first = 0;
    }

    /** Moves all to the beginning of memory of which half at least is free then. */
    void MakeRoom()
    {
        const uint32_t size = m_end - m_first;
        if (2 * size <= m_capacity && m_capacity > 0)
        {
            Compact();
            return;
        }
        m_capacity = std::max<uint32_t>(2 * size, 2);
        std::unique_ptr<Entry[]> more(new Entry[m_capacity]);
        std::copy(begin(), end(), more.get());
        m_memory = std::move(more);
        m_end = size;
        m_first = 0;
    }

    /** Puts \p entry, for which the last place is free, where it belongs in the order. */
    void Insert(Entry entry)
    {
        Entry* const first = begin();
        Entry* at = end() - 1;
        const Entry::Key key = entry.GetKey();
        for (; at != first && key < at[-1].GetKey(); --at)
        {
            *at = at[-1];
        }
        *at = entry;
    }

    void SiftDown(Entry entry)
    {
        Entry* const heap = m_memory.get();
        const size_t size = m_end;
        const Entry::Key key = entry.GetKey();
        size_t i = 0;
        for (size_t child = 1; child < size; child = 4 * i + 1)
        {
            size_t min = child;
            Entry::Key minKey = heap[child].GetKey();
            const size_t end = child + 4 < size ? child + 4 : size;
            for (size_t c = child + 1; c < end; ++c)
            {
                const Entry::Key k = heap[c].GetKey();
                const bool less = k < minKey;
                min = less ? c : min;
                minKey = less ? k : minKey;
            }
            if (key < minKey)
            {
                break;
            }
            heap[i] = heap[min];
            i = min;
        }
        heap[i] = entry;
    }

    void SiftUp(Entry entry)
    {
        Entry* const heap = m_memory.get();
        const Entry::Key key = entry.GetKey();
        size_t i = m_end - 1;
        while (i > 0)
        {
            const size_t parent = (i - 1) / 4;
            if (heap[parent].GetKey() < key)
            {
                break;
            }
            heap[i] = heap[parent];
            i = parent;
        }
        heap[i] = entry;
    }

    std::unique_ptr<Entry[]> m_memory; //!< of m_capacity
    uint32_t m_capacity{0};
    uint32_t m_end{0};
    uint32_t m_first{0};  //!< what is before is no longer here; 0 if all is a heap
    bool m_isHeap{false}; //!< all is; else it is in order
};

} // namespace ns3

#endif // RDMA_EVENT_HEAP_H

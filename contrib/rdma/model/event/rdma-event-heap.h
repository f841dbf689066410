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

    /** \param entry later than all that are here */
    void Append(const Entry& entry)
    {
        if (m_end == m_capacity)
        {
            MakeRoom();
        }
        Entry& last = m_memory[m_end++];
        last.place = entry.place; // its parts one by one, as they were written
        last.time = entry.time;
        last.event = entry.event;
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
        if (m_isHeap || m_end == m_capacity || m_end - m_first >= FEW)
        {
            PushAside(entry.place, entry.time, entry.event);
            return;
        }
        ++m_end;
        Insert(entry);
    }

    /** Puts \p entry in the place of the first one. */
    void ReplaceFront(Entry entry)
    {
        if (m_isHeap)
        {
            ReplaceAside(entry.place, entry.time, entry.event);
            return;
        }
        ++m_first;
        if (m_end == m_capacity)
        {
            MakeRoom();
        }
        ++m_end;
        Insert(entry);
    }

    /** Removes the first entry; only if there is one. */
    void PopFront()
    {
        if (!m_isHeap)
        {
            ++m_first;
            if (m_first == m_end) // all of the memory is free again
            {
                m_first = m_end = 0;
            }
            return;
        }
        PopAside();
    }

  private:
    static constexpr uint32_t FEW = 64; //!< entries that may be in order

    // Out of line, so that what is done for few entries is short; entries in registers
    void PushAside(uint64_t place, int64_t time, RdmaEvent* event);
    void ReplaceAside(uint64_t place, int64_t time, RdmaEvent* event);
    void PopAside();
    __attribute__((noinline)) void MakeRoom();
    void Compact();
    void SiftDown(Entry entry);
    void SiftUp(Entry entry);

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

    std::unique_ptr<Entry[]> m_memory; //!< of m_capacity
    uint32_t m_capacity{0};
    uint32_t m_end{0};
    uint32_t m_first{0};  //!< what is before is no longer here; 0 if all is a heap
    bool m_isHeap{false}; //!< all is; else it is in order
};

} // namespace ns3

#endif // RDMA_EVENT_HEAP_H

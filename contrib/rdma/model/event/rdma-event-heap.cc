/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-event-heap.h"

// What happens to many entries, and rarely to few.

namespace ns3
{

inline void
RdmaEventHeap::SiftDown(Entry entry)
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

inline void
RdmaEventHeap::SiftUp(Entry entry)
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

/** Push where there is no room, or where there are many. */
void
RdmaEventHeap::PushAside(uint64_t place, int64_t time, RdmaEvent* event)
{
    const Entry entry{place, time, event};
    if (m_end == m_capacity)
    {
        MakeRoom();
    }
    if (!m_isHeap && m_end - m_first >= FEW)
    {
        Compact();
        m_isHeap = true; // what is in order is a heap
    }
    ++m_end;
    m_isHeap ? SiftUp(entry) : Insert(entry);
}

/** ReplaceFront of a heap. */
void
RdmaEventHeap::ReplaceAside(uint64_t place, int64_t time, RdmaEvent* event)
{
    SiftDown({place, time, event});
}

/** PopFront of a heap. */
void
RdmaEventHeap::PopAside()
{
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

/** Moves all to the beginning of the memory. */
void
RdmaEventHeap::Compact()
{
    std::copy(begin(), end(), m_memory.get());
    m_end -= m_first;
    m_first = 0;
}

/** Moves all to the beginning of memory of which half at least is free then. */
void
RdmaEventHeap::MakeRoom()
{
    const uint32_t size = m_end - m_first;
    if (2 * size <= m_capacity && m_capacity > 0)
    {
        Compact();
        return;
    }
    m_capacity = std::max<uint32_t>(2 * size, 8);
    std::unique_ptr<Entry[]> more(new Entry[m_capacity]);
    std::copy(begin(), end(), more.get());
    m_memory = std::move(more);
    m_end = size;
    m_first = 0;
}

} // namespace ns3

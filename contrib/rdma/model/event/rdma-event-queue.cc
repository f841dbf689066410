/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-event-queue.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

RdmaEvent::~RdmaEvent()
{
    if (m_entries)
    {
        m_seq = 0;
        m_queue->DropOutdated();
    }
}

RdmaEventQueue::~RdmaEventQueue()
{
    for (size_t i = m_hole ? 1 : 0; i < m_heap.size(); ++i)
    {
        m_heap[i].event->m_entries = 0;
        m_heap[i].event->m_seq = 0;
    }
}

void
RdmaEventQueue::SetDriver(RdmaEventDriver* driver)
{
    m_driver = driver;
}

void
RdmaEventQueue::SetWatch(RdmaClockWatch* watch, int64_t time)
{
    m_watch = watch;
    m_watchTime =
        static_cast<uint64_t>(watch ? std::min(time, RDMA_END_OF_TIME) : RDMA_END_OF_TIME);
}

void
RdmaEventQueue::TellWatch(int64_t time)
{
    if (m_watch)
    {
        m_watchTime = static_cast<uint64_t>(std::min(m_watch->TimePasses(time), RDMA_END_OF_TIME));
    }
}

void
RdmaEventQueue::StopAtEnd()
{
    m_ended = true;
    Simulator::Stop();
}

void
RdmaEventQueue::PopFront()
{
    if (!m_hole) // else it is the event that is firing, which no longer counts
    {
        --m_heap.front().event->m_entries;
    }
    FillHole();
}

void
RdmaEventQueue::DropOutdated()
{
    if (m_hole)
    {
        FillHole(); // the root is no entry
    }
    size_t kept = 0;
    for (const Entry& entry : m_heap)
    {
        if (entry.event->m_seq == entry.place)
        {
            m_heap[kept++] = entry;
        }
        else
        {
            --entry.event->m_entries;
        }
    }
    m_heap.resize(kept);
    for (size_t i = kept / 4 + 1; i-- > 0;)
    {
        if (i < kept)
        {
            SiftDown(i, Entry(m_heap[i]));
        }
    }
}

RdmaEventQueue::Suspension
RdmaEventQueue::Suspend(int64_t now)
{
    Suspension suspension;
    suspension.heap.swap(m_heap);
    suspension.hole = m_hole;
    suspension.now = m_now;
    suspension.place = m_place;
    m_hole = false;
    SetNow(now, ReserveSequence());
    return suspension;
}

void
RdmaEventQueue::RunUntil(int64_t until)
{
    while (!IsEmpty() && static_cast<uint64_t>(FirstTime()) <= static_cast<uint64_t>(until))
    {
        FireFirst();
    }
}

void
RdmaEventQueue::Restore(Suspension&& suspension)
{
    m_heap.swap(suspension.heap);
    m_hole = suspension.hole;
    SetNow(suspension.now, suspension.place);
    for (const Entry& entry : suspension.heap)
    {
        --entry.event->m_entries;
        if (entry.event->m_seq == entry.place)
        {
            ScheduleAt(*entry.event, entry.time, entry.place);
        }
    }
}

} // namespace ns3

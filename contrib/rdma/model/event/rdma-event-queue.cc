/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-event-queue.h"

#include "rdma-processes.h"
#include "rdma-timers.h"

#include "ns3/abort.h"
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

void
RdmaEvent::Fetch(uint32_t) const
{
}

RdmaPort*
RdmaEvent::GetCutPort()
{
    return nullptr;
}

RdmaEventQueue::~RdmaEventQueue()
{
    if (m_hole)
    {
        FillHole(); // the root is no entry
    }
    if (m_wheel)
    {
        m_wheel->TakeAll(m_heap);
    }
    for (const Entry& entry : m_heap)
    {
        entry.event->m_entries = 0;
        entry.event->m_seq = 0;
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
RdmaEventQueue::PostToProcess(const Entry& entry)
{
    m_processes->Send(m_thread, entry);
}

void
RdmaEventQueue::Join()
{
    if (m_processes)
    {
        m_processes->Join();
    }
}

void
RdmaEventQueue::PassPlaces(uint64_t first, uint64_t count)
{
    NS_ABORT_MSG_IF(m_nextSeq > first + count,
                    "RdmaRanks: " << m_nextSeq - first << " events were scheduled at once at one "
                                  << "node outside of windows, but ranks agree on " << count
                                  << " at most");
    m_nextSeq = first + count;
}

void
RdmaEventQueue::MakeTimersFinal()
{
    for (RdmaTimer* timer : m_timers)
    {
        if (timer)
        {
            timer->MakeFinal(*this);
        }
    }
    m_timers.clear();
}

void
RdmaEventQueue::DropOutdated()
{
    if (m_processes)
    {
        m_processes->Join(); // all are the network's queue's again
        return;
    }
    if (m_hole)
    {
        FillHole(); // the root is no entry
    }
    std::vector<Entry> entries;
    entries.swap(m_heap);
    if (m_wheel)
    {
        m_wheel->TakeAll(entries);
    }
    Adopt(entries);
}

/** Takes \p entries as all that there are, without those that are outdated. */
void
RdmaEventQueue::Adopt(const std::vector<Entry>& entries)
{
    m_heap.clear();
    for (const Entry& entry : entries)
    {
        if (entry.event->m_seq != entry.place)
        {
            --entry.event->m_entries;
        }
        else if (static_cast<uint64_t>(entry.time) > m_heapEnd)
        {
            m_wheel->Insert(entry);
        }
        else
        {
            m_heap.emplace_back();
            SiftUp(m_heap.size() - 1, entry);
        }
    }
}

/** Puts what is not due next into the wheel. */
void
RdmaEventQueue::Spread()
{
    // times that are past are possible, so time begins with the first entry
    m_heapEnd = static_cast<uint64_t>(m_heap.front().time);
    if (!m_wheel)
    {
        m_wheel = std::make_unique<RdmaEventWheel>(m_heapEnd);
    }
    m_wheel->TurnTo(m_heapEnd);
    std::vector<Entry> entries;
    entries.swap(m_heap);
    Adopt(entries);
}

/** Gets the next entries from the wheel into the heap, which is empty. \return whether there are
 * any that are not outdated */
bool
RdmaEventQueue::Refill()
{
    while (m_heap.empty() && m_heapEnd != NO_END)
    {
        if (m_wheel->GetCount() <= m_spread / 4)
        {
            m_wheel->TakeAll(m_heap);
            m_heapEnd = NO_END;
        }
        else
        {
            m_heapEnd = m_wheel->Take(NEXT, m_heap);
        }
        FetchNext();
        std::sort(m_heap.begin(), m_heap.end(), [](const Entry& a, const Entry& b) {
            return a.GetKey() < b.GetKey(); // which makes a heap
        });
        while (!m_heap.empty() && m_heap.front().event->m_seq != m_heap.front().place)
        {
            PopFront();
        }
    }
    return !m_heap.empty();
}

/** Lets memory be fetched for all entries of the heap. Each stage takes longer than a fetch. */
void
RdmaEventQueue::FetchNext() const
{
    for (const Entry& entry : m_heap)
    {
        RdmaFetch(entry.event, 1);
    }
    for (uint32_t stage = 1; stage <= RDMA_FETCH_STAGES; ++stage)
    {
        for (const Entry& entry : m_heap)
        {
            if (entry.event->m_seq == entry.place)
            {
                entry.event->Fetch(stage);
            }
        }
    }
}

RdmaEventQueue::Suspension
RdmaEventQueue::Suspend(int64_t now)
{
    Join();
    Suspension suspension;
    suspension.heap.swap(m_heap);
    suspension.wheel.swap(m_wheel);
    suspension.heapEnd = std::exchange(m_heapEnd, NO_END);
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
    std::vector<Entry>& late = suspension.heap;
    m_heap.swap(late);
    m_wheel.swap(suspension.wheel);
    if (suspension.wheel)
    {
        suspension.wheel->TakeAll(late);
    }
    if (!m_wheel)
    {
        m_wheel = std::move(suspension.wheel); // for the next time
    }
    m_heapEnd = suspension.heapEnd;
    m_hole = suspension.hole;
    SetNow(suspension.now, suspension.place);
    for (const Entry& entry : late)
    {
        --entry.event->m_entries;
        if (entry.event->m_seq == entry.place)
        {
            ScheduleAt(*entry.event, entry.time, entry.place);
        }
    }
}

} // namespace ns3

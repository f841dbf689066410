/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-event-queue.h"

#include "rdma-timers.h"

#include "ns3/abort.h"
#include "ns3/rdma-processes.h"
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

bool
RdmaEvent::HandOver(RdmaArrivals&)
{
    return false;
}

RdmaEventQueue::~RdmaEventQueue()
{
    if (m_hole)
    {
        FillHole(); // the root is no entry
    }
    std::vector<Entry> entries = m_heap.TakeAll();
    if (m_wheel)
    {
        m_wheel->TakeAll(entries);
    }
    for (const Entry& entry : entries)
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
        --m_heap.Front().event->m_entries;
    }
    FillHole();
}

void
RdmaEventQueue::PostToProcess(const Entry& entry)
{
    m_processes->Send(m_thread, entry);
}

/** ScheduleAt for \p event where no process runs; its place is final. */
void
RdmaEventQueue::ScheduleOutside(RdmaEvent& event, int64_t time, uint64_t place)
{
    const Entry entry{place, time, &event};
    if (m_processes && static_cast<uint64_t>(time) >= m_mergedEnd && event.m_process)
    {
        PostToProcess(entry);
        return;
    }
    if (static_cast<uint64_t>(time) > m_heapEnd)
    {
        m_wheel->Insert(entry);
        if (m_driver && m_heap.IsEmpty())
        {
            m_driver->Arm(time);
        }
        return;
    }
    if (m_hole)
    {
        m_hole = false;
        m_heap.ReplaceFront(entry);
        return;
    }
    m_heap.Push(entry);
    if (m_driver && m_heap.Front().event == &event)
    {
        m_driver->Arm(time);
    }
    if (m_heap.GetSize() >= m_spread && m_heapEnd == NO_END && (!m_processes || m_mergedEnd))
    {
        Spread();
    }
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
    std::vector<Entry> entries = m_heap.TakeAll();
    if (m_wheel)
    {
        m_wheel->TakeAll(entries);
    }
    Adopt(entries);
}

/** Takes \p entries as all that there are, for the heap is empty, without those that are outdated.
 */
void
RdmaEventQueue::Adopt(const std::vector<Entry>& entries)
{
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
            m_heap.Push(entry);
        }
    }
}

/** Puts what is not due next into the wheel. */
void
RdmaEventQueue::Spread()
{
    // times that are past are possible, so time begins with the first entry
    m_heapEnd = static_cast<uint64_t>(m_heap.Front().time);
    if (!m_wheel)
    {
        m_wheel = std::make_unique<RdmaEventWheel>(m_heapEnd);
    }
    m_wheel->TurnTo(m_heapEnd);
    std::vector<Entry> entries = m_heap.TakeAll();
    Adopt(entries);
}

/** Gets the next entries from the wheel into the heap, which is empty. \return whether there are
 * any that are not outdated */
bool
RdmaEventQueue::Refill()
{
    while (m_heap.IsEmpty() && m_heapEnd != NO_END)
    {
        std::vector<Entry>& entries = m_next;
        entries.clear();
        if (m_wheel->GetCount() <= m_spread / 4)
        {
            m_wheel->TakeAll(entries);
            m_heapEnd = NO_END;
        }
        else
        {
            m_heapEnd = m_wheel->Take(NEXT, entries);
        }
        FetchNext(entries);
        std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
            return a.GetKey() < b.GetKey();
        });
        m_heap.AddSorted(entries);
        while (!m_heap.IsEmpty() && m_heap.Front().event->m_seq != m_heap.Front().place)
        {
            PopFront();
        }
    }
    return !m_heap.IsEmpty();
}

/** Lets memory be fetched for \p entries. Each stage takes longer than a fetch. */
void
RdmaEventQueue::FetchNext(const std::vector<Entry>& entries)
{
    for (const Entry& entry : entries)
    {
        RdmaFetch(entry.event, 1);
    }
    for (uint32_t stage = 1; stage <= RDMA_FETCH_STAGES; ++stage)
    {
        for (const Entry& entry : entries)
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
    suspension.heap.Swap(m_heap);
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
    m_heap.Swap(suspension.heap);
    std::vector<Entry> late = suspension.heap.TakeAll();
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

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

namespace
{
constexpr size_t MANY = 24; //!< entries for which a calendar is faster than a heap
constexpr size_t FEW = 6;   //!< for which it is not
} // namespace

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
    for (const Entry& entry : TakeAll())
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
    if (m_processes && static_cast<uint64_t>(time) >= m_mergedEnd && event.m_process)
    {
        PostToProcess({place, time, &event});
        return;
    }
    if (static_cast<uint64_t>(time) <= m_later.GetEnd())
    {
        ScheduleSoon(event, time, place);
        return;
    }
    const bool unfit = m_later.Insert({place, time, &event}) && m_later.IsUnfit(m_spread);
    if (m_driver && m_heap.IsEmpty())
    {
        m_driver->Arm(time);
    }
    if (unfit)
    {
        Spread();
    }
}

/** ScheduleOutside of what is due with what the heap holds. */
void
RdmaEventQueue::ScheduleSoon(RdmaEvent& event, int64_t time, uint64_t place)
{
    if (m_hole)
    {
        m_hole = false;
        m_heap.ReplaceFront({place, time, &event});
    }
    else
    {
        m_heap.Push({place, time, &event});
        if (m_driver && m_heap.Front().event == &event)
        {
            m_driver->Arm(time);
        }
    }
    if (m_heap.GetSize() >= MANY || m_heap.GetSize() >= m_spread)
    {
        SpreadIfMany();
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
RdmaEventQueue::Gather()
{
    if (m_processes)
    {
        m_processes->Gather();
    }
}

void
RdmaEventQueue::PassPlaces(uint64_t first, uint64_t count)
{
    NS_ABORT_MSG_IF(m_nextSeq > first + count,
                    "RdmaEventQueue: " << m_nextSeq - first << " events were scheduled at once at "
                                       << "one node outside of windows, but " << count
                                       << " places are kept for them");
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
    Adopt(TakeAll());
}

/** \return all entries, which are here no more */
std::vector<RdmaEventQueue::Entry>
RdmaEventQueue::TakeAll()
{
    std::vector<Entry> entries = m_heap.TakeAll();
    m_later.TakeAll(entries);
    return entries;
}

/** Takes \p entries as all that there are, for nothing is here, without those that are outdated. */
void
RdmaEventQueue::Adopt(const std::vector<Entry>& entries)
{
    if (IsAlone() && entries.size() >= m_spread)
    {
        m_later.BeginWheel(entries);
    }
    else if (IsAlone() && entries.size() >= MANY)
    {
        m_later.BeginCalendar(entries);
    }
    for (const Entry& entry : entries)
    {
        if (!entry.IsValid())
        {
            --entry.event->m_entries;
        }
        else if (static_cast<uint64_t>(entry.time) > m_later.GetEnd())
        {
            m_later.Insert(entry);
        }
        else
        {
            m_heap.Push(entry);
        }
    }
}

/** \return whether all that is due next is here, not with processes */
bool
RdmaEventQueue::IsAlone() const
{
    return !m_processes || m_mergedEnd;
}

/** Lets the heap keep no more than what is due next, if it has many entries. */
void
RdmaEventQueue::SpreadIfMany()
{
    if (m_heap.GetSize() < MANY && m_heap.GetSize() < m_spread)
    {
        return;
    }
    if (RdmaEventCalendar* const calendar = m_later.GetCalendar())
    {
        calendar->NoteCrowd();
        if (calendar->IsBeforeToday(m_heap.Front().time) || calendar->IsUnfit())
        {
            Spread();
        }
    }
    else if (!m_later.IsWheel() && IsAlone())
    {
        Spread();
    }
}

/** Gives all entries to what suits their number: heap, calendar or wheel. */
void
RdmaEventQueue::Spread()
{
    if (m_hole)
    {
        FillHole(); // the root is no entry
    }
    Adopt(TakeAll());
}

/** Gets the next entries into the heap, which is empty. \return whether there are any that are not
 * outdated */
bool
RdmaEventQueue::Refill()
{
    while (m_heap.IsEmpty() && m_later.GetEnd() != NO_END)
    {
        const RdmaEventCalendar* const calendar = m_later.GetCalendar();
        if (!calendar)
        {
            RefillFromWheel();
        }
        else if (calendar->GetCount() <= FEW)
        {
            Adopt(TakeAll());
        }
        else
        {
            m_later.TakeFromCalendar(m_heap);
        }
        while (!m_heap.IsEmpty() && !m_heap.Front().IsValid())
        {
            PopFront();
        }
    }
    return !m_heap.IsEmpty();
}

/** Gets the next entries from the wheel into the heap, which is empty. */
void
RdmaEventQueue::RefillFromWheel()
{
    if (m_later.GetWheel()->GetCount() <= m_spread / 4)
    {
        Adopt(TakeAll());
        return;
    }
    std::vector<Entry>& entries = m_next;
    entries.clear();
    m_later.TakeFromWheel(NEXT, entries);
    FetchNext(entries);
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return a.GetKey() < b.GetKey();
    });
    m_heap.AddSorted(entries);
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
            if (entry.IsValid())
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
    suspension.later = std::exchange(m_later, RdmaEventLater());
    suspension.hole = m_hole;
    suspension.now = m_now;
    suspension.present = std::exchange(m_present, Present());
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
    const std::vector<Entry> late = TakeAll();
    m_heap.Swap(suspension.heap);
    m_later = std::move(suspension.later);
    m_hole = suspension.hole;
    m_present = suspension.present;
    SetNow(suspension.now, suspension.place);
    for (const Entry& entry : late)
    {
        --entry.event->m_entries;
        if (entry.IsValid())
        {
            ScheduleAt(*entry.event, entry.time, entry.place);
        }
    }
}

} // namespace ns3

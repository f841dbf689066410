/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_EVENT_QUEUE_H
#define RDMA_EVENT_QUEUE_H

#include "rdma-event-driver.h"
#include "rdma-event-heap.h"
#include "rdma-event-later.h"
#include "rdma-event.h"
#include "rdma-places.h"

#include "ns3/rdma-arithmetic.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

class RdmaProcesses;
class RdmaTimer;

/**
 * \ingroup rdma
 * \brief The events of ports and queue pairs in order of (time, sequence number).
 *
 * Equal times are common in symmetric networks and their order decides results: it is the order of
 * scheduling, as in ns-3. A place in that order can be taken before it is known whether the event
 * is needed (ReserveSequence), and used later (ScheduleAt) or never: that is how an idle
 * transmitter's end of transmission costs nothing.
 *
 * RdmaEventHeap; the entry of the event that is firing stays as a hole at its front, which the
 * first event due soon fills. Of hundreds, the heap holds only those of one day of a calendar
 * (RdmaEventLater), the next of which is looked for while one fires; of thousands, the next some,
 * which let the memory be fetched that they will touch when they come from a wheel.
 */
class RdmaEventQueue
{
  public:
    /** \return the time of the event that is firing, or the time last set; time steps */
    int64_t Now() const
    {
        return m_now;
    }

    /** \return the same, or if the clock is set back (Suspend), the time that it was at before */
    int64_t Present() const
    {
        return std::max(m_present, m_now);
    }

    RdmaEventQueue() = default;
    RdmaEventQueue(const RdmaEventQueue&) = delete;
    RdmaEventQueue& operator=(const RdmaEventQueue&) = delete;

    /** \return the place of the event that is firing, or the one last set */
    uint64_t Place() const
    {
        return m_place;
    }

    /** \return a place after all places taken before */
    uint64_t ReserveSequence()
    {
        return m_nextSeq++ | m_provisional;
    }

    /** \return the first of \p count places in a row, for ReturnTo; only outside of windows */
    uint64_t ReserveSequences(uint64_t count)
    {
        return std::exchange(m_nextSeq, m_nextSeq + count);
    }

    /** \return the last place that ReserveSequence gave; 3, before those of ns-3's events, if none
     */
    uint64_t NewestPlace() const
    {
        return m_nextSeq - 1;
    }

    /** \return a place after all places of ReserveSequence, and after all of TakeEndPlace, even
     * those that are taken later */
    uint64_t TakeLastPlace()
    {
        return RdmaPlaces::LAST_PLACES + m_nextLast++;
    }

    /** \return a place after all of ReserveSequence, even those that are taken later */
    uint64_t TakeEndPlace()
    {
        return RdmaPlaces::END_PLACES + m_nextLast++;
    }

    /** \return whether an event at (time, place) is over */
    bool IsPast(int64_t time, uint64_t place) const
    {
        return time < m_now || (time == m_now && Known(place) <= m_place);
    }

    /** \return \p place, or the final one of a place that was provisional in a window that is over
     * (RdmaProcesses) */
    uint64_t Known(uint64_t place) const
    {
        if (!(place & RdmaPlaces::PROVISIONAL))
        {
            return place;
        }
        const uint64_t taken = place & RdmaPlaces::NUMBER;
        return taken < m_windowBase ? taken + m_moves.Of(place) : place;
    }

    /** \return whether the processes of the network run one after the other (RdmaProcesses) */
    bool IsSplit() const
    {
        return m_processes;
    }

    /** \return whether one of them runs: what concerns more than it must wait */
    bool IsInWindow() const
    {
        return m_running != 0;
    }

    /** Puts all events into one queue, until the next window. */
    void Join();

    /** Puts all frames where they are, and gives all that is pending its final place. */
    void Gather();

    /** All ranks (RdmaRanks) have taken the \p count places from \p first on, used or not: what one
     * of them alone did outside of windows took some of them. Aborts if it took more. */
    void PassPlaces(uint64_t first, uint64_t count);

    /** What \p act schedules takes the \p count places from \p first on, which were passed or
     * reserved before. Aborts if it takes more. */
    template <typename F>
    void ReturnTo(uint64_t first, uint64_t count, F&& act)
    {
        const uint64_t next = std::exchange(m_nextSeq, first);
        act();
        PassPlaces(first, count);
        m_nextSeq = next;
    }

    /** Takes note that \p timer has a provisional place. \return what ForgetTimer takes */
    uint32_t NoteTimer(RdmaTimer& timer)
    {
        m_timers.push_back(&timer);
        return static_cast<uint32_t>(m_timers.size());
    }

    void ForgetTimer(uint32_t note)
    {
        m_timers[note - 1] = nullptr;
    }

    /** The event that is firing had nothing to do: it does not count. */
    void DoNotCount()
    {
        --m_fired;
    }

    /** Lets \p event fire at \p time (not before Now()), last of what is scheduled for that time so
     * far. */
    void Schedule(RdmaEvent& event, int64_t time)
    {
        ScheduleAt(event, time, ReserveSequence());
    }

    /** Lets \p event fire at \p time at a place taken before; that instant must not be past. */
    void ScheduleAt(RdmaEvent& event, int64_t time, uint64_t place);

    /** Forgets \p event if it is pending. */
    void Cancel(RdmaEvent& event)
    {
        event.m_seq = 0;
    }

    /** \return whether nothing is pending; drops outdated entries at the front */
    bool IsEmpty();

    /** \return the time of the first event; only if not IsEmpty() */
    int64_t FirstTime() const
    {
        return m_heap.Front().time;
    }

    /** \return the place of the first event; only if not IsEmpty() */
    uint64_t FirstPlace() const
    {
        return m_heap.Front().place;
    }

    /** Fires the first event; only if not IsEmpty(). At the end of time it does not, but stops the
     * simulation. \return whether it did */
    bool FireFirst();

    /** \return whether the simulation was stopped because it came to RDMA_END_OF_TIME */
    bool HasReachedEnd() const
    {
        return m_ended;
    }

    /** Simulated time moved on without an event here: time \p now, place \p place in the order. */
    void SetNow(int64_t now, uint64_t place)
    {
        if (static_cast<uint64_t>(now) >= m_watchTime)
        {
            TellWatch(now);
        }
        m_now = now;
        m_place = place;
    }

    /** \param driver told when the first event becomes earlier; null if nobody need be told */
    void SetDriver(RdmaEventDriver* driver);

    /** \param watch told before time comes to \p time (time steps), once; there is one at most;
     * null: nobody is told */
    void SetWatch(RdmaClockWatch* watch, int64_t time);

    /** Brings the clock to simulated time, for whoever calls in from outside of the queue's events;
     * without a driver it is there already. */
    void Sync()
    {
        if (m_driver)
        {
            m_driver->Sync();
        }
    }

    /** \return events fired */
    uint64_t GetEventCount() const
    {
        return m_fired;
    }

    /** \param entries from which on those that are not due next go into the wheel */
    void SetSpread(size_t entries)
    {
        m_spread = entries;
    }

    /** \return whether entries may be in the wheel */
    bool IsSpread() const
    {
        return m_later.IsWheel();
    }

    /** Removes entries of cancelled and moved events now instead of when their time comes.
     * O(entries). */
    void DropOutdated();

    ~RdmaEventQueue();

    /** All that was pending, while a part of the network lives through a time that is past. */
    class Suspension
    {
        friend class RdmaEventQueue;
        RdmaEventHeap heap;
        RdmaEventLater later;
        bool hole{false};
        int64_t now{0};
        int64_t present{0};
        uint64_t place{0};
    };

    /**
     * Takes all pending events away, also from within one that fires, and sets the clock back.
     * Until Restore, events that are scheduled happen by RunUntil alone.
     * \param now time steps
     * \return what Restore needs
     */
    Suspension Suspend(int64_t now);

    /** Fires all events up to and including \p until (time steps, before the end of time). */
    void RunUntil(int64_t until);

    /** Puts back what Suspend took; what has come in between stays pending. */
    void Restore(Suspension&& suspension);

  private:
    friend class RdmaProcesses;
    using Entry = RdmaEventEntry;

    void FillHole()
    {
        m_hole = false;
        m_heap.PopFront();
    }

    void PopFront();
    bool Refill();
    void RefillFromWheel();
    static void FetchNext(const std::vector<Entry>& entries);
    std::vector<Entry> TakeAll();
    bool IsAlone() const;
    void SpreadIfMany();
    void Spread();
    void Adopt(const std::vector<Entry>& entries);
    void TellWatch(int64_t time);
    void StopAtEnd();

    void MakeTimersFinal();
    void PostToProcess(const Entry& entry);
    void ScheduleOutside(RdmaEvent& event, int64_t time, uint64_t place);
    void ScheduleSoon(RdmaEvent& event, int64_t time, uint64_t place);

    static constexpr uint64_t NO_END = RdmaEventLater::NO_END;
    static constexpr size_t NEXT = 32; //!< entries, at least, that come from the wheel

    RdmaEventHeap m_heap;
    bool m_hole{false};        //!< its front is vacant
    RdmaEventLater m_later;    //!< all entries that are later than its end
    size_t m_spread{2048};     //!< entries for a wheel: 48 KiB
    std::vector<Entry> m_next; //!< scratch: what comes from there
    int64_t m_now{0};
    int64_t m_present{0};   //!< before the clock was set back; 0: it is not
    uint64_t m_place{0};    //!< of the event that is firing
    uint64_t m_nextSeq{4};  //!< ns-3's event identifiers begin at 4
    uint64_t m_nextLast{0}; //!< among the last of an instant
    uint64_t m_fired{0};
    uint64_t m_watchTime{RDMA_END_OF_TIME}; //!< when m_watch is to be told, or time ends
    bool m_ended{false};
    RdmaEventDriver* m_driver{nullptr};
    RdmaClockWatch* m_watch{nullptr};

    // while the network is split into processes
    RdmaProcesses* m_processes{nullptr}; //!< null while it is not
    uint32_t m_running{0};               //!< process whose heap m_heap is; 0 for the network's
    uint32_t m_thread{0};                //!< of the threads that run windows
    uint64_t m_provisional{0};     //!< RdmaPlaces::PROVISIONAL and the thread, while a window runs
    uint64_t m_runBase{0};         //!< first place that the process that runs took
    uint64_t m_windowBase{NO_END}; //!< first number taken in this window, if one runs
    uint64_t m_mergedEnd{0};       //!< all events before are here, in order; time steps
    RdmaPlaces::Moves m_moves;     //!< from provisional places to final ones
    RdmaPlaces::Memory m_movesMemory; //!< of all threads; of the network's queue
    std::vector<RdmaTimer*> m_timers; //!< with provisional places; null: no longer
};

inline void
RdmaEventQueue::ScheduleAt(RdmaEvent& event, int64_t time, uint64_t place)
{
    place = Known(place);
    event.m_queue = this;
    event.m_time = time;
    event.m_seq = place;
    ++event.m_entries;
    if (m_running)
    {
        // what another process has taken in this window has no place among what is here
        if (event.m_process != m_running ||
            ((place & RdmaPlaces::PROVISIONAL) && place < m_runBase))
        {
            PostToProcess({place, time, &event});
        }
        else if (m_hole)
        {
            m_hole = false;
            m_heap.ReplaceFront({place, time, &event});
        }
        else
        {
            m_heap.Push({place, time, &event});
        }
        return;
    }
    ScheduleOutside(event, time, place);
}

inline bool
RdmaEventQueue::FireFirst()
{
    // its parts one by one: a copy would wait for those that have just been written
    const Entry& first = m_heap.Front();
    RdmaEvent& event = *first.event;
    const int64_t time = first.time;
    const uint64_t place = first.place;
    if (static_cast<uint64_t>(time) >= m_watchTime)
    {
        if (static_cast<uint64_t>(time) >= RDMA_END_OF_TIME)
        {
            StopAtEnd();
            return false;
        }
        TellWatch(time);
        if (static_cast<uint64_t>(time) >= m_watchTime)
        {
            return false;
        }
    }
    m_hole = true;
    m_now = time;
    m_place = place;
    event.m_seq = 0;
    --event.m_entries;
    ++m_fired;
    if (m_heap.GetSize() == 1 && m_later.GetEnd() != NO_END)
    {
        m_later.TakeNear(m_heap); // while this one happens, finding it takes hardly any time
    }
    event.Fire();
    if (m_hole)
    {
        FillHole();
    }
    return true;
}

inline bool
RdmaEventQueue::IsEmpty()
{
    while (!m_heap.IsEmpty() && !m_heap.Front().IsValid())
    {
        PopFront();
    }
    return m_heap.IsEmpty() && (m_later.GetEnd() == NO_END || !Refill());
}

} // namespace ns3

#endif // RDMA_EVENT_QUEUE_H

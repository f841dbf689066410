/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_EVENT_QUEUE_H
#define RDMA_EVENT_QUEUE_H

#include "rdma-event-wheel.h"

#include "ns3/rdma-arithmetic.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

class RdmaEventQueue;
class RdmaPort;
class RdmaProcesses;
class RdmaTimer;

/** \ingroup rdma When something pending is due. */
struct RdmaDue
{
    int64_t time{0};   ///< time steps
    uint64_t place{0}; ///< in the order of scheduling; 0 if nothing is pending

    explicit operator bool() const
    {
        return place != 0;
    }
};

/**
 * \ingroup rdma
 * \brief Something that happens at a time, as an object that lives as long as its owner.
 *
 * It is pending at most once; scheduling it again moves it. Nothing is allocated. To destroy one
 * while the queue holds entries of it costs O(entries): for what comes and goes there is RdmaTimer.
 */
class RdmaEvent
{
  public:
    RdmaEvent() = default;
    virtual ~RdmaEvent();
    RdmaEvent(const RdmaEvent&) = delete;
    RdmaEvent& operator=(const RdmaEvent&) = delete;

    /** \return true from being scheduled until it fires or is cancelled */
    bool IsPending() const
    {
        return m_seq != 0;
    }

    /** \return when it will fire, in time steps; meaningful while pending */
    int64_t GetTime() const
    {
        return m_time;
    }

    /** \return when it will fire */
    RdmaDue GetDue() const
    {
        return {m_time, m_seq};
    }

    /** \param process that it belongs to (RdmaProcesses), from 1; 0 for the network as a whole;
     * only while not pending */
    void SetProcess(uint32_t process)
    {
        m_process = process;
    }

    uint32_t GetProcess() const
    {
        return m_process;
    }

  protected:
    /** What happens. */
    virtual void Fire() = 0;

    /**
     * The event is among the next that fire: lets memory be fetched that Fire will touch. Changes
     * nothing.
     * \param stage 1 to RDMA_FETCH_STAGES, one after the other; what a stage asked for has mostly
     * come by the next
     */
    virtual void Fetch(uint32_t stage) const;

    /** \return the port, at whose other end another thread is, that the event is the first arrival
     * from; null if it is not */
    virtual RdmaPort* GetCutPort();

  private:
    friend class RdmaEventQueue;
    friend class RdmaProcesses;

    RdmaEventQueue* m_queue{nullptr}; //!< where entries of it are
    int64_t m_time{0};                //!< of the valid entry
    uint64_t m_seq{0};                //!< of the valid entry; 0 if none
    uint32_t m_entries{0};            //!< entries in the queue, outdated ones included
    uint32_t m_process{0};            //!< that it belongs to; 0 for the network as a whole
};

/** \ingroup rdma How often an event is told that it is among the next: as often as one address is
 * read from what the one before leads to. */
constexpr uint32_t RDMA_FETCH_STAGES = 5;

/** \ingroup rdma An event that calls a member function of its owner; \c FETCH, unless null, is
 * RdmaEvent::Fetch, and \c CUT is RdmaEvent::GetCutPort. */
template <typename Owner,
          void (Owner::*FUNCTION)(),
          void (Owner::*FETCH)(uint32_t) const = nullptr,
          RdmaPort* (Owner::*CUT)() = nullptr>
class RdmaMemberEvent final : public RdmaEvent
{
  public:
    explicit RdmaMemberEvent(Owner* owner)
        : m_owner(owner)
    {
    }

  private:
    void Fire() override
    {
        (m_owner->*FUNCTION)();
    }

    void Fetch(uint32_t stage) const override
    {
        if constexpr (FETCH != nullptr)
        {
            (m_owner->*FETCH)(stage);
        }
    }

    RdmaPort* GetCutPort() override
    {
        if constexpr (CUT != nullptr)
        {
            return (m_owner->*CUT)();
        }
        return nullptr;
    }

    Owner* m_owner;
};

/**
 * \ingroup rdma
 * \brief Whoever lets a queue's events happen when simulated time reaches them.
 */
class RdmaEventDriver
{
  public:
    virtual ~RdmaEventDriver() = default;
    /** An event was scheduled for \p time; if that is earlier than all others', it is always told.
     */
    virtual void Arm(int64_t time) = 0;
    /** Sets the queue's clock to simulated time. */
    virtual void Sync() = 0;
};

/**
 * \ingroup rdma
 * \brief Whoever looks at the network at times of its own, without events of its own: so what
 * happens, in which order, and when it is over do not depend on it.
 */
class RdmaClockWatch
{
  public:
    virtual ~RdmaClockWatch() = default;

    /**
     * Simulated time is about to come to \p time (time steps), which is as late as was asked for,
     * or later; until then all is as it is now. Nothing may be changed or scheduled.
     * \return when to be told next, after \p time
     */
    virtual int64_t TimePasses(int64_t time) = 0;
};

/**
 * \ingroup rdma
 * \brief The events of ports and queue pairs in order of (time, sequence number).
 *
 * Equal times are common in symmetric networks and their order decides results: it is the order of
 * scheduling, as in ns-3. A place in that order can be taken before it is known whether the event
 * is needed (ReserveSequence), and used later (ScheduleAt) or never: that is how an idle
 * transmitter's end of transmission costs nothing.
 *
 * A 4-ary heap; the entry of the event that is firing stays as a hole at the root, which the first
 * event scheduled meanwhile fills. In large networks the heap holds only the next some events, so
 * that it stays in the cache; the others are in a wheel. When some come from there, they let the
 * memory be fetched that they will touch.
 */
class RdmaEventQueue
{
  public:
    /** \return the time of the event that is firing, or the time last set; time steps */
    int64_t Now() const
    {
        return m_now;
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
        return LAST_PLACES + m_nextLast++;
    }

    /** \return a place after all of ReserveSequence, even those that are taken later */
    uint64_t TakeEndPlace()
    {
        return END_PLACES + m_nextLast++;
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
        if (!(place & PROVISIONAL))
        {
            return place;
        }
        const uint64_t taken = place & NUMBER;
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

    /** All ranks (RdmaRanks) have taken the \p count places from \p first on, used or not: what one
     * of them alone did outside of windows took some of them. Aborts if it took more. */
    void PassPlaces(uint64_t first, uint64_t count);

    /** Takes \p place, of those that PassPlaces would pass, as the next one. \return what would
     * have been that, for whoever puts it back so */
    uint64_t ReturnTo(uint64_t place)
    {
        return std::exchange(m_nextSeq, place);
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
        return m_heap.front().time;
    }

    /** \return the place of the first event; only if not IsEmpty() */
    uint64_t FirstPlace() const
    {
        return m_heap.front().place;
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

    /** \param entries from which on those that are not due next go into the wheel; what fires, and
     * in which order, does not depend on it */
    void SetSpread(size_t entries)
    {
        m_spread = entries;
    }

    /** \return whether entries may be in the wheel */
    bool IsSpread() const
    {
        return m_heapEnd != NO_END;
    }

    /** Removes entries of cancelled and moved events now instead of when their time comes.
     * O(entries). */
    void DropOutdated();

    ~RdmaEventQueue();

  private:
    friend class RdmaProcesses;

    using Entry = RdmaEventEntry;
    using Key = Entry::Key;

    /** By how much the final place of a provisional one is greater; a ring for each thread. */
    struct Moves
    {
        uint64_t Of(uint64_t place) const
        {
            return static_cast<uint64_t>(static_cast<int64_t>(At(place)));
        }

        int32_t& At(uint64_t place) const
        {
            return moves[((place >> THREAD_BITS) & MOST_THREADS) * (mask + 1) + (place & mask)];
        }

        int32_t* moves{nullptr};
        uint64_t mask{0}; //!< size of a ring less 1, a power of 2 less 1; less than NUMBER
    };

  public:
    /** All that was pending, while a part of the network lives through a time that is past. */
    class Suspension
    {
        friend class RdmaEventQueue;
        std::vector<Entry> heap;
        std::unique_ptr<RdmaEventWheel> wheel;
        uint64_t heapEnd{0};
        bool hole{false};
        int64_t now{0};
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
    void SiftDown(size_t i, const Entry& entry);
    void SiftUp(size_t i, const Entry& entry);
    void FillHole();
    void PopFront();
    bool Refill();
    void FetchNext() const;
    void Spread();
    void Adopt(const std::vector<Entry>& entries);
    void TellWatch(int64_t time);
    void StopAtEnd();

    void MakeTimersFinal();
    void PostToProcess(const Entry& entry);

    // A provisional place: this bit, the number of the thread that took it, and its number there.
    static constexpr uint64_t PROVISIONAL = uint64_t{1} << 61;
    static constexpr uint32_t THREAD_BITS = 53; //!< bits below those of the thread
    static constexpr uint64_t MOST_THREADS = 255;
    static constexpr uint64_t NUMBER = (uint64_t{1} << THREAD_BITS) - 1;
    static constexpr uint64_t END_PLACES = uint64_t{1} << 62;
    static constexpr uint64_t LAST_PLACES = uint64_t{1} << 63;

    static constexpr uint64_t NO_END = std::numeric_limits<uint64_t>::max();
    static constexpr size_t NEXT = 32; //!< entries, at least, that come from the wheel

    std::vector<Entry> m_heap;
    size_t m_spread{2048};                   //!< entries of the heap: 48 KiB
    bool m_hole{false};                      //!< the root is vacant
    uint64_t m_heapEnd{NO_END};              //!< all later entries are in the wheel; time steps
    std::unique_ptr<RdmaEventWheel> m_wheel; //!< null if it was never needed
    int64_t m_now{0};
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
    uint64_t m_provisional{0};           //!< PROVISIONAL and the thread, while a window runs
    uint64_t m_runBase{0};               //!< first place that the process that runs took
    uint64_t m_windowBase{NO_END};       //!< first number taken in this window, if one runs
    uint64_t m_mergedEnd{0};             //!< all events before are here, in order; time steps
    Moves m_moves;                       //!< from provisional places to final ones
    std::vector<int32_t> m_movesMemory;  //!< of all threads; of the network's queue
    std::vector<RdmaTimer*> m_timers;    //!< with provisional places; null: no longer
};

inline void
RdmaEventQueue::SiftDown(size_t i, const Entry& entry)
{
    Entry* const heap = m_heap.data();
    const size_t size = m_heap.size();
    const Key key = entry.GetKey();
    for (size_t child = 4 * i + 1; child < size; child = 4 * i + 1)
    {
        size_t min = child;
        Key minKey = heap[child].GetKey();
        const size_t end = child + 4 < size ? child + 4 : size;
        for (size_t c = child + 1; c < end; ++c)
        {
            const Key k = heap[c].GetKey();
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
RdmaEventQueue::SiftUp(size_t i, const Entry& entry)
{
    Entry* const heap = m_heap.data();
    const Key key = entry.GetKey();
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

inline void
RdmaEventQueue::FillHole()
{
    m_hole = false;
    const Entry last = m_heap.back();
    m_heap.pop_back();
    if (!m_heap.empty())
    {
        SiftDown(0, last);
    }
}

inline void
RdmaEventQueue::ScheduleAt(RdmaEvent& event, int64_t time, uint64_t place)
{
    place = Known(place);
    event.m_queue = this;
    event.m_time = time;
    event.m_seq = place;
    ++event.m_entries;
    const Entry entry{place, time, &event};
    // what another process has taken in this window has no place among what is here
    if (m_processes && static_cast<uint64_t>(time) >= m_mergedEnd &&
        (event.m_process != m_running || ((place & PROVISIONAL) && place < m_runBase)))
    {
        PostToProcess(entry);
        return;
    }
    if (static_cast<uint64_t>(time) > m_heapEnd)
    {
        m_wheel->Insert(entry);
        if (m_driver && m_heap.empty())
        {
            m_driver->Arm(time);
        }
        return;
    }
    if (m_hole)
    {
        m_hole = false;
        SiftDown(0, entry);
        return;
    }
    m_heap.emplace_back();
    SiftUp(m_heap.size() - 1, entry);
    if (m_driver && m_heap.front().event == &event)
    {
        m_driver->Arm(time);
    }
    if (m_heap.size() >= m_spread && m_heapEnd == NO_END && (!m_processes || m_mergedEnd))
    {
        Spread();
    }
}

inline bool
RdmaEventQueue::FireFirst()
{
    const Entry first = m_heap.front();
    if (static_cast<uint64_t>(first.time) >= m_watchTime)
    {
        if (static_cast<uint64_t>(first.time) >= RDMA_END_OF_TIME)
        {
            StopAtEnd();
            return false;
        }
        TellWatch(first.time);
    }
    m_hole = true;
    m_now = first.time;
    m_place = first.place;
    first.event->m_seq = 0;
    --first.event->m_entries;
    ++m_fired;
    first.event->Fire();
    if (m_hole)
    {
        FillHole();
    }
    return true;
}

inline bool
RdmaEventQueue::IsEmpty()
{
    while (!m_heap.empty() && m_heap.front().event->m_seq != m_heap.front().place)
    {
        PopFront();
    }
    return m_heap.empty() && !Refill();
}

} // namespace ns3

#endif // RDMA_EVENT_QUEUE_H

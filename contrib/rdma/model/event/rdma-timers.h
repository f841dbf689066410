/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TIMERS_H
#define RDMA_TIMERS_H

#include "rdma-event-queue.h"

#include <cstdint>
#include <set>
#include <vector>

namespace ns3
{

class RdmaTimerList;
class RdmaTimers;

/**
 * \ingroup rdma
 * \brief Something that mostly does not happen: a time-out, or a step of a congestion control. It
 * may be destroyed at any time.
 */
class RdmaTimer
{
  public:
    RdmaTimer() = default;
    virtual ~RdmaTimer();
    RdmaTimer(const RdmaTimer&) = delete;
    RdmaTimer& operator=(const RdmaTimer&) = delete;

    /** \return whether it is going to fire */
    bool IsPending() const
    {
        return m_timers;
    }

    /** \return when it is going to fire */
    RdmaDue GetDue() const
    {
        return m_timers ? RdmaDue{m_time, m_place} : RdmaDue{};
    }

    /** \param home where it is while the network is split into processes */
    void SetHome(RdmaTimers* home)
    {
        m_home = home;
    }

    RdmaTimers* GetHome() const
    {
        return m_home;
    }

    /** The window is over in which its place was taken (RdmaProcesses). */
    void MakeFinal(const RdmaEventQueue& eventQueue)
    {
        m_note = 0;
        m_place = eventQueue.Known(m_place);
    }

  protected:
    /** What happens. */
    virtual void Fire() = 0;

  private:
    friend class RdmaTimers;

    friend class RdmaTimerList;

    struct IsEarlier
    {
        bool operator()(const RdmaTimer* a, const RdmaTimer* b) const
        {
            return a->m_time < b->m_time || (a->m_time == b->m_time && a->m_place < b->m_place);
        }
    };

    using Order = std::multiset<RdmaTimer*, IsEarlier>;

    RdmaTimers* m_timers{nullptr}; //!< where it is pending
    RdmaTimers* m_home{nullptr};
    RdmaTimerList* m_list{nullptr};
    int64_t m_time{0};
    uint64_t m_place{0};
    uint32_t m_note{0};      //!< of RdmaEventQueue::NoteTimer; 0 if none
    Order::iterator m_at;    //!< while it is pending
    Order::node_type m_node; //!< while it is not, unless it never was: nothing is allocated again
};

/** \ingroup rdma The timers that concern one queue pair, pending or not. */
class RdmaTimerList
{
  public:
    RdmaTimerList() = default;
    ~RdmaTimerList();
    RdmaTimerList(const RdmaTimerList&) = delete;
    RdmaTimerList& operator=(const RdmaTimerList&) = delete;

    /** Adds \p timer, which leaves the list that it may have been in. */
    void Add(RdmaTimer& timer);

    const std::vector<RdmaTimer*>& Get() const
    {
        return m_timers;
    }

  private:
    friend class RdmaTimer;

    void Remove(RdmaTimer& timer);

    std::vector<RdmaTimer*> m_timers;
};

/** \ingroup rdma A timer that calls a member function of its owner. */
template <typename T>
class RdmaMemberTimer final : public RdmaTimer
{
  public:
    RdmaMemberTimer(T* owner, void (T::*function)())
        : m_owner(owner),
          m_function(function)
    {
    }

  private:
    void Fire() override
    {
        (m_owner->*m_function)();
    }

    T* m_owner;
    void (T::*m_function)();
};

/**
 * \ingroup rdma
 * \brief Pending timers in order, with one RDMA event for the first: O(log n) to set and to cancel.
 *
 * Timers are cancelled far more often than they fire; in the event queue they would stay until
 * their time.
 */
class RdmaTimers
{
  public:
    RdmaTimers();
    ~RdmaTimers();

    /** \param eventQueue clock and order, where it is asked for at each use */
    void SetEventQueue(RdmaEventQueue* const& eventQueue);

    /** Lets \p timer fire at \p time (time steps), instead of when it was going to. */
    void Schedule(RdmaTimer& timer, int64_t time);

    /** Lets \p timer fire at a time and place that are not past. */
    void ScheduleAt(RdmaTimer& timer, const RdmaDue& due);

    /** Forgets \p timer if it is pending. */
    void Cancel(RdmaTimer& timer);

    /** Takes all pending timers away until Restore, which must come. */
    RdmaTimer::Order Suspend();

    /** Puts back what Suspend took; what has come in between stays pending. */
    void Restore(RdmaTimer::Order&& timers);

    /** Timers have gone elsewhere: nothing is to happen any more when they were due. */
    void Rearm();

    /** Forgets all timers. */
    void Clear();

    /** \param process that its timers belong to (RdmaProcesses) */
    void SetProcess(uint32_t process)
    {
        m_first.SetProcess(process);
    }

    /** Takes over \p timer, which is pending, with its time and place. */
    void TakeOver(RdmaTimer& timer)
    {
        ScheduleAt(timer, timer.GetDue());
    }

    /** \return the pending timers in order */
    std::vector<RdmaTimer*> GetTimers() const
    {
        return {m_order.begin(), m_order.end()};
    }

  private:
    void FireFirst();
    void Arm();

    RdmaEventQueue& Queue() const
    {
        return **m_eventQueue;
    }

    RdmaEventQueue* const* m_eventQueue{nullptr};
    RdmaTimer::Order m_order;
    RdmaMemberEvent<RdmaTimers, &RdmaTimers::FireFirst> m_first;
};

} // namespace ns3

#endif // RDMA_TIMERS_H

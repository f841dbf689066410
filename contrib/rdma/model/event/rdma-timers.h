/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TIMERS_H
#define RDMA_TIMERS_H

#include "rdma-event-queue.h"

#include <cstddef>
#include <cstdint>
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

  protected:
    /** What happens. */
    virtual void Fire() = 0;

  private:
    friend class RdmaTimers;

    friend class RdmaTimerList;

    RdmaTimers* m_timers{nullptr}; //!< where it is pending
    RdmaTimerList* m_list{nullptr};
    int64_t m_time{0};
    uint64_t m_place{0};
    size_t m_index{0}; //!< in the heap
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
 * their time. A binary heap that knows where each timer is; once it has grown, nothing is
 * allocated.
 */
class RdmaTimers
{
  public:
    RdmaTimers();
    ~RdmaTimers();

    /** \param eventQueue clock and order */
    void SetEventQueue(RdmaEventQueue& eventQueue);

    /** Lets \p timer fire at \p time (time steps), instead of when it was going to. */
    void Schedule(RdmaTimer& timer, int64_t time);

    /** Lets \p timer fire at a time and place that are not past. */
    void ScheduleAt(RdmaTimer& timer, const RdmaDue& due);

    /** Forgets \p timer if it is pending. */
    void Cancel(RdmaTimer& timer);

    /** Takes all pending timers away until Restore, which must come. */
    std::vector<RdmaTimer*> Suspend();

    /** Puts back what Suspend took; what has come in between stays pending. */
    void Restore(std::vector<RdmaTimer*>&& timers);

    /** Forgets all timers. */
    void Clear();

  private:
    static bool IsEarlier(const RdmaTimer& a, const RdmaTimer& b)
    {
        return a.m_time < b.m_time || (a.m_time == b.m_time && a.m_place < b.m_place);
    }

    struct First final : public RdmaEvent
    {
        explicit First(RdmaTimers* t)
            : timers(t)
        {
        }

        void Fire() override
        {
            timers->FireFirst();
        }

        RdmaTimers* timers;
    };

    void FireFirst();
    void Arm();
    void Put(size_t i, RdmaTimer& timer);
    void SiftUp(size_t i, RdmaTimer& timer);
    void SiftDown(size_t i, RdmaTimer& timer);

    RdmaEventQueue* m_eventQueue{nullptr};
    std::vector<RdmaTimer*> m_heap;
    First m_first;
};

} // namespace ns3

#endif // RDMA_TIMERS_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-timers.h"

#include <algorithm>
#include <utility>

namespace ns3
{

RdmaTimer::~RdmaTimer()
{
    if (m_timers)
    {
        m_timers->Cancel(*this);
    }
    if (m_list)
    {
        m_list->Remove(*this);
    }
}

RdmaTimerList::~RdmaTimerList()
{
    for (RdmaTimer* timer : m_timers)
    {
        timer->m_list = nullptr;
    }
}

void
RdmaTimerList::Add(RdmaTimer& timer)
{
    if (timer.m_list == this)
    {
        return;
    }
    if (timer.m_list)
    {
        timer.m_list->Remove(timer);
    }
    timer.m_list = this;
    m_timers.push_back(&timer);
}

void
RdmaTimerList::Remove(RdmaTimer& timer)
{
    timer.m_list = nullptr;
    m_timers.erase(std::find(m_timers.begin(), m_timers.end(), &timer));
}

RdmaTimers::RdmaTimers()
    : m_first(this)
{
}

RdmaTimers::~RdmaTimers()
{
    Clear();
}

void
RdmaTimers::SetEventQueue(RdmaEventQueue* const& eventQueue)
{
    m_eventQueue = &eventQueue;
}

void
RdmaTimers::Arm()
{
    if (m_order.empty())
    {
        return; // an armed event finds nothing to do
    }
    const RdmaTimer& first = **m_order.begin();
    if (!m_first.IsPending() || first.m_time < m_first.GetTime())
    {
        Queue().ScheduleAt(m_first, first.m_time, first.m_place);
    }
}

void
RdmaTimers::Schedule(RdmaTimer& timer, int64_t time)
{
    ScheduleAt(timer, {time, Queue().ReserveSequence()});
}

void
RdmaTimers::ScheduleAt(RdmaTimer& timer, const RdmaDue& due)
{
    Cancel(timer);
    timer.m_timers = this;
    timer.m_time = due.time;
    timer.m_place = Queue().Known(due.place);
    if (Queue().IsInWindow())
    {
        timer.m_note = Queue().NoteTimer(timer);
    }
    // mostly the last: then the others are not asked
    timer.m_at = timer.m_node ? m_order.insert(m_order.end(), std::move(timer.m_node))
                              : m_order.insert(m_order.end(), &timer);
    Arm();
}

void
RdmaTimers::Cancel(RdmaTimer& timer)
{
    if (timer.m_timers)
    {
        timer.m_node = timer.m_timers->m_order.extract(timer.m_at);
        timer.m_timers = nullptr;
        if (timer.m_note)
        {
            Queue().ForgetTimer(std::exchange(timer.m_note, 0));
        }
    }
}

void
RdmaTimers::Clear()
{
    for (RdmaTimer* timer : m_order)
    {
        timer->m_timers = nullptr;
    }
    m_order.clear();
    if (m_eventQueue && *m_eventQueue)
    {
        Queue().Cancel(m_first);
    }
}

RdmaTimer::Order
RdmaTimers::Suspend()
{
    Queue().Cancel(m_first);
    RdmaTimer::Order timers;
    timers.swap(m_order);
    return timers;
}

void
RdmaTimers::Restore(RdmaTimer::Order&& timers)
{
    m_order.merge(timers);
    Rearm();
}

void
RdmaTimers::Rearm()
{
    Queue().Cancel(m_first);
    Arm();
}

void
RdmaTimers::FireFirst()
{
    if (!m_order.empty())
    {
        RdmaTimer& timer = **m_order.begin();
        if (Queue().IsPast(timer.m_time, timer.m_place))
        {
            Cancel(timer);
            timer.Fire();
            Arm();
            return;
        }
    }
    Queue().DoNotCount();
    Arm();
}

} // namespace ns3

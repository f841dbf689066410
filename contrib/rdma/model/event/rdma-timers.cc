/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-timers.h"

#include <algorithm>

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
RdmaTimers::SetEventQueue(RdmaEventQueue& eventQueue)
{
    m_eventQueue = &eventQueue;
}

void
RdmaTimers::Arm()
{
    if (m_heap.empty())
    {
        return; // an armed event finds nothing to do
    }
    const RdmaTimer& first = *m_heap.front();
    if (!m_first.IsPending() || first.m_time < m_first.GetTime())
    {
        m_eventQueue->ScheduleAt(m_first, first.m_time, first.m_place);
    }
}

void
RdmaTimers::Schedule(RdmaTimer& timer, int64_t time)
{
    ScheduleAt(timer, {time, m_eventQueue->ReserveSequence()});
}

void
RdmaTimers::ScheduleAt(RdmaTimer& timer, const RdmaDue& due)
{
    Cancel(timer);
    timer.m_timers = this;
    timer.m_time = due.time;
    timer.m_place = due.place;
    m_heap.push_back(&timer);
    SiftUp(m_heap.size() - 1, timer);
    Arm();
}

void
RdmaTimers::Cancel(RdmaTimer& timer)
{
    if (!timer.m_timers)
    {
        return;
    }
    timer.m_timers = nullptr;
    RdmaTimer& last = *m_heap.back();
    m_heap.pop_back();
    if (&last == &timer)
    {
        return;
    }
    if (IsEarlier(last, timer))
    {
        SiftUp(timer.m_index, last);
    }
    else
    {
        SiftDown(timer.m_index, last);
    }
}

void
RdmaTimers::Put(size_t i, RdmaTimer& timer)
{
    m_heap[i] = &timer;
    timer.m_index = i;
}

void
RdmaTimers::SiftUp(size_t i, RdmaTimer& timer)
{
    for (size_t parent; i > 0 && IsEarlier(timer, *m_heap[parent = (i - 1) / 2]); i = parent)
    {
        Put(i, *m_heap[parent]);
    }
    Put(i, timer);
}

void
RdmaTimers::SiftDown(size_t i, RdmaTimer& timer)
{
    for (size_t child; (child = 2 * i + 1) < m_heap.size(); i = child)
    {
        if (child + 1 < m_heap.size() && IsEarlier(*m_heap[child + 1], *m_heap[child]))
        {
            ++child;
        }
        if (!IsEarlier(*m_heap[child], timer))
        {
            break;
        }
        Put(i, *m_heap[child]);
    }
    Put(i, timer);
}

void
RdmaTimers::Clear()
{
    for (RdmaTimer* timer : m_heap)
    {
        timer->m_timers = nullptr;
    }
    m_heap.clear();
    if (m_eventQueue)
    {
        m_eventQueue->Cancel(m_first);
    }
}

std::vector<RdmaTimer*>
RdmaTimers::Suspend()
{
    m_eventQueue->Cancel(m_first);
    std::vector<RdmaTimer*> timers;
    timers.swap(m_heap);
    return timers;
}

void
RdmaTimers::Restore(std::vector<RdmaTimer*>&& timers)
{
    m_heap.swap(timers);
    for (RdmaTimer* timer : timers)
    {
        m_heap.push_back(timer);
        SiftUp(m_heap.size() - 1, *timer);
    }
    m_eventQueue->Cancel(m_first);
    Arm();
}

void
RdmaTimers::FireFirst()
{
    if (!m_heap.empty())
    {
        RdmaTimer& timer = *m_heap.front();
        if (m_eventQueue->IsPast(timer.m_time, timer.m_place))
        {
            Cancel(timer);
            timer.Fire();
        }
    }
    Arm();
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-timers.h"

namespace ns3
{

RdmaTimer::~RdmaTimer()
{
    if (m_timers)
    {
        m_timers->Cancel(*this);
    }
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
RdmaTimers::SetLanes(RdmaLaneQueue& lanes)
{
    m_lanes = &lanes;
}

void
RdmaTimers::Arm()
{
    if (m_pending.empty())
    {
        return; // an armed event finds nothing to do
    }
    const RdmaTimer& first = **m_pending.begin();
    if (!m_first.IsPending() || first.m_time < m_first.GetTime())
    {
        m_lanes->ScheduleAt(m_first, first.m_time, first.m_place);
    }
}

void
RdmaTimers::Schedule(RdmaTimer& timer, int64_t time)
{
    Cancel(timer);
    timer.m_timers = this;
    timer.m_time = time;
    timer.m_place = m_lanes->TakePlace();
    m_pending.insert(&timer);
    Arm();
}

void
RdmaTimers::Cancel(RdmaTimer& timer)
{
    if (timer.m_timers)
    {
        m_pending.erase(&timer);
        timer.m_timers = nullptr;
    }
}

void
RdmaTimers::Clear()
{
    for (RdmaTimer* timer : m_pending)
    {
        timer->m_timers = nullptr;
    }
    m_pending.clear();
    if (m_lanes)
    {
        m_lanes->Cancel(m_first);
    }
}

void
RdmaTimers::FireFirst()
{
    if (!m_pending.empty())
    {
        RdmaTimer& timer = **m_pending.begin();
        if (m_lanes->IsPast(timer.m_time, timer.m_place))
        {
            Cancel(timer);
            timer.Fire();
        }
    }
    Arm();
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Crowds: what waits for the same, together. The class' documentation says why that is exact.

#include "workload-loggops-literal.h"

#include <algorithm>

namespace ns3
{

void
WorkloadLogGopsLiteral::RunCrowd(uint32_t crowd, uint64_t first, int64_t now)
{
    if (m_crowds[crowd].members == WORKLOAD_POOL_NONE || m_crowds[crowd].time != now ||
        m_members.First(m_crowds[crowd].members).number != first)
    {
        return;
    }
    if (std::vector<Break>& breaks = m_crowds[crowd].breaks;
        !breaks.empty() && first > breaks.front().number)
    {
        m_crowds[crowd].time = breaks.front().time; // none is left of those before the break
        breaks.erase(breaks.begin());
        Announce(crowd);
        return;
    }
    const Event event = TakeMember(crowd);
    const bool others = m_crowds[crowd].members != WORKLOAD_POOL_NONE;
    if (others)
    {
        Announce(crowd);
    }
    Need need{};
    const int64_t again = Try(event, now, need);
    if (again == 0)
    {
        return;
    }
    if (others)
    {
        Fail(crowd, again);
    }
    PutBack(event, again, need);
}

void
WorkloadLogGopsLiteral::Fail(uint32_t number, int64_t again)
{
    Crowd& crowd = m_crowds[number];
    for (const Break& late : crowd.breaks)
    {
        if (late.time != again)
        {
            Explode(crowd.need.process);
            return;
        }
    }
    crowd.limit = crowd.breaks.empty() ? UINT64_MAX : crowd.breaks.front().number;
    crowd.breaks.clear();
    crowd.time = again;
    crowd.failed = m_now;
    const uint32_t other = FindCrowd(crowd.need, again, m_now, number);
    if (other != WORKLOAD_POOL_NONE && m_crowds[other].limit == crowd.limit)
    {
        m_crowds[other].members = m_members.Meld(m_crowds[other].members, crowd.members);
        RemoveCrowd(number);
        Announce(other);
        return;
    }
    m_failed.push_back(number);
    Announce(number);
}

uint32_t
WorkloadLogGopsLiteral::FindCrowd(const Need& need,
                                  int64_t time,
                                  int64_t failed,
                                  uint32_t except) const
{
    for (const uint32_t number : m_crowdsOf[need.process])
    {
        const Crowd& crowd = m_crowds[number];
        if (number != except && crowd.need == need && crowd.time == time && crowd.breaks.empty() &&
            (failed < 0 || crowd.failed == failed))
        {
            return number;
        }
    }
    return WORKLOAD_POOL_NONE;
}

void
WorkloadLogGopsLiteral::PutBack(const Event& event, int64_t time, const Need& need)
{
    if (need.kind == ' ')
    {
        m_again.Push({time, event.number, event});
        return;
    }
    uint32_t number = FindCrowd(need, time, -1, WORKLOAD_POOL_NONE);
    if (number == WORKLOAD_POOL_NONE)
    {
        if (m_freeCrowds.empty())
        {
            m_freeCrowds.push_back(static_cast<uint32_t>(m_crowds.size()));
            m_crowds.emplace_back();
        }
        number = m_freeCrowds.back();
        m_freeCrowds.pop_back();
        m_crowdsOf[need.process].push_back(number);
        m_crowds[number].need = need;
        m_crowds[number].members = WORKLOAD_POOL_NONE;
        m_crowds[number].time = time;
        m_crowds[number].failed = -1;
        m_crowds[number].limit = UINT64_MAX;
    }
    Crowd& crowd = m_crowds[number];
    crowd.members = m_members.Add(crowd.members, event);
    if (m_members.First(crowd.members).number == event.number)
    {
        Announce(number);
    }
}

void
WorkloadLogGopsLiteral::Announce(uint32_t number)
{
    const Crowd& crowd = m_crowds[number];
    const uint64_t first = m_members.First(crowd.members).number;
    m_again.Push({crowd.time, first, {CROWD, number, first}});
}

WorkloadLogGopsLiteral::Event
WorkloadLogGopsLiteral::TakeMember(uint32_t number)
{
    Crowd& crowd = m_crowds[number];
    const Event event = m_members.First(crowd.members);
    crowd.members = m_members.Pop(crowd.members);
    if (event.operation & MESSAGE)
    {
        Expected(event).operation &= ~EXPECTED;
    }
    if (crowd.members == WORKLOAD_POOL_NONE)
    {
        RemoveCrowd(number);
    }
    return event;
}

void
WorkloadLogGopsLiteral::RemoveCrowd(uint32_t number)
{
    Crowd& crowd = m_crowds[number];
    crowd.members = WORKLOAD_POOL_NONE;
    crowd.breaks.clear();
    std::vector<uint32_t>& all = m_crowdsOf[crowd.need.process];
    all.erase(std::find(all.begin(), all.end(), number));
    m_freeCrowds.push_back(number);
}

void
WorkloadLogGopsLiteral::Raised(uint32_t process)
{
    for (const uint32_t number : m_crowdsOf[process])
    {
        Crowd& crowd = m_crowds[number];
        if (crowd.failed == m_now && crowd.time > m_now)
        {
            const int64_t free = FreeOf(crowd.need);
            if (free != (crowd.breaks.empty() ? crowd.time : crowd.breaks.back().time))
            {
                if (crowd.limit != UINT64_MAX)
                {
                    Explode(process);
                    return;
                }
                crowd.breaks.push_back({m_number, free});
            }
        }
    }
}

void
WorkloadLogGopsLiteral::Explode(uint32_t process)
{
    while (!m_crowdsOf[process].empty())
    {
        const uint32_t number = m_crowdsOf[process].back();
        const Crowd crowd = m_crowds[number];
        while (m_crowds[number].members != WORKLOAD_POOL_NONE)
        {
            const Event event = TakeMember(number);
            int64_t time = crowd.time;
            for (const Break& late : crowd.breaks)
            {
                time = event.number > late.number ? late.time : time;
            }
            if (crowd.failed == m_now && crowd.time > m_now && event.number > m_number &&
                event.number <= crowd.limit)
            {
                time = m_now; // its turn is still to come
            }
            m_again.Push({time, event.number, event});
        }
    }
}

WorkloadPosted&
WorkloadLogGopsLiteral::Expected(const Event& arrival)
{
    const WorkloadOperation& operation = Operation({arrival.process, arrival.operation & ~MESSAGE});
    return m_posted[m_waiting[GetPeer(arrival.process, operation)]
                        .Find(arrival.process, operation.tag)
                        ->Last()];
}

int64_t
WorkloadLogGopsLiteral::FreeOf(const Need& need)
{
    const int64_t cpu = CpuFree(need.process, need.cpu);
    return need.kind == 'c'   ? cpu
           : need.kind == 's' ? std::max(cpu, SendFree(need.process, need.nic))
                              : std::max(cpu, RecvFree(need.process, need.nic));
}

} // namespace ns3

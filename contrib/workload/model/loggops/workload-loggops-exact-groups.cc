/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Groups of events that wait for the same. The class' documentation says why that is exact.

#include "workload-loggops-exact.h"

#include <algorithm>

namespace ns3
{

void
WorkloadLogGopsExact::RunGroup(Group& group, uint64_t number)
{
    if (group.members.empty() || group.time != m_now || group.members.top().number != number)
    {
        return;
    }
    if (const int64_t free = FreeOf(group.need); free > m_now)
    {
        Announce(group, free);
        return;
    }
    const Event event = TakeFirst(group);
    if (!group.members.empty())
    {
        Announce(group, m_now);
    }
    RunOne(event);
}

void
WorkloadLogGopsExact::Join(Event event, const Need& need, int64_t time)
{
    std::list<Group>& groups = m_groups[m_jobs->GetNode(need.process)];
    auto group = std::find_if(groups.begin(), groups.end(), [&need](const Group& other) {
        return other.need == need;
    });
    if (group == groups.end())
    {
        group = groups.insert(group, Group{need});
    }
    if (group->members.empty())
    {
        group->changes = {{m_now, m_number, time}};
    }
    event.time = m_now;
    group->members.push(event);
    if (group->members.top().number == event.number)
    {
        Announce(*group, time);
    }
}

void
WorkloadLogGopsExact::Announce(Group& group, int64_t time)
{
    group.time = time;
    m_queue.push({time, group.members.top().number, 0, 0, &group});
}

WorkloadLogGopsExact::Event
WorkloadLogGopsExact::TakeFirst(Group& group)
{
    const Event event = group.members.top();
    group.members.pop();
    if (event.operation & MESSAGE)
    {
        Expected(event).operation &= ~EXPECTED;
    }
    return event;
}

void
WorkloadLogGopsExact::Raised(uint32_t process)
{
    for (Group& group : m_groups[m_jobs->GetNode(process)])
    {
        const int64_t free = FreeOf(group.need);
        if (group.members.empty() || free == group.changes.back().free)
        {
            continue;
        }
        if (group.changes.back().free <= m_now)
        {
            group.changes.clear(); // all members are due now
        }
        group.changes.push_back({m_now, m_number, free});
    }
}

void
WorkloadLogGopsExact::Dissolve(uint32_t node)
{
    for (Group& group : m_groups[node])
    {
        while (!group.members.empty())
        {
            Event event = TakeFirst(group);
            event.time = std::max(event.time, group.changes.front().time);
            while (std::tie(event.time, event.number) <= std::tie(m_now, m_number))
            {
                // It has been tried then, in vain.
                const auto next = std::find_if(group.changes.begin(),
                                               group.changes.end(),
                                               [&event](const Change& change) {
                                                   return std::tie(change.time, change.number) >
                                                          std::tie(event.time, event.number);
                                               });
                event.time = std::prev(next)->free;
            }
            m_queue.push(event);
        }
    }
}

WorkloadPosted&
WorkloadLogGopsExact::Expected(const Event& arrival)
{
    const WorkloadOperation& operation = Operation({arrival.process, arrival.operation & ~MESSAGE});
    return m_posted[m_waiting[GetPeer(arrival.process, operation)]
                        .Find(arrival.process, operation.tag)
                        ->Last()];
}

int64_t
WorkloadLogGopsExact::FreeOf(const Need& need)
{
    const int64_t cpu = CpuFree(need.process, need.cpu);
    return need.kind == WorkloadKind::CALC   ? cpu
           : need.kind == WorkloadKind::SEND ? std::max(cpu, SendFree(need.process, need.nic))
                                             : std::max(cpu, RecvFree(need.process, need.nic));
}

} // namespace ns3

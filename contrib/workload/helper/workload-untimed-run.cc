/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-untimed-run.h"

#include "workload-cycles.h"

#include <algorithm>
#include <utility>

namespace ns3
{

WorkloadUntimedRun::WorkloadUntimedRun(const WorkloadSchedule& schedule,
                                       const WorkloadMessages& messages,
                                       std::function<bool(uint64_t)> eager)
    : m_schedule(schedule),
      m_messages(messages),
      m_eager(std::move(eager)),
      m_state(messages.GetCount()),
      m_next(messages.GetCount()),
      m_queues(messages.GetChannels().size(), {WORKLOAD_NOBODY, WORKLOAD_NOBODY}),
      m_any(schedule.ranks.size())
{
    m_missing.reserve(messages.GetCount());
    for (const WorkloadRank& rank : schedule.ranks)
    {
        for (const WorkloadOperation& operation : rank.operations)
        {
            if (operation.dependencies == 0)
            {
                m_ready.push_back(static_cast<uint32_t>(m_missing.size()));
            }
            m_missing.push_back(operation.dependencies);
        }
    }
}

void
WorkloadUntimedRun::Run()
{
    // first come first served, by generations, so that no queue of all operations builds up
    std::vector<uint32_t> now;
    while (!m_ready.empty())
    {
        now.swap(m_ready);
        m_ready.clear();
        for (const uint32_t number : now)
        {
            Issue(number);
        }
    }
}

bool
WorkloadUntimedRun::IsSend(uint32_t number) const
{
    return m_messages.Get(number).kind == WorkloadKind::SEND;
}

void
WorkloadUntimedRun::Issue(uint32_t number)
{
    m_state[number] = ISSUED;
    Release(number, true);
    const WorkloadOperation& operation = m_messages.Get(number);
    const bool calc = operation.kind == WorkloadKind::CALC;
    if (calc || (operation.kind == WorkloadKind::SEND && m_eager(operation.size)))
    {
        Complete(number);
    }
    if (calc)
    {
        return;
    }
    const uint32_t other = TakeOther(number);
    if (other == WORKLOAD_NOBODY)
    {
        Put(number);
        return;
    }
    for (const uint32_t end : {number, other})
    {
        if (!IsCompleted(end))
        {
            Complete(end);
        }
    }
}

void
WorkloadUntimedRun::Complete(uint32_t number)
{
    m_state[number] = COMPLETED;
    ++m_completed;
    Release(number, false);
}

void
WorkloadUntimedRun::Release(uint32_t number, bool start)
{
    const uint32_t index = m_messages.RankOf(number);
    const WorkloadRank& rank = m_schedule.ranks[index];
    const uint32_t first = m_messages.GetFirst(index);
    const uint32_t operation = number - first;
    for (const auto* w = rank.BeginWaiters(operation); w != rank.EndWaiters(operation); ++w)
    {
        if (w->OnStart() == start && --m_missing[first + w->Operation()] == 0)
        {
            m_ready.push_back(first + w->Operation());
        }
    }
}

uint32_t
WorkloadUntimedRun::TakeOther(uint32_t number)
{
    const uint32_t index = m_messages.ChannelOf(number);
    if (m_messages.HasAny(m_messages.GetChannels()[index].destination))
    {
        return TakeAny(number);
    }
    Queue& queue = m_queues[index];
    const uint32_t other = queue.head;
    if (other == WORKLOAD_NOBODY || IsSend(other) == IsSend(number))
    {
        return WORKLOAD_NOBODY;
    }
    queue.head = m_next[other];
    return other;
}

uint32_t
WorkloadUntimedRun::TakeAny(uint32_t number)
{
    const std::vector<WorkloadChannel>& channels = m_messages.GetChannels();
    const WorkloadChannel& channel = channels[m_messages.ChannelOf(number)];
    std::vector<uint32_t>& waiting = m_any[channel.destination];
    const bool send = IsSend(number);
    for (auto other = waiting.begin(); other != waiting.end(); ++other)
    {
        const WorkloadChannel& its = channels[m_messages.ChannelOf(*other)];
        if (IsSend(*other) != send &&
            WorkloadMessages::Fits(send ? channel : its, send ? its : channel))
        {
            const uint32_t found = *other;
            waiting.erase(other);
            return found;
        }
    }
    return WORKLOAD_NOBODY;
}

void
WorkloadUntimedRun::Put(uint32_t number)
{
    const uint32_t index = m_messages.ChannelOf(number);
    const uint32_t destination = m_messages.GetChannels()[index].destination;
    if (m_messages.HasAny(destination))
    {
        m_any[destination].push_back(number);
        return;
    }
    Queue& queue = m_queues[index];
    m_next[number] = WORKLOAD_NOBODY;
    (queue.head == WORKLOAD_NOBODY ? queue.head : m_next[queue.tail]) = number;
    queue.tail = number;
}

uint32_t
WorkloadUntimedRun::OtherOf(uint32_t channel, bool send) const
{
    const std::vector<WorkloadChannel>& channels = m_messages.GetChannels();
    const WorkloadChannel& own = channels[channel];
    const bool any = m_messages.HasAny(own.destination);
    const uint32_t begin = any ? m_messages.GetFirstChannel(own.destination) : channel;
    const uint32_t end = any ? m_messages.GetFirstChannel(own.destination + 1) : channel + 1;
    for (uint32_t i = begin; i < end; ++i)
    {
        const WorkloadChannel& other = channels[i];
        if (WorkloadMessages::Fits(send ? own : other, send ? other : own))
        {
            const auto* member = m_messages.GetMembers().data() + other.first;
            member += send ? other.sends : 0;
            const auto* last = member + (send ? other.receives : other.sends);
            member = std::find_if(member, last, [this](uint32_t n) { return !IsIssued(n); });
            if (member != last)
            {
                return *member;
            }
        }
    }
    return WORKLOAD_NOBODY;
}

std::vector<uint32_t>
WorkloadUntimedRun::WhoWaitsForWhom() const
{
    constexpr uint32_t UNKNOWN = WORKLOAD_NOBODY - 1;
    std::vector<uint32_t> waitsFor(m_messages.GetCount(), WORKLOAD_NOBODY);
    std::vector<uint32_t> others[2]; // what receives, and sends, of a channel wait for
    others[0].assign(m_messages.GetChannels().size(), UNKNOWN);
    others[1] = others[0];
    for (uint32_t index = 0; index < m_schedule.ranks.size(); ++index)
    {
        const WorkloadRank& rank = m_schedule.ranks[index];
        const uint32_t first = m_messages.GetFirst(index);
        for (uint32_t i = 0; i < rank.operations.size(); ++i)
        {
            const uint32_t number = first + i;
            if (IsCompleted(number))
            {
                continue;
            }
            for (const auto* w = rank.BeginWaiters(i); w != rank.EndWaiters(i); ++w)
            {
                if (!w->OnStart() || !IsIssued(number))
                {
                    waitsFor[first + w->Operation()] = number;
                }
            }
            if (IsIssued(number))
            {
                const uint32_t channel = m_messages.ChannelOf(number);
                const bool send = rank.operations[i].kind == WorkloadKind::SEND;
                uint32_t& other = others[send][channel];
                other = other == UNKNOWN ? OtherOf(channel, send) : other;
                waitsFor[number] = other;
            }
        }
    }
    return waitsFor;
}

} // namespace ns3

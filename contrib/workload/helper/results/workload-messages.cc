/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-messages.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ns3
{

/** One end of a message, at its destination. */
struct WorkloadMessages::Entry
{
    uint32_t source;
    uint32_t tag;
    bool receive;
    uint32_t number;

    bool operator<(const Entry& other) const
    {
        return std::tie(source, tag, receive, number) <
               std::tie(other.source, other.tag, other.receive, other.number);
    }
};

/** The sends of a schedule by destination: those to rank d end where ends[d] says. */
struct WorkloadMessages::Sends
{
    std::vector<uint32_t> numbers;
    std::vector<uint32_t> senders;
    std::vector<uint32_t> ends;
};

WorkloadMessages::WorkloadMessages(const WorkloadSchedule& schedule)
    : m_schedule(schedule)
{
    NumberOperations();
    const Sends sends = SortSends();
    const auto ranks = static_cast<uint32_t>(schedule.ranks.size());
    m_channelOf.assign(m_first.back(), NONE);
    m_any.assign(ranks, false);
    std::vector<Entry> entries;
    uint32_t next = 0;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        entries.clear();
        for (; next < sends.ends[rank]; ++next)
        {
            const uint32_t source = sends.senders[next];
            const uint32_t number = sends.numbers[next];
            const WorkloadOperation& send =
                schedule.ranks[source].operations[number - m_first[source]];
            entries.push_back({source, send.tag, false, number});
        }
        uint32_t number = m_first[rank];
        for (const WorkloadOperation& operation : schedule.ranks[rank].operations)
        {
            if (operation.kind == WorkloadKind::RECV)
            {
                entries.push_back({operation.peer, operation.tag, true, number});
            }
            ++number;
        }
        AddChannels(rank, entries);
    }
    m_firstChannel.push_back(static_cast<uint32_t>(m_channels.size()));
}

void
WorkloadMessages::NumberOperations()
{
    uint64_t count = 0;
    for (const WorkloadRank& rank : m_schedule.ranks)
    {
        m_first.push_back(static_cast<uint32_t>(count));
        count += rank.operations.size();
        if (count >= UINT32_MAX)
        {
            throw InputError(m_schedule.origin +
                             ": has more than 4294967294 operations, too many for this check");
        }
    }
    m_first.push_back(static_cast<uint32_t>(count));
}

WorkloadMessages::Sends
WorkloadMessages::SortSends() const
{
    Sends sends;
    sends.ends.resize(m_schedule.ranks.size());
    for (const WorkloadRank& rank : m_schedule.ranks)
    {
        for (const WorkloadOperation& operation : rank.operations)
        {
            if (operation.kind == WorkloadKind::SEND)
            {
                ++sends.ends[operation.peer];
            }
        }
    }
    uint32_t count = 0;
    for (uint32_t& end : sends.ends)
    {
        count += std::exchange(end, count); // where it begins, so far
    }
    sends.numbers.resize(count);
    sends.senders.resize(count);
    uint32_t number = 0;
    for (uint32_t rank = 0; rank < m_schedule.ranks.size(); ++rank)
    {
        for (const WorkloadOperation& operation : m_schedule.ranks[rank].operations)
        {
            if (operation.kind == WorkloadKind::SEND)
            {
                const uint32_t place = sends.ends[operation.peer]++;
                sends.numbers[place] = number;
                sends.senders[place] = rank;
            }
            ++number;
        }
    }
    return sends;
}

void
WorkloadMessages::AddChannels(uint32_t destination, std::vector<Entry>& entries)
{
    std::sort(entries.begin(), entries.end());
    m_firstChannel.push_back(static_cast<uint32_t>(m_channels.size()));
    for (const Entry& entry : entries)
    {
        if (m_channels.size() == m_firstChannel.back() ||
            m_channels.back().source != entry.source || m_channels.back().tag != entry.tag)
        {
            m_channels.push_back(
                {destination, entry.source, entry.tag, static_cast<uint32_t>(m_members.size())});
        }
        ++(entry.receive ? m_channels.back().receives : m_channels.back().sends);
        m_members.push_back(entry.number);
        m_channelOf[entry.number] = static_cast<uint32_t>(m_channels.size() - 1);
        if (entry.source == WORKLOAD_ANY || entry.tag == WORKLOAD_ANY)
        {
            m_any[destination] = true;
        }
    }
}

uint32_t
WorkloadMessages::RankOf(uint32_t number) const
{
    return static_cast<uint32_t>(std::upper_bound(m_first.begin(), m_first.end(), number) -
                                 m_first.begin() - 1);
}

const WorkloadOperation&
WorkloadMessages::Get(uint32_t number) const
{
    const uint32_t rank = RankOf(number);
    return m_schedule.ranks[rank].operations[number - m_first[rank]];
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-messages.h"

#include "ns3/rdma-input-error.h"

#include <algorithm>
#include <tuple>

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

WorkloadMessages::WorkloadMessages(const WorkloadSchedule& schedule)
    : m_schedule(schedule)
{
    const auto ranks = static_cast<uint32_t>(schedule.ranks.size());
    uint64_t count = 0;
    std::vector<uint32_t> ends(ranks + static_cast<size_t>(1)); // of the messages by destination
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        m_first.push_back(static_cast<uint32_t>(count));
        count += schedule.ranks[rank].operations.size();
        if (count >= UINT32_MAX)
        {
            throw RdmaInputError(schedule.origin +
                                 ": has more than 4294967294 operations, too many for this check");
        }
        for (const WorkloadOperation& operation : schedule.ranks[rank].operations)
        {
            if (operation.kind == WorkloadKind::SEND)
            {
                ++ends[operation.peer];
            }
        }
    }
    m_first.push_back(static_cast<uint32_t>(count));
    uint32_t sends = 0;
    for (uint32_t& end : ends)
    {
        const uint32_t here = end;
        end = sends;
        sends += here;
    }
    std::vector<uint32_t> sent(sends); // numbers, by destination
    std::vector<uint32_t> sender(sends);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        uint32_t number = m_first[rank];
        for (const WorkloadOperation& operation : schedule.ranks[rank].operations)
        {
            if (operation.kind == WorkloadKind::SEND)
            {
                const uint32_t place = ends[operation.peer]++;
                sent[place] = number;
                sender[place] = rank;
            }
            ++number;
        }
    }

    m_channelOf.assign(count, NONE);
    m_any.assign(ranks, false);
    std::vector<Entry> entries;
    uint32_t next = 0;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        entries.clear();
        for (; next < ends[rank]; ++next)
        {
            const WorkloadRank& from = schedule.ranks[sender[next]];
            const WorkloadOperation& send = from.operations[sent[next] - m_first[sender[next]]];
            entries.push_back({sender[next], send.tag, false, sent[next]});
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

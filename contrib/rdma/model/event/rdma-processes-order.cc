/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-processes.h"

#include "ns3/rdma-network.h"

#include <algorithm>
#include <numeric>

// The end of a window: what was scheduled in it gets its places in the order of one queue.

namespace ns3
{

/** The window is over: makes provisional places final, and tells what is to be told. */
void
RdmaProcesses::Close()
{
    ++m_windows;
    KeepMoves(m_base);
    Rank();
    RdmaEventQueue& queue = m_queue;
    for (const auto& [process, record] : m_ran)
    {
        for (Entry& entry : m_processes[process - 1].heap)
        {
            if (entry.place & RdmaEventQueue::PROVISIONAL)
            {
                const uint64_t place = queue.Known(entry.place);
                if (entry.event->m_seq == entry.place)
                {
                    entry.event->m_seq = place;
                }
                entry.place = place;
            }
        }
    }
    queue.MakeTimersFinal();
    m_network.TellWindow();
    queue.m_now = static_cast<int64_t>(m_latest);
    queue.m_place = queue.m_nextSeq - 1;
}

/** Makes room for the moves of the places from \p base on. */
void
RdmaProcesses::KeepMoves(uint64_t base)
{
    while (!m_bases.empty() && m_bases.front().first + m_longest < m_begin)
    {
        m_bases.pop_front();
    }
    m_bases.emplace_back(m_begin + m_length, base);
    const uint64_t oldest = m_bases.front().second;
    std::vector<int32_t>& moves = m_queue.m_moves;
    if (m_queue.m_nextSeq - oldest > moves.size())
    {
        std::vector<int32_t> more(std::max<size_t>(moves.size(), 4096));
        while (more.size() < m_queue.m_nextSeq - oldest)
        {
            more.resize(2 * more.size());
        }
        for (uint64_t place = oldest; place < base && !moves.empty(); ++place)
        {
            more[place & (more.size() - 1)] = moves[place & (moves.size() - 1)];
        }
        moves.swap(more);
        m_queue.m_movesMask = moves.size() - 1;
    }
}

/** Gives the places that \p record took their places in the final order. */
void
RdmaProcesses::Take(const Record& record)
{
    const bool last = &record == &m_records.back();
    const uint64_t end = last ? m_queue.m_nextSeq : m_base + (&record + 1)->first;
    for (uint64_t place = m_base + record.first; place < end; ++place)
    {
        m_queue.m_moves[place & m_queue.m_movesMask] =
            static_cast<int32_t>(static_cast<int64_t>(m_next++ - place));
    }
}

void
RdmaProcesses::Rank()
{
    for (uint64_t place = m_base; m_chained && place < m_queue.m_nextSeq; ++place)
    {
        m_queue.m_moves[place & m_queue.m_movesMask] = UNKNOWN;
    }
    m_next = m_base;
    // into buckets of time, in which they are in the order of processes, and of time in each
    constexpr uint64_t MOST_BUCKETS = 1 << 16;
    const uint64_t most = std::min<uint64_t>(m_records.size(), MOST_BUCKETS);
    uint32_t shift = 0;
    while (m_length >> shift > most)
    {
        ++shift;
    }
    m_buckets.assign((m_length >> shift) + 2, 0);
    for (const Record& record : m_records)
    {
        ++m_buckets[(record.time >> shift) + 1];
    }
    std::partial_sum(m_buckets.begin(), m_buckets.end(), m_buckets.begin());
    m_sorted.resize(m_records.size());
    for (uint32_t i = 0; i < m_records.size(); ++i)
    {
        m_sorted[m_buckets[m_records[i].time >> shift]++] = i;
    }
    uint32_t begin = 0;
    for (const uint32_t end : m_buckets) // where they began, they end by now
    {
        RankBucket(begin, end);
        begin = end;
        if (end == m_sorted.size())
        {
            break;
        }
    }
}

void
RdmaProcesses::RankBucket(size_t begin, size_t end)
{
    const auto time = [this](size_t i) { return m_records[m_sorted[i]].time; };
    for (size_t i = begin + 1; i < end; ++i)
    {
        if (time(i) != time(i - 1))
        {
            std::sort(m_sorted.begin() + static_cast<ptrdiff_t>(begin),
                      m_sorted.begin() + static_cast<ptrdiff_t>(end),
                      [this](uint32_t a, uint32_t b) {
                          const uint32_t timeA = m_records[a].time;
                          const uint32_t timeB = m_records[b].time;
                          return timeA < timeB || (timeA == timeB && a < b);
                      });
            break;
        }
    }
    while (begin < end)
    {
        size_t next = begin + 1;
        while (next < end && time(next) == time(begin))
        {
            ++next;
        }
        if (next - begin == 1)
        {
            Take(m_records[m_sorted[begin]]);
        }
        else
        {
            RankEqual(begin, next);
        }
        begin = next;
    }
}

/** Ranks what happened at one time: items \p begin to \p end of m_sorted. */
void
RdmaProcesses::RankEqual(size_t begin, size_t end)
{
    bool chained = false;
    m_equal.clear();
    for (size_t i = begin; i < end; ++i)
    {
        const uint32_t index = m_sorted[i];
        uint64_t place = m_records[index].place;
        if (place & RdmaEventQueue::PROVISIONAL)
        {
            place &= ~RdmaEventQueue::PROVISIONAL;
            const int32_t move = m_queue.m_moves[place & m_queue.m_movesMask];
            chained |= m_chained && move == UNKNOWN;
            place += static_cast<uint64_t>(static_cast<int64_t>(move));
        }
        // few, and mostly in order already
        m_equal.emplace_back(place, index);
        constexpr size_t FEW = 32;
        for (size_t j = m_equal.size() - 1;
             j > 0 && end - begin <= FEW && place < m_equal[j - 1].first;
             --j)
        {
            std::swap(m_equal[j], m_equal[j - 1]);
        }
    }
    if (chained)
    {
        RankChained(begin, end);
        return;
    }
    if (!std::is_sorted(m_equal.begin(), m_equal.end()))
    {
        std::sort(m_equal.begin(), m_equal.end());
    }
    for (const auto& [place, index] : m_equal)
    {
        Take(m_records[index]);
    }
}

/** As RankEqual, where something happened at once because of something else of this time. */
void
RdmaProcesses::RankChained(size_t begin, size_t end)
{
    const auto known = [this](uint32_t index) { return m_queue.Known(m_records[index].place); };
    const auto processOf = [this](uint32_t index) {
        const auto after =
            std::upper_bound(m_ran.begin(),
                             m_ran.end(),
                             index,
                             [](uint32_t record, const auto& ran) { return record < ran.second; });
        return (after - 1)->first;
    };
    std::vector<uint32_t> left;
    for (size_t i = begin; i < end; ++i)
    {
        left.push_back(m_sorted[i]);
    }
    while (!left.empty())
    {
        size_t least = 0;
        for (size_t i = 1; i < left.size(); ++i)
        {
            // of a process only the first that is left, whose place is known
            if (processOf(left[i]) != processOf(left[i - 1]) && known(left[i]) < known(left[least]))
            {
                least = i;
            }
        }
        Take(m_records[left[least]]);
        left.erase(left.begin() + static_cast<ptrdiff_t>(least));
    }
}

} // namespace ns3

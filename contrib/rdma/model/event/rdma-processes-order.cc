/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-processes.h"

#include "ns3/rdma-network.h"

#include <algorithm>
#include <numeric>
#include <utility>

// The end of a window: what was scheduled in it gets its places in the order of one queue.

namespace ns3
{

/** The window is over: puts the places taken into order, and tells what is to be told. */
void
RdmaProcesses::Close()
{
    uint64_t places = 0;
    uint64_t most = 0;    // events of a process
    uint64_t busiest = 0; // events of a thread
    uint64_t events = 0;
    uint64_t latest = 0;
    m_chained = false;
    for (Lane& lane : m_lanes)
    {
        places += lane.queue->m_nextSeq - m_base;
        events += lane.events;
        busiest = std::max(busiest, lane.events);
        most = std::max(most, lane.most);
        latest = std::max(latest, lane.latest);
        m_chained |= lane.chained;
        if (lane.ownQueue)
        {
            m_queue.m_fired += std::exchange(lane.queue->m_fired, 0);
        }
    }
    KeepMoves(places);
    Rank();
    m_queue.m_nextSeq = m_base + places;
    m_recent = events;
    m_statistics.Count(events, most);
    m_statistics.busiestThread += busiest;
    m_network.TellWindow();
    m_queue.m_now = static_cast<int64_t>(latest);
    m_queue.m_place = m_queue.m_nextSeq - 1;
}

/** Makes room for the moves of so many \p places that were taken in this window. */
void
RdmaProcesses::KeepMoves(uint64_t places)
{
    const auto isOver = [this](const auto& base) { return base.first + m_longest < m_begin; };
    m_bases.erase(m_bases.begin(), std::find_if_not(m_bases.begin(), m_bases.end(), isOver));
    m_bases.emplace_back(m_begin + m_length, m_base);
    const uint64_t oldest = m_bases.front().second;
    const RdmaEventQueue::Moves before = m_queue.m_moves;
    std::vector<int32_t>& memory = m_queue.m_movesMemory;
    const uint64_t ring = memory.empty() ? 0 : before.mask + 1;
    const uint64_t rings = ring ? memory.size() / ring : 0;
    uint64_t size = std::max<uint64_t>(ring, 4096);
    while (size < m_base + places - oldest)
    {
        size *= 2;
    }
    if (size > ring)
    {
        std::vector<int32_t> more(size * std::max<uint64_t>(rings, m_lanes.size()));
        for (uint64_t i = 0; i < rings * (m_base - oldest); ++i)
        {
            const uint64_t place = oldest + i / rings;
            const uint64_t thread = i % rings;
            more[thread * size + (place & (size - 1))] =
                memory[thread * ring + (place & (ring - 1))];
        }
        memory.swap(more);
    }
    else if (rings < m_lanes.size())
    {
        memory.resize(size * m_lanes.size());
    }
    for (const Lane& lane : m_lanes)
    {
        lane.queue->m_moves = {memory.data(), size - 1};
    }
}

/** Gives the places that \p record took their places in the final order. */
void
RdmaProcesses::Take(const Record& record)
{
    const uint64_t first = m_base + record.first;
    const auto move = static_cast<int32_t>(static_cast<int64_t>(m_next - first));
    const uint64_t thread = uint64_t{record.lane} << RdmaEventQueue::THREAD_BITS;
    for (uint64_t place = first; place < first + record.count; ++place)
    {
        m_queue.m_moves.At(thread | place) = move;
    }
    m_next += record.count;
}

/** Puts the records of a lane into the order of time, and of processes as they ran. */
void
RdmaProcesses::SortRecords(Lane& lane) const
{
    const std::vector<Record>& records = lane.records;
    const auto count = static_cast<uint32_t>(records.size());
    lane.sorted.resize(count);
    lane.at = 0;
    if (count == 0)
    {
        return;
    }
    // into buckets of time, in which they are in the order of processes, and of time in each
    constexpr uint64_t MOST_BUCKETS = 1 << 16;
    const uint64_t most = std::min<uint64_t>(count, MOST_BUCKETS);
    uint32_t shift = 0;
    while (m_length >> shift > most)
    {
        ++shift;
    }
    lane.buckets.assign((m_length >> shift) + 2, 0);
    for (const Record& record : records)
    {
        ++lane.buckets[(record.time >> shift) + 1];
    }
    std::partial_sum(lane.buckets.begin(), lane.buckets.end(), lane.buckets.begin());
    for (uint32_t i = 0; i < count; ++i)
    {
        const uint64_t time = records[i].time;
        lane.sorted[lane.buckets[time >> shift]++] = time << RECORD_BITS | i;
    }
    uint32_t begin = 0;
    for (const uint32_t end : lane.buckets) // where they began, they end by now
    {
        const auto first = lane.sorted.begin() + begin;
        const auto last = lane.sorted.begin() + end;
        if (!std::is_sorted(first, last))
        {
            std::sort(first, last);
        }
        begin = end;
        if (end == count)
        {
            break;
        }
    }
}

void
RdmaProcesses::Rank()
{
    for (const Lane& lane : m_lanes)
    {
        const uint64_t thread = uint64_t{lane.queue->m_thread} << RdmaEventQueue::THREAD_BITS;
        for (uint64_t place = m_base; m_chained && place < lane.queue->m_nextSeq; ++place)
        {
            m_queue.m_moves.At(thread | place) = UNKNOWN;
        }
    }
    m_next = m_base;
    if (m_lanes.size() == 1)
    {
        RankLane(m_lanes.front());
        return;
    }
    constexpr uint64_t NEVER = uint64_t{1} << 32;
    const auto timeOf = [](const Lane& lane) {
        return lane.at < lane.sorted.size() ? lane.sorted[lane.at] >> RECORD_BITS : NEVER;
    };
    for (;;)
    {
        uint64_t time = NEVER;
        for (const Lane& lane : m_lanes)
        {
            time = std::min<uint64_t>(time, timeOf(lane));
        }
        if (time == NEVER)
        {
            return;
        }
        m_group.clear();
        for (Lane& lane : m_lanes)
        {
            for (; timeOf(lane) == time; ++lane.at)
            {
                m_group.push_back(&lane.records[static_cast<uint32_t>(lane.sorted[lane.at])]);
            }
        }
        m_group.size() == 1 ? Take(*m_group.front()) : RankEqual();
    }
}

/** Rank, where there is one lane. */
void
RdmaProcesses::RankLane(const Lane& lane)
{
    const std::vector<uint64_t>& sorted = lane.sorted;
    const size_t count = sorted.size();
    for (size_t i = 0; i < count;)
    {
        const uint64_t time = sorted[i] >> RECORD_BITS;
        const Record& first = lane.records[static_cast<uint32_t>(sorted[i++])];
        if (i == count || sorted[i] >> RECORD_BITS != time)
        {
            Take(first);
            continue;
        }
        m_group.assign(1, &first);
        for (; i < count && sorted[i] >> RECORD_BITS == time; ++i)
        {
            m_group.push_back(&lane.records[static_cast<uint32_t>(sorted[i])]);
        }
        RankEqual();
    }
}

/** Ranks what happened at one time. */
void
RdmaProcesses::RankEqual()
{
    bool chained = false;
    m_equal.clear();
    for (const Record* record : m_group)
    {
        uint64_t place = record->place;
        if (place & RdmaEventQueue::PROVISIONAL)
        {
            const int32_t move = m_queue.m_moves.At(place);
            chained |= m_chained && move == UNKNOWN;
            place = (place & RdmaEventQueue::NUMBER) +
                    static_cast<uint64_t>(static_cast<int64_t>(move));
        }
        m_equal.emplace_back(place, record);
    }
    if (chained)
    {
        RankChained();
        return;
    }
    const auto isBefore = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (!std::is_sorted(m_equal.begin(), m_equal.end(), isBefore))
    {
        std::sort(m_equal.begin(), m_equal.end(), isBefore);
    }
    for (const auto& [place, record] : m_equal)
    {
        Take(*record);
    }
}

/** As RankEqual, where something happened at once because of something else of this time. */
void
RdmaProcesses::RankChained()
{
    const auto known = [this](const Record* record) {
        const uint64_t place = record->place;
        return place & RdmaEventQueue::PROVISIONAL
                   ? (place & RdmaEventQueue::NUMBER) + m_queue.m_moves.Of(place)
                   : place;
    };
    std::vector<const Record*>& left = m_group;
    while (!left.empty())
    {
        size_t least = 0;
        for (size_t i = 1; i < left.size(); ++i)
        {
            // of a process only the first that is left, whose place is known
            if (left[i]->process != left[i - 1]->process && known(left[i]) < known(left[least]))
            {
                least = i;
            }
        }
        Take(*left[least]);
        left.erase(left.begin() + static_cast<ptrdiff_t>(least));
    }
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-processes.h"
#include "rdma-scatter.h"

#include "ns3/rdma-network.h"

#include <algorithm>
#include <utility>

// The end of a window: what was scheduled in it is sorted by time, and cut into slices;
// rdma-processes-rank.cc ranks them.

namespace ns3
{

namespace
{

/** Puts \p records, of which few are far from where they belong, into the order of time; those of
 * one time stay in order. */
template <typename Record>
void
SortNearly(std::vector<Record>& records)
{
    constexpr size_t MOST_STEPS = 8; // for each record; with more, another way is faster
    size_t steps = MOST_STEPS * records.size();
    for (size_t i = 1; i < records.size(); ++i)
    {
        if (records[i - 1].time <= records[i].time)
        {
            continue;
        }
        const Record record = records[i];
        size_t to = i;
        for (; to > 0 && records[to - 1].time > record.time && steps > 0; --to, --steps)
        {
            records[to] = records[to - 1];
        }
        records[to] = record;
        if (steps == 0)
        {
            std::stable_sort(records.begin(), records.end(), [](const Record& a, const Record& b) {
                return a.time < b.time;
            });
            return;
        }
    }
}

} // namespace

/** The window is over: puts the places taken into order, and tells what is to be told. */
void
RdmaProcesses::Close(bool threaded)
{
    uint64_t places = 0;
    uint64_t most = 0;    // events of a process
    uint64_t busiest = 0; // events of a thread
    uint64_t events = 0;
    uint64_t latest = 0;
    for (Lane& lane : m_lanes)
    {
        places += lane.queue->m_nextSeq - m_base;
        events += lane.events;
        busiest = std::max(busiest, lane.events);
        most = std::max(most, lane.most);
        latest = std::max(latest, lane.latest);
        if (lane.ownQueue)
        {
            m_queue.m_fired += std::exchange(lane.queue->m_fired, 0);
        }
    }
    KeepMoves(places);
    Rank(threaded);
    m_queue.m_nextSeq = m_base + places;
    m_recent = events;
    if (4 * m_partLength >= m_length)
    {
        m_density = static_cast<double>(events) / static_cast<double>(m_partLength);
    }
    m_statistics.Count(events, most);
    m_statistics.busiestThread += busiest;
    m_network.PassAfterWindow();
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
    RdmaPlaces::Memory& memory = m_queue.m_movesMemory;
    const uint64_t rings = memory.GetRings();
    uint64_t size = std::max<uint64_t>(memory.GetSize(), 4096);
    while (size < m_base + places - oldest)
    {
        size *= 2;
    }
    if (size > memory.GetSize() || rings < m_lanes.size())
    {
        RdmaPlaces::Memory more(size, std::max<uint64_t>(rings, m_lanes.size()));
        for (uint64_t ring = 0; ring < rings; ++ring)
        {
            for (uint64_t place = oldest; place < m_base; ++place)
            {
                more.Get().Of(ring, place) = memory.Get().Of(ring, place);
            }
        }
        memory = std::move(more);
    }
    for (const Lane& lane : m_lanes)
    {
        lane.queue->m_moves = memory.Get();
    }
}

/** \return by how many bits times in a window are to be shifted, to be at most \p most */
uint32_t
RdmaProcesses::ShiftTo(uint64_t most) const
{
    uint32_t shift = 0;
    while (m_length >> shift > most)
    {
        ++shift;
    }
    return shift;
}

/** Puts the records of a lane into the order of time, and of processes as they ran. */
void
RdmaProcesses::SortRecords(Lane& lane) const
{
    const std::vector<Record>& records = lane.records;
    const auto count = static_cast<uint32_t>(records.size());
    lane.sorted.resize(count);
    if (count == 0)
    {
        return;
    }
    // into buckets of time, in which they are in the order of processes, and of time in each
    constexpr uint64_t MOST_BUCKETS = 1 << 16;
    const uint32_t shift = ShiftTo(std::min<uint64_t>(count, MOST_BUCKETS));
    const auto bucketOf = [shift](const Record& record) { return record.time >> shift; };
    RdmaScatter(records.data(),
                count,
                (m_length >> shift) + 1,
                bucketOf,
                lane.buckets,
                lane.sorted.data());
    SortNearly(lane.sorted);
}

/** Counts what \p lane has before each part of the window; if no other lane is there, all are
 * before the last one's end. */
void
RdmaProcesses::CountParts(Lane& lane) const
{
    lane.before.fill({});
    if (m_lanes.size() == 1)
    {
        lane.before.back().records = static_cast<uint32_t>(lane.sorted.size());
        return;
    }
    const uint32_t shift = ShiftTo(PARTS - 1);
    for (const Record& record : lane.sorted)
    {
        Before& after = lane.before[(record.time >> shift) + 1];
        ++after.records;
        after.places += record.GetCount();
    }
    for (size_t i = 1; i < lane.before.size(); ++i)
    {
        lane.before[i].records += lane.before[i - 1].records;
        lane.before[i].places += lane.before[i - 1].places;
    }
}

/** Gives all places that were taken in the window their places in the final order. */
void
RdmaProcesses::Rank(bool threaded)
{
    CutSlices(threaded ? static_cast<uint32_t>(m_lanes.size()) : 1);
    if (threaded)
    {
        m_ranking = true;
        RunThreads();
        m_ranking = false;
    }
    else
    {
        RankSlice(m_lanes.front().slice);
    }
}

/** Cuts the window into \p count slices with about as many records each. */
void
RdmaProcesses::CutSlices(uint32_t count)
{
    uint64_t all = 0;
    for (const Lane& lane : m_lanes)
    {
        all += lane.sorted.size();
    }
    const auto recordsBefore = [this](uint32_t part) {
        uint64_t sum = 0;
        for (const Lane& lane : m_lanes)
        {
            sum += lane.before[part].records;
        }
        return sum;
    };
    uint32_t part = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        const uint32_t from = part;
        while (part < PARTS && (i + 1 == count || recordsBefore(part) * count < all * (i + 1)))
        {
            ++part;
        }
        Slice& slice = m_lanes[i].slice;
        slice.begin = from << ShiftTo(PARTS - 1);
        slice.next = m_base;
        slice.lanes.clear();
        for (const Lane& lane : m_lanes)
        {
            const Record* const sorted = lane.sorted.data();
            slice.next += lane.before[from].places;
            slice.lanes.push_back(
                {sorted + lane.before[from].records, sorted + lane.before[part].records});
        }
    }
}

} // namespace ns3

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
    lane.buckets.assign((m_length >> shift) + 2, 0);
    for (const Record& record : records)
    {
        ++lane.buckets[(record.time >> shift) + 1];
    }
    std::partial_sum(lane.buckets.begin(), lane.buckets.end(), lane.buckets.begin());
    for (uint32_t i = 0; i < count; ++i)
    {
        const Record& record = records[i];
        lane.sorted[lane.buckets[record.time >> shift]++] = {record.time,
                                                             record.first,
                                                             record.count,
                                                             i};
    }
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
    for (const SortedRecord& record : lane.sorted)
    {
        Before& after = lane.before[(record.time >> shift) + 1];
        ++after.records;
        after.places += record.count;
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
    const RdmaEventQueue::Moves moves = m_queue.m_moves;
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
        slice.cursors.clear();
        for (const Lane& lane : m_lanes)
        {
            const SortedRecord* const sorted = lane.sorted.data();
            const uint64_t thread = uint64_t{lane.queue->m_thread} << RdmaEventQueue::THREAD_BITS;
            slice.next += lane.before[from].places;
            slice.cursors.push_back({sorted + lane.before[from].records,
                                     sorted + lane.before[part].records,
                                     &moves.At(thread)});
        }
    }
}

/** Gives the places that were taken in \p slice their places in the final order. */
void
RdmaProcesses::RankSlice(Slice& slice)
{
    constexpr uint64_t NEVER = uint64_t{1} << 32;
    for (;;)
    {
        Cursor* first = nullptr;
        uint64_t others = NEVER; // time of the first of the other lanes
        for (Cursor& cursor : slice.cursors)
        {
            if (cursor.at == cursor.end)
            {
                continue;
            }
            const bool less = !first || cursor.at->time < first->at->time;
            const Cursor* const later = less ? first : &cursor;
            others = later ? std::min<uint64_t>(others, later->at->time) : others;
            first = less ? &cursor : first;
        }
        if (!first)
        {
            return;
        }
        const SortedRecord* at = first->at;
        const SortedRecord* const end = first->end;
        for (; at != end && at->time < others && (at + 1 == end || at[1].time != at->time); ++at)
        {
            Take(slice, *at, first->moves);
        }
        first->at = at;
        if (at != end && at->time <= others)
        {
            RankAt(slice, at->time);
        }
    }
}

/** Ranks what happened at \p time, by more than one event. */
void
RdmaProcesses::RankAt(Slice& slice, uint32_t time)
{
    slice.tied.clear();
    for (uint32_t lane = 0; lane < slice.cursors.size(); ++lane)
    {
        Cursor& cursor = slice.cursors[lane];
        for (; cursor.at != cursor.end && cursor.at->time == time; ++cursor.at)
        {
            const uint64_t place = m_lanes[lane].records[cursor.at->record].place;
            slice.tied.push_back({place, cursor.at, lane, NO_TIED, NO_TIED});
        }
    }
    RankTied(slice);
}

/** Ranks what is tied, as one queue runs it: what was due when the time came, in the order of
 * places, and behind it what that scheduled for the same time, and so on. */
void
RdmaProcesses::RankTied(Slice& slice)
{
    std::vector<TiedRecord>& tied = slice.tied;
    const bool known = FindDue(slice);
    const auto isBefore = [&](uint32_t a, uint32_t b) {
        return known ? tied[a].place < tied[b].place : IsBefore(slice, tied[a], tied[b]);
    };
    if (!std::is_sorted(slice.due.begin(), slice.due.end(), isBefore))
    {
        std::sort(slice.due.begin(), slice.due.end(), isBefore);
    }
    slice.queue.clear();
    size_t done = 0;
    const auto run = [&] {
        for (; done < slice.queue.size(); ++done)
        {
            const TiedRecord& first = tied[slice.queue[done]];
            Take(slice, *first.sorted, slice.cursors[first.lane].moves);
            for (uint32_t i = first.caused; i != NO_TIED; i = tied[i].sibling)
            {
                slice.queue.push_back(i);
            }
        }
    };
    for (const uint32_t due : slice.due)
    {
        if (tied[due].place >= RdmaEventQueue::END_PLACES)
        {
            run(); // behind all else of the instant
        }
        slice.queue.push_back(due);
    }
    run();
}

/** Finds out which tied records took the places of others, and lists the rest as due. \return
 * whether all of these have their final places by now */
bool
RdmaProcesses::FindDue(Slice& slice) const
{
    bool known = true;
    slice.due.clear();
    for (auto i = static_cast<uint32_t>(slice.tied.size()); i-- > 0;)
    {
        TiedRecord& tied = slice.tied[i];
        const Record& record = m_lanes[tied.lane].records[tied.sorted->record];
        const bool provisional = tied.place & RdmaEventQueue::PROVISIONAL;
        if (provisional && record.chained)
        {
            // What took its place is of the same process and time, so shortly before it.
            const uint64_t number = (tied.place & RdmaEventQueue::NUMBER) - m_base;
            uint32_t taker = i - 1;
            while (slice.tied[taker].sorted->first > number)
            {
                --taker;
            }
            tied.sibling = std::exchange(slice.tied[taker].caused, i);
            continue;
        }
        slice.due.push_back(i);
        if (!provisional)
        {
            continue;
        }
        if (slice.begin == 0 || IsKnown(slice, FindTaker(tied.lane, record), record.time))
        {
            tied.place = (tied.place & RdmaEventQueue::NUMBER) + m_queue.m_moves.Of(tied.place);
        }
        else
        {
            known = false;
        }
    }
    std::reverse(slice.due.begin(), slice.due.end());
    return known;
}

/** \return whether the places that \p taker took are final, now that \p slice has come to \p time
 */
bool
RdmaProcesses::IsKnown(const Slice& slice, const Record& taker, uint32_t time) const
{
    return taker.time >= slice.begin && taker.time < time;
}

/** \return whether \p a is before \p b, of which one at least has a place that is not final yet:
 * what took it is of an earlier slice, or of this very time */
bool
RdmaProcesses::IsBefore(const Slice& slice, const TiedRecord& a, const TiedRecord& b) const
{
    if (a.sorted == b.sorted)
    {
        return false;
    }
    const uint32_t time = a.sorted->time;
    const Record* ofA = &m_lanes[a.lane].records[a.sorted->record];
    const Record* ofB = &m_lanes[b.lane].records[b.sorted->record];
    for (;;)
    {
        const bool oldA = !(ofA->place & RdmaEventQueue::PROVISIONAL);
        const bool oldB = !(ofB->place & RdmaEventQueue::PROVISIONAL);
        if (oldA && oldB)
        {
            return ofA->place < ofB->place;
        }
        if (oldA || oldB)
        {
            // all that was taken before the window, but for the places at the end of an instant
            const uint64_t old = oldA ? ofA->place : ofB->place;
            return (old < RdmaEventQueue::END_PLACES) == oldA;
        }
        const Record* const takerOfA = &FindTaker(a.lane, *ofA);
        const Record* const takerOfB = &FindTaker(b.lane, *ofB);
        if (takerOfA == takerOfB)
        {
            return ofA->place < ofB->place;
        }
        if (takerOfA->time != takerOfB->time)
        {
            return takerOfA->time < takerOfB->time;
        }
        if (IsKnown(slice, *takerOfA, time))
        {
            const auto final = [this](uint64_t place) {
                return (place & RdmaEventQueue::NUMBER) + m_queue.m_moves.Of(place);
            };
            return final(ofA->place) < final(ofB->place);
        }
        ofA = takerOfA;
        ofB = takerOfB;
    }
}

/** \return what took the provisional place of \p record, of \p lane: of its process, so mostly not
 * far before it */
const RdmaProcesses::Record&
RdmaProcesses::FindTaker(uint32_t lane, const Record& record) const
{
    const std::vector<Record>& records = m_lanes[lane].records;
    const uint64_t number = (record.place & RdmaEventQueue::NUMBER) - m_base;
    size_t end = static_cast<size_t>(&record - records.data());
    size_t step = 1;
    size_t begin = end - 1;
    while (records[begin].first > number)
    {
        end = begin;
        step = std::min(2 * step, end);
        begin = end - step;
    }
    const auto after = std::upper_bound(records.begin() + static_cast<ptrdiff_t>(begin),
                                        records.begin() + static_cast<ptrdiff_t>(end),
                                        number,
                                        [](uint64_t n, const Record& r) { return n < r.first; });
    return *std::prev(after);
}

/** Gives the places that \p record took their places in the final order. */
void
RdmaProcesses::Take(Slice& slice, const SortedRecord& record, int32_t* moves) const
{
    const uint64_t mask = m_queue.m_moves.mask;
    const uint64_t first = m_base + record.first;
    const auto move = static_cast<int32_t>(static_cast<int64_t>(slice.next - first));
    for (uint64_t place = first; place < first + record.count; ++place)
    {
        moves[place & mask] = move;
    }
    slice.next += record.count;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-processes.h"

#include <algorithm>
#include <utility>

// What was scheduled in a window gets its places in the order of one queue.

namespace ns3
{

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
            Cursor* const later = less ? first : &cursor;
            others = later ? std::min<uint64_t>(others, later->at->time) : others;
            first = less ? &cursor : first;
        }
        if (!first)
        {
            return;
        }
        SortedRecord* at = first->at;
        SortedRecord* const end = first->end;
        for (; at != end && at->time < others && (at + 1 == end || at[1].time != at->time); ++at)
        {
            Take(slice, *at, first->moves);
        }
        first->at = at;
        if (at != end && at->time <= others && (at->time == others || !RankAlone(slice, *first)))
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
            const bool known = MakeKnown(slice, lane, *cursor.at);
            slice.tied.push_back({cursor.at->place, cursor.at, lane, known, NO_TIED, NO_TIED});
        }
    }
    RankTied(slice);
}

/** Makes the place of \p sorted, of \p lane, final if \p slice has come so far. \return whether it
 * is */
inline bool
RdmaProcesses::MakeKnown(const Slice& slice, uint32_t lane, SortedRecord& sorted) const
{
    if (!(sorted.place & RdmaPlaces::PROVISIONAL))
    {
        return true;
    }
    if (sorted.chained)
    {
        return false;
    }
    if (slice.begin > 0)
    {
        const Record& record = m_lanes[lane].records[sorted.record];
        if (!IsKnown(slice, FindTaker(lane, record), record.time))
        {
            return false;
        }
    }
    sorted.place = (sorted.place & RdmaPlaces::NUMBER) + m_queue.m_moves.Of(sorted.place);
    return true;
}

/** Ranks what happened at the time of \p cursor, all of it on its lane. \return whether it could:
 * all places are known */
bool
RdmaProcesses::RankAlone(Slice& slice, Cursor& cursor)
{
    SortedRecord* const begin = cursor.at;
    const auto lane = static_cast<uint32_t>(&cursor - slice.cursors.data());
    bool known = true;
    bool inOrder = true;
    SortedRecord* end = begin;
    for (uint64_t before = 0; end != cursor.end && end->time == begin->time; ++end)
    {
        known &= MakeKnown(slice, lane, *end);
        inOrder &= before <= end->place;
        before = end->place;
    }
    if (!known)
    {
        return false;
    }
    if (!inOrder)
    {
        std::sort(begin, end, [](const auto& a, const auto& b) { return a.place < b.place; });
    }
    for (; cursor.at != end; ++cursor.at)
    {
        Take(slice, *cursor.at, cursor.moves);
    }
    return true;
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
        if (tied[due].place >= RdmaPlaces::END_PLACES)
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
        if (tied.known || !tied.sorted->chained)
        {
            known &= tied.known;
            slice.due.push_back(i);
            continue;
        }
        // What took its place is of the same process and time, so shortly before it.
        const uint64_t number = (tied.place & RdmaPlaces::NUMBER) - m_base;
        uint32_t taker = i - 1;
        while (slice.tied[taker].sorted->first > number)
        {
            --taker;
        }
        tied.sibling = std::exchange(slice.tied[taker].caused, i);
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
        const bool oldA = !(ofA->place & RdmaPlaces::PROVISIONAL);
        const bool oldB = !(ofB->place & RdmaPlaces::PROVISIONAL);
        if (oldA && oldB)
        {
            return ofA->place < ofB->place;
        }
        if (oldA || oldB)
        {
            // all that was taken before the window, but for the places at the end of an instant
            const uint64_t old = oldA ? ofA->place : ofB->place;
            return (old < RdmaPlaces::END_PLACES) == oldA;
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
                return (place & RdmaPlaces::NUMBER) + m_queue.m_moves.Of(place);
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
    const uint64_t number = (record.place & RdmaPlaces::NUMBER) - m_base;
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

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-processes.h"
#include "rdma-tied-buckets.h"

#include <algorithm>
#include <numeric>
#include <utility>

// What was scheduled in a window gets its places in the order of one queue.

namespace ns3
{

namespace
{
// Keys of events at one time: places that were taken before the window, and behind them
constexpr uint64_t EARLIER = uint64_t{1} << 61;          //!< with the time, those of earlier slices
constexpr uint64_t RANKED = EARLIER | uint64_t{1} << 60; //!< with the place, those of this one
static_assert(RANKED < RdmaPlaces::END_PLACES, "what ends an instant is behind all of it");
} // namespace

/** \return what \p record, of \p cursor, is ranked by among those of its time that were due when it
 * came, now that \p slice has come so far; if equal, by IsBefore */
inline uint64_t
RdmaProcesses::RankKey(const Slice& slice, const Cursor& cursor, const Record& record) const
{
    if (!record.IsFresh())
    {
        return record.place;
    }
    if (slice.begin > 0 && record.takenAt < slice.begin)
    {
        return EARLIER | record.takenAt; // its place may not be final yet
    }
    const uint64_t place = record.place & RdmaPlaces::NUMBER;
    const int64_t move = cursor.moves[place & m_queue.m_moves.mask];
    return RANKED | (place + static_cast<uint64_t>(move));
}

/** Gives the places that \p record took their places in the final order. */
inline void
RdmaProcesses::Take(Slice& slice, const Record& record, int32_t* moves) const
{
    const uint64_t mask = m_queue.m_moves.mask;
    const uint64_t first = m_base + record.first;
    const uint32_t count = record.GetCount();
    const auto move = static_cast<int32_t>(static_cast<int64_t>(slice.next - first));
    uint64_t place = first;
    do // mostly twice: a transmission takes two
    {
        moves[place & mask] = move;
    } while (++place < first + count);
    slice.next += count;
}

/** Ranks what happened at the time of \p cursor's first record, which no other lane has one of.
 * \return whether that was done: by few, of which none took another's place, and none is to be
 * compared by more than its key */
inline bool
RdmaProcesses::RankFew(Slice& slice, Cursor& cursor) const
{
    constexpr uint32_t FEW = 16;
    uint64_t keys[FEW];
    uint32_t ranks[FEW]; // how many are before
    const Record* const begin = cursor.at;
    const Record* at = begin;
    uint32_t count = 0;
    bool simple = true;
    for (; at != cursor.end && at->time == begin->time; ++at)
    {
        if (count == FEW)
        {
            return false;
        }
        const uint64_t key = RankKey(slice, cursor, *at);
        simple &= !at->IsChained();
        // all are compared with all, for a branch that depends on a key is guessed wrong
        uint32_t rank = 0;
        for (uint32_t i = 0; i < count; ++i)
        {
            const uint32_t after = keys[i] < key;
            rank += after;
            ranks[i] += 1 - after;
            simple &= keys[i] != key;
        }
        keys[count] = key;
        ranks[count] = rank;
        ++count;
    }
    if (!simple)
    {
        return false;
    }
    const Record* order[FEW];
    for (uint32_t i = 0; i < count; ++i)
    {
        order[ranks[i]] = begin + i;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        Take(slice, *order[i], cursor.moves);
    }
    cursor.at = at;
    return true;
}

/** Gives the places that were taken in \p slice their places in the final order. */
void
RdmaProcesses::RankSlice(Slice& slice)
{
    constexpr uint64_t NEVER = uint64_t{1} << 32;
    constexpr ptrdiff_t AHEAD = 8; // records; what is written for them another thread may have
    const uint64_t mask = m_queue.m_moves.mask;
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
        const Record* at = first->at;
        const Record* const end = first->end;
        for (; at != end && at->time < others && (at + 1 == end || at[1].time != at->time); ++at)
        {
            if (end - at > AHEAD)
            {
                __builtin_prefetch(&first->moves[(m_base + at[AHEAD].first) & mask], 1);
            }
            Take(slice, *at, first->moves);
        }
        first->at = at;
        if (at != end && at->time <= others && !(at->time < others && RankFew(slice, *first)))
        {
            RankAt(slice, at->time);
        }
    }
}

/** Ranks what happened at \p time, by more than one event. */
void
RdmaProcesses::RankAt(Slice& slice, uint32_t time)
{
    bool chained = false;
    bool inOrder = true;
    uint64_t before = 0;
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < slice.cursors.size(); ++lane)
    {
        Cursor& cursor = slice.cursors[lane];
        const Record* at = cursor.at;
        for (; at != cursor.end && at->time == time; ++at)
        {
            const uint64_t key = RankKey(slice, cursor, *at);
            chained |= at->IsChained();
            inOrder &= before < key;
            before = key;
            if (count == slice.tied.size())
            {
                slice.tied.resize(2 * count + 64);
            }
            slice.tied[count++] = {key, static_cast<uint32_t>(at - cursor.begin), lane};
        }
        cursor.at = at;
    }
    slice.tiedCount = count;
    if (chained)
    {
        RankChained(slice);
        return;
    }
    if (!inOrder)
    {
        SortTied(slice);
    }
    const TiedRecord* const tied = slice.tied.data();
    for (uint32_t i = 0; i < count; ++i)
    {
        const Cursor& cursor = slice.cursors[tied[i].lane];
        Take(slice, cursor.begin[tied[i].index], cursor.moves);
    }
}

/** Sorts what is tied by key, and if equal by IsBefore. Many are first put into buckets: the keys
 * of each kind are places that were taken close to each other. */
void
RdmaProcesses::SortTied(Slice& slice) const
{
    constexpr uint32_t FEW = 64;
    const auto isBefore = [&](const TiedRecord& a, const TiedRecord& b) {
        return a.key != b.key ? a.key < b.key : IsBefore(slice, a, b);
    };
    const uint32_t count = slice.tiedCount;
    TiedRecord* const tied = slice.tied.data();
    if (count <= FEW)
    {
        std::sort(tied, tied + count, isBefore);
        return;
    }

    RdmaTiedBuckets buckets;
    for (uint32_t i = 0; i < count; ++i)
    {
        buckets.Note(tied[i].key);
    }
    slice.buckets.assign(buckets.Close() + 1, 0);
    for (uint32_t i = 0; i < count; ++i)
    {
        ++slice.buckets[buckets.Of(tied[i].key) + 1];
    }
    std::partial_sum(slice.buckets.begin(), slice.buckets.end(), slice.buckets.begin());
    slice.scattered.resize(count);
    for (uint32_t i = 0; i < count; ++i)
    {
        slice.scattered[slice.buckets[buckets.Of(tied[i].key)]++] = tied[i];
    }
    uint32_t begin = 0;
    for (const uint32_t end : slice.buckets)
    {
        std::sort(slice.scattered.data() + begin, slice.scattered.data() + end, isBefore);
        begin = end;
    }
    std::copy(slice.scattered.begin(), slice.scattered.end(), tied);
}

/** Ranks what is tied, of which some was scheduled at that very time, as one queue runs it: what
 * was due when the time came, and behind it what that scheduled for the same time, and so on. */
void
RdmaProcesses::RankChained(Slice& slice)
{
    const std::vector<TiedRecord>& tied = slice.tied;
    FindDue(slice);
    std::sort(slice.due.begin(), slice.due.end(), [&](uint32_t a, uint32_t b) {
        return tied[a].key != tied[b].key ? tied[a].key < tied[b].key
                                          : IsBefore(slice, tied[a], tied[b]);
    });
    slice.queue.clear();
    size_t done = 0;
    const auto run = [&] {
        for (; done < slice.queue.size(); ++done)
        {
            const uint32_t first = slice.queue[done];
            const Cursor& cursor = slice.cursors[tied[first].lane];
            Take(slice, cursor.begin[tied[first].index], cursor.moves);
            for (uint32_t i = slice.chains[first].caused; i != NO_TIED; i = slice.chains[i].sibling)
            {
                slice.queue.push_back(i);
            }
        }
    };
    for (const uint32_t due : slice.due)
    {
        if (tied[due].key >= RdmaPlaces::END_PLACES)
        {
            run(); // behind all else of the instant
        }
        slice.queue.push_back(due);
    }
    run();
}

/** Finds out which tied records took the places of others, and lists the rest as due. */
void
RdmaProcesses::FindDue(Slice& slice) const
{
    const auto recordOf = [&slice](uint32_t tied) -> const Record& {
        return slice.cursors[slice.tied[tied].lane].begin[slice.tied[tied].index];
    };
    slice.due.clear();
    slice.chains.assign(slice.tiedCount, {});
    for (uint32_t i = slice.tiedCount; i-- > 0;)
    {
        if (!recordOf(i).IsChained())
        {
            slice.due.push_back(i);
            continue;
        }
        // What took its place is of the same process and time, so shortly before it.
        const uint64_t number = (recordOf(i).place & RdmaPlaces::NUMBER) - m_base;
        uint32_t taker = i - 1;
        while (recordOf(taker).first > number)
        {
            --taker;
        }
        slice.chains[i].sibling = std::exchange(slice.chains[taker].caused, i);
    }
    std::reverse(slice.due.begin(), slice.due.end());
}

/** \return what took the place of \p record, which is fresh */
inline const RdmaProcesses::Record&
RdmaProcesses::FindTaker(uint32_t lane, const Record& record) const
{
    return m_lanes[lane]
        .records[m_lanes[lane].takers[(record.place & RdmaPlaces::NUMBER) - m_base]];
}

/** \return whether \p a is before \p b, whose places were taken in this window, at the same time
 * and before their slice: whatever took them at the same time is compared instead, and so on. No
 * moves are read, for another thread writes them. */
bool
RdmaProcesses::IsBefore(const Slice& slice, const TiedRecord& a, const TiedRecord& b) const
{
    const Record* ofA = &slice.cursors[a.lane].begin[a.index];
    const Record* ofB = &slice.cursors[b.lane].begin[b.index];
    if (ofA == ofB)
    {
        return false;
    }
    while (ofA->IsFresh() && ofB->IsFresh() && ofA->takenAt == ofB->takenAt)
    {
        const Record* const takerOfA = &FindTaker(a.lane, *ofA);
        const Record* const takerOfB = &FindTaker(b.lane, *ofB);
        if (takerOfA == takerOfB)
        {
            return ofA->place < ofB->place;
        }
        ofA = takerOfA;
        ofB = takerOfB;
    }
    if (ofA->IsFresh() && ofB->IsFresh())
    {
        return ofA->takenAt < ofB->takenAt;
    }
    if (!ofA->IsFresh() && !ofB->IsFresh())
    {
        return ofA->place < ofB->place;
    }
    // all that was taken before the window is first, but for the places at the end of an instant
    const uint64_t old = ofA->IsFresh() ? ofB->place : ofA->place;
    return (old < RdmaPlaces::END_PLACES) != ofA->IsFresh();
}

} // namespace ns3

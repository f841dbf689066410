/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-processes.h"
#include "rdma-scatter.h"
#include "rdma-tied-buckets.h"

#include <algorithm>
#include <utility>

// What was scheduled in a window gets its places in the order of one queue.

namespace ns3
{

namespace
{
// Keys of events at one time: places that were taken before the window, and behind them
constexpr uint64_t EARLIER = RdmaSlice::EARLIER;         //!< with the time, those of earlier slices
constexpr uint64_t RANKED = EARLIER | uint64_t{1} << 60; //!< with the place, those of this one
static_assert(RANKED < RdmaPlaces::END_PLACES, "what ends an instant is behind all of it");

/** Lets \p memory be fetched that will be written, from another processor if that has it. */
void
FetchToWrite(int32_t& memory)
{
#if defined(__x86_64__)
    asm volatile("prefetchw %0" : : "m"(memory)); // __builtin_prefetch takes it to read there
#else
    __builtin_prefetch(&memory, 1);
#endif
}
} // namespace

/** \return what \p record is ranked by among those of its time that were due when it came, now that
 * \p slice has come so far; if equal, by IsBefore */
inline uint64_t
RdmaProcesses::RankKey(const Slice& slice, const Record& record) const
{
    if (slice.begin > 0 && record.IsFresh() && record.takenAt < slice.begin)
    {
        return EARLIER | record.takenAt; // its place may not be final yet
    }
    // A branch would be guessed wrong: if it is not fresh, a move is read that does not matter, of
    // the place that it took, which is this slice's.
    const uint64_t fresh = -static_cast<uint64_t>(record.IsFresh()); // all bits, or none
    const uint64_t place = record.place & RdmaPlaces::NUMBER;
    const uint64_t at = (place & fresh) | ((m_base + record.first) & ~fresh);
    const auto move = static_cast<uint64_t>(int64_t{m_queue.m_moves.Of(record.GetLane(), at)});
    return ((RANKED | (place + move)) & fresh) | (record.place & ~fresh);
}

/** Gives the places that \p record took their places in the final order, from \p next on. \return
 * what is behind them */
inline uint64_t
RdmaProcesses::Take(const RdmaPlaces::Moves& moves, uint64_t next, const Record& record) const
{
    const uint64_t first = m_base + record.first;
    const auto move = static_cast<int32_t>(static_cast<int64_t>(next - first));
    const uint32_t lane = record.GetLane();
    const uint32_t count = record.GetCount();
    moves.Of(lane, first) = move; // mostly one: a frame that starts
    for (uint64_t place = first + 1; place < first + count; ++place)
    {
        moves.Of(lane, place) = move;
    }
    return next + count;
}

/** Ranks what happened at the time of \p at by few events, of which none took another's place, and
 * none is to be compared by more than its key. \return what is later; \p at if it is not so */
template <typename Iterator>
Iterator
RdmaProcesses::RankFew(Slice& slice, Iterator at, Iterator end) const
{
    constexpr uint32_t FEW = 16;
    uint64_t keys[FEW];
    uint32_t ranks[FEW]; // how many are before
    const Iterator begin = at;
    const uint32_t time = Slice::At(at).time;
    const uint32_t taken = Slice::At(at).GetCount();
    uint32_t count = 0;
    bool simple = true;
    bool alike = true; // each took as many places
    for (; at != end && Slice::At(at).time == time; ++at)
    {
        if (count == FEW)
        {
            return begin;
        }
        const Record& record = Slice::At(at);
        const uint64_t key = RankKey(slice, record);
        simple &= !record.IsChained();
        alike &= record.GetCount() == taken;
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
        return begin;
    }
    const RdmaPlaces::Moves moves = m_queue.m_moves;
    uint64_t next = slice.next;
    if (alike) // mostly; then none need wait for the one before
    {
        for (uint32_t i = 0; i < count; ++i)
        {
            Take(moves, next + uint64_t{taken} * ranks[i], Slice::At(begin + i));
        }
        slice.next = next + uint64_t{taken} * count;
        return at;
    }
    const Record* order[FEW];
    for (uint32_t i = 0; i < count; ++i)
    {
        order[ranks[i]] = &Slice::At(begin + i);
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        next = Take(moves, next, *order[i]);
    }
    slice.next = next;
    return at;
}

/** Gives the places that were taken in \p slice their places in the final order. */
void
RdmaProcesses::RankSlice(Slice& slice)
{
    if (slice.lanes.size() == 1)
    {
        RankSorted(slice, slice.lanes.front().begin, slice.lanes.front().end);
        return;
    }
    const std::vector<const Record*>& merged = slice.MergeLanes();
    RankSorted(slice, merged.data(), merged.data() + merged.size());
}

template <typename Iterator>
void
RdmaProcesses::RankSorted(Slice& slice, Iterator at, Iterator end)
{
    constexpr ptrdiff_t AHEAD = 16; // records; what is written for them another thread may have
    const RdmaPlaces::Moves moves = m_queue.m_moves;
    const bool shared = m_lanes.size() > 1;
    while (at != end)
    {
        if (shared && end - at > AHEAD)
        {
            const Record& later = Slice::At(at + AHEAD);
            FetchToWrite(moves.Of(later.GetLane(), m_base + later.first));
        }
        if (at + 1 != end && Slice::At(at + 1).time == Slice::At(at).time)
        {
            const Iterator later = RankFew(slice, at, end);
            at = later == at ? RankAt(slice, at, end) : later;
            continue;
        }
        slice.next = Take(moves, slice.next, Slice::At(at));
        ++at;
    }
}

/** Ranks what happened at the time of \p at, by more than one event. \return what is later */
template <typename Iterator>
Iterator
RdmaProcesses::RankAt(Slice& slice, Iterator at, Iterator end)
{
    bool chained = false;
    bool inOrder = true;
    uint64_t before = 0;
    uint32_t count = 0;
    for (const uint32_t time = Slice::At(at).time; at != end && Slice::At(at).time == time; ++at)
    {
        const Record& record = Slice::At(at);
        const uint64_t key = RankKey(slice, record);
        chained |= record.IsChained();
        inOrder &= before < key;
        before = key;
        if (count == slice.tied.size())
        {
            slice.tied.resize(2 * count + 64);
        }
        slice.tied[count++] = {key, &record};
    }
    slice.tiedCount = count;
    if (chained)
    {
        RankChained(slice);
        return at;
    }
    if (!inOrder)
    {
        SortTied(slice);
    }
    const TiedRecord* const tied = slice.tied.data();
    for (uint32_t i = 0; i < count; ++i)
    {
        slice.next = Take(m_queue.m_moves, slice.next, *tied[i].record);
    }
    return at;
}

/** Sorts what is tied by key, and if equal by IsBefore. Many are first put into buckets: the keys
 * of each kind are places that were taken close to each other. */
void
RdmaProcesses::SortTied(Slice& slice) const
{
    constexpr uint32_t FEW = 64;
    const uint32_t count = slice.tiedCount;
    TiedRecord* const tied = slice.tied.data();
    if (count <= FEW)
    {
        SortRun(slice, tied, tied + count);
        return;
    }

    RdmaTiedBuckets buckets;
    for (uint32_t i = 0; i < count; ++i)
    {
        buckets.Note(tied[i].key);
    }
    const uint32_t bucketCount = buckets.Close();
    slice.scattered.resize(count);
    RdmaScatter(
        tied,
        count,
        bucketCount,
        [&buckets](const TiedRecord& record) { return buckets.Of(record.key); },
        slice.buckets,
        slice.scattered.data());
    uint32_t begin = 0;
    for (const uint32_t end : slice.buckets)
    {
        SortRun(slice, slice.scattered.data() + begin, slice.scattered.data() + end);
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
                                          : IsBefore(*tied[a].record, *tied[b].record);
    });
    slice.queue.clear();
    size_t done = 0;
    const auto run = [&] {
        for (; done < slice.queue.size(); ++done)
        {
            const uint32_t first = slice.queue[done];
            slice.next = Take(m_queue.m_moves, slice.next, *tied[first].record);
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
        return *slice.tied[tied].record;
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

} // namespace ns3

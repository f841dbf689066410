/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-processes.h"

#include <algorithm>

// What is tied, and was scheduled in an earlier slice of the window, is compared by what took its
// place there.

namespace ns3
{

/** \return what took the place of \p record of \p lane, which is fresh */
inline const RdmaProcesses::Record&
RdmaProcesses::FindTaker(uint32_t lane, const Record& record) const
{
    const Lane& its = m_lanes[lane];
    return its.records[its.takers[(record.place & RdmaPlaces::NUMBER) - m_base]];
}

/** \return whether \p a is before \p b, whose places were taken in this window, at the same time
 * and before their slice: whatever took them at the same time is compared instead, and so on. No
 * moves are read, for another thread writes them. */
bool
RdmaProcesses::IsBefore(const Record& a, const Record& b) const
{
    const Record* ofA = &a;
    const Record* ofB = &b;
    if (ofA == ofB)
    {
        return false;
    }
    while (ofA->IsFresh() && ofB->IsFresh() && ofA->takenAt == ofB->takenAt)
    {
        const Record* const takerOfA = &FindTaker(a.GetLane(), *ofA);
        const Record* const takerOfB = &FindTaker(b.GetLane(), *ofB);
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

/** Sorts tied records by key, and if equal by IsBefore. */
void
RdmaProcesses::SortRun(Slice& slice, TiedRecord* begin, TiedRecord* end) const
{
    constexpr ptrdiff_t FEW = 16;
    if (slice.begin == 0 || end - begin <= FEW)
    {
        std::sort(begin, end, [this](const TiedRecord& a, const TiedRecord& b) {
            return a.key != b.key ? a.key < b.key : IsBefore(*a.record, *b.record);
        });
        return;
    }
    std::sort(begin, end, [](const TiedRecord& a, const TiedRecord& b) { return a.key < b.key; });
    while (begin != end)
    {
        const uint64_t key = begin->key;
        TiedRecord* const other =
            std::find_if(begin, end, [key](const TiedRecord& tied) { return tied.key != key; });
        if (other - begin > 1)
        {
            SortByTakers(slice, begin, other);
        }
        begin = other;
    }
}

/** Sorts tied records of one key, whose places were taken before their slice, by IsBefore. Where
 * many hosts send in step, all of them are alike back to the beginning of the window: so they go
 * back together, instead of two of them for each comparison. */
void
RdmaProcesses::SortByTakers(Slice& slice, TiedRecord* begin, TiedRecord* end) const
{
    slice.taken.clear();
    for (const TiedRecord* tied = begin; tied != end; ++tied)
    {
        slice.taken.push_back({tied->key, tied->record, tied->record});
    }
    SplitByTakers(slice.taken.data(), slice.taken.data() + slice.taken.size());
    for (const Taken& taken : slice.taken)
    {
        (begin++)->record = taken.record;
    }
}

/** Sorts records whose takers so far are fresh, and took their places at one time, by IsBefore. */
void
RdmaProcesses::SplitByTakers(Taken* begin, Taken* end) const
{
    constexpr ptrdiff_t FEW = 4;
    const auto sortFew = [this](Taken* from, Taken* to) {
        std::sort(from, to, [this](const Taken& a, const Taken& b) {
            return IsBefore(*a.record, *b.record);
        });
    };
    if (end - begin <= FEW)
    {
        sortFew(begin, end);
        return;
    }
    bool alike = true;
    do
    {
        for (Taken* at = begin; at != end; ++at)
        {
            at->taker = &FindTaker(at->record->GetLane(), *at->taker);
            at->key = at->taker->IsFresh() ? Slice::EARLIER | at->taker->takenAt : at->taker->place;
            alike &= at->key == begin->key;
        }
    } while (alike && begin->taker->IsFresh());
    std::sort(begin, end, [](const Taken& a, const Taken& b) { return a.key < b.key; });
    while (begin != end)
    {
        const Taken first = *begin;
        Taken* const other =
            std::find_if(begin, end, [&](const Taken& taken) { return taken.key != first.key; });
        // what is not fresh, and has one place, is one
        first.taker->IsFresh() ? SplitByTakers(begin, other) : sortFew(begin, other);
        begin = other;
    }
}

} // namespace ns3

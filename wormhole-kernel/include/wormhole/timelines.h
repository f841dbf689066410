/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_TIMELINES_H
#define WORMHOLE_TIMELINES_H

#include "wormhole/id.h"
#include "wormhole/units.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace wormhole
{

/** A queue of events that can be moved in time as a whole. Numbers are used again after Destroy. */
using TimelineId = Id<struct TimelineTag, std::uint32_t>;

/** Whom an event belongs to, e.g. a port or a queue pair: what decides where it goes when a
 * timeline is split. */
using OwnerId = Id<struct OwnerTag, std::uint64_t>;

/** The contract; the implementation is the timelines helper's. \tparam Event trivially copyable */
template <class Event>
class Timelines
{
  public:
    struct Entry
    {
        Time time;
        std::uint64_t sequence;
        TimelineId timeline;
        OwnerId owner;
        Event event;
    };

    TimelineId Create();
    void Destroy(TimelineId timeline); // drops its events

    std::uint64_t TakeSequence(); // a place in the order, for later
    /** \return its sequence number: after all taken before */
    std::uint64_t Schedule(TimelineId timeline, OwnerId owner, Time time, Event event);
    void ScheduleAt(TimelineId timeline,
                    OwnerId owner,
                    Time time,
                    std::uint64_t sequence,
                    Event event);

    bool IsEmpty() const;   // nothing on any timeline that is not parked
    Time FirstTime() const; // of all that are not parked; only if not IsEmpty()
    Entry Pop();            // in (time, sequence) order over all timelines that are not parked

    std::optional<Time> FirstTimeOf(TimelineId timeline) const; // parked or not
    Entry PopOf(TimelineId timeline); // parked or not: for late simulation

    void Shift(TimelineId timeline, Duration shift); // O(1) + O(log timelines)
    void Park(TimelineId timeline);
    void Unpark(TimelineId timeline); // wake, as early as wanted: skip-back
    bool IsParked(TimelineId timeline) const;

    void Merge(TimelineId into, TimelineId from); // from is destroyed; both parked or both not
    template <class Predicate>
    void Split(TimelineId from, TimelineId into, Predicate goes); // events whose owner goes(owner)
    template <class Predicate>
    std::size_t Erase(TimelineId timeline, Predicate gone); // events with gone(entry)
    std::size_t SizeOf(TimelineId timeline) const;
    std::size_t Size() const;
};

} // namespace wormhole

#endif // WORMHOLE_TIMELINES_H

/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_TIMELINES_H
#define WORMHOLE_TIMELINES_H

#include "wormhole/detail/timeline-index.h"
#include "wormhole/detail/timeline.h"
#include "wormhole/id.h"
#include "wormhole/units.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

namespace wormhole
{

/** A queue of events that can be moved in time as a whole. Numbers are used again after Destroy. */
using TimelineId = Id<struct TimelineTag, std::uint32_t>;

/** Whom an event belongs to, e.g. a port or a queue pair: what decides where it goes when a
 * timeline is split. */
using OwnerId = Id<struct OwnerTag, std::uint64_t>;

/**
 * \brief Pending events, in one queue per partition, under one index.
 *
 * Each event has a time and a sequence number; together they order all events, and no two have the
 * same sequence number. As long as nothing is moved, Pop yields exactly what a single sorted queue
 * would, whatever the timelines. What a single queue cannot do costs little here: skipping a
 * partition (Wormhole, NSDI 2026, section 5) moves its whole timeline by one number.
 *
 * - A partition is *skipped* by Park, later Shift and Unpark. It is woken early (*skip-back*) by
 *   the same with a smaller shift.
 * - It is simulated *late* by Unpark without a shift: its events are then before all others and are
 *   popped first. Or by PopOf while it is parked.
 *
 * There is no clock here: events may be scheduled before those popped already, and timelines
 * shifted back. An event cannot be cancelled; its owner ignores it when it comes, or calls Erase.
 *
 * *Times.* Any Time can be scheduled, up to Time::max(). A shift by which an event would leave the
 * range of Time is refused.
 *
 * *Cost.* n is the number of events of the timeline, t that of timelines not parked. Pop and
 * Schedule are O(log n + log t); a Schedule right after a Pop from the same timeline costs little
 * more than one of the two. Memory: 16 bytes of key, 8 of owner and the event itself per event
 * (BytesPerEvent()), as in a vector that doubles and is freed by Destroy and Merge; 80 bytes per
 * timeline (BytesPerTimeline()).
 *
 * *Errors.* Timeline ids that do not exist are told by UsageError, before anything is changed,
 * except where documented as "not checked": there an assertion tells in debug builds. Out of memory
 * is std::bad_alloc; Schedule and Create have then changed nothing.
 *
 * *Thread safety.* Distinct objects may be used from distinct threads; of one object, not even the
 * const members may be called at once, for they finish what the last Pop left to do.
 *
 * \tparam Event trivially copyable
 */
template <class Event>
class Timelines
{
    static_assert(std::is_trivially_copyable_v<Event>);

  public:
    /** An event, and what it was scheduled with. */
    struct Entry
    {
        Time time; //!< with all shifts since
        std::uint64_t sequence;
        TimelineId timeline;
        OwnerId owner;
        Event event;
    };

    /** \return a new timeline, empty and not parked. O(1) */
    TimelineId Create();

    /** The timeline, parked or not, and its events are gone. Its number may be used by the next
     * Create, so forget it. O(log t) */
    void Destroy(TimelineId timeline);

    /** \return a place in the order, after all taken before, to be used later. O(1) */
    std::uint64_t TakeSequence();

    /** \param timeline parked or not; not checked
     *  \return its sequence number: after all taken before */
    std::uint64_t Schedule(TimelineId timeline, OwnerId owner, Time time, Event event);

    /** \param timeline parked or not; not checked
     *  \param sequence from TakeSequence, and used once; not checked */
    void ScheduleAt(TimelineId timeline,
                    OwnerId owner,
                    Time time,
                    std::uint64_t sequence,
                    Event event);

    /** \return whether no timeline that is not parked has an event */
    bool IsEmpty() const;

    /** \return the time of what Pop would return; only if not IsEmpty(), which is not checked */
    Time FirstTime() const;

    /** \return the first event of all timelines that are not parked, by time and sequence, which is
     * gone; only if not IsEmpty(), which is not checked */
    Entry Pop();

    /** \param timeline parked or not; not checked
     *  \return the time of what PopOf would return; nullopt if there is none. O(1) after other
     * members than Pop and PopOf */
    std::optional<Time> FirstTimeOf(TimelineId timeline) const;

    /** \param timeline parked or not, and not empty; not checked
     *  \return its first event, by time and sequence, which is gone */
    Entry PopOf(TimelineId timeline);

    /** Moves all events of \p timeline, parked or not, by \p shift, which may be negative. O(log
     * t); rarely, where numbers could overflow, O(n).
     * \throws UsageError also if an event would leave the range of Time */
    void Shift(TimelineId timeline, Duration shift);

    /** Takes the events of \p timeline out of what Pop returns. O(log t)
     * \throws UsageError also if it is parked already */
    void Park(TimelineId timeline);

    /** Undoes Park. O(log t)
     * \throws UsageError also if it is not parked */
    void Unpark(TimelineId timeline);

    /** \return whether Park was called, and not Unpark since. O(1) */
    bool IsParked(TimelineId timeline) const;

    /** Events of \p from become events of \p into, at their times, and \p from is destroyed. The
     * smaller of the two is moved: O(its size), plus O(size of the larger) where they are similar.
     * \throws UsageError also if the two are the same, or only one is parked */
    void Merge(TimelineId into, TimelineId from);

    /** Events of \p from whose owner \p goes become events of \p into, at their times. Either may
     * be parked or not, and \p into may have events already. O(sizes of both)
     * \param goes bool(OwnerId), called once per event in an order that is not defined; it must not
     *        throw
     * \throws UsageError also if the two are the same */
    template <class Predicate>
    void Split(TimelineId from, TimelineId into, Predicate goes);

    /** Forgets the events of \p timeline that are \p gone. O(n)
     * \param gone bool(const Entry&), called once per event in an order that is not defined; it must
     *        not throw
     * \return how many */
    template <class Predicate>
    std::size_t Erase(TimelineId timeline, Predicate gone);

    /** \return the number of events of \p timeline. O(1) */
    std::size_t SizeOf(TimelineId timeline) const;

    /** \return the number of events of all timelines, parked or not. O(1) */
    std::size_t Size() const;

    /** \return bytes that an event takes while it is pending; storage grows by doubling */
    static constexpr std::size_t BytesPerEvent()
    {
        return sizeof(Node);
    }

    /** \return bytes that a timeline takes besides its events, with its place in the index */
    static constexpr std::size_t BytesPerTimeline()
    {
        return sizeof(Timeline) + detail::TimelineIndex::BytesPerNumber() + sizeof(std::uint32_t);
    }

  private:
    struct Payload
    {
        OwnerId owner;
        Event event;
    };

    using Timeline = detail::Timeline<Payload>;
    using Node = typename Timeline::Node;
    using Rep = typename Timeline::Rep;

    static constexpr std::uint32_t NONE = std::numeric_limits<std::uint32_t>::max();

    Timeline& Existing(TimelineId id) const;
    Entry EntryOf(TimelineId id, const Node& node) const;
    void Settle() const;
    void Reindex(std::uint32_t number) const;

    mutable std::vector<Timeline> m_timelines; //!< by number
    mutable detail::TimelineIndex m_index;     //!< those that are not empty nor parked
    /** Of which the root was popped, but is still there, in the index too: the event popped
     * often schedules the next on the same timeline, which then simply takes its place. */
    mutable std::uint32_t m_popped{NONE};
    std::vector<std::uint32_t> m_free; //!< numbers to be used again
    std::uint64_t m_nextSequence{0};
    std::size_t m_size{0};
};

} // namespace wormhole

#include "wormhole/detail/timelines-inl.h"

#endif // WORMHOLE_TIMELINES_H

/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_DETAIL_TIMELINES_INL_H
#define WORMHOLE_DETAIL_TIMELINES_INL_H

#include "wormhole/error.h"
#include "wormhole/timelines.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

namespace wormhole
{

template <class Event>
TimelineId
Timelines<Event>::Create()
{
    if (m_free.empty())
    {
        // Room for the numbers to be freed and indexed, so that nothing can fail then.
        m_free.reserve(m_timelines.size() + 1);
        m_index.Admit(static_cast<std::uint32_t>(m_timelines.size()));
        m_timelines.emplace_back();
        m_timelines.back().exists = true;
        return TimelineId(static_cast<std::uint32_t>(m_timelines.size() - 1));
    }
    const TimelineId id(m_free.back());
    m_free.pop_back();
    m_timelines[id.Value()].exists = true;
    return id;
}

template <class Event>
void
Timelines<Event>::Destroy(TimelineId id)
{
    Timeline& timeline = Existing(id);
    Settle();
    m_size -= timeline.heap.Size();
    m_index.Remove(id.Value());
    timeline = Timeline{};
    m_free.push_back(id.Value());
}

template <class Event>
std::uint64_t
Timelines<Event>::TakeSequence()
{
    return m_nextSequence++;
}

template <class Event>
std::uint64_t
Timelines<Event>::Schedule(TimelineId id, OwnerId owner, Time time, Event event)
{
    const std::uint64_t sequence = m_nextSequence++;
    ScheduleAt(id, owner, time, sequence, event);
    return sequence;
}

template <class Event>
void
Timelines<Event>::ScheduleAt(TimelineId id,
                             OwnerId owner,
                             Time time,
                             std::uint64_t sequence,
                             Event event)
{
    assert(id.Value() < m_timelines.size() && m_timelines[id.Value()].exists);
    assert(sequence < m_nextSequence);
    Timeline& timeline = m_timelines[id.Value()];
    const Rep absolute = time.time_since_epoch().count();
    timeline.MakeRoom(absolute, absolute);
    const Node node{{absolute - timeline.offset, sequence}, {owner, event}};
    if (id.Value() == m_popped)
    {
        timeline.heap.ReplaceRoot(node);
        m_popped = NONE;
        Reindex(id.Value());
    }
    else
    {
        timeline.heap.Push(node);
        if (timeline.heap.Root().key.sequence == sequence)
        {
            Reindex(id.Value());
        }
    }
    timeline.latest = std::max(timeline.latest, node.key.time);
    ++m_size;
}

template <class Event>
bool
Timelines<Event>::IsEmpty() const
{
    Settle();
    return m_index.IsEmpty();
}

template <class Event>
Time
Timelines<Event>::FirstTime() const
{
    Settle();
    assert(!m_index.IsEmpty());
    return Time(Duration(m_index.Root().key.time));
}

template <class Event>
typename Timelines<Event>::Entry
Timelines<Event>::Pop()
{
    Settle();
    assert(!m_index.IsEmpty());
    m_popped = m_index.Root().number;
    --m_size;
    return EntryOf(TimelineId(m_popped), m_timelines[m_popped].heap.Root());
}

template <class Event>
std::optional<Time>
Timelines<Event>::FirstTimeOf(TimelineId id) const
{
    assert(id.Value() < m_timelines.size() && m_timelines[id.Value()].exists);
    Settle();
    const Timeline& timeline = m_timelines[id.Value()];
    if (timeline.heap.IsEmpty())
    {
        return std::nullopt;
    }
    return Time(Duration(timeline.FirstTime()));
}

template <class Event>
typename Timelines<Event>::Entry
Timelines<Event>::PopOf(TimelineId id)
{
    assert(id.Value() < m_timelines.size() && m_timelines[id.Value()].exists);
    Settle();
    assert(!m_timelines[id.Value()].heap.IsEmpty());
    m_popped = id.Value();
    --m_size;
    return EntryOf(id, m_timelines[m_popped].heap.Root());
}

template <class Event>
void
Timelines<Event>::Shift(TimelineId id, Duration shift)
{
    Timeline& timeline = Existing(id);
    Settle();
    if (timeline.heap.IsEmpty())
    {
        return;
    }
    if (!timeline.Shift(shift.count()))
    {
        throw UsageError("Timelines::Shift by " + std::to_string(shift.count()) +
                         " ps: an event would be outside the range of Time; shift by less");
    }
    Reindex(id.Value());
}

template <class Event>
void
Timelines<Event>::Park(TimelineId id)
{
    Timeline& timeline = Existing(id);
    if (timeline.parked)
    {
        throw UsageError("Timelines::Park: timeline " + std::to_string(id.Value()) +
                         " is parked already; call Unpark first");
    }
    Settle();
    timeline.parked = true;
    m_index.Remove(id.Value());
}

template <class Event>
void
Timelines<Event>::Unpark(TimelineId id)
{
    Timeline& timeline = Existing(id);
    if (!timeline.parked)
    {
        throw UsageError("Timelines::Unpark: timeline " + std::to_string(id.Value()) +
                         " is not parked; call Park first");
    }
    Settle();
    timeline.parked = false;
    Reindex(id.Value());
}

template <class Event>
bool
Timelines<Event>::IsParked(TimelineId id) const
{
    return Existing(id).parked;
}

template <class Event>
void
Timelines<Event>::Merge(TimelineId intoId, TimelineId fromId)
{
    Timeline& into = Existing(intoId);
    Timeline& from = Existing(fromId);
    if (intoId == fromId || into.parked != from.parked)
    {
        throw UsageError("Timelines::Merge of " + std::to_string(fromId.Value()) + " into " +
                         std::to_string(intoId.Value()) +
                         ": they must differ, and both be parked or neither");
    }
    Settle();
    m_index.Remove(fromId.Value());
    if (into.heap.Size() < from.heap.Size())
    {
        std::swap(into, from);
    }
    std::vector<Node> nodes = from.heap.Take();
    into.Add(from.offset, nodes);
    from = Timeline{};
    m_free.push_back(fromId.Value());
    Reindex(intoId.Value());
}

template <class Event>
template <class Predicate>
void
Timelines<Event>::Split(TimelineId fromId, TimelineId intoId, Predicate goes)
{
    Timeline& from = Existing(fromId);
    Timeline& into = Existing(intoId);
    if (intoId == fromId)
    {
        throw UsageError("Timelines::Split of timeline " + std::to_string(fromId.Value()) +
                         " into itself; call Create for the other");
    }
    Settle();
    std::vector<Node> moved;
    from.heap.RemoveIf([&](const Node& node) {
        const bool does = goes(node.payload.owner);
        if (does)
        {
            moved.push_back(node);
        }
        return does;
    });
    into.Add(from.offset, moved);
    Reindex(fromId.Value());
    Reindex(intoId.Value());
}

template <class Event>
template <class Predicate>
std::size_t
Timelines<Event>::Erase(TimelineId id, Predicate gone)
{
    Timeline& timeline = Existing(id);
    Settle();
    const std::size_t erased =
        timeline.heap.RemoveIf([&](const Node& node) { return gone(EntryOf(id, node)); });
    m_size -= erased;
    Reindex(id.Value());
    return erased;
}

template <class Event>
std::size_t
Timelines<Event>::SizeOf(TimelineId id) const
{
    return Existing(id).heap.Size() - (id.Value() == m_popped ? 1 : 0);
}

template <class Event>
std::size_t
Timelines<Event>::Size() const
{
    return m_size;
}

template <class Event>
typename Timelines<Event>::Timeline&
Timelines<Event>::Existing(TimelineId id) const
{
    if (id.Value() >= m_timelines.size() || !m_timelines[id.Value()].exists)
    {
        throw UsageError("Timelines: there is no timeline " + std::to_string(id.Value()) +
                         "; use what Create returned, and not after Destroy or Merge");
    }
    return m_timelines[id.Value()];
}

template <class Event>
typename Timelines<Event>::Entry
Timelines<Event>::EntryOf(TimelineId id, const Node& node) const
{
    return {Time(Duration(node.key.time + m_timelines[id.Value()].offset)),
            node.key.sequence,
            id,
            node.payload.owner,
            node.payload.event};
}

/** Finishes what the last Pop left to do. */
template <class Event>
void
Timelines<Event>::Settle() const
{
    if (m_popped != NONE)
    {
        m_timelines[m_popped].heap.PopRoot();
        Reindex(m_popped);
        m_popped = NONE;
    }
}

/** Brings the index up to date on one timeline. */
template <class Event>
void
Timelines<Event>::Reindex(std::uint32_t number) const
{
    const Timeline& timeline = m_timelines[number];
    if (timeline.parked)
    {
        return;
    }
    if (timeline.heap.IsEmpty())
    {
        m_index.Remove(number);
        return;
    }
    m_index.Set(number, {timeline.FirstTime(), timeline.heap.Root().key.sequence});
}

} // namespace wormhole

#endif // WORMHOLE_DETAIL_TIMELINES_INL_H

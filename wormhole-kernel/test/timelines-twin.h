/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_TEST_TIMELINES_TWIN_H
#define WORMHOLE_TEST_TIMELINES_TWIN_H

#include "wormhole/error.h"
#include "wormhole/timelines.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace wormhole::test
{

/** What an event carries here: a number that says which it is, and a check of it. */
struct TestEvent
{
    std::uint32_t number;
    std::uint32_t check;
};

inline TestEvent
Numbered(std::uint32_t number)
{
    return {number, ~number};
}

inline Time
At(std::int64_t picoseconds)
{
    return Time(Duration(picoseconds));
}

/**
 * The same by the simplest means: one sorted set, in which events are moved one by one. What it
 * and Timelines<TestEvent> are asked is compared at once.
 */
class TimelinesTwin
{
  public:
    explicit TimelinesTwin(std::uint64_t seed)
        : m_random(seed)
    {
    }

    std::uint64_t Below(std::uint64_t bound)
    {
        return m_random() % bound;
    }

    /** \param steps operations \param growth of 100, those that schedule \param span of times:
     * small ones make equal times frequent */
    void Run(std::size_t steps, std::uint64_t growth, std::uint64_t span)
    {
        m_span = span;
        DoCreate();
        for (std::size_t i = 0; i < steps && !::testing::Test::HasFailure(); ++i)
        {
            if (Below(100) < growth)
            {
                DoSchedule(Any(), Soon());
            }
            else
            {
                Step(Below(26));
            }
            if (Below(4) == 0)
            {
                Compare();
            }
        }
        Drain();
    }

  private:
    struct Event
    {
        std::int64_t time;
        std::uint64_t sequence;
        std::uint32_t timeline;
        std::uint64_t owner;
        std::uint32_t number;

        bool operator<(const Event& other) const
        {
            return std::tie(time, sequence) < std::tie(other.time, other.sequence);
        }
    };

    TimelineId Any()
    {
        auto it = m_parked.begin();
        std::advance(it, Below(m_parked.size()));
        return TimelineId(it->first);
    }

    Time Soon()
    {
        return At(m_span == 0 ? Wide() : m_now + static_cast<std::int64_t>(Below(m_span)));
    }

    /** Any number, small ones about as often as large ones. */
    std::int64_t Wide()
    {
        return static_cast<std::int64_t>(m_random()) >> Below(64);
    }

    void DoCreate()
    {
        const TimelineId id = m_real.Create();
        EXPECT_TRUE(m_parked.emplace(id.Value(), false).second) << "a number in use";
    }

    void DoSchedule(TimelineId timeline, Time time)
    {
        const OwnerId owner(Below(8));
        std::uint64_t sequence = 0;
        if (Below(8) == 0)
        {
            m_taken.push_back(m_real.TakeSequence());
            EXPECT_EQ(m_taken.back(), m_sequence++);
        }
        if (!m_taken.empty() && Below(4) == 0)
        {
            sequence = m_taken.back();
            m_taken.pop_back();
            m_real.ScheduleAt(timeline, owner, time, sequence, Numbered(m_number));
        }
        else
        {
            sequence = m_real.Schedule(timeline, owner, time, Numbered(m_number));
            EXPECT_EQ(sequence, m_sequence++);
        }
        m_events.insert({time.time_since_epoch().count(),
                         sequence,
                         timeline.Value(),
                         owner.Value(),
                         m_number++});
    }

    template <class Wanted>
    std::set<Event>::iterator First(Wanted wanted)
    {
        return std::find_if(m_events.begin(), m_events.end(), wanted);
    }

    std::set<Event>::iterator FirstAwake()
    {
        return First([&](const Event& event) { return !m_parked.at(event.timeline); });
    }

    std::set<Event>::iterator FirstOf(TimelineId timeline)
    {
        return First([&](const Event& event) { return event.timeline == timeline.Value(); });
    }

    void ExpectSame(const Timelines<TestEvent>::Entry& entry, const Event& event)
    {
        EXPECT_EQ(entry.time, At(event.time));
        EXPECT_EQ(entry.sequence, event.sequence);
        EXPECT_EQ(entry.timeline.Value(), event.timeline);
        EXPECT_EQ(entry.owner.Value(), event.owner);
        EXPECT_EQ(entry.event.number, event.number);
        EXPECT_EQ(entry.event.check, ~event.number);
    }

    void DoPop()
    {
        const auto it = FirstAwake();
        EXPECT_EQ(m_real.IsEmpty(), it == m_events.end());
        if (it == m_events.end())
        {
            return;
        }
        if (Below(2) == 0)
        {
            EXPECT_EQ(m_real.FirstTime(), At(it->time));
        }
        ExpectSame(m_real.Pop(), *it);
        After(it);
    }

    void DoPopOf(TimelineId timeline)
    {
        const auto it = FirstOf(timeline);
        EXPECT_EQ(m_real.FirstTimeOf(timeline),
                  it == m_events.end() ? std::nullopt : std::optional<Time>(At(it->time)));
        if (it != m_events.end())
        {
            ExpectSame(m_real.PopOf(timeline), *it);
            After(it);
        }
    }

    /** An event that happens has consequences: mostly on its own timeline, some on others. */
    void After(std::set<Event>::iterator it)
    {
        const Event event = *it;
        m_events.erase(it);
        m_now = event.time;
        for (std::uint64_t next = Below(3); next > 0; --next)
        {
            const TimelineId timeline = Below(3) > 0 ? TimelineId(event.timeline) : Any();
            DoSchedule(timeline, Soon());
        }
    }

    /** Changes each event of which \p wanted. */
    template <class Wanted, class Change>
    std::size_t ForEach(Wanted wanted, Change change)
    {
        std::set<Event> changed;
        std::size_t count = 0;
        for (Event event : m_events)
        {
            if (wanted(event))
            {
                change(event);
                ++count;
            }
            changed.insert(event);
        }
        m_events.swap(changed);
        return count;
    }

    void DoShift(TimelineId timeline)
    {
        const std::int64_t shift = m_span == 0 ? Wide()
                                               : static_cast<std::int64_t>(Below(4 * m_span)) -
                                                     static_cast<std::int64_t>(Below(m_span));
        const auto leaves = [&](const Event& event) {
            std::int64_t sum = 0;
            return event.timeline == timeline.Value() &&
                   __builtin_add_overflow(event.time, shift, &sum);
        };
        if (std::any_of(m_events.begin(), m_events.end(), leaves))
        {
            EXPECT_THROW(m_real.Shift(timeline, Duration(shift)), UsageError);
            return;
        }
        m_real.Shift(timeline, Duration(shift));
        ForEach([&](const Event& event) { return event.timeline == timeline.Value(); },
                [&](Event& event) { event.time += shift; });
    }

    void DoPark(TimelineId timeline)
    {
        bool& parked = m_parked.at(timeline.Value());
        parked ? m_real.Unpark(timeline) : m_real.Park(timeline);
        parked = !parked;
    }

    void DoMerge(TimelineId into, TimelineId from)
    {
        if (into == from || m_parked.at(into.Value()) != m_parked.at(from.Value()))
        {
            EXPECT_THROW(m_real.Merge(into, from), UsageError);
            return;
        }
        m_real.Merge(into, from);
        m_parked.erase(from.Value());
        ForEach([&](const Event& event) { return event.timeline == from.Value(); },
                [&](Event& event) { event.timeline = into.Value(); });
    }

    void DoSplit(TimelineId from, TimelineId into)
    {
        const std::uint64_t owners = Below(256); // a set of owners, one per bit
        const auto goes = [&](std::uint64_t owner) { return (owners >> owner) % 2 == 1; };
        if (into == from)
        {
            EXPECT_THROW(m_real.Split(from, into, [](OwnerId) { return true; }), UsageError);
            return;
        }
        m_real.Split(from, into, [&](OwnerId owner) { return goes(owner.Value()); });
        ForEach(
            [&](const Event& event) { return event.timeline == from.Value() && goes(event.owner); },
            [&](Event& event) { event.timeline = into.Value(); });
    }

    void DoErase(TimelineId timeline)
    {
        const std::uint64_t modulus = 2 + Below(4);
        const std::size_t erased =
            m_real.Erase(timeline, [&](const Timelines<TestEvent>::Entry& entry) {
                EXPECT_EQ(entry.timeline, timeline);
                return entry.event.number % modulus == 0;
            });
        std::size_t expected = 0;
        for (auto it = m_events.begin(); it != m_events.end();)
        {
            const bool gone = it->timeline == timeline.Value() && it->number % modulus == 0;
            it = gone ? m_events.erase(it) : std::next(it);
            expected += gone ? 1 : 0;
        }
        EXPECT_EQ(erased, expected);
    }

    void DoDestroy(TimelineId timeline)
    {
        if (m_parked.size() == 1)
        {
            return;
        }
        m_real.Destroy(timeline);
        m_parked.erase(timeline.Value());
        for (auto it = m_events.begin(); it != m_events.end();)
        {
            it = it->timeline == timeline.Value() ? m_events.erase(it) : std::next(it);
        }
    }

    void Step(std::uint64_t kind)
    {
        switch (kind)
        {
        case 0:
        case 1:
            return DoCreate();
        case 2:
        case 3:
            return DoShift(Any());
        case 4:
        case 5:
        case 6:
            return DoPark(Any());
        case 7:
            return DoMerge(Any(), Any());
        case 8:
            return DoSplit(Any(), Any());
        case 9:
            return Below(4) == 0 ? DoErase(Any()) : void();
        case 10:
            return Below(8) == 0 ? DoDestroy(Any()) : void();
        case 11:
        case 12:
            return DoPopOf(Any());
        default:
            return DoPop();
        }
    }

    void Compare()
    {
        EXPECT_EQ(m_real.Size(), m_events.size());
        const TimelineId timeline = Any();
        EXPECT_EQ(m_real.IsParked(timeline), m_parked.at(timeline.Value()));
        EXPECT_EQ(m_real.SizeOf(timeline),
                  std::count_if(m_events.begin(), m_events.end(), [&](const Event& event) {
                      return event.timeline == timeline.Value();
                  }));
        const auto it = FirstOf(timeline);
        EXPECT_EQ(m_real.FirstTimeOf(timeline),
                  it == m_events.end() ? std::nullopt : std::optional<Time>(At(it->time)));
    }

    /** All that is left comes out, in order. */
    void Drain()
    {
        for (auto& [timeline, parked] : m_parked)
        {
            if (parked)
            {
                m_real.Unpark(TimelineId(timeline));
                parked = false;
            }
        }
        for (const Event& event : m_events)
        {
            ASSERT_FALSE(m_real.IsEmpty());
            ExpectSame(m_real.Pop(), event);
        }
        EXPECT_TRUE(m_real.IsEmpty());
        EXPECT_EQ(m_real.Size(), 0U);
    }

    std::mt19937_64 m_random;
    Timelines<TestEvent> m_real;
    std::set<Event> m_events;
    std::map<std::uint32_t, bool> m_parked; //!< of each timeline there is
    std::vector<std::uint64_t> m_taken;     //!< sequence numbers not used yet
    std::uint64_t m_sequence{0};
    std::uint32_t m_number{0};
    std::int64_t m_now{0};
    std::uint64_t m_span{1};
};

} // namespace wormhole::test

#endif // WORMHOLE_TEST_TIMELINES_TWIN_H

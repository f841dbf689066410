/*
 * SPDX-License-Identifier: MIT
 */
#include "wormhole/error.h"
#include "wormhole/timelines.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace wormhole
{
namespace
{

/** What an event carries here: a number that says which it is, and a check of it. */
struct TestEvent
{
    std::uint32_t number;
    std::uint32_t check;
};

TestEvent
Numbered(std::uint32_t number)
{
    return {number, ~number};
}

Time
At(std::int64_t picoseconds)
{
    return Time(Duration(picoseconds));
}

/**
 * The same by the simplest means: one sorted set, in which events are moved one by one. What it
 * and Timelines<TestEvent> are asked is compared at once.
 */
class Twin
{
  public:
    explicit Twin(std::uint64_t seed)
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

using Queue = Timelines<TestEvent>;

/** Pops all that is not parked. \return their numbers */
std::vector<std::uint32_t>
PopAll(Queue& queue)
{
    std::vector<std::uint32_t> numbers;
    while (!queue.IsEmpty())
    {
        numbers.push_back(queue.Pop().event.number);
    }
    return numbers;
}

using Numbers = std::vector<std::uint32_t>;
constexpr OwnerId OWNER(7);
constexpr std::int64_t MAX = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t MIN = std::numeric_limits<std::int64_t>::min();

TEST(Timelines, BehaveLikeOneSortedSet)
{
    for (std::uint64_t seed = 0; seed < 12000 && !HasFailure(); ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Twin twin(seed);
        twin.Run(80, 10 + twin.Below(20), seed % 2 == 0 ? 4 : 1000);
    }
}

TEST(Timelines, BehaveLikeOneSortedSetOfManyEvents)
{
    for (std::uint64_t seed = 0; seed < 6 && !HasFailure(); ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Twin(seed).Run(5000, 60, 100);
    }
}

TEST(Timelines, BehaveLikeOneSortedSetAtAllTimes)
{
    for (std::uint64_t seed = 0; seed < 4000 && !HasFailure(); ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Twin(seed).Run(60, 20, 0);
    }
}

TEST(Timelines, YieldWhatOneQueueWouldWhenNothingIsMoved)
{
    // 100 timelines, 3,000 events pending, times within 50 so that many are equal.
    std::mt19937_64 random(1);
    Queue queue;
    std::map<std::pair<std::int64_t, std::uint64_t>, std::uint32_t> single; // to timeline
    const auto schedule = [&](std::uint32_t timeline, std::int64_t time) {
        const std::uint64_t sequence =
            queue.Schedule(TimelineId(timeline), OWNER, At(time), Numbered(timeline));
        single.emplace(std::make_pair(time, sequence), timeline);
    };
    for (std::uint32_t i = 0; i < 100; ++i)
    {
        ASSERT_EQ(queue.Create(), TimelineId(i));
    }
    for (std::uint32_t i = 0; i < 3000; ++i)
    {
        schedule(i % 100, static_cast<std::int64_t>(random() % 50));
    }
    for (int i = 0; i < 50000; ++i)
    {
        const Queue::Entry entry = queue.Pop();
        const auto [key, timeline] = *single.begin();
        single.erase(single.begin());
        ASSERT_EQ(std::make_pair(entry.time, entry.sequence),
                  std::make_pair(At(key.first), key.second));
        ASSERT_EQ(entry.timeline, TimelineId(timeline));
        const std::uint32_t next = random() % 4 > 0 ? timeline : random() % 100;
        schedule(next, key.first + static_cast<std::int64_t>(random() % 50));
    }
    EXPECT_EQ(queue.Size(), 3000U);
}

TEST(Timelines, SkipWakeEarlyAndRunLate)
{
    Queue queue;
    const TimelineId skipped = queue.Create();
    const TimelineId other = queue.Create();
    queue.Schedule(skipped, OWNER, At(10), Numbered(1));
    queue.Schedule(skipped, OWNER, At(12), Numbered(2));
    for (const std::uint32_t time : {20, 30, 111, 112})
    {
        queue.Schedule(other, OWNER, At(time), Numbered(time));
    }
    queue.Park(skipped);
    EXPECT_TRUE(queue.IsParked(skipped));
    EXPECT_EQ(queue.FirstTimeOf(skipped), At(10));
    EXPECT_EQ(queue.Pop().event.number, 20U);

    // A skip by 100 would end at 110. Instead it is woken after 15: its first event is at 25.
    queue.Shift(skipped, Duration(15));
    queue.Unpark(skipped);
    EXPECT_EQ(queue.FirstTime(), At(25));
    const Queue::Entry woken = queue.Pop();
    EXPECT_EQ(woken.event.number, 1U);
    EXPECT_EQ(woken.time, At(10 + 15));

    // Parked again, and not woken before 111: 12 + 15 + 85 = 112, scheduled before the other's 112.
    queue.Park(skipped);
    EXPECT_EQ(queue.Pop().event.number, 30U);
    queue.Shift(skipped, Duration(85));
    queue.Unpark(skipped);
    EXPECT_EQ(queue.FirstTimeOf(skipped), At(112));

    // Late: what was put off comes before all others, with what it schedules.
    queue.Schedule(skipped, OWNER, At(100), Numbered(3));
    queue.Park(skipped);
    EXPECT_EQ(queue.FirstTime(), At(111));
    EXPECT_EQ(queue.PopOf(skipped).time, At(100));
    queue.Schedule(skipped, OWNER, At(101), Numbered(4));
    EXPECT_EQ(queue.FirstTime(), At(111));
    queue.Unpark(skipped);
    EXPECT_EQ(PopAll(queue), (Numbers{4, 111, 2, 112}));
}

TEST(Timelines, PlacesTakenBeforehandDecideBetweenEqualTimes)
{
    Queue queue;
    const TimelineId a = queue.Create();
    const TimelineId b = queue.Create();
    const std::uint64_t place = queue.TakeSequence();
    EXPECT_EQ(queue.Schedule(a, OWNER, At(5), Numbered(2)), place + 1);
    queue.ScheduleAt(b, OWNER, At(5), place, Numbered(1));
    EXPECT_EQ(queue.Schedule(b, OWNER, At(5), Numbered(3)), place + 2);
    EXPECT_EQ(PopAll(queue), (Numbers{1, 2, 3}));
}

TEST(Timelines, TheEventPoppedIsGoneAtOnce)
{
    Queue queue;
    const TimelineId a = queue.Create();
    const TimelineId b = queue.Create();
    queue.Schedule(a, OWNER, At(1), Numbered(1));
    EXPECT_EQ(queue.SizeOf(a), 1U);
    EXPECT_EQ(queue.Pop().event.number, 1U);
    EXPECT_EQ(queue.SizeOf(a), 0U);
    EXPECT_EQ(queue.Size(), 0U);
    queue.Schedule(b, OWNER, At(1), Numbered(2));
    EXPECT_EQ(queue.FirstTimeOf(a), std::nullopt);
    EXPECT_EQ(queue.Pop().event.number, 2U);
    EXPECT_TRUE(queue.IsEmpty());

    // Scheduled after a Pop, but before what was popped.
    queue.Schedule(a, OWNER, At(10), Numbered(3));
    queue.Schedule(b, OWNER, At(9), Numbered(4));
    queue.Schedule(b, OWNER, At(11), Numbered(5));
    EXPECT_EQ(queue.Pop().event.number, 4U);
    queue.Schedule(a, OWNER, At(2), Numbered(6));
    queue.Schedule(b, OWNER, At(1), Numbered(7));
    EXPECT_EQ(PopAll(queue), (Numbers{7, 6, 3, 5}));
}

TEST(Timelines, NumbersAreUsedAgainWithoutWhatWasThere)
{
    Queue queue;
    const TimelineId a = queue.Create();
    const TimelineId b = queue.Create();
    queue.Schedule(a, OWNER, At(1), Numbered(1));
    queue.Schedule(b, OWNER, At(2), Numbered(2));
    queue.Shift(a, Duration(1000));
    queue.Park(a);
    queue.Destroy(a);
    EXPECT_EQ(queue.Size(), 1U);
    EXPECT_EQ(queue.Create(), a);
    EXPECT_FALSE(queue.IsParked(a));
    EXPECT_EQ(queue.SizeOf(a), 0U);
    queue.Schedule(a, OWNER, At(1), Numbered(3));
    EXPECT_EQ(queue.Pop().event.number, 3U);

    // Destroyed by the last event that it had.
    queue.Destroy(a);
    EXPECT_EQ(PopAll(queue), (Numbers{2}));
}

TEST(Timelines, MergeKeepsTimesWhicheverIsLarger)
{
    for (const bool parked : {false, true})
    {
        for (const std::uint32_t more : {0U, 1U})
        {
            Queue queue;
            const TimelineId timelines[2] = {queue.Create(), queue.Create()};
            queue.Schedule(timelines[0], OWNER, At(30), Numbered(30));
            queue.Schedule(timelines[1], OWNER, At(5), Numbered(15));
            queue.Schedule(timelines[more], OWNER, At(40), Numbered(40 + 10 * more));
            queue.Shift(timelines[1], Duration(10)); // 5 to 15, and 40 to 50 if it is there
            if (parked)
            {
                queue.Park(timelines[0]);
                queue.Park(timelines[1]);
            }
            queue.Merge(timelines[0], timelines[1]);
            EXPECT_EQ(queue.SizeOf(timelines[0]), 3U);
            EXPECT_EQ(queue.FirstTimeOf(timelines[0]), At(15));
            EXPECT_EQ(queue.IsParked(timelines[0]), parked);
            EXPECT_EQ(queue.IsEmpty(), parked);
            EXPECT_THROW(queue.SizeOf(timelines[1]), UsageError);
            if (parked)
            {
                queue.Unpark(timelines[0]);
            }
            EXPECT_EQ(PopAll(queue), (Numbers{15, 30, 40 + 10 * more}));
            EXPECT_EQ(queue.Create(), timelines[1]);
        }
    }
}

TEST(Timelines, SplitByOwner)
{
    Queue queue;
    const TimelineId from = queue.Create();
    const TimelineId into = queue.Create();
    for (std::uint32_t i = 0; i < 6; ++i)
    {
        queue.Schedule(from, OwnerId(i % 3), At(i), Numbered(i));
    }
    queue.Shift(from, Duration(100));
    queue.Shift(into, Duration(-50)); // has no events: nothing moves
    queue.Park(into);
    queue.Split(from, into, [](OwnerId) { return false; });
    EXPECT_EQ(queue.SizeOf(into), 0U);
    queue.Split(from, into, [](OwnerId owner) { return owner != OwnerId(1); });
    EXPECT_EQ(queue.FirstTimeOf(into), At(100));
    EXPECT_EQ(PopAll(queue), (Numbers{1, 4}));
    queue.Split(into, from, [](OwnerId owner) { return owner == OwnerId(2); });
    EXPECT_EQ(PopAll(queue), (Numbers{2, 5}));
    queue.Split(into, from, [](OwnerId) { return true; });
    EXPECT_EQ(queue.FirstTimeOf(into), std::nullopt);
    EXPECT_EQ(PopAll(queue), (Numbers{0, 3}));
}

TEST(Timelines, EraseSeesWholeEntries)
{
    Queue queue;
    const TimelineId timeline = queue.Create();
    const std::uint64_t first = queue.Schedule(timeline, OwnerId(4), At(1), Numbered(1));
    queue.Schedule(timeline, OwnerId(5), At(2), Numbered(2));
    queue.Shift(timeline, Duration(10));
    const auto isFirst = [&](const Queue::Entry& entry) {
        return entry.time == At(11) && entry.sequence == first && entry.timeline == timeline &&
               entry.owner == OwnerId(4) && entry.event.number == 1;
    };
    EXPECT_EQ(queue.Erase(timeline, isFirst), 1U);
    EXPECT_EQ(queue.Erase(timeline, isFirst), 0U);
    EXPECT_EQ(queue.Size(), 1U);
    EXPECT_EQ(queue.FirstTime(), At(12));
    EXPECT_EQ(queue.Erase(timeline, [](const Queue::Entry&) { return true; }), 1U);
    EXPECT_TRUE(queue.IsEmpty());
}

TEST(Timelines, WrongUseIsRefusedAndChangesNothing)
{
    Queue queue;
    const TimelineId awake = queue.Create();
    const TimelineId parked = queue.Create();
    const TimelineId destroyed = queue.Create();
    const TimelineId unknown(3);
    queue.Destroy(destroyed);
    queue.Park(parked);
    queue.Schedule(awake, OWNER, At(1), Numbered(1));
    queue.Schedule(parked, OWNER, At(2), Numbered(2));
    const auto all = [](auto) { return true; };

    for (const TimelineId wrong : {destroyed, unknown})
    {
        EXPECT_THROW(queue.Destroy(wrong), UsageError);
        EXPECT_THROW(queue.Shift(wrong, Duration(1)), UsageError);
        EXPECT_THROW(queue.Park(wrong), UsageError);
        EXPECT_THROW(queue.Unpark(wrong), UsageError);
        EXPECT_THROW(queue.IsParked(wrong), UsageError);
        EXPECT_THROW(queue.Merge(awake, wrong), UsageError);
        EXPECT_THROW(queue.Merge(wrong, awake), UsageError);
        EXPECT_THROW(queue.Split(awake, wrong, all), UsageError);
        EXPECT_THROW(queue.Split(wrong, awake, all), UsageError);
        EXPECT_THROW(queue.Erase(wrong, all), UsageError);
        EXPECT_THROW(queue.SizeOf(wrong), UsageError);
    }
    EXPECT_THROW(queue.Park(parked), UsageError);
    EXPECT_THROW(queue.Unpark(awake), UsageError);
    EXPECT_THROW(queue.Merge(awake, awake), UsageError);
    EXPECT_THROW(queue.Merge(awake, parked), UsageError);
    EXPECT_THROW(queue.Split(awake, awake, all), UsageError);

    EXPECT_EQ(PopAll(queue), (Numbers{1}));
    queue.Unpark(parked);
    EXPECT_EQ(PopAll(queue), (Numbers{2}));
}

TEST(Timelines, AnEventIsNeverShiftedOutOfTime)
{
    Queue queue;
    const TimelineId timeline = queue.Create();
    queue.Schedule(timeline, OWNER, At(10), Numbered(1));
    queue.Schedule(timeline, OWNER, Time::max(), Numbered(2));
    EXPECT_THROW(queue.Shift(timeline, Duration(1)), UsageError);
    EXPECT_EQ(queue.FirstTimeOf(timeline), At(10));
    queue.Shift(timeline, Duration(-20)); // to -10 and MAX - 20
    EXPECT_THROW(queue.Shift(timeline, Duration(21)), UsageError);
    queue.Shift(timeline, Duration(20));
    EXPECT_EQ(queue.Pop().time, At(10));
    EXPECT_EQ(queue.Pop().time, Time::max());

    // The event that stood against it is gone.
    queue.Schedule(timeline, OWNER, At(0), Numbered(3));
    queue.Shift(timeline, Duration(MAX));
    EXPECT_EQ(queue.Pop().time, Time::max());

    queue.Schedule(timeline, OWNER, At(MIN + 3), Numbered(4));
    EXPECT_THROW(queue.Shift(timeline, Duration(-4)), UsageError);
    queue.Schedule(timeline, OWNER, At(0), Numbered(5));
    EXPECT_THROW(queue.Shift(timeline, Duration(-4)), UsageError);
    queue.Shift(timeline, Duration(-3));
    EXPECT_EQ(queue.Pop().time, At(MIN));
    EXPECT_EQ(queue.Pop().time, At(-3));
}

TEST(Timelines, ShiftsMayAddUpToMoreThanADurationHolds)
{
    Queue queue;
    const TimelineId timeline = queue.Create();
    queue.Schedule(timeline, OWNER, At(MIN), Numbered(1));
    queue.Shift(timeline, Duration(MAX)); // to -1
    queue.Shift(timeline, Duration(MAX)); // to MAX - 1
    queue.Schedule(timeline, OWNER, At(MIN), Numbered(2));
    EXPECT_EQ(queue.Pop().time, At(MIN));
    EXPECT_EQ(queue.Pop().time, At(MAX - 1));
}

TEST(Timelines, WhatIsMergedMayBeFarFromTheShiftOfTheOther)
{
    // One timeline is shifted by all that there is; of the other, one event is at that end of time,
    // one at the opposite end: it is out of range when counted from that shift.
    for (const std::int64_t end : {MIN, MAX})
    {
        const std::int64_t opposite = end == MIN ? MAX : MIN;
        Queue queue;
        const TimelineId shifted = queue.Create();
        const TimelineId other = queue.Create();
        for (std::uint32_t i = 0; i < 3; ++i)
        {
            queue.Schedule(shifted, OWNER, At(0), Numbered(i));
        }
        queue.Shift(shifted, Duration(end));
        queue.Schedule(other, OWNER, At(end), Numbered(3));
        queue.Schedule(other, OWNER, At(opposite), Numbered(4));
        queue.Merge(shifted, other);
        EXPECT_THROW(queue.Shift(shifted, Duration(1)), UsageError);
        EXPECT_THROW(queue.Shift(shifted, Duration(-1)), UsageError);
        EXPECT_EQ(PopAll(queue), end == MIN ? (Numbers{0, 1, 2, 3, 4}) : (Numbers{4, 0, 1, 2, 3}));
    }
}

TEST(Timelines, WhatWasMergedCountsInTheNextShift)
{
    Queue queue;
    const TimelineId into = queue.Create();
    const TimelineId from = queue.Create();
    queue.Schedule(into, OWNER, At(1), Numbered(1));
    queue.Schedule(into, OWNER, At(2), Numbered(2));
    queue.Schedule(from, OWNER, At(MAX - 5), Numbered(3));
    queue.Merge(into, from);
    EXPECT_THROW(queue.Shift(into, Duration(6)), UsageError);
    queue.Shift(into, Duration(5));
    EXPECT_EQ(queue.FirstTime(), At(6));
    EXPECT_EQ(PopAll(queue), (Numbers{1, 2, 3}));
}

} // namespace
} // namespace wormhole

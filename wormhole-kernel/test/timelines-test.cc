/*
 * SPDX-License-Identifier: MIT
 */
#include "timelines-twin.h"
#include "wormhole/error.h"
#include "wormhole/timelines.h"

#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace wormhole::test
{
namespace
{

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
        TimelinesTwin twin(seed);
        twin.Run(80, 10 + twin.Below(20), seed % 2 == 0 ? 4 : 1000);
    }
}

TEST(Timelines, BehaveLikeOneSortedSetOfManyEvents)
{
    for (std::uint64_t seed = 0; seed < 6 && !HasFailure(); ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        TimelinesTwin(seed).Run(5000, 60, 100);
    }
}

TEST(Timelines, BehaveLikeOneSortedSetAtAllTimes)
{
    for (std::uint64_t seed = 0; seed < 4000 && !HasFailure(); ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        TimelinesTwin(seed).Run(60, 20, 0);
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
} // namespace wormhole::test

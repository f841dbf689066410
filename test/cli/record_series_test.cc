/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What `wormhole run --record` keeps its samples in.

#include "../scratch/wormhole/record/record-intervals.h"
#include "../scratch/wormhole/record/record-series.h"
#include "../scratch/wormhole/record/record-thinned.h"

#include <gtest/gtest.h>
#include <vector>

TEST(RecordSeries, DroppedSamplesLeaveTheRestAsItWas)
{
    wormhole::RecordTimes times;
    wormhole::RecordSeries<uint64_t> steps;
    times.Start(5000);
    const auto valueAt = [](int64_t ns) { return static_cast<uint64_t>((ns - 5000) / 7000); };
    times.TakeUpTo(
        5000 + 3000000,
        [&]() { steps.Thin(); },
        [&](int64_t number, bool) { steps.Add(number, valueAt(times.TimeOf(number))); });
    for (int64_t us = 3001; us < 10000; ++us) // as events come, and not all samples at once
    {
        times.TakeUpTo(
            5000 + us * 1000,
            [&]() { steps.Thin(); },
            [&](int64_t number, bool) { steps.Add(number, valueAt(times.TimeOf(number))); });
    }
    EXPECT_EQ(times.GetPeriodNs(), 8000);
    size_t lines = 0;
    steps.ForEachLine(times, false, [&](int64_t ns, uint64_t value) {
        EXPECT_EQ((ns - 5000) % 8000, 0);
        EXPECT_EQ(value, valueAt(ns)) << ns;
        ++lines;
    });
    EXPECT_EQ(lines, 1250U); // 10,000 / 8: it changes between any two samples
}

TEST(RecordTimes, SamplesDoNotDependOnWhenTheyAreAskedFor)
{
    const auto samples = [](int64_t step) {
        wormhole::RecordTimes times;
        std::vector<int64_t> list; // ns, and -1 where the period doubles
        times.Start(5000);
        for (int64_t ns = 5000; ns <= 5000 + 12000000; ns += step)
        {
            times.TakeUpTo(
                ns,
                [&]() { list.push_back(-1); },
                [&](int64_t number, bool) { list.push_back(times.TimeOf(number)); });
        }
        return list;
    };
    // 2,048 samples at a period of 1 us; 1,024 at 2 us, to 4,096 us; 1,024 at 4 us, to 8,192 us;
    // and at 8 us (12,000 - 8,192) / 8 + 1 = 477. The period doubles three times.
    const std::vector<int64_t> one = samples(1000);
    EXPECT_EQ(std::count(one.begin(), one.end(), -1), 3);
    EXPECT_EQ(one.size(), 2048U + 2 * 1024 + 477 + 3);
    EXPECT_EQ(samples(6000000), one);
    EXPECT_EQ(samples(12000000), one);
}

TEST(RecordThinned, KeepsTheFirstAndEveryKth)
{
    wormhole::RecordThinned<int> list(3, 4);
    for (int i = 0; i < 20; ++i)
    {
        list.Add(i);
        EXPECT_LE(list.GetItems().size(), 7U);
    }
    // of the 17 after the first three, every 8th
    EXPECT_EQ(list.GetItems(), (std::vector<int>{0, 1, 2, 3, 11, 19}));
    EXPECT_EQ(list.GetEvery(), 8U);
    EXPECT_EQ(list.GetCount(), 20U);
}

TEST(RecordIntervals, TouchingOnesAreOneAndMoreAreMerged)
{
    wormhole::RecordIntervals exact(100);
    exact.Add(0, 10, 1);
    exact.Add(5, 20, 1);  // overlaps
    exact.Add(20, 30, 1); // touches
    exact.Add(30, 40, 2); // of another kind
    exact.Add(60, 60, 2); // empty
    exact.Add(35, 70, 2);
    ASSERT_EQ(exact.Get().size(), 2U);
    EXPECT_EQ(exact.Get()[0].end, 30);
    EXPECT_EQ(exact.Get()[1].begin, 30);
    EXPECT_EQ(exact.Get()[1].end, 70);
    EXPECT_EQ(exact.GetResolutionNs(), 0);

    wormhole::RecordIntervals few(10);
    for (int64_t i = 0; i < 1000; ++i)
    {
        few.Add(i * 1000, i * 1000 + (i % 2 ? 700 : 1000), static_cast<uint8_t>(i % 2));
        ASSERT_LE(few.Get().size(), 10U);
    }
    EXPECT_GT(few.GetResolutionNs(), 0);
    EXPECT_EQ(few.Get().front().begin, 0);
    EXPECT_EQ(few.Get().back().end, 999700);
}

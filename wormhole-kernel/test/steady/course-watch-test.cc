/*
 * SPDX-License-Identifier: MIT
 */
#include "steady/course-watch.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace wormhole
{
namespace
{

constexpr Duration INTERVAL = std::chrono::microseconds{10};
constexpr double THETA = 0.05;

/** One mean of a flow at \p rate, in samples of this rate. */
void
LookAt(CourseWatch& watch, double rate)
{
    for (std::uint32_t i = 0; i < CourseWatch::SAMPLES; ++i)
    {
        watch.Look({Rate::BytesPerSecond(rate)});
    }
}

TEST(CourseWatch, NeedsEightMeans)
{
    CourseWatch watch;
    for (int i = 0; i < 7; ++i)
    {
        LookAt(watch, 1000);
        EXPECT_FALSE(watch.Find(INTERVAL, THETA));
        EXPECT_FALSE(watch.IsKnown());
    }
    LookAt(watch, 1000);
    const auto course = watch.Find(INTERVAL, THETA);
    ASSERT_TRUE(course);
    EXPECT_TRUE(watch.IsKnown());
    EXPECT_DOUBLE_EQ(course->rates.front().InBytesPerSecond(), 1000);
    EXPECT_DOUBLE_EQ(course->approaches.front().target.InBytesPerSecond(), 1000);
    EXPECT_EQ(course->horizon, Duration::max()); // nothing moves
    watch.Clear();
    EXPECT_FALSE(watch.IsKnown());
    EXPECT_FALSE(watch.Find(INTERVAL, THETA));
}

TEST(CourseWatch, FollowsALineForAsLongAsItWasSeen)
{
    CourseWatch watch;
    for (int i = 0; i < 8; ++i)
    {
        LookAt(watch, 1000 + 10 * i);
    }
    const auto course = watch.Find(INTERVAL, THETA);
    ASSERT_TRUE(course);
    // Now: the mean of 1040, 1050, 1060 and 1070. As far again in 8 means as in these.
    EXPECT_DOUBLE_EQ(course->rates.front().InBytesPerSecond(), 1055);
    EXPECT_NEAR(course->approaches.front().target.InBytesPerSecond(), 1055 + 8 * 10, 1e-6);
    EXPECT_NEAR(course->approaches.front().speed, 1 / (8 * 40e-6), 1e-6);
    // 10 % of 1055 are 10.55 steps of 40 us.
    EXPECT_NEAR(std::chrono::duration<double>(course->horizon).count(), 10.55 * 40e-6, 1e-9);
}

TEST(CourseWatch, ASlopeOfNoiseCountsLittle)
{
    // By least squares, the slope of eight rates of which one half is 20 more than the other, in
    // turn, is 40 / 42 (squares of distances from the middle: 42), and its standard error 1.74:
    // t squared is 0.30, so 0.30 / 4.30 of it counts.
    CourseWatch watch;
    for (int i = 0; i < 8; ++i)
    {
        LookAt(watch, i % 2 == 0 ? 1000 : 1020);
    }
    const auto course = watch.Find(INTERVAL, THETA);
    ASSERT_TRUE(course);
    const double slope = 40.0 / 42;
    const double residuals = 8 * 100 - slope * slope * 42;
    const double squareOfT = slope * slope / (residuals / 6 / 42);
    EXPECT_NEAR(squareOfT, 0.30, 0.01);
    EXPECT_DOUBLE_EQ(course->rates.front().InBytesPerSecond(), 1010);
    EXPECT_NEAR(course->approaches.front().target.InBytesPerSecond(),
                1010 + 8 * slope * squareOfT / (squareOfT + 4),
                1e-6);
}

TEST(CourseWatch, KnowsNothingOfWhatMovesFast)
{
    CourseWatch noisy;
    CourseWatch fast;
    for (int i = 0; i < 8; ++i)
    {
        LookAt(noisy, i % 2 == 0 ? 1000 : 1120); // off by 60, more than 5 %
        LookAt(fast, 1000 + 30 * i);             // by 8 times 30, more than 20 % of 1105
    }
    EXPECT_FALSE(noisy.Find(INTERVAL, THETA));
    EXPECT_FALSE(fast.Find(INTERVAL, THETA));
    CourseWatch idle;
    for (int i = 0; i < 8; ++i)
    {
        LookAt(idle, 0);
    }
    EXPECT_FALSE(idle.Find(INTERVAL, THETA));
}

TEST(CourseWatch, WhatWasSkippedIsTakenIntoAccount)
{
    CourseWatch watch;
    for (int i = 0; i < 8; ++i)
    {
        LookAt(watch, 1000 + 10 * i);
    }
    const auto before = watch.Find(INTERVAL, THETA);
    ASSERT_TRUE(before);
    watch.Look({Rate::BytesPerSecond(5000)}); // of a mean that does not become whole
    watch.Carry(before->approaches, 8 * 4 * INTERVAL);
    // What each was off the target has decayed by e, and so has the slope.
    const auto after = watch.Find(INTERVAL, THETA);
    ASSERT_TRUE(after);
    const double target = 1055 + 80;
    EXPECT_NEAR(after->rates.front().InBytesPerSecond(), target - 80 * std::exp(-1), 1e-6);
    EXPECT_NEAR(after->approaches.front().target.InBytesPerSecond(), target, 1e-6);
}

} // namespace
} // namespace wormhole

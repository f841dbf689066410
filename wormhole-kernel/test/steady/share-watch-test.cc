/*
 * SPDX-License-Identifier: MIT
 */
#include "steady/share-watch.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace wormhole
{
namespace
{

constexpr Duration WINDOW{1'000'000};        //!< 1 us
const FlowGroup PAIR{0, 1};                  //!< the flows
const std::vector<double> EXACT{1e-6, 1e-6}; //!< their noise

std::vector<Rate>
Rates(std::initializer_list<double> values)
{
    std::vector<Rate> rates;
    for (const double value : values)
    {
        rates.push_back(Rate::BytesPerSecond(value));
    }
    return rates;
}

/** \return rates of two flows whose shares are \p off of 50 */
std::vector<Rate>
Shares(double off)
{
    return Rates({50 + off, 50 - off});
}

TEST(ShareWatch, FindsHowFastSharesBecomeEqual)
{
    // By a tenth of what they are off in each window, whose means are off by as much.
    ShareWatch watch;
    EXPECT_FALSE(watch.Find(PAIR, EXACT));
    double off = 20;
    watch.Look(WINDOW, Shares(off));
    EXPECT_FALSE(watch.Find(PAIR, EXACT));
    for (int window = 0; window < 20; ++window)
    {
        watch.Look(WINDOW, Shares(off *= 0.9));
        const auto found = watch.Find(PAIR, EXACT);
        ASSERT_TRUE(found);
        EXPECT_NEAR(found->target.InBytesPerSecond(), 50, 1e-9);
        EXPECT_NEAR(found->speed, -std::log(0.9) * 1e6, 1);
    }
}

TEST(ShareWatch, WhatWasSkippedIsNoMatter)
{
    ShareWatch watch;
    watch.Look(WINDOW, Shares(20));
    watch.Look(WINDOW, Shares(18));
    // Half the way was skipped.
    const auto before = watch.Find(PAIR, EXACT);
    ASSERT_TRUE(before);
    const Duration half{static_cast<std::int64_t>(std::log(2) / before->speed * 1e12)};
    watch.Carry({*before, *before}, half);
    watch.Look(WINDOW, Shares(9 * 0.9));
    const auto after = watch.Find(PAIR, EXACT);
    ASSERT_TRUE(after);
    EXPECT_NEAR(after->speed, -std::log(0.9) * 1e6, 1);
}

TEST(ShareWatch, TellsWhatHasMovedWithinThreeLooks)
{
    ShareWatch watch;
    for (const double off : {10.0, 9.5})
    {
        watch.Look(WINDOW, Shares(off));
        EXPECT_TRUE(watch.HaveMoved(0.5, EXACT)) << "nothing is known before the third";
    }
    watch.Look(WINDOW, Shares(9)); // 1 of 41 to 59: 1.7 and 2.4 %
    EXPECT_FALSE(watch.HaveMoved(0.025, EXACT));
    EXPECT_TRUE(watch.HaveMoved(0.02, EXACT));
    EXPECT_FALSE(watch.HaveMoved(0.02, {0.01, 0.01})) << "within noise";
    watch.Look(WINDOW, Shares(9)); // 0.5 of 41: 1.2 %
    EXPECT_FALSE(watch.HaveMoved(0.02, EXACT));
    watch.Carry({}, WINDOW);
    EXPECT_TRUE(watch.HaveMoved(0.02, EXACT)) << "nor of what was before a skip";
}

TEST(ShareWatch, TellsForHowLongRatesStoodStill)
{
    ShareWatch watch;
    EXPECT_EQ(watch.StillFor(PAIR, EXACT, 0.02), Duration{0}) << "nothing is known";
    for (const double off : {10.0, 9.5, 9.0, 9.0}) // of 40 to 60
    {
        watch.Look(WINDOW, Shares(off));
    }
    EXPECT_EQ(watch.StillFor(PAIR, EXACT, 0.001), WINDOW);
    EXPECT_EQ(watch.StillFor(PAIR, EXACT, 0.02), 2 * WINDOW) << "1.2 %";
    EXPECT_EQ(watch.StillFor(PAIR, EXACT, 0.03), 3 * WINDOW) << "2.4 %";
    EXPECT_EQ(watch.StillFor(PAIR, {0.01, 0.01}, 0.02), 3 * WINDOW) << "within noise";
    watch.Carry({Approach{}, Approach{}}, 5 * WINDOW);
    EXPECT_EQ(watch.StillFor(PAIR, EXACT, 0.03), 3 * WINDOW) << "of packets";
    watch.Carry({Approach{{}, 1}, Approach{{}, 1}}, WINDOW);
    EXPECT_EQ(watch.StillFor(PAIR, EXACT, 0.03), Duration{0}) << "rates were carried on";
}

TEST(ShareWatch, NotWhatMovesApartOrStays)
{
    for (const double next : {20.0, 21.0})
    {
        ShareWatch watch;
        watch.Look(WINDOW, Shares(20));
        watch.Look(WINDOW, Shares(next));
        EXPECT_FALSE(watch.Find(PAIR, EXACT));
    }
}

TEST(ShareWatch, NotWhatGetsMoreTogether)
{
    // Others have a part in where it goes: to 50 of each now, and to more later.
    for (const double more : {0.9, 1.1}) // 1.8 and 2.2 %
    {
        ShareWatch watch;
        watch.Look(WINDOW, Rates({70, 30}));
        watch.Look(WINDOW, Rates({68 + more, 32 + more}));
        EXPECT_EQ(watch.Find(PAIR, EXACT).has_value(), more < 1);
    }
}

TEST(ShareWatch, NotWhatDoesNotStandOutFromNoise)
{
    // A step of 2 in a share of 68, twice: noise of sqrt(2) times less is enough to hide it.
    ShareWatch watch;
    watch.Look(WINDOW, Shares(20));
    watch.Look(WINDOW, Shares(18));
    EXPECT_TRUE(watch.Find(PAIR, {0.02, 0.02}));
    EXPECT_FALSE(watch.Find(PAIR, {0.05, 0.05}));
}

TEST(ShareWatch, NotFlowsThatWander)
{
    // Off by 20, -10 and -10; then the first has come nearer, but one of the others has gone away.
    const FlowGroup group{0, 1, 2};
    ShareWatch watch;
    watch.Look(WINDOW, Rates({70, 40, 40}));
    watch.Look(WINDOW, Rates({60, 35, 55}));
    EXPECT_FALSE(watch.Find(group, {0.01, 0.01, 0.01}));
    watch = {};
    watch.Look(WINDOW, Rates({70, 40, 40}));
    watch.Look(WINDOW, Rates({60, 45, 45}));
    EXPECT_TRUE(watch.Find(group, {0.01, 0.01, 0.01}));
}

/** What is found of noisy shares is within a quarter of the truth where the noise is a tenth of the
 * way, and is hardly ever found of shares that stay as they are. */
TEST(ShareWatch, FindsItAmongNoise)
{
    std::mt19937_64 random(15);
    std::uint32_t found = 0;
    std::uint32_t mistaken = 0;
    constexpr std::uint32_t CASES = 2000;
    for (std::uint32_t i = 0; i < CASES; ++i)
    {
        const std::uint32_t flows = 2 + i % 5;
        FlowGroup group;
        std::vector<double> offs;
        double sum = 0;
        for (std::uint32_t flow = 0; flow < flows; ++flow)
        {
            group.push_back(flow);
            offs.push_back(std::uniform_real_distribution<>(-30, 30)(random));
            sum += offs.back();
        }
        double largest = 0;
        for (double& off : offs)
        {
            off -= sum / flows;
            largest = std::max(largest, std::abs(off));
        }
        const double speed = std::uniform_real_distribution<>(0.05, 0.2)(random); // per window
        const double deviation = 0.3 * largest * speed / 10; // of 3 windows' way
        const std::vector<double> noise(flows, 3 * deviation / 60);
        for (const bool moves : {true, false})
        {
            std::normal_distribution<> error(0, deviation);
            ShareWatch watch;
            for (int window = 0; window < 4; ++window)
            {
                std::vector<Rate> rates;
                rates.reserve(offs.size());
                for (const double off : offs)
                {
                    rates.push_back(Rate::BytesPerSecond(
                        100 + off * (moves ? std::exp(-speed * window) : 1) + error(random)));
                }
                watch.Look(WINDOW, rates);
            }
            const auto approach = watch.Find(group, noise);
            if (moves && approach)
            {
                ++found;
                EXPECT_NEAR(approach->speed / 1e6 / speed, 1, 0.25) << i;
            }
            mistaken += !moves && approach;
        }
    }
    EXPECT_GT(found, CASES * 9 / 10);
    EXPECT_LT(mistaken, CASES / 100);
}

TEST(Approach, MeansAreThoseOfTheWay)
{
    const Approach approach{Rate::BytesPerSecond(50), 1e6};
    const Rate rate = Rate::BytesPerSecond(80);
    double sum = 0;
    constexpr int STEPS = 1000;
    for (int i = 0; i < STEPS; ++i)
    {
        sum += 50 + 30 * std::exp(-0.5 * (i + 0.5) / STEPS);
    }
    EXPECT_NEAR(approach.Mean(rate, Duration{500'000}).InBytesPerSecond(), sum / STEPS, 1e-4);
    EXPECT_NEAR(approach.After(rate, WINDOW).InBytesPerSecond(), 50 + 30 / std::exp(1), 1e-9);
    const Approach none{Rate::BytesPerSecond(50), 0};
    EXPECT_TRUE(none.After(rate, WINDOW) == rate && none.Mean(rate, WINDOW) == rate);
}

} // namespace
} // namespace wormhole

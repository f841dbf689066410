/*
 * SPDX-License-Identifier: MIT
 */
#include "steady/wander-pool.h"
#include "steady/wander.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <vector>

namespace wormhole
{
namespace
{

constexpr Duration LOOK{1'000'000}; //!< 1 us
constexpr std::size_t MANY = 20'000;

/** Numbers of a normal distribution, as many as asked for. */
class Normal
{
  public:
    explicit Normal(std::uint64_t seed = 1)
        : m_random(seed)
    {
    }

    std::vector<double> operator()(std::size_t count)
    {
        std::vector<double> numbers;
        for (std::size_t i = 0; i < count; ++i)
        {
            numbers.push_back(m_normal(m_random));
        }
        return numbers;
    }

  private:
    std::mt19937_64 m_random;
    std::normal_distribution<double> m_normal;
};

double
SquareOf(const std::vector<double>& values)
{
    return std::inner_product(values.begin(), values.end(), values.begin(), 0.0) /
           static_cast<double>(values.size());
}

/** \return rates of the mean 100 that are off by \p deviations */
std::vector<Rate>
RatesOf(const std::vector<double>& deviations)
{
    std::vector<Rate> rates;
    rates.reserve(deviations.size());
    for (const double deviation : deviations)
    {
        rates.push_back(Rate::BytesPerSecond(100 * (1 + deviation)));
    }
    return rates;
}

/** Flows with \p deviations wander for \p looks looks, as \p wander and numbers from \p normal say.
 */
void
LookAt(WanderWatch& watch,
       const Wander& wander,
       std::vector<double> deviations,
       std::size_t looks,
       Normal& normal)
{
    const auto draw = [&]() { return normal(deviations.size()); };
    for (std::size_t look = 0; look < looks; ++look)
    {
        watch.Look(LOOK, RatesOf(wander.Go(deviations, LOOK, draw)));
    }
}

/** The same for \p flows flows that have wandered for long. */
void
LookAt(WanderWatch& watch,
       const Wander& wander,
       std::size_t flows,
       std::size_t looks,
       Normal normal = Normal())
{
    std::vector<double> deviations(flows);
    wander.Go(deviations, wander.memory * 20, [&]() { return normal(flows); });
    LookAt(watch, wander, deviations, looks, normal);
}

TEST(WanderWatch, TellsSharesThatLastFromChance)
{
    const Wander wander{0.05, LOOK * 2};
    constexpr std::size_t FLOWS = 8;
    std::size_t byChance = 0;
    std::size_t found = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed)
    {
        Normal normal(seed);
        WanderWatch watch(1);
        LookAt(watch, wander, FLOWS, 64, normal);
        byChance += watch.Lasting().empty() ? 0 : 1;

        // One gets a tenth more than the fair share, all along.
        WanderWatch uneven(1);
        std::vector<double> deviations(FLOWS);
        for (std::size_t look = 0; look < 64; ++look)
        {
            auto means = wander.Go(deviations, LOOK, [&]() { return normal(FLOWS); });
            for (std::size_t flow = 0; flow < FLOWS; ++flow)
            {
                means[flow] += flow == 5 ? 0.1 : -0.1 / (FLOWS - 1);
            }
            uneven.Look(LOOK, RatesOf(means));
        }
        const auto lasting = uneven.Lasting();
        EXPECT_NEAR(std::accumulate(lasting.begin(), lasting.end(), 0.0), 0, 1e-9) << seed;
        found += !lasting.empty() && std::abs(lasting[5] - 0.1) < 0.05 ? 1 : 0;
    }
    EXPECT_LE(byChance, 5U);
    EXPECT_GE(found, 95U);
}

TEST(Wander, ComesToTheFairShareFromWhereItIs)
{
    // Without noise: exp(-1/2) of it is left after half a memory, (1 - exp(-1/2)) / (1/2) the mean.
    const Wander wander{0, LOOK * 2};
    std::vector<double> deviations{0.4, -0.1, -0.3};
    const auto means = wander.Go(deviations, LOOK, []() { return std::vector<double>{1, 2, 3}; });
    const double left = std::exp(-0.5);
    const double mean = (1 - left) / 0.5;
    for (std::size_t i = 0; i < 3; ++i)
    {
        const double before = std::vector<double>{0.4, -0.1, -0.3}[i];
        EXPECT_NEAR(deviations[i], before * left, 1e-12);
        EXPECT_NEAR(means[i], before * mean, 1e-12);
    }
}

TEST(Wander, HasTheVarianceOfAnOrnsteinUhlenbeckProcess)
{
    Normal normal;
    const Wander wander{0.2, LOOK};
    for (const double t : {0.01, 0.5, 3.0, 50.0})
    {
        std::vector<double> deviations(MANY);
        const auto means = wander.Go(deviations, Scale(LOOK, t), [&]() { return normal(MANY); });
        const double kept = std::exp(-t);
        const double ends = 0.04 * (1 - kept * kept);
        const double sums = 0.04 * (2 * t - 3 + 4 * kept - kept * kept) / (t * t);
        const double both = 0.04 * (1 - kept) * (1 - kept) / t;
        EXPECT_NEAR(SquareOf(deviations), ends, 0.03 * ends) << t;
        EXPECT_NEAR(SquareOf(means), sums, 0.03 * sums) << t;
        EXPECT_NEAR(std::inner_product(means.begin(), means.end(), deviations.begin(), 0.0) / MANY,
                    both,
                    0.03 * std::sqrt(ends * sums))
            << t;
        EXPECT_NEAR(std::accumulate(means.begin(), means.end(), 0.0), 0, 1e-9);
    }
}

TEST(Wander, IsTheSameInOneStepAndInMany)
{
    Normal normal;
    const Wander wander{0.2, LOOK};
    const auto draw = [&]() { return normal(MANY); };
    std::vector<double> once(MANY, 0.0);
    const auto means = wander.Go(once, LOOK * 3, draw);
    std::vector<double> often(MANY, 0.0);
    std::vector<double> sums(MANY, 0.0);
    for (int step = 0; step < 30; ++step)
    {
        const auto part = wander.Go(often, LOOK / 10, draw);
        std::transform(sums.begin(), sums.end(), part.begin(), sums.begin(), std::plus<>());
    }
    EXPECT_NEAR(SquareOf(sums) / 900, SquareOf(means), 0.04 * SquareOf(means));
    EXPECT_NEAR(SquareOf(often), SquareOf(once), 0.04 * SquareOf(once));
}

TEST(WanderWatch, FindsHowSharesWander)
{
    for (const int memory : {1, 4, 10})
    {
        WanderWatch watch(0.01);
        LookAt(watch, {0.3, LOOK * memory}, 400, 64);
        const auto found = watch.Find();
        ASSERT_TRUE(found) << memory;
        EXPECT_NEAR(found->deviation, 0.3, 0.03) << memory;
        EXPECT_NEAR(static_cast<double>(found->memory.count()) /
                        static_cast<double>((LOOK * memory).count()),
                    1,
                    0.2)
            << memory;
        EXPECT_EQ(watch.Looked(), LOOK * 64);
        EXPECT_NEAR(watch.MeanSum().InBytesPerSecond(), 400 * 100, 1e-6);
    }
}

/** \return what 16 flows are found to get apart by, over what they do as \p wander says: for seeds,
 * ascending; over a time T much longer than the memory t that is deviation * sqrt(2 t / T) */
std::vector<double>
FoundSpreads(const Wander& wander, bool fromFairShares)
{
    std::vector<double> spreads;
    for (std::uint64_t seed = 1; seed <= 101; ++seed)
    {
        WanderWatch watch(0.01);
        Normal normal(seed);
        if (fromFairShares)
        {
            LookAt(watch, wander, std::vector<double>(16), WanderWatch::LEAST_LOOKS, normal);
        }
        else
        {
            LookAt(watch, wander, 16, WanderWatch::LEAST_LOOKS, normal);
        }
        const auto found = watch.Find();
        EXPECT_TRUE(found);
        spreads.push_back(found->deviation / wander.deviation *
                          std::sqrt(std::chrono::duration<double>(found->memory) /
                                    std::chrono::duration<double>(wander.memory)));
    }
    std::sort(spreads.begin(), spreads.end());
    return spreads;
}

TEST(WanderWatch, FindsThatOnAverageAsSoonAsItMay)
{
    // From few looks it is found to a third, too large as often as too small.
    const auto spreads = FoundSpreads({0.3, LOOK * 9}, false);
    EXPECT_NEAR(spreads[50], 1, 0.1);
    EXPECT_GT(spreads[10], 0.6);
    EXPECT_LT(spreads[90], 1.6);
}

TEST(WanderWatch, FindsThatWhileSharesThatBeganAlikeGetApart)
{
    // Taken for shares that have wandered for long, they would get apart by three quarters of it.
    const auto spreads = FoundSpreads({0.3, LOOK * 8}, true);
    EXPECT_NEAR(spreads[50], 1, 0.12);
    EXPECT_GT(spreads[10], 0.5);
    EXPECT_LT(spreads[90], 1.8);
}

TEST(WanderWatch, FindsWhetherFewHaveMuchMoreThanOthers)
{
    for (const double side : {-1.0, 1.0})
    {
        // Deviations, a quarter of which is lost each time, are as skewed as what comes to them, by
        // 2, times (1 - q^2)^1.5 / (1 - q^3), where q is left.
        WanderWatch watch(1);
        Normal normal;
        std::vector<double> deviations(400);
        for (std::size_t look = 0; look < 64; ++look)
        {
            for (double& deviation : deviations)
            {
                const std::vector<double> both = normal(2);
                const double exponential = (both[0] * both[0] + both[1] * both[1]) / 2 - 1;
                deviation = 0.75 * deviation + 0.05 * side * exponential;
            }
            watch.Look(LOOK, RatesOf(deviations));
        }
        const auto found = watch.Find();
        ASSERT_TRUE(found);
        EXPECT_NEAR(found->skewness, side * 2 * std::pow(1 - 0.5625, 1.5) / (1 - 0.421875), 0.1);
    }
}

TEST(WanderWatch, NotBeforeItHasLookedForLong)
{
    WanderWatch watch(0.01);
    LookAt(watch, {0.3, LOOK}, 10, WanderWatch::LEAST_LOOKS - 1);
    EXPECT_FALSE(watch.Find());
    watch.Look(LOOK, RatesOf(std::vector<double>(10)));
    EXPECT_TRUE(watch.Find());
}

TEST(WanderWatch, EqualSharesDoNotWander)
{
    WanderWatch watch(0.01);
    for (std::size_t look = 0; look < WanderWatch::LEAST_LOOKS; ++look)
    {
        watch.Look(LOOK, RatesOf({0, 0, 0}));
    }
    const auto found = watch.Find();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->deviation, 0);
}

TEST(WanderWatch, SharesThatStayHaveALongMemory)
{
    WanderWatch watch(0.01);
    for (std::size_t look = 0; look < WanderWatch::LEAST_LOOKS; ++look)
    {
        watch.Look(LOOK, RatesOf({0.3, -0.3}));
    }
    const auto found = watch.Find();
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->deviation, 0.3, 0.01);
    EXPECT_GT(found->memory, watch.Looked() * 3);
}

TEST(WanderWatch, ForgetsWhatWasBeforeTheSumWasSteady)
{
    WanderWatch watch(0.01);
    std::size_t looks = 0;
    // It rises by 40 % within 20 looks, and stays.
    for (; looks < 20; ++looks)
    {
        watch.Look(LOOK, RatesOf(std::vector<double>(10, 0.02 * static_cast<double>(looks))));
        EXPECT_FALSE(watch.Find());
    }
    for (; !watch.Find(); ++looks)
    {
        ASSERT_LT(looks, 20 + WanderWatch::LEAST_LOOKS + 1);
        watch.Look(LOOK, RatesOf(std::vector<double>(10, 0.4)));
    }
    EXPECT_NEAR(watch.MeanSum().InBytesPerSecond(), 1400, 14);
    EXPECT_EQ(watch.Looked(), LOOK * static_cast<int>(WanderWatch::LEAST_LOOKS));
}

/** Partitions, \p count of them, of 6 flows each that are looked at \p looks times and wander as
 * \p wander says: all that they tell */
WanderPool
PoolOf(const Wander& wander, std::uint64_t count, int looks = 12)
{
    WanderPool pool;
    for (std::uint64_t seed = 1; seed <= count; ++seed)
    {
        WanderWatch watch(0.01);
        std::vector<double> deviations(6);
        Normal normal(seed);
        const auto draw = [&]() { return normal(6); };
        wander.Go(deviations, wander.memory * 20, draw);
        for (int look = 0; look < looks; ++look)
        {
            watch.Look(LOOK, RatesOf(wander.Go(deviations, LOOK, draw)));
            watch.Tell(pool, std::vector<double>(6));
        }
    }
    return pool;
}

TEST(WanderPool, FindsFromManyWhatOneDoesNotShow)
{
    // Of each flow, a memory of 10 looks is seen six times, which is too little to measure it.
    // Deviations of six flows whose sum is fixed have 5/6 of the variance.
    const Wander wander{0.3, LOOK * 10};
    const WanderPool pool = PoolOf(wander, 100, 64);
    EXPECT_EQ(pool.Looked(), LOOK * (100 * 64));
    const auto found = pool.Find();
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->deviation, 0.3 * std::sqrt(5.0 / 6), 0.03);
    EXPECT_NEAR(static_cast<double>(found->memory.count()) / static_cast<double>(LOOK.count()),
                10,
                2);
    EXPECT_TRUE(found->IsSeenIn(pool.Looked()));
}

TEST(WanderPool, WhatIsNotSeenIsTakenToLast)
{
    // Over 12 looks at each partition, a memory of 20 is not seen to end.
    const auto found = PoolOf({0.3, LOOK * 20}, 500).Find();
    ASSERT_TRUE(found);
    EXPECT_GT(found->memory, LOOK * 20);
}

TEST(WanderPool, PatternsThatLastAreNotSeenToEnd)
{
    // 0.2 above or below the fair share, at all looks: that has no memory that was seen to end.
    WanderPool pool;
    for (int partition = 0; partition < 8; ++partition)
    {
        WanderWatch watch(0.01);
        for (int look = 0; look < 12; ++look)
        {
            watch.Look(LOOK, RatesOf({0.2, -0.2, 0.2, -0.2, 0.2, -0.2}));
            watch.Tell(pool, std::vector<double>(6));
        }
    }
    const auto found = pool.Find();
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->IsSeenIn(pool.Looked()));
}

TEST(WanderPool, WhatIsKnownToLastDoesNotWander)
{
    WanderPool pool;
    for (int partition = 0; partition < 8; ++partition)
    {
        WanderWatch watch(0.01);
        for (int look = 0; look < 12; ++look)
        {
            watch.Look(LOOK, RatesOf({0.2, -0.2, 0.2, -0.2, 0.2, -0.2}));
            EXPECT_NEAR(watch.MeanDeviations()[1], -0.2, 1e-9);
            watch.Tell(pool, watch.MeanDeviations());
        }
    }
    const auto found = pool.Find();
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->deviation, 0, 1e-6);
}

TEST(WanderPool, SaysNothingBeforeItHasSeenEnough)
{
    // 64 looks: five partitions of 12 each are too few, six are enough.
    EXPECT_FALSE(WanderPool().Find());
    EXPECT_FALSE(PoolOf({0.3, LOOK}, 5).Find());
    EXPECT_TRUE(PoolOf({0.3, LOOK}, 6).Find());
}

TEST(WanderWatch, TellsWhereSharesAreLately)
{
    // The sum was 200, and is 300 at four looks; of two flows, one went from 0.1 to 0.3 meanwhile.
    WanderWatch watch(0.01);
    watch.Look(LOOK, {Rate::BytesPerSecond(100), Rate::BytesPerSecond(100)});
    EXPECT_FALSE(watch.IsSteadyLately()) << "one look";
    for (const double deviation : {0.1, 0.1, 0.2, 0.3})
    {
        EXPECT_FALSE(watch.IsSteadyLately());
        watch.Look(LOOK,
                   {Rate::BytesPerSecond(150 * (1 + deviation)),
                    Rate::BytesPerSecond(150 * (1 - deviation))});
    }
    EXPECT_TRUE(watch.IsSteadyLately());
    EXPECT_NEAR(watch.LatelySum().InBytesPerSecond(), 300, 1e-9);
    EXPECT_NEAR(watch.LatelyMoved(), 0.2, 1e-9);
    EXPECT_EQ(watch.LatelyLooked(), LOOK * 4);
}

} // namespace
} // namespace wormhole

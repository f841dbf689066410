/*
 * SPDX-License-Identifier: MIT
 */

// The windows of samples, and the verdict on a flat one, compared with their definitions.

#include "steady/queue-window.h"
#include "steady/rate-series.h"
#include "steady/sliding-window.h"
#include "steady/steady-outcome.h"
#include "wormhole/steady-state.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <vector>

namespace wormhole::test
{
namespace
{

TEST(SteadyState, WindowAgreesWithItsDefinition)
{
    Draws draws(5);
    for (const std::uint32_t size : {4U, 5U, 16U, 33U})
    {
        SlidingWindow window(size);
        const double n = size;
        std::vector<double> all;
        double level = 1;
        for (int i = 0; i < 3000; ++i)
        {
            if (i % 200 == 100)
            {
                level = draws.Decades(1, 1e12); // jumps up and down by any factor
            }
            all.push_back(level * draws.Uniform(0.9, 1.1));
            window.Add(all.back());
            if (all.size() < size)
            {
                EXPECT_FALSE(window.Full());
                continue;
            }
            const std::vector<double> last(all.end() - size, all.end());
            const double most = *std::max_element(last.begin(), last.end());
            ASSERT_EQ(window.Max(), most);
            ASSERT_EQ(window.Min(), *std::min_element(last.begin(), last.end()));
            const double mean = std::accumulate(last.begin(), last.end(), 0.0) / n;
            ASSERT_NEAR(window.Mean(), mean, 1e-8 * most);
            // Least squares on the orthogonal polynomials 1, x, x^2 - mean(x^2).
            double meanXX = 0;
            for (std::uint32_t k = 0; k < size; ++k)
            {
                meanXX += std::pow(k - (n - 1) / 2, 2) / n;
            }
            double xx = 0;
            double xy = 0;
            double pp = 0;
            double py = 0;
            for (std::uint32_t k = 0; k < size; ++k)
            {
                const double x = k - (n - 1) / 2;
                const double p = x * x - meanXX;
                xx += x * x;
                xy += x * (last[k] - mean);
                pp += p * p;
                py += p * (last[k] - mean);
            }
            double rest = 0;
            for (std::uint32_t k = 0; k < size; ++k)
            {
                const double x = k - (n - 1) / 2;
                rest += std::pow(last[k] - mean - xy / xx * x - py / pp * (x * x - meanXX), 2);
            }
            const TrendFit fit = window.Fit();
            ASSERT_NEAR(fit.slope, xy / xx, 1e-7 * most) << "size " << size << " sample " << i;
            ASSERT_NEAR(fit.curvature, py / pp, 1e-7 * most);
            ASSERT_NEAR(fit.noise, std::sqrt(rest / (n - 3)), 1e-6 * most);
            ASSERT_NEAR(fit.slopeError, fit.noise / std::sqrt(xx), 1e-9 * most);
            ASSERT_NEAR(fit.curvatureError, fit.noise / std::sqrt(pp), 1e-9 * most);
        }
    }
}

TEST(SteadyState, FlatVerdictAgreesWithItsDefinition)
{
    // Steady needs the paper's test, (max - min) / mean < theta, of the last 16 samples.
    Draws draws(8);
    int flat = 0;
    for (int run = 0; run < 200; ++run)
    {
        const RateSeries series = Noise(16, 1e9, draws.Decades(1e-4, 0.03), 0, draws);
        const double most = *std::max_element(series.begin(), series.end());
        const double least = *std::min_element(series.begin(), series.end());
        const double mean = std::accumulate(series.begin(), series.end(), 0.0) / 16;
        const bool passes = (most - least) / mean < 0.05;
        const SteadyVerdict verdict = VerdictOf(series);
        flat += passes ? 1 : 0;
        EXPECT_TRUE(passes || verdict.steadiness == Steadiness::Fluctuating);
        if (verdict.IsSteady())
        {
            EXPECT_NEAR(verdict.rate.InBytesPerSecond(), mean, 1e-3);
        }
    }
    EXPECT_GT(flat, 50);
    EXPECT_LT(flat, 190);
}

TEST(SteadyState, QueueWindowAgreesWithItsDefinition)
{
    Draws draws(6);
    for (const std::size_t size : {4, 6, 16, 33})
    {
        QueueWindow window(static_cast<std::uint32_t>(size));
        std::vector<Bytes> all;
        for (int i = 0; i < 200; ++i)
        {
            all.push_back(draws.Whole(0, 1000000));
            window.Add(all.back());
            if (all.size() < size)
            {
                continue;
            }
            const auto mean = [&](std::size_t from, std::size_t to) {
                const auto begin = all.end() - static_cast<std::ptrdiff_t>(size);
                const double sum = std::accumulate(begin + static_cast<std::ptrdiff_t>(from),
                                                   begin + static_cast<std::ptrdiff_t>(to),
                                                   0.0);
                return sum / static_cast<double>(to - from);
            };
            for (std::size_t quarter = 0; quarter < 4; ++quarter)
            {
                ASSERT_DOUBLE_EQ(window.MeanOf(static_cast<std::uint32_t>(quarter)),
                                 mean(quarter * size / 4, (quarter + 1) * size / 4));
            }
            ASSERT_DOUBLE_EQ(window.MeanOfHalf(0), mean(0, size / 2));
            ASSERT_DOUBLE_EQ(window.MeanOfHalf(1), mean(size / 2, size));
        }
    }
}

/** \return what a detector with options' defaults expects after \p series, without queues */
SteadyVerdict
Expectation(const RateSeries& series)
{
    SteadyStateDetector detector;
    for (const double sample : series)
    {
        detector.Add(Rate::BytesPerSecond(sample), 0);
    }
    return detector.Expect();
}

TEST(SteadyExpectation, IsThePapersTestWithAHorizonByTheTrend)
{
    EXPECT_EQ(Expectation(RateSeries(15, 1e9)).steadiness, Steadiness::TooFewSamples);
    const SteadyVerdict constant = Expectation(RateSeries(16, 1e9));
    EXPECT_EQ(constant.steadiness, Steadiness::Steady);
    EXPECT_DOUBLE_EQ(constant.rate.InBytesPerSecond(), 1e9);
    EXPECT_DOUBLE_EQ(constant.uncertainty, 0);
    EXPECT_DOUBLE_EQ(constant.horizon, 8 * 16);
    EXPECT_EQ(Expectation(RateSeries(16, 0.0)).steadiness, Steadiness::Fluctuating);

    const auto ramp = [](double slope) {
        RateSeries series;
        for (int i = 0; i < 17; ++i)
        {
            series.push_back(1e9 * (1 + slope * (i - 8.5)));
        }
        return Expectation(series);
    };
    // The last 16 samples are about 1e9. 1e-4 a sample moves it by a fifth of theta, 1e-2, in 100
    // samples; it goes on from where it is now, 7.5 samples after their middle.
    EXPECT_NEAR(ramp(1e-4).horizon, 100, 1e-6);
    EXPECT_NEAR(ramp(-1e-4).horizon, 100, 1e-6);
    EXPECT_NEAR(ramp(1e-4).rate.InBytesPerSecond(), 1e9 * (1 + 7.5e-4), 1);
    EXPECT_NEAR(ramp(6e-4).horizon, 1e-2 / 6e-4, 1e-6);     // 16.7: a window
    EXPECT_EQ(ramp(7e-4).steadiness, Steadiness::Drifting); // 14.3: less
    EXPECT_EQ(ramp(1e-2).steadiness, Steadiness::Fluctuating);
}

TEST(SteadyExpectation, OfNoiseIsThatOfMeans)
{
    // 20 % up and down: never within theta, but any four samples have the same mean.
    RateSeries series;
    for (int i = 0; i < 17; ++i) // the 17th ends the fourth quarter
    {
        series.push_back(i % 2 == 0 ? 0.8e9 : 1.2e9);
    }
    const SteadyVerdict verdict = Expectation(series);
    EXPECT_EQ(verdict.steadiness, Steadiness::Steady);
    EXPECT_DOUBLE_EQ(verdict.rate.InBytesPerSecond(), 1e9);
    EXPECT_EQ(verdict.samples, 16U);
    EXPECT_DOUBLE_EQ(verdict.horizon, 8 * 16);
}

TEST(SteadyExpectation, OfStretchesAgreesWithItsDefinition)
{
    Draws draws(11);
    int steady = 0;
    for (int run = 0; run < 500; ++run)
    {
        const auto length = static_cast<std::size_t>(draws.Whole(17, 300));
        const double noise = draws.Decades(0.06, 0.5);
        const RateSeries series = Noise(length, 1e9, noise, 0, draws);
        const SteadyVerdict verdict = Expectation(series);
        // Quarters of a window are 4 samples each, from the first sample on; four stretches of 1,
        // 2, 4, 8 or 16 quarters, the latest that are over.
        const std::size_t quarters = (length - 1) / 4;
        double longest = 0;
        double rate = 0;
        for (std::size_t size = 1; size <= 16 && 4 * size <= quarters; size *= 2)
        {
            double means[4];
            for (std::size_t i = 0; i < 4; ++i)
            {
                const std::size_t begin = 4 * (quarters - (4 - i) * size);
                means[i] =
                    std::accumulate(series.begin() + static_cast<std::ptrdiff_t>(begin),
                                    series.begin() + static_cast<std::ptrdiff_t>(begin + 4 * size),
                                    0.0) /
                    static_cast<double>(4 * size);
            }
            const double mean = (means[0] + means[1] + means[2] + means[3]) / 4;
            const double range =
                (*std::max_element(means, means + 4) - *std::min_element(means, means + 4)) / mean;
            double rise = 0;
            double fall = 0;
            for (int i = 1; i < 4; ++i)
            {
                rise = std::max(rise, means[i] - means[i - 1]);
                fall = std::max(fall, means[i - 1] - means[i]);
            }
            const bool isOneWay = std::min(rise, fall) < 0.1 * range * mean;
            const auto samples = static_cast<double>(16 * size);
            const double horizon =
                isOneWay ? 0.01 / range * samples * 3 / 4 - samples / 2 : 8 * samples;
            if (range < 0.05 && horizon >= samples / 2 && horizon > longest)
            {
                longest = horizon;
                rate = mean;
            }
        }
        ASSERT_EQ(verdict.IsSteady(), longest > 0) << "run " << run;
        ASSERT_NEAR(verdict.horizon, longest, 1e-6 * longest) << "run " << run;
        ASSERT_NEAR(verdict.rate.InBytesPerSecond(), rate, 1) << "run " << run;
        steady += verdict.IsSteady() ? 1 : 0;
    }
    EXPECT_GT(steady, 100);
    EXPECT_LT(steady, 450);
}

TEST(SteadyExpectation, IsNotOfAStep)
{
    // The mean of what was before a step of 4 % and what is after is none of both.
    for (const double ripple : {0.0, 0.001})
    {
        RateSeries series;
        for (int i = 0; i < 45; ++i)
        {
            series.push_back((i < 29 ? 1.04e9 : 1e9) * (1 + (i % 8 < 4 ? ripple : -ripple)));
        }
        EXPECT_EQ(Expectation(series).steadiness, Steadiness::Steady); // after it
        series.resize(37);
        EXPECT_FALSE(Expectation(series).IsSteady()) << ripple;
    }
}

TEST(SteadyExpectation, KnowsHowFarAWindowOfAnOscillationMayBeOff)
{
    Draws draws(12);
    int steady = 0;
    int byChance = 0; // stretches agree so well that a window may be off by twice as much, ...
    int off = 0;      // ... and nothing says so
    for (int run = 0; run < 2000; ++run)
    {
        const auto length = static_cast<std::size_t>(draws.Whole(17, 300));
        const double amplitude = draws.Uniform(0.1, 0.5);
        const double period = draws.Decades(2.2, 30);
        const RateSeries series = Sine(length + 100, 1e9, period, amplitude, draws.Uniform(0, 1));
        const SteadyVerdict verdict =
            Expectation(RateSeries(series.begin(), series.begin() + length));
        if (!verdict.IsSteady())
        {
            continue;
        }
        double farthest = 0;
        for (auto begin = series.begin(); series.end() - begin >= 16; ++begin)
        {
            const double mean = std::accumulate(begin, begin + 16, 0.0) / 16;
            farthest = std::max(farthest, std::abs(mean / verdict.rate.InBytesPerSecond() - 1));
        }
        ++steady;
        byChance += verdict.uncertainty < farthest / 2 ? 1 : 0;
        off += std::max(verdict.uncertainty, verdict.ofWindow) < farthest / 2 ? 1 : 0;
    }
    EXPECT_GT(steady, 1000);
    EXPECT_GT(byChance, steady / 5);
    EXPECT_LT(off, steady / 20); // where four quarters are all that is known
}

} // namespace
} // namespace wormhole::test

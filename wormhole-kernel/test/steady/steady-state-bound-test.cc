/*
 * SPDX-License-Identifier: MIT
 */

// Whether the rates of verdicts keep their bound in what follows, and how soon there are any.

#include "steady/rate-series.h"
#include "steady/steady-outcome.h"
#include "wormhole/steady-state.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace wormhole::test
{
namespace
{

TEST(SteadyState, BoundHoldsForConvergence)
{
    const auto draw = [](Draws& draws) {
        const double start = draws.Uniform(0, 5);
        return Converging(2500, start, 1, draws.Decades(1, 1000));
    };
    ExpectBound(300, draw);
    // Not before within theta of the limit, where the time constant is not beyond maxPeriod.
    Draws draws(4);
    for (int run = 0; run < 100; ++run)
    {
        const double timeConstant = draws.Decades(1, 256);
        const RateSeries series = Converging(2500, draws.Uniform(0, 5), 1, timeConstant);
        const std::size_t first = Examine(series).firstSteady;
        ASSERT_NE(first, NEVER);
        EXPECT_LT(std::abs(series[first - 1] - 1), 0.05) << "time constant " << timeConstant;
    }
}

TEST(SteadyState, BoundHoldsForAdditiveDrift)
{
    ExpectBound(200, [](Draws& draws) {
        const double level = draws.Decades(1, 1e12);
        return AdditiveDrift(2500, level, draws.Decades(1e-5, 1e-2));
    });
    ExpectBound(100,
                [](Draws& draws) { return AdditiveDrift(1500, 1, -draws.Decades(1e-5, 5e-4)); });
    // 1e-3 per sample moves 1.5 % in a window, which the paper's test passes; in 256, a quarter.
    EXPECT_EQ(VerdictOf(AdditiveDrift(100, 1, 1e-3)).steadiness, Steadiness::Drifting);
    // 1e-4: theta is reached 500 samples from the window's middle, relative to its mean.
    const SteadyVerdict slow = VerdictOf(AdditiveDrift(16, 1, 1e-4));
    EXPECT_EQ(slow.steadiness, Steadiness::Steady);
    EXPECT_NEAR(slow.horizon, 0.05 / 1e-4 * (1 + 7.5e-4) - 7.5, 1e-3);
}

TEST(SteadyState, BoundHoldsForSawtooths)
{
    const Outcome dctcp = ExpectBound(400, [](Draws& draws) {
        const double peak = draws.Decades(1, 1e12);
        const double period = draws.Uniform(5, 200);
        const double amplitude = draws.Uniform(0.05, 0.5);
        return DctcpSawtooth(2000, peak, period, amplitude, draws.Uniform(0, 1));
    });
    EXPECT_GT(dctcp.steady, 400U * 1000);
    const Outcome dcqcn = ExpectBound(300, [](Draws& draws) {
        return DcqcnSawtooth(3000,
                             {1,
                              draws.Uniform(0.1, 1),
                              1 / draws.Decades(4, 256),
                              draws.Whole(1, 8),
                              draws.Decades(1e-3, 2e-2)});
    });
    EXPECT_GT(dcqcn.steady, 300U * 1000);
}

TEST(SteadyState, BoundHoldsForSines)
{
    ExpectBound(300, [](Draws& draws) {
        const double period = draws.Decades(4, 256);
        const double amplitude = draws.Uniform(0.02, 0.5);
        return Sine(2500, 1, period, amplitude, draws.Uniform(0, 1));
    });
    // Longer than maxPeriod: now and then flat, but then the horizon is short.
    ExpectBound(100, [](Draws& draws) {
        const double period = draws.Decades(256, 20000);
        const double amplitude = draws.Uniform(0.02, 0.5);
        return Sine(8000, 1, period, amplitude, draws.Uniform(0, 1));
    });
    // A ripple on a slow one. Just before the latter's second upturn, groups of 16 ripples may be
    // half of its period each, and the means of three agree.
    ExpectBound(100, [](Draws& draws) {
        const double slow = draws.Decades(40, 256);
        const double amplitude = draws.Uniform(0.02, 0.3);
        const double ripple = draws.Decades(4, 12);
        return Product(Sine(2500, 1, slow, amplitude, 0),
                       Sine(2500, 1, ripple, draws.Uniform(0.01, 0.1), 0));
    });
}

TEST(SteadyState, BoundHoldsForWholePackets)
{
    const Outcome outcome = ExpectBound(300, [](Draws& draws) {
        const double packets = draws.Decades(2, 100);
        return WholePackets(1500, packets, draws.Uniform(0, 1));
    });
    EXPECT_GT(outcome.steady, 300U * 1300);
}

TEST(SteadyState, BoundHoldsForNoise)
{
    // What is guaranteed of noise: that uncertainty is three standard errors of white noise. Up to
    // 1 % of theta = 5 %, correlated or not, it follows that no skip is ever wrong...
    ExpectBound(200, [](Draws& draws) {
        const double deviation = draws.Decades(0.001, 0.01);
        return Noise(1500, 1, deviation, draws.Uniform(0, 0.9), draws);
    });
    // ... and up to 20 %, where a verdict is rare, that less than 1 in 20 skips is.
    Draws draws(9);
    Outcome all;
    for (int run = 0; run < 200; ++run)
    {
        const Outcome outcome = Examine(Noise(1500, 1, draws.Decades(0.01, 0.2), 0, draws));
        all.Add(outcome);
        all.skips += outcome.skips;
    }
    EXPECT_LT(all.violations * 20, all.skips);
}

TEST(SteadyState, BoundHoldsForNoisyConvergence)
{
    ExpectBound(100, [](Draws& draws) {
        const double start = draws.Uniform(0, 5);
        const RateSeries smooth = Converging(2500, start, 1, draws.Decades(1, 1000));
        return Product(smooth, Noise(2500, 1, draws.Decades(1e-6, 0.02), 0, draws));
    });
}

TEST(SteadyState, GetsSteadySoon)
{
    Draws draws(2);
    for (int run = 0; run < 50; ++run)
    {
        // Hardly noisy: with the first window, or soon after.
        const RateSeries quiet = Noise(1000, 1, 0.003, 0, draws);
        EXPECT_LE(Examine(quiet).firstSteady, 48U);
        const SteadyVerdict late = VerdictOf(quiet);
        EXPECT_TRUE(!late.IsSteady() || late.horizon > 100);
        EXPECT_LE(Examine(Noise(1000, 1, 0.01, 0, draws)).firstSteady, 256U);
        EXPECT_LE(Examine(Noise(1000, 1, 0.03, 0, draws)).firstSteady, 800U);
        // A sawtooth or a sine: at most 5 periods, or 400 samples for short ones, which are not
        // whole samples and have to be averaged.
        const double period = draws.Uniform(5, 200);
        const double amplitude = draws.Uniform(0.1, 0.5);
        const double phase = draws.Uniform(0, 1);
        const std::size_t limit = std::max<std::size_t>(400, std::size_t(5 * period) + 16);
        EXPECT_LE(Examine(DctcpSawtooth(1500, 1, period, amplitude, phase)).firstSteady, limit)
            << "period " << period << " amplitude " << amplitude;
    }
}

TEST(SteadyState, PeriodsAreAveraged)
{
    // 20 samples up from 0.505 to 0.995 of the peak, then back: the mean is 0.75.
    const SteadyVerdict verdict = VerdictOf(DctcpSawtooth(400, 8e9, 20, 0.5, 0));
    EXPECT_EQ(verdict.steadiness, Steadiness::SteadyPeriodic);
    EXPECT_NEAR(verdict.rate.InBytesPerSecond(), 6e9, 6e9 * 1e-9);
    EXPECT_GT(verdict.horizon, 1000);
    EXPECT_EQ(std::fmod(verdict.period, 20), 0);
    // A part of a period: amplitude / mean * period / 4 over theta / 4.
    EXPECT_NEAR(verdict.shortest, 0.4875 / 0.75 * 20 / 4 / 0.0125, 20);
}

/** What a file of test/data/steady-state holds; see the README there. */
struct Recording
{
    RateSeries rates;
    std::vector<Bytes> queues;
};

Recording
ReadRecording(const std::string& name)
{
    std::ifstream file(std::string(WORMHOLE_KERNEL_TEST_DATA "/steady-state/") + name + ".txt");
    Recording recording;
    double rate = 0;
    Bytes queue = 0;
    while (file >> rate >> queue)
    {
        recording.rates.push_back(rate * 1e6);
        recording.queues.push_back(queue * 1000);
    }
    return recording;
}

TEST(SteadyState, RecordedFlows)
{
    const auto steadyShare = [](const std::string& name) {
        const Recording recording = ReadRecording(name);
        EXPECT_EQ(recording.rates.size(), 350U) << name;
        const Outcome outcome = Examine(recording.rates, {}, 0, recording.queues);
        EXPECT_EQ(outcome.violations, 0U)
            << name << ", worst error " << outcome.worst << ": " << outcome.where;
        return static_cast<double>(outcome.steady) / 350;
    };
    EXPECT_GT(steadyShare("dctcp"), 0.7);
    EXPECT_GT(steadyShare("hpcc"), 0.5);
    // These two do not settle: the means of their periods differ by more than theta.
    EXPECT_LT(steadyShare("timely"), 0.05);
    EXPECT_LT(steadyShare("dcqcn"), 0.05);
}

} // namespace
} // namespace wormhole::test

/*
 * SPDX-License-Identifier: MIT
 */
#include "../src/queue-window.h"
#include "../src/sliding-window.h"
#include "rate-series.h"
#include "usage-error.h"
#include "wormhole/error.h"
#include "wormhole/steady-state.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

namespace wormhole::test
{
namespace
{

constexpr std::size_t NEVER = std::numeric_limits<std::size_t>::max();

/** What came of a series when it was judged after each sample. */
struct Outcome
{
    std::size_t firstSteady{NEVER}; //!< samples added by then
    std::size_t steady{0};          //!< verdicts
    std::size_t skips{0};           //!< that were checked
    std::size_t violations{0};      //!< of Theorem 2 among them
    double worst{0};                //!< relative error among them
    std::string where;              //!< of the worst

    void Add(const Outcome& other)
    {
        steady += other.steady;
        skips += other.skips;
        violations += other.violations;
        if (other.worst > worst)
        {
            worst = other.worst;
            where = other.where;
        }
    }
};

/** \return skips that \p verdict allows, of at most \p left samples */
std::vector<std::size_t>
SkipsAllowed(const SteadyVerdict& verdict, std::size_t left)
{
    const double longest = std::min(verdict.horizon, static_cast<double>(left));
    std::vector<std::size_t> skips;
    if (verdict.steadiness == Steadiness::Steady)
    {
        for (const double skip : {16.0, longest / 2, longest})
        {
            if (skip >= 16 && skip <= longest)
            {
                skips.push_back(static_cast<std::size_t>(skip));
            }
        }
        return skips;
    }
    for (const double periods : {1.0, 3.0, std::floor(longest / verdict.period)})
    {
        if (verdict.period == 0)
        {
            break; // nothing recurs
        }
        const auto skip = static_cast<std::size_t>(std::lround(periods * verdict.period));
        if (skip >= 1 && skip <= static_cast<std::size_t>(longest))
        {
            skips.push_back(skip);
        }
    }
    for (const double skip : {std::ceil(verdict.shortest), longest})
    {
        if (skip >= verdict.shortest && skip <= longest)
        {
            skips.push_back(static_cast<std::size_t>(skip));
        }
    }
    return skips;
}

/** Judges \p series after each sample from the \p from th on, and compares the rate of each verdict
 *  with the mean of what follows. */
Outcome
Examine(const RateSeries& series,
        const SteadyStateOptions& options = {},
        std::size_t from = 0,
        const std::vector<Bytes>& queues = {})
{
    std::vector<double> total(series.size() + 1, 0.0);
    std::partial_sum(series.begin(), series.end(), total.begin() + 1);
    const double bound = options.theta / (1 - options.theta);
    SteadyStateDetector detector(options);
    Outcome outcome;
    for (std::size_t i = 0; i < series.size(); ++i)
    {
        detector.Add(Rate::BytesPerSecond(series[i]), queues.empty() ? 0 : queues[i]);
        const SteadyVerdict verdict = detector.Judge();
        if (!verdict.IsSteady() || i < from)
        {
            continue;
        }
        outcome.firstSteady = std::min(outcome.firstSteady, i + 1);
        ++outcome.steady;
        for (const std::size_t skip : SkipsAllowed(verdict, series.size() - i - 1))
        {
            const double truth = (total[i + 1 + skip] - total[i + 1]) / static_cast<double>(skip);
            const double error = std::abs(verdict.rate.InBytesPerSecond() - truth) / truth;
            ++outcome.skips;
            outcome.violations += error < bound ? 0 : 1;
            if (!(error <= outcome.worst))
            {
                outcome.worst = error;
                outcome.where =
                    std::string(ToString(verdict.steadiness)) + " after " + std::to_string(i + 1) +
                    " samples, skip of " + std::to_string(skip) + ", horizon " +
                    std::to_string(verdict.horizon) + ", period " + std::to_string(verdict.period);
            }
        }
    }
    return outcome;
}

/** Examines \p runs series that \p draw makes, and expects no violation. It draws one number a
 * statement: compilers evaluate arguments in different orders. */
template <class Draw>
Outcome
ExpectBound(int runs, Draw&& draw)
{
    Draws draws(3);
    Outcome all;
    for (int run = 0; run < runs; ++run)
    {
        all.Add(Examine(draw(draws)));
    }
    EXPECT_EQ(all.violations, 0U) << "worst error " << all.worst << ": " << all.where;
    EXPECT_GT(all.skips, 0U);
    return all;
}

/** \return the verdict after all of \p series, with the queue always \p queue */
SteadyVerdict
VerdictOf(const RateSeries& series, const SteadyStateOptions& options = {}, Bytes queue = 0)
{
    SteadyStateDetector detector(options);
    for (const double rate : series)
    {
        detector.Add(Rate::BytesPerSecond(rate), queue);
    }
    return detector.Judge();
}

/** \return a times b, sample by sample */
RateSeries
Product(RateSeries a, const RateSeries& b)
{
    std::transform(a.begin(), a.end(), b.begin(), a.begin(), std::multiplies<>());
    return a;
}

TEST(SteadyState, OptionsAreChecked)
{
    const auto with = [](auto&& change) {
        SteadyStateOptions options;
        change(options);
        return UsageErrorOf([&] { SteadyStateDetector{options}; });
    };
    using O = SteadyStateOptions;
    const double infinite = std::numeric_limits<double>::infinity();
    EXPECT_EQ(with([](O& o) { o.theta = 0; }),
              "SteadyStateOptions::theta is 0, but must be above 0 and below 1");
    EXPECT_NE(with([](O& o) { o.theta = 1; }), "");
    EXPECT_NE(with([](O& o) { o.theta = std::nan(""); }), "");
    EXPECT_EQ(with([](O& o) { o.window = 3; }),
              "SteadyStateOptions::window is 3, but must be 4 to 65535 samples");
    EXPECT_NE(with([](O& o) { o.window = o.maxPeriod = 65536; }), "");
    EXPECT_EQ(with([](O& o) { o.maxPeriod = 15; }),
              "SteadyStateOptions::maxPeriod is 15, but must be window (16) to 1000000 samples");
    EXPECT_NE(with([](O& o) { o.maxPeriod = 1000001; }), "");
    EXPECT_EQ(with([](O& o) { o.periods = 1; }),
              "SteadyStateOptions::periods is 1, but must be 2 to 64");
    EXPECT_NE(with([](O& o) { o.periods = 65; }), "");
    EXPECT_EQ(with([](O& o) { o.queueTolerance = -1; }),
              "SteadyStateOptions::queueTolerance is -1, but must be 0 or more, and finite");
    EXPECT_NE(with([=](O& o) { o.queueTolerance = infinite; }), "");
    EXPECT_EQ(with([](O& o) {
                  o.window = o.maxPeriod = 4;
                  o.periods = 2;
              }),
              "");
}

TEST(SteadyState, SamplesAreChecked)
{
    SteadyStateDetector detector;
    const auto add = [&](double rate) {
        return UsageErrorOf([&] { detector.Add(Rate::BytesPerSecond(rate), 0); });
    };
    EXPECT_EQ(add(-1), "a rate sample is -1 bytes/s, but must be from 0 to 1e+30");
    EXPECT_NE(add(std::nan("")), "");
    EXPECT_NE(add(std::numeric_limits<double>::infinity()), "");
    for (int i = 0; i < 15; ++i)
    {
        EXPECT_EQ(add(5), "");
        EXPECT_EQ(detector.Judge().steadiness, Steadiness::TooFewSamples);
    }
    EXPECT_EQ(add(5), ""); // the 16th: those refused were not counted
    EXPECT_EQ(detector.Judge().steadiness, Steadiness::Steady);
}

TEST(SteadyState, NamesAreThoseOfTheEnumerators)
{
    EXPECT_STREQ(ToString(Steadiness::Steady), "Steady");
    EXPECT_STREQ(ToString(Steadiness::SteadyPeriodic), "SteadyPeriodic");
    EXPECT_STREQ(ToString(Steadiness::TooFewSamples), "TooFewSamples");
    EXPECT_STREQ(ToString(Steadiness::Fluctuating), "Fluctuating");
    EXPECT_STREQ(ToString(Steadiness::Drifting), "Drifting");
    EXPECT_STREQ(ToString(Steadiness::QueuesMoving), "QueuesMoving");
    EXPECT_STREQ(ToString(static_cast<Steadiness>(99)), "?");
}

TEST(SteadyState, ConstantIsSteadyForEver)
{
    for (const double rate : {1e-20, 1.0, 1.0 / 3, 12.5e9, 1e12, 1e30})
    {
        for (const std::size_t samples : {16, 17, 1000})
        {
            const SteadyVerdict verdict = VerdictOf(Constant(samples, rate));
            EXPECT_EQ(verdict.steadiness, Steadiness::Steady);
            EXPECT_EQ(verdict.rate.InBytesPerSecond(), rate);
            EXPECT_EQ(verdict.uncertainty, 0);
            EXPECT_TRUE(std::isinf(verdict.horizon));
            EXPECT_EQ(verdict.samples, 16U);
        }
    }
}

TEST(SteadyState, ScaleDoesNotMatter)
{
    Draws draws(11);
    const RateSeries unit = Noise(400, 1, 0.003, 0, draws);
    const SteadyVerdict expected = VerdictOf(unit);
    ASSERT_TRUE(expected.IsSteady());
    for (const double scale : {0x1p-60, 0x1p40, 0x1p90}) // powers of two: no rounding
    {
        const SteadyVerdict verdict = VerdictOf(Product(unit, Constant(400, scale)));
        EXPECT_EQ(verdict.rate.InBytesPerSecond(), expected.rate.InBytesPerSecond() * scale);
        EXPECT_DOUBLE_EQ(verdict.horizon, expected.horizon);
    }
}

TEST(SteadyState, BlockedIsNeverSteady)
{
    EXPECT_EQ(VerdictOf(Constant(100, 0)).steadiness, Steadiness::Fluctuating);
    EXPECT_EQ(VerdictOf(Constant(100, 1e-31)).steadiness, Steadiness::Fluctuating);
    // On and off, so that whole periods agree; but the last 16 samples are 0.
    RateSeries onOff;
    for (int i = 0; i < 10; ++i)
    {
        onOff.insert(onOff.end(), 20, 1);
        onOff.insert(onOff.end(), 20, 0);
    }
    EXPECT_EQ(VerdictOf(onOff).steadiness, Steadiness::Fluctuating);
    onOff.push_back(1);
    EXPECT_EQ(VerdictOf(onOff).steadiness, Steadiness::SteadyPeriodic);
    EXPECT_DOUBLE_EQ(VerdictOf(onOff).rate.InBytesPerSecond(), 0.5);
}

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

TEST(SteadyState, FlatPiecesOfAnOscillationAreNotSteady)
{
    RateSeries square;
    for (int i = 0; i < 8; ++i)
    {
        square.insert(square.end(), 60, 1.0);
        square.insert(square.end(), 60, 0.6);
    }
    SteadyStateDetector detector;
    std::size_t periodic = 0;
    for (std::size_t i = 0; i < square.size(); ++i)
    {
        detector.Add(Rate::BytesPerSecond(square[i]), 0);
        const SteadyVerdict verdict = detector.Judge();
        // The second upturn, at 240, completes the first cycle.
        EXPECT_TRUE(i < 240 || verdict.steadiness != Steadiness::Steady) << "sample " << i;
        periodic += verdict.steadiness == Steadiness::SteadyPeriodic ? 1 : 0;
    }
    EXPECT_GT(periodic, 300U);
    EXPECT_NEAR(detector.Judge().rate.InBytesPerSecond(), 0.8, 1e-9);
    // When the oscillation is over, that is noticed within maxPeriod samples.
    std::size_t until = 0;
    while (detector.Judge().steadiness != Steadiness::Steady && until < 1000)
    {
        detector.Add(Rate::BytesPerSecond(0.6), 0);
        ++until;
    }
    EXPECT_LE(until, 256U);
}

TEST(SteadyState, OscillationsThatHaveDiedAwayAreForgottenWithinAWindow)
{
    // Cycles of 60 samples, after which 120 would have to pass.
    const RateSeries wave = Sine(300, 1, 60, 0.2, 0);
    RateSeries series = wave;
    series.insert(series.end(), 15, 1.0);
    EXPECT_NE(VerdictOf(series).steadiness, Steadiness::Steady);
    series.push_back(1.0);
    EXPECT_EQ(VerdictOf(series).steadiness, Steadiness::Steady);
    // One that has paused for 41 samples, with the first of the wave, may do so again: after 26
    // calm windows, half as many again are not believed.
    series.insert(series.end(), 24, 1.0);
    series.insert(series.end(), wave.begin(), wave.end());
    series.insert(series.end(), 15 + 39, 1.0);
    EXPECT_NE(VerdictOf(series).steadiness, Steadiness::Steady);
    series.push_back(1.0);
    EXPECT_EQ(VerdictOf(series).steadiness, Steadiness::Steady);
}

TEST(SteadyState, StepsAreForgottenWithinAWindow)
{
    for (const double after : {0.5, 0.94, 2.0})
    {
        const RateSeries series = Step(1016, 1, after, 1000);
        EXPECT_EQ(VerdictOf(RateSeries(series.begin(), series.end() - 1)).steadiness,
                  Steadiness::Fluctuating);
        const SteadyVerdict verdict = VerdictOf(series);
        EXPECT_EQ(verdict.steadiness, Steadiness::Steady);
        EXPECT_EQ(verdict.rate.InBytesPerSecond(), after);
        // The window that has just come clear: one sample that passes, and 16 that it spans.
        EXPECT_EQ(verdict.horizon, 4 * (1 + 16));
        EXPECT_TRUE(std::isinf(VerdictOf(Step(1272, 1, after, 1000)).horizon));
    }
}

/** \return the verdict on a constant rate with queue(i) at sample i */
template <class Queue>
SteadyVerdict
VerdictOfQueue(int samples, Queue&& queue, const RateSeries& rates = {1})
{
    SteadyStateDetector detector;
    for (int i = 0; i < samples; ++i)
    {
        const double rate = rates[static_cast<std::size_t>(i) % rates.size()];
        detector.Add(Rate::BytesPerSecond(rate), static_cast<Bytes>(queue(i)));
    }
    return detector.Judge();
}

TEST(SteadyState, QueuesMustHaveSettled)
{
    const auto ramp = [](double perSample) { return [=](int i) { return perSample * i; }; };
    // From half to half the mean moves by 8 samples, 8,000 bytes: more than 4,096 and than 25 %.
    EXPECT_EQ(VerdictOfQueue(16, ramp(1000)).steadiness, Steadiness::QueuesMoving);
    // 90 bytes a sample are 1,080 from the first quarter to the last, 12 apart: over a quarter of
    // 4,096.
    EXPECT_EQ(VerdictOfQueue(16, ramp(90)).steadiness, Steadiness::QueuesMoving);
    // 80 bytes are 960: they are 4,096 in 51 samples.
    const SteadyVerdict slow = VerdictOfQueue(16, ramp(80));
    EXPECT_EQ(slow.steadiness, Steadiness::Steady);
    EXPECT_NEAR(slow.horizon, 4096 / 80.0, 1e-9);
    // Emptying counts as much as filling, however long the queue is.
    EXPECT_NEAR(VerdictOfQueue(16, [](int i) { return 1e4 - 80 * i; }).horizon, 51.2, 1e-9);
    EXPECT_EQ(VerdictOfQueue(16, [](int i) { return 1e6 - 90 * i; }).steadiness,
              Steadiness::QueuesMoving);
    // Up and down by a packet, about 20 kB: settled.
    EXPECT_TRUE(std::isinf(VerdictOfQueue(64, [](int i) { return 2e4 + i % 2 * 1000; }).horizon));
    // Large, and moving by less than a quarter of itself.
    EXPECT_TRUE(VerdictOfQueue(16, [](int i) { return i < 8 ? 1e6 : 1.2e6; }).IsSteady());
    EXPECT_EQ(VerdictOfQueue(16, [](int i) { return i < 8 ? 1e6 : 1.3e6; }).steadiness,
              Steadiness::QueuesMoving);
}

TEST(SteadyState, QueuesMustHaveSettledOverWholePeriods)
{
    const RateSeries tooth = DctcpSawtooth(20, 1, 20, 0.5, 0);
    const auto steadiness = [&](double perSample) {
        return VerdictOfQueue(
                   200,
                   [=](int i) { return perSample * i; },
                   tooth)
            .steadiness;
    };
    EXPECT_EQ(steadiness(0), Steadiness::SteadyPeriodic);
    EXPECT_EQ(steadiness(1000), Steadiness::QueuesMoving);
}

TEST(SteadyState, ResetForgets)
{
    SteadyStateDetector detector;
    for (const double rate : DctcpSawtooth(400, 1, 20, 0.5, 0))
    {
        detector.Add(Rate::BytesPerSecond(rate), 1000000);
    }
    ASSERT_TRUE(detector.Judge().IsSteady());
    detector.Reset();
    EXPECT_EQ(detector.Judge().steadiness, Steadiness::TooFewSamples);
    SteadyStateDetector moved = std::move(detector);
    for (int i = 0; i < 16; ++i)
    {
        moved.Add(Rate::BytesPerSecond(3), 0);
    }
    EXPECT_EQ(moved.Judge().steadiness, Steadiness::Steady);
    EXPECT_TRUE(std::isinf(moved.Judge().horizon));
}

TEST(SteadyState, ResetForgetsPauses)
{
    const RateSeries wave = Sine(300, 1, 60, 0.2, 0);
    SteadyStateDetector detector;
    const auto add = [&](const RateSeries& series) {
        for (const double rate : series)
        {
            detector.Add(Rate::BytesPerSecond(rate), 0);
        }
    };
    add(wave);
    add(Constant(100, 1));
    add(wave); // after a pause of 100 samples
    detector.Reset();
    add(wave);
    add(Constant(16, 1));
    EXPECT_EQ(detector.Judge().steadiness, Steadiness::Steady);
}

TEST(SteadyState, MemoryIsSmall)
{
    SteadyStateDetector detector;
    EXPECT_LT(detector.MemoryBytes(), 1200U);
    std::size_t before = 0;
    for (int i = 0; i < 2000; ++i)
    {
        detector.Add(Rate::BytesPerSecond(i % 100 < 50 ? 1 : 2), 0);
        before = i == 1000 ? detector.MemoryBytes() : before;
    }
    EXPECT_LT(detector.MemoryBytes(), 7000U);
    EXPECT_EQ(detector.MemoryBytes(), before); // nothing grows
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
    const std::string here = __FILE__;
    std::ifstream file(here.substr(0, here.rfind('/')) + "/data/steady-state/" + name + ".txt");
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

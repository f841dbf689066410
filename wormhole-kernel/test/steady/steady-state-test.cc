/*
 * SPDX-License-Identifier: MIT
 */
#include "steady/rate-series.h"
#include "steady/steady-outcome.h"
#include "usage-error.h"
#include "wormhole/error.h"
#include "wormhole/steady-state.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace wormhole::test
{
namespace
{

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

TEST(SteadyState, QueuesThatMoveAreToldOfAlone)
{
    const auto moves = [](int samples, double perSample) {
        SteadyStateDetector detector;
        for (int i = 0; i < samples; ++i)
        {
            detector.Add(Rate::BytesPerSecond(i % 2 ? 1 : 5), // which is not steady
                         static_cast<Bytes>(perSample * i));
        }
        return detector.DoQueuesMove();
    };
    EXPECT_TRUE(moves(16, 1000));
    EXPECT_FALSE(moves(15, 1000)) << "no window yet";
    EXPECT_FALSE(moves(16, 80)) << "51 samples for 4,096 bytes";
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

} // namespace
} // namespace wormhole::test

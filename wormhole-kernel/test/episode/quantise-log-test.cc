/*
 * SPDX-License-Identifier: MIT
 */
#include "graph/test-graphs.h"
#include "usage-error.h"
#include "wormhole/conflict-graph.h"
#include "wormhole/error.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace wormhole
{
namespace
{

using test::GraphRandom;

TEST(QuantiseLog, CountsPowersOfTheStep)
{
    // Powers of two are exact, so the bounds of the classes are.
    EXPECT_EQ(QuantiseLog(1, 2), 0);
    EXPECT_EQ(QuantiseLog(1.999, 2), 0);
    EXPECT_EQ(QuantiseLog(2, 2), 1);
    EXPECT_EQ(QuantiseLog(1023, 2), 9);
    EXPECT_EQ(QuantiseLog(1024, 2), 10);
    EXPECT_EQ(QuantiseLog(0.999, 2), -1);
    EXPECT_EQ(QuantiseLog(0.5, 2), -1);
    EXPECT_EQ(QuantiseLog(0.499, 2), -2);
    EXPECT_EQ(QuantiseLog(0.25, 2), -2);
    EXPECT_EQ(QuantiseLog(std::numeric_limits<double>::max(), 2), 1023);
    EXPECT_EQ(QuantiseLog(std::numeric_limits<double>::denorm_min(), 2), -1074);
    EXPECT_EQ(QuantiseLog(std::numeric_limits<double>::max(), 1e308), 1);
    EXPECT_EQ(QuantiseLog(std::numeric_limits<double>::denorm_min(), 1e308), -2);
}

TEST(QuantiseLog, IsTheSameOnEveryMachine)
{
    EXPECT_EQ(QuantiseLog(12.5e9, 1.05), 476); // ln 12.5e9 / ln 1.05 = 476.5
    EXPECT_EQ(QuantiseLog(1e-6, 1.05), -284);  // ln 1e-6 / ln 1.05 = -283.2
    EXPECT_EQ(QuantiseLog(1e300, 1.000001), 690775873);
    EXPECT_EQ(QuantiseLog(1e-320, 1.000001), -736827610);
}

TEST(QuantiseLog, HasClassesForWhatHasNoLogarithm)
{
    constexpr auto LEAST = std::numeric_limits<std::int32_t>::min();
    EXPECT_EQ(QuantiseLog(0, 1.05), LEAST);
    EXPECT_EQ(QuantiseLog(-0.0, 1.05), LEAST);
    EXPECT_EQ(QuantiseLog(-1, 1.05), LEAST);
    EXPECT_EQ(QuantiseLog(-std::numeric_limits<double>::infinity(), 1.05), LEAST);
    EXPECT_EQ(QuantiseLog(std::numeric_limits<double>::quiet_NaN(), 1.05), LEAST);
    EXPECT_EQ(QuantiseLog(std::numeric_limits<double>::infinity(), 1.05),
              std::numeric_limits<std::int32_t>::max());
}

TEST(QuantiseLog, RejectsSteps)
{
    for (const double step : {1.0, 0.5, 0.0, -2.0, 1.0000009})
    {
        EXPECT_THROW(QuantiseLog(1, step), UsageError);
    }
    EXPECT_THROW(QuantiseLog(1, std::numeric_limits<double>::infinity()), UsageError);
    EXPECT_THROW(QuantiseLog(1, std::numeric_limits<double>::quiet_NaN()), UsageError);
    EXPECT_EQ(test::UsageErrorOf([] { QuantiseLog(1, 1); }),
              "a logarithmic scale with the step 1.000000, but it must be at least 1.000001 and "
              "finite");
}

TEST(QuantiseLog, KeepsTheOrderAndTheWidthOfClasses)
{
    GraphRandom random(5);
    for (const double step : {1.0001, 1.05, 1.5, 10.0})
    {
        for (int i = 0; i < 5000; ++i)
        {
            // A value between 2^-1000 and 2^1000, the next double, and one nearly a step above.
            const double value = std::ldexp(1 + random.Below(1 << 20) / 1048576.0,
                                            static_cast<int>(random.Below(2000)) - 1000);
            const std::int32_t index = QuantiseLog(value, step);
            const std::int32_t next =
                QuantiseLog(std::nextafter(value, std::numeric_limits<double>::infinity()), step);
            const std::int32_t above = QuantiseLog(value * (1 + (step - 1) * 0.9999), step);
            EXPECT_LE(index, next);
            EXPECT_LE(next, index + 1);
            EXPECT_LE(index, above);
            EXPECT_LE(above, index + 1);
            // By the logarithm of the library, within its and our errors.
            EXPECT_NEAR(index + 0.5, std::log(value) / std::log(step), 0.5 + 1e-4);
        }
    }
}

/** At the bounds of classes, where rounding could break the order: the doubles around them. */
TEST(QuantiseLog, KeepsTheOrderAtTheBoundsOfClasses)
{
    for (const double step : {1.001, 1.05, 3.0})
    {
        for (int power = -300; power <= 300; ++power)
        {
            double value = std::pow(step, power);
            for (int i = 0; i < 20; ++i)
            {
                value = std::nextafter(value, 0);
            }
            std::int32_t last = QuantiseLog(value, step);
            EXPECT_NEAR(last, power - 0.5, 0.5);
            for (int i = 0; i < 40; ++i)
            {
                value = std::nextafter(value, std::numeric_limits<double>::infinity());
                const std::int32_t index = QuantiseLog(value, step);
                EXPECT_TRUE(index == last || index == last + 1);
                last = index;
            }
        }
    }
}

} // namespace
} // namespace wormhole

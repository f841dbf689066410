/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/skip/held-rates.h"

#include <gtest/gtest.h>
#include <vector>

using namespace wormhole;

namespace
{

constexpr double THETA = 0.05;

std::vector<Rate>
RatesOf(const std::vector<double>& values)
{
    std::vector<Rate> rates;
    rates.reserve(values.size());
    for (const double value : values)
    {
        rates.push_back(Rate::BytesPerSecond(value));
    }
    return rates;
}

/** \return the rate that a look leaves of one skipped with at 100 bytes/s, whose noise was 10 % */
double
AfterLook(double found, const std::vector<double>& alone)
{
    SkipState skip;
    skip.rates = RatesOf({100});
    SteadyRates steady;
    steady.rates = RatesOf({found});
    steady.noise = {0.1};
    AverageLooks(skip, steady, 0, alone);
    return steady.rates.front().InBytesPerSecond();
}

} // namespace

TEST(HeldRates, LooksAreAveragedUnlessOneIsFarMorePrecise)
{
    EXPECT_DOUBLE_EQ(AfterLook(96, {}), 98) << "as noisy as the first window";
    EXPECT_DOUBLE_EQ(AfterLook(96, {0.05}), 98) << "half as noisy";
    EXPECT_DOUBLE_EQ(AfterLook(96, {0.03}), 96) << "less than a third";
    EXPECT_DOUBLE_EQ(AfterLook(80, {}), 80) << "beyond noise";
}

TEST(HeldRates, SumsThatMoveByAQuarterOfTheta)
{
    const std::vector<Rate> used = RatesOf({60, 40});
    EXPECT_FALSE(HaveMoved(RatesOf({64, 37.2}), used, THETA)) << "by 1.2 %";
    EXPECT_TRUE(HaveMoved(RatesOf({61, 40.3}), used, THETA)) << "by 1.3 %";
    EXPECT_TRUE(HaveMoved(RatesOf({59, 39.7}), used, THETA));
}

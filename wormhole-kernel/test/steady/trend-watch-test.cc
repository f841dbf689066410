/*
 * SPDX-License-Identifier: MIT
 */
#include "steady/trend-watch.h"

#include <gtest/gtest.h>
#include <vector>

namespace wormhole
{
namespace
{

std::vector<Rate>
Rates(double a, double b)
{
    return {Rate::BytesPerSecond(a), Rate::BytesPerSecond(b)};
}

TEST(TrendWatch, WhatStandsStillHasNoHorizon)
{
    TrendWatch watch;
    watch.Start(Rates(100, 50));
    EXPECT_EQ(watch.Horizon(0.05).count(), Duration::max().count());
    watch.Look(Duration{10}, Rates(101, 50)); // nothing lags yet
    EXPECT_EQ(watch.Horizon(0.05).count(), Duration::max().count());
    watch.Start(Rates(100, 50));
    watch.Skip(Duration{1000});
    watch.Look(Duration{10}, Rates(100, 50));
    EXPECT_EQ(watch.Horizon(0.05).count(), Duration::max().count());
}

TEST(TrendWatch, AllThatWasSkippedCounts)
{
    TrendWatch watch;
    watch.Start(Rates(128, 64));
    watch.Skip(Duration{10});
    // The second flow moves by 1/64 in 10, so by 1/16 in 40.
    watch.Look(Duration{10}, Rates(128, 65));
    EXPECT_EQ(watch.Horizon(1.0 / 16).count(), 40 - 10);
    watch.Skip(Duration{25});
    EXPECT_EQ(watch.Horizon(1.0 / 16).count(), 40 - 35);
    watch.Skip(Duration{25});
    EXPECT_EQ(watch.Horizon(1.0 / 16).count(), 0);
    // Falling is as good as rising.
    watch.Start(Rates(128, 64));
    watch.Skip(Duration{10});
    watch.Look(Duration{10}, Rates(128, 63));
    EXPECT_EQ(watch.Horizon(1.0 / 16).count(), 40 - 10);
}

TEST(TrendWatch, SlopesAreOfTheLatestHalfOrMore)
{
    TrendWatch watch;
    watch.Start(Rates(64, 64));
    watch.Skip(Duration{1});
    watch.Look(Duration{10}, Rates(65, 64));
    watch.Look(Duration{9}, Rates(65, 64)); // 1/64 in 19
    EXPECT_EQ(watch.Horizon(1.0 / 16).count(), 4 * 19 - 1);
    watch.Look(Duration{1}, Rates(65, 64)); // none from 10 to 20
    EXPECT_EQ(watch.Horizon(1.0 / 16).count(), Duration::max().count());
    watch.Look(Duration{19}, Rates(65 + 65.0 / 64, 64)); // from 10 to 39
    EXPECT_EQ(watch.Horizon(1.0 / 16).count(), 4 * 29 - 1);
    watch.Look(Duration{1}, Rates(65 + 65.0 / 64, 64)); // from 20 to 40
    EXPECT_EQ(watch.Horizon(1.0 / 16).count(), 4 * 20 - 1);
}

} // namespace
} // namespace wormhole

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
    watch.Look(Duration{9}, Rates(66, 64)); // 1/32 in 19
    EXPECT_EQ(watch.Horizon(1.0 / 16).count(), 2 * 19 - 1);
    const double at20 = 65 + 65.0 / 32;
    watch.Look(Duration{1}, Rates(at20, 64)); // 1/32 from 10 to 20
    EXPECT_EQ(watch.Horizon(1.0 / 16).count(), 2 * 10 - 1);
    watch.Look(Duration{19}, Rates(65 + 65.0 / 16, 64)); // 1/16 from 10 to 39
    EXPECT_EQ(watch.Horizon(1.0 / 16).count(), 29 - 1);
    watch.Look(Duration{1}, Rates(at20 + at20 / 16, 64)); // 1/16 from 20 to 40
    EXPECT_EQ(watch.Horizon(1.0 / 16).count(), 20 - 1);
}

TEST(TrendWatch, WhatWandersHasNoHorizon)
{
    TrendWatch watch;
    watch.Start(Rates(64, 64));
    watch.Skip(Duration{1});
    watch.Look(Duration{10}, Rates(65, 64));
    EXPECT_EQ(watch.Horizon(1.0 / 16).count(), 40 - 1); // nothing else is known of it yet
    watch.Look(Duration{10}, Rates(64.5, 64));
    EXPECT_EQ(watch.Horizon(1.0 / 16).count(), Duration::max().count());
    watch.Look(Duration{10}, Rates(65, 64));
    watch.Look(Duration{10}, Rates(66, 64));
    watch.Look(Duration{10}, Rates(66, 64)); // which does not change its course
    watch.Look(Duration{10}, Rates(67, 64));
    EXPECT_EQ(watch.Horizon(1.0 / 16).count(), Duration::max().count());
    // The fourth in a row. Of 70 looked at, the base is at 20: from 64.5 by 1/16.
    watch.Look(Duration{10}, Rates(64.5 + 64.5 / 16, 64));
    EXPECT_EQ(watch.Horizon(1.0 / 16).count(), 50 - 1);
}

} // namespace
} // namespace wormhole

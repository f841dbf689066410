/*
 * SPDX-License-Identifier: MIT
 */
#include "tracking/work-budget.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace wormhole
{
namespace
{

TEST(WorkBudget, EarnsAShareOfEvents)
{
    WorkBudget budget(0.5, 10);
    budget.Spend(10);
    EXPECT_TRUE(budget.Affords(0));
    EXPECT_FALSE(budget.Affords(1));
    EXPECT_EQ(budget.EventsUntil(5), 10); // half of 10
    budget.Earn(10);
    EXPECT_TRUE(budget.Affords(5));
    EXPECT_EQ(budget.EventsUntil(5), 0);
    budget.Earn(10); // the same ones
    EXPECT_FALSE(budget.Affords(5.5));
    budget.Spend(7);
    EXPECT_EQ(budget.EventsUntil(0), 4); // owes 2
    EXPECT_EQ(budget.Spent(), 17);
}

TEST(WorkBudget, KeepsNoMoreThanFiftyTimesWhatIsFree)
{
    WorkBudget budget(1, 10);
    budget.Earn(1e9);
    EXPECT_TRUE(budget.Affords(500));
    EXPECT_FALSE(budget.Affords(501));
    budget.Earn(2e9, 2000);
    EXPECT_TRUE(budget.Affords(2000)) << "saved up for it";
    EXPECT_FALSE(budget.Affords(2001));
    budget.Earn(3e9);
    EXPECT_TRUE(budget.Affords(2000)) << "nothing is taken away";
}

TEST(WorkBudget, KnowsExtremes)
{
    WorkBudget nothing(0, 0);
    nothing.Earn(1e9);
    EXPECT_TRUE(nothing.Affords(0));
    EXPECT_FALSE(nothing.Affords(1));
    EXPECT_TRUE(std::isinf(nothing.EventsUntil(1)));

    WorkBudget anything(std::numeric_limits<double>::infinity(), 0);
    anything.Earn(1);
    anything.Spend(1e12);
    EXPECT_TRUE(anything.Affords(1e12));
}

} // namespace
} // namespace wormhole

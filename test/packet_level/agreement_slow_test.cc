/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/agreement.h"

#include <gtest/gtest.h>

using namespace harness;

TEST(AgreementRing64, HpccIsExact)
{
    ExpectExact("ring64", "hp");
}

TEST(AgreementRing64, TimelyIsExact)
{
    ExpectExact("ring64", "timely");
}

TEST(AgreementRing64, DctcpIsExact)
{
    ExpectExact("ring64", "dctcp");
}

TEST(AgreementRing64, WindowsAreExact)
{
    for (const char* control : {"hp", "timely", "dctcp"})
    {
        ExpectExact("ring64", control, true);
    }
}

TEST(AgreementRing64, DcqcnMeanLiesWhereOtherSeedsLie)
{
    ExpectDcqcnWithinSeeds("ring64", 10);
}

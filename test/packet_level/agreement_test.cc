/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/agreement.h"

#include <gtest/gtest.h>

using namespace harness;

// Expected values: test/data/hpcc/README.md says where they come from. Case ring64 is in
// agreement_slow_test.cc.

class Agreement : public testing::TestWithParam<std::string>
{
};

TEST_P(Agreement, HpccIsExact)
{
    ExpectExact(GetParam(), "hp");
}

TEST_P(Agreement, TimelyIsExact)
{
    ExpectExact(GetParam(), "timely");
}

TEST_P(Agreement, DctcpIsExact)
{
    ExpectExact(GetParam(), "dctcp");
}

TEST_P(Agreement, WindowsAreExact)
{
    for (const char* control : {"hp", "timely", "dctcp"})
    {
        ExpectExact(GetParam(), control, true);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Cases,
    Agreement,
    testing::Values("single", "dumbbell2", "incast16", "incast16pfc", "a2a16"));

// queues stay below Kmin, so nothing is marked and nothing is random
TEST(AgreementWithoutMarks, SingleIsExactUnderDcqcn)
{
    ExpectExact("single", "dcqcn");
}

TEST(AgreementWithoutMarks, AllToAllIsExactUnderDcqcn)
{
    ExpectExact("a2a16", "dcqcn");
}

class AgreementDcqcn : public testing::TestWithParam<std::string>
{
};

TEST_P(AgreementDcqcn, MeanLiesWhereOtherSeedsLie)
{
    ExpectDcqcnWithinSeeds(GetParam(), 10);
}

INSTANTIATE_TEST_SUITE_P(Cases,
                         AgreementDcqcn,
                         testing::Values("dumbbell2", "incast16", "incast16pfc"));

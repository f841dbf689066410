/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "agreement.h"

#include "hpcc_case.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace harness
{

void
ExpectExact(const std::string& name, const std::string& control, bool windows)
{
    const std::vector<FlowResult> expected = ExpectedFlows(name, control);
    RunOptions options;
    options.windows = windows;
    const RunResult run = RunHpccCase(name, control, options);
    const std::vector<FlowResult> flows = Sorted(run.flows);
    EXPECT_EQ(run.unfinished, 0U);
    ASSERT_EQ(flows.size(), expected.size());
    for (size_t i = 0; i < flows.size(); ++i)
    {
        SCOPED_TRACE(testing::Message() << name << " " << control << ": flow " << expected[i].src
                                        << " to " << expected[i].dst);
        EXPECT_EQ(flows[i].bytes, expected[i].bytes);
        EXPECT_EQ(flows[i].start, expected[i].start);
        EXPECT_EQ(flows[i].fct, expected[i].fct);
    }
}

void
ExpectDcqcnWithinSeeds(const std::string& name, uint64_t seeds)
{
    constexpr double TOLERANCE = 0.01;
    const std::vector<double> theirs = DcqcnSeedMeans(name);
    ASSERT_FALSE(theirs.empty());
    const auto [least, greatest] = std::minmax_element(theirs.begin(), theirs.end());
    const size_t flows = ExpectedFlows(name, "dcqcn").size();
    double sum = 0;
    for (uint64_t seed = 1; seed <= seeds; ++seed)
    {
        RunOptions options;
        options.seed = seed;
        const RunResult run = RunHpccCase(name, "dcqcn", options);
        EXPECT_EQ(run.flows.size(), flows) << name << ", seed " << seed;
        sum += run.GetMeanFct();
    }
    const double mean = sum / static_cast<double>(seeds);
    EXPECT_GE(mean, *least * (1 - TOLERANCE));
    EXPECT_LE(mean, *greatest * (1 + TOLERANCE));
}

} // namespace harness

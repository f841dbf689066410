/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Fast-forward in the cases in which packet level agrees with HPCC's public simulator to the
// nanosecond (agreement_test.cc).

#include "harness/hpcc_case.h"

#include "ns3/wormhole-simulator-impl.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <tuple>

using namespace harness;

namespace
{

/** What is wrong by more than 1 %: a first skip from where rates stay the same for a while, but
 * their control does not. Under HPCC the sum of sixteen rates falls for 0.3 ms before the full link
 * notices; TIMELY and DCTCP swing more slowly than the window of samples lasts. */
const std::map<std::pair<std::string, std::string>, double> FOOLED{
    {{"dumbbell2", "timely"}, 0.045},
    {{"incast16", "timely"}, 0.012},
    {{"incast16", "dctcp"}, 0.013},
    {{"a2a16", "hp"}, 0.04},
};

class FastForwardAgreement : public testing::TestWithParam<std::tuple<std::string, std::string>>
{
};

TEST_P(FastForwardAgreement, MeanErrorIsSmall)
{
    const auto& [name, control] = GetParam();
    const std::vector<FlowResult> expected = ExpectedFlows(name, control);
    RunOptions options;
    options.simulator = ns3::WormholeSimulatorImpl::GetTypeId().GetName();
    const RunResult run = RunHpccCase(name, control, options);
    const std::vector<FlowResult> flows = Sorted(run.flows);
    ASSERT_EQ(run.unfinished, 0U);
    ASSERT_EQ(flows.size(), expected.size());
    double sum = 0;
    double most = 0;
    for (size_t i = 0; i < flows.size(); ++i)
    {
        const auto fct = static_cast<double>(expected[i].fct);
        const double error = std::abs(static_cast<double>(flows[i].fct) - fct) / fct;
        sum += error;
        most = std::max(most, error);
    }
    const double mean = sum / static_cast<double>(flows.size());
    RecordProperty("meanError", std::to_string(mean));
    RecordProperty("greatestError", std::to_string(most));
    RecordProperty("packetHops", std::to_string(run.packetHops));
    const auto fooled = FOOLED.find({name, control});
    EXPECT_LT(mean, fooled == FOOLED.end() ? 0.01 : fooled->second) << "at most " << most;
}

INSTANTIATE_TEST_SUITE_P(
    Cases,
    FastForwardAgreement,
    testing::Combine(testing::Values("single", "dumbbell2", "incast16", "incast16pfc", "a2a16"),
                     testing::Values("hp", "timely", "dctcp")));

} // namespace

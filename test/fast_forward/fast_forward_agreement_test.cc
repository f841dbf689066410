/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Fast-forward in the cases in which packet level agrees with HPCC's public simulator to the
// nanosecond (agreement_test.cc).

#include "harness/hpcc_case.h"

#include "ns3/config.h"
#include "ns3/string.h"
#include "ns3/wormhole-simulator-impl.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <tuple>

using namespace harness;

namespace
{

/** Bounds of the mean error other than 0.2 %. Two flows under TIMELY are chaotic: at packet level,
 * one that starts 1 to 88 ns later changes completion times by up to 3.5 %, 1.9 % on average. Under
 * HPCC their shares become equal within theta long before they are (0.29 %). */
const std::map<std::pair<std::string, std::string>, double> OTHER_BOUNDS{
    {{"dumbbell2", "hp"}, 0.004},
    {{"dumbbell2", "timely"}, 0.03},
};

/** Name of the case, control, and whether acknowledgements are watched or included. */
class FastForwardAgreement
    : public testing::TestWithParam<std::tuple<std::string, std::string, std::string>>
{
  protected:
    void TearDown() override
    {
        ns3::Config::Reset();
    }
};

TEST_P(FastForwardAgreement, MeanErrorIsSmall)
{
    const auto& [name, control, acknowledgements] = GetParam();
    ns3::Config::SetDefault("ns3::WormholeSimulatorImpl::Acknowledgements",
                            ns3::StringValue(acknowledgements));
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
    const auto other = OTHER_BOUNDS.find({name, control});
    EXPECT_LT(mean, other == OTHER_BOUNDS.end() ? 0.002 : other->second) << "at most " << most;
}

INSTANTIATE_TEST_SUITE_P(
    Cases,
    FastForwardAgreement,
    testing::Combine(testing::Values("single", "dumbbell2", "incast16", "incast16pfc", "a2a16"),
                     testing::Values("hp", "timely", "dctcp"),
                     testing::Values("watch", "include")));

} // namespace

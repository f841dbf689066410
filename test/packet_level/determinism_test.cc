/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/hpcc_case.h"

#include <gtest/gtest.h>

using namespace harness;

namespace
{

/** \return flows in the order of completion, as text: what an output file would hold */
std::string
Output(const std::string& name, const std::string& control, const RunOptions& options = {})
{
    return nlohmann::json(RunHpccCase(name, control, options).flows).dump();
}

RunOptions
WithSeed(uint64_t seed)
{
    RunOptions options;
    options.seed = seed;
    return options;
}

RunOptions
UnderDefaultSimulator()
{
    RunOptions options;
    options.simulator = "ns3::DefaultSimulatorImpl";
    return options;
}

RunOptions
InNanoseconds()
{
    RunOptions options;
    options.resolution = ns3::Time::NS;
    return options;
}

} // namespace

// incast16pfc: PFC, ECN and, under DCQCN, random marks all take part
class Determinism : public testing::TestWithParam<std::string>
{
};

TEST_P(Determinism, SameInputsAndSeedGiveTheSameBytes)
{
    EXPECT_EQ(Output("incast16pfc", GetParam(), WithSeed(7)),
              Output("incast16pfc", GetParam(), WithSeed(7)));
}

TEST_P(Determinism, AnyNumberOfThreadsGivesTheSameBytes)
{
    const std::string one = Output("incast16pfc", GetParam());
    for (const uint32_t threads : {2, 3, 4, 8})
    {
        RunOptions options;
        options.threads = threads;
        EXPECT_EQ(Output("incast16pfc", GetParam(), options), one) << threads << " threads";
    }
}

TEST_P(Determinism, SimulatorImplementationsAgree)
{
    EXPECT_EQ(Output("incast16pfc", GetParam()),
              Output("incast16pfc", GetParam(), UnderDefaultSimulator()));
}

TEST_P(Determinism, NanosecondAndPicosecondResolutionAgreeInWholeNanosecondTiming)
{
    EXPECT_EQ(Output("incast16pfc", GetParam()),
              Output("incast16pfc", GetParam(), InNanoseconds()));
}

INSTANTIATE_TEST_SUITE_P(Controls, Determinism, testing::Values("hp", "timely", "dctcp", "dcqcn"));

TEST(DeterminismOfDraws, TheSeedMatters)
{
    EXPECT_NE(Output("incast16", "dcqcn", WithSeed(1)), Output("incast16", "dcqcn", WithSeed(2)));
}

TEST(DeterminismOfOrder, ManySimultaneousFlowsAgreeUnderBothSimulators)
{
    EXPECT_EQ(Output("a2a16", "hp"), Output("a2a16", "hp", UnderDefaultSimulator()));
}

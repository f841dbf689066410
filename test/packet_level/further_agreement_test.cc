/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Cases that were drawn at random: the same flows end in the same order at the same nanosecond as
// in the public HPCC simulator, and the same pause frames arrive. test/data/hpcc-further/README.md
// says what is at stake in each.

#include "harness/sandbox.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

using namespace harness;

namespace
{

const std::string CASES = std::string(WORMHOLE_SOURCE_DIR) + "/test/data/hpcc-further/";

std::vector<std::string>
LinesOf(const std::string& file)
{
    std::ifstream in(file);
    EXPECT_TRUE(in) << file;
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

/** \return the lines without their last word: how long the flow would take alone, which after a
 * failure we tell for the routes that are left */
std::vector<std::string>
WithoutLastWord(std::vector<std::string> lines)
{
    for (std::string& line : lines)
    {
        line.erase(line.rfind(' '));
    }
    return lines;
}

/** Runs a case, and compares what it writes. */
void
ExpectSame(const std::string& name)
{
    const std::string folder = CASES + name;
    Sandbox box;
    const ProgramResult r = box.Run({"run", "--config", folder + "/config.txt", "--output", "out"});
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_EQ(WithoutLastWord(box.Lines("out/fct.txt")),
              WithoutLastWord(LinesOf(folder + "/fct.txt")));
    EXPECT_EQ(box.Lines("out/pfc.txt"), LinesOf(folder + "/pfc.txt"));
}

class FurtherAgreement : public testing::TestWithParam<std::string>
{
};

} // namespace

TEST_P(FurtherAgreement, IsExact)
{
    ExpectSame(GetParam());
}

TEST_P(FurtherAgreement, OneQueueIsExact)
{
    // ns-3's way to set the default of an attribute from outside
    setenv("NS_ATTRIBUTE_DEFAULT", "ns3::RdmaSimulatorImpl::Windows=false", 1);
    ExpectSame(GetParam());
    unsetenv("NS_ATTRIBUTE_DEFAULT");
}

TEST_P(FurtherAgreement, ThreadsAreExact)
{
    setenv("NS_ATTRIBUTE_DEFAULT",
           "ns3::RdmaSimulatorImpl::Threads=3;ns3::RdmaSimulatorImpl::EventsPerThread=1;"
           "ns3::RdmaSimulatorImpl::ThreadTrial=false",
           1);
    ExpectSame(GetParam());
    unsetenv("NS_ATTRIBUTE_DEFAULT");
}

INSTANTIATE_TEST_SUITE_P(Cases,
                         FurtherAgreement,
                         testing::Values("delays",
                                         "mesh",
                                         "priorities",
                                         "drops",
                                         "dcqcn-tick",
                                         "fabric-down",
                                         "nic-down",
                                         "pair-window"),
                         [](const auto& info) {
                             std::string name = info.param;
                             name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
                             return name;
                         });

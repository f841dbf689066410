/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What the command line says of the build that it is: it was compiled with the settings of this
// test.

#include "harness/run_cli.h"

using namespace harness;

namespace
{

#ifdef NS3_ASSERT_ENABLE
constexpr bool ASSERTIONS = true;
#else
constexpr bool ASSERTIONS = false;
#endif

#ifdef WORMHOLE_SANITIZED
constexpr bool SANITIZED = true;
#else
constexpr bool SANITIZED = false;
#endif

constexpr int STANDARD = __cplusplus > 202002L ? 23 : __cplusplus > 201703L ? 20 : 17;

using CliBuildInfo = RunCli;

bool
Holds(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

TEST_F(CliBuildInfo, VersionAndSummaryAgree)
{
    const nlohmann::json program = Summary(
        {"--topology", "star:hosts=2", "--traffic", "incast:fan-in=1,bytes=1kB"})["program"];
    const std::string version = box.Run({"--version"}).out;

    EXPECT_EQ(program["assertions"], ASSERTIONS);
    EXPECT_EQ(program["cxx_standard"], STANDARD);
    EXPECT_EQ(Holds(version, ", with assertions"), ASSERTIONS) << version;
    EXPECT_EQ(Holds(version, ", not optimised"), !program["optimised"].get<bool>()) << version;
    EXPECT_TRUE(Holds(version, " as C++" + std::to_string(STANDARD) + "\n")) << version;
    EXPECT_TRUE(Holds(version,
                      "\nns-3 " + program["ns3"].get<std::string>() + ", profile " +
                          program["ns3_profile"].get<std::string>()))
        << version;
}

TEST_F(CliBuildInfo, SlowBuildsSaySoAtEachRun)
{
    for (const std::string command : {"run", "compare"})
    {
        const ProgramResult r = box.Run({command,
                                         "--topology",
                                         "star:hosts=2",
                                         "--traffic",
                                         "incast:fan-in=1,bytes=1kB",
                                         "--output",
                                         command});
        EXPECT_EQ(r.exit, 0) << r.err;
        EXPECT_EQ(Holds(r.err, "; for experiments, "), ASSERTIONS && !SANITIZED) << r.err;
        EXPECT_FALSE(Holds(box.Run({command, "--help"}).err, "warning")) << command;
    }
}

} // namespace

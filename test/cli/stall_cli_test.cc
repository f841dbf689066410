/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Runs in which nothing will ever move again end by themselves, and say so.

#include "harness/run_cli.h"

#include <gtest/gtest.h>
#include <string>

namespace
{

using namespace harness;
using nlohmann::json;

/** Links that lose every hundredth frame, pauses as well as resumes, and pauses all the time. */
const Words LOSSY{"--topology",
                  "star:hosts=4,rate=25Gbps,delay=1us,error=0.01",
                  "--set",
                  "ns3::RdmaSwitch::BufferSize=100000"};

class StallCli : public RunCli
{
  protected:
    /** Expects \p words to end with flows left, and standard error to hold \p text; within a few
     * seconds of simulated time although timers of flows and controls go on. */
    void ExpectStall(const Words& words, const std::string& text)
    {
        const ProgramResult r =
            box.Run(With(With(With({"run"}, LOSSY), words), {"--output", "out"}));
        EXPECT_EQ(r.exit, 3) << r.err;
        EXPECT_NE(r.err.find("the network has stalled"), std::string::npos) << r.err;
        EXPECT_NE(r.err.find("a lost resume is not sent again"), std::string::npos) << r.err;
        EXPECT_NE(r.err.find(text), std::string::npos) << r.err;
    }
};

TEST_F(StallCli, AFlowWhoseResumeWasLostIsNamed)
{
    const Words incast{"--traffic", "incast:fan-in=3,bytes=1MB", "--network-seed", "4"};
    for (const std::string control : {"none", "dcqcn"}) // whose timers never end
    {
        ExpectStall(With(incast, {"--cc", control}),
                    "flow from 2 to 3, 1000000 bytes, start 0 ns: 867000 of 1000000 bytes "
                    "acknowledged, NIC paused by PFC");
    }
    const Words fast{"--cc", "dcqcn", "--mode", "fast"};
    ExpectStall(With(incast, fast), "1 of 3 flows did not complete");
}

TEST_F(StallCli, WhatIsStillToComeIsWaitedFor)
{
    // Nothing moves from a millisecond on; a flow of two hosts that do not take part starts at 5 s.
    box.Write("flows.txt",
              "4\n0 3 3 100 1000000 0\n1 3 3 100 1000000 0\n2 3 3 100 1000000 0\n"
              "0 1 3 100 1000 5\n");
    ExpectStall({"--flows", "flows.txt", "--cc", "dcqcn", "--network-seed", "4"},
                "1 of 4 flows did not complete");
}

TEST_F(StallCli, OperationsOfWorkloadsAreNamedToo)
{
    ExpectStall(
        {"--workload", "all-to-all:ranks=4,bytes=4MB", "--cc", "dcqcn", "--network-seed", "11"},
        "bytes acknowledged, NIC paused by PFC");
}

} // namespace

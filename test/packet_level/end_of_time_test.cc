/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What takes longer than simulated time can count: an error that names file, line and value, at
// every level, and never a time that has wrapped.

#include "harness/run_cli.h"

#include "ns3/rdma-arithmetic.h"

#include <csignal>
#include <gtest/gtest.h>

using namespace harness;

namespace
{

using Words = std::vector<std::string>;

class EndOfTime : public RunCli
{
  protected:
    EndOfTime()
    {
        // 2^63 bytes at 100 Gb/s take 7.4e8 s, some 8,500 days; 104 can be counted.
        box.Write("big.goal",
                  "num_ranks 2\nrank 0 {\ncalc 5\nsend 9223372036854775808b to 1\n}\n"
                  "rank 1 {\nrecv 9223372036854775808b from 0\n}\n");
        box.Write("long.goal", "num_ranks 1\nrank 0 {\ncalc 1000\ncalc 9000000000000000\n}\n");
        // each fits, one after the other they do not
        box.Write("sum.goal",
                  "num_ranks 1\nrank 0 {\na: calc 5000000000000000\nb: calc 5000000000000000\n"
                  "b requires a\n}\n");
        box.Write("big.flow", "2\n0 1 3 100 1000 0\n0 1 3 100 9223372036854775807 0.000001\n");
        box.Write(
            "big.simai",
            "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1 vpp: 1 "
            "ga: 1 all_gpus: 8\n1\nx -1 1 ALLREDUCE 9223372036854775808 1 NONE 0 1 NONE 0 1\n");
    }

    void ExpectLate(const Words& words, const std::string& text)
    {
        SCOPED_TRACE(testing::PrintToString(words));
        ExpectError(With(words, {"--output", "out", "--no-progress"}), text);
        ExpectError(With(words, {"--output", "out", "--no-progress"}),
                    "would not be over after 104 days of simulated time");
    }
};

constexpr uint64_t MOST = UINT64_MAX;

static_assert(ns3::RdmaSum(MOST - 1, 1) == MOST && ns3::RdmaSum(MOST, 1) == MOST);
static_assert(ns3::RdmaProduct(MOST / 2, 2) == MOST - 1 && ns3::RdmaProduct(MOST / 2, 3) == MOST);
static_assert(ns3::RdmaLater(5, INT64_MAX - 5) == INT64_MAX);
static_assert(ns3::RdmaLater(6, INT64_MAX - 5) == INT64_MAX);
static_assert(ns3::RdmaLater(4, INT64_MAX - 5) == INT64_MAX - 1);
static_assert(ns3::RdmaShare(MOST, 2) == MOST / 2 + 1);

} // namespace

TEST_F(EndOfTime, StepsAreRoundedUpToTheLargest)
{
    EXPECT_EQ(ns3::RdmaSteps(2.5), 3);
    EXPECT_EQ(ns3::RdmaSteps(8e18), 8'000'000'000'000'000'000);
    EXPECT_EQ(ns3::RdmaSteps(9e18), INT64_MAX);
}

TEST_F(EndOfTime, FlowLevel)
{
    const Words star{"--topology", "star:hosts=2", "--mode", "flow"};
    ExpectLate(With(star, {"--workload", "big.goal"}),
               "big.goal:4: rank 0, operation 1, a send of 9223372036854775808 bytes,");
    ExpectLate(With(star, {"--workload", "long.goal"}),
               "long.goal:4: rank 0, operation 1, a computation of 9000000000000000 ns");
    ExpectLate(With(star, {"--workload", "sum.goal"}),
               "sum.goal:4: rank 0, operation 1, a computation of 5000000000000000 ns");
    ExpectLate(With(star, {"--flows", "big.flow"}),
               "big.flow:3: the flow of 9223372036854775807 bytes from node 0 to node 1");
}

TEST_F(EndOfTime, OfStepsThatFitOneByOne)
{
    // A ring of 8 at 2880 Gb/s: 14 steps of 2^60 bytes with 4.8 % of headers, 37 days each. The sum
    // wrapped in silence: 8.2e12 us.
    ExpectLate({"--workload",
                "big.simai",
                "--topology",
                "spectrum-x:gpus=8,gpus-per-tor=8,spines=1",
                "--mode",
                "flow"},
               "big.simai:3: layer x, all-reduce of 9223372036854775808 bytes,");
}

TEST_F(EndOfTime, WhatFitsIsRight)
{
    // 1e17 bytes of 1e14 packets, each with 48 bytes of headers, at 12.5 GB/s: 8.384e6 s, 97 days,
    // and the way: 2 us of propagation, a packet of 83.84 ns
    box.Write("fits.flow", "1\n0 1 3 100 100000000000000000 0\n");
    const nlohmann::json summary = Summary(
        {"--topology", "star:hosts=2", "--mode", "flow", "--cc", "none", "--flows", "fits.flow"});
    EXPECT_NEAR(summary["simulated_s"].get<double>(), 8.384e6, 1);
}

TEST_F(EndOfTime, MessageLevel)
{
    ExpectLate({"--mode", "message", "--workload", "big.goal"},
               "big.goal:4: rank 0, operation 1, a send of 9223372036854775808 bytes,");
    ExpectLate({"--mode", "message", "--workload", "sum.goal"},
               "sum.goal:4: rank 0, operation 1, a computation of 5000000000000000 ns");
}

TEST_F(EndOfTime, PacketLevel)
{
    const Words star{"--topology", "star:hosts=2", "--simulator"};
    for (const char* simulator : {"native", "default"})
    {
        ExpectLate(With(star, {simulator, "--workload", "sum.goal"}),
                   "sum.goal:4: rank 0, operation 1, a computation of 5000000000000000 ns");
    }
}

TEST_F(EndOfTime, FastForward)
{
    // Without a control, rates are constant: one skip goes to the end of time.
    const Words star{"--topology", "star:hosts=2", "--mode", "fast", "--cc", "none"};
    ExpectLate(With(star, {"--workload", "big.goal"}),
               "big.goal:4: rank 0, operation 1, a send of 9223372036854775808 bytes,");
    ExpectLate(With(star, {"--flows", "big.flow"}),
               "big.flow:3: the flow of 9223372036854775807 bytes from node 0 to node 1");
}

TEST_F(EndOfTime, ARunThatIsStoppedBeforeNeedNotEnd)
{
    const Words words{"run",
                      "--topology",
                      "star:hosts=2",
                      "--mode",
                      "fast",
                      "--cc",
                      "none",
                      "--flows",
                      "big.flow",
                      "--stop",
                      "1",
                      "--output",
                      "out"};
    const ProgramResult r = box.Run(words);
    EXPECT_EQ(r.exit, 3) << r.err; // a flow is left
    EXPECT_NEAR(box.ReadJson("out/summary.json")["simulated_s"].get<double>(), 1, 1e-9);
}

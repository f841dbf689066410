/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/data.h"

#include "ns3/rdma-topology-generator.h"
#include "ns3/workload-flow-transport.h"
#include "ns3/workload-simai-file.h"
#include "ns3/workload-simai-report.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <iostream>

using namespace ns3;

namespace
{

struct Case
{
    const char* file;
    const char* topology;
    bool shortHeader; ///< lacks ep, pp, vpp, ga and all_gpus
    uint64_t flows;   ///< of the whole run; 0: not worked out by hand
};

/** Runs a file on the flow level and reports its totals. */
void
RunCase(const std::filesystem::path& folder, const Case& what)
{
    SCOPED_TRACE(what.file);
    WorkloadSimAiOptions options;
    if (what.shortHeader)
    {
        options.ep = options.pp = options.vpp = options.ga = 1;
        options.allGpus = 16;
    }
    const WorkloadSimAiFile file = ReadWorkloadSimAi((folder / what.file).string(), options);
    const RdmaTopology topology = GenerateRdmaTopology(what.topology);
    WorkloadFlowOptions level;
    level.payloadBytes = 9000;
    level.headerBytes = 52;
    level.nvSwitches = true;
    WorkloadFlowTransport transport(topology, level);
    WorkloadSimAiRunner runner(file, ResolveWorkloadSimAiOptions(options, topology), transport);
    EXPECT_TRUE(runner.Run());
    EXPECT_TRUE(runner.ExplainStall(3).empty());
    EXPECT_EQ(runner.GetCompleted(), runner.GetTotal());
    const WorkloadSimAiSummary summary = SummarizeWorkloadSimAi(file, runner);
    EXPECT_GE(summary.totalNs, summary.computeNs);
    EXPECT_GE(summary.lastNs, summary.totalNs);
    if (what.flows > 0)
    {
        EXPECT_EQ(runner.GetFlowCount(), what.flows);
    }
    std::cout << what.file << " on " << what.topology << ": " << file.layers.size() << " layers, "
              << file.warnings.size() << " warnings, " << runner.GetFlowCount() << " flows, "
              << summary.totalNs / 1e6 << " ms, of that " << summary.computeNs / 1e6
              << " ms computation, last rank " << summary.lastRank << " at " << summary.lastNs / 1e6
              << " ms\n";
}

class SimAiData : public testing::TestWithParam<Case>
{
};

} // namespace

TEST_P(SimAiData, RunsOnTheFlowLevel)
{
    RunCase(harness::Data("formats/simai"), GetParam());
}

const char* const A100 = "spectrum-x:gpus=16,gpu-type=A100";

// A ring of n ranks with c of them on each server has 2(n-1)nc flows for an all-reduce, half as
// many for an all-gather or a reduce-scatter; an all-to-all has n(n-1). So on 2 servers of 8 GPUs
// all groups of a kind have, in an all-reduce, an all-gather and an all-to-all:
//
//  TP 8: 2 groups of n=8, c=8: 1792, 896; 8 data groups of n=2, c=1: 32, 16
//  TP 2: 8 groups of n=2, c=2: 64, 32, 16; 2 data groups of n=8, c=4: 896, 448;
//        EP 4: 4 groups of n=4: all-to-all 48; 8 groups of n=2, c=1 of the same experts: 32, 16
//  TP 1: a group of n=16, c=8: 3840, 1920, 240; nothing in the tensor group of one
INSTANTIATE_TEST_SUITE_P(
    Own,
    SimAiData,
    testing::Values(Case{"tp8-short-header.txt", A100, true, 896 + 16 + 7 * 1792},
                    Case{"tp8-sequence-parallel.txt", A100, true, 1792 + 4 * 896 + 1792},
                    Case{"tp1-zero3.txt", A100, true, 1920},
                    Case{"tp2-experts.txt",
                         A100,
                         false,
                         2 * 448 + 2 * 16 + 64 + 3 * 32 + 2 * 16 + 2 * 48 + 2 * 32 + 64},
                    Case{"micro-all-gather.txt", A100, false, uint64_t{3} * 1920},
                    Case{"micro-all-reduce.txt", A100, false, uint64_t{3} * 3840},
                    Case{"micro-all-to-all.txt", A100, false, uint64_t{3} * 240},
                    Case{"data-all-reduce.txt", A100, true, uint64_t{3} * 32},
                    Case{"two-all-reduces-tp8.txt", "spectrum-x:gpus=8", false, 2 * 896}));

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/simai_case.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>

using namespace ns3;

// The tutorial's groups never leave their server: one server gives the same. All of it is in
// workload-simai-packets-slow-gtest.cc.

TEST(SimAiPackets, RingBusBandwidthIsTheTutorials)
{
    WorkloadSimAiOptions options;
    options.sendLatency = 2000;
    harness::ExpectSimAiTutorial("simai:gpus=8,rail=1,spines=1,nvlink-rate=1440Gbps",
                                 64,
                                 options,
                                 harness::SIMAI_RING_BANDWIDTHS);
}

TEST(SimAiPackets, NvlsBusBandwidthIsTheTutorials)
{
    WorkloadSimAiOptions options;
    options.sendLatency = 12000;
    options.nvls = true;
    harness::ExpectSimAiTutorial("simai:gpus=8,rail=1,spines=1,nvlink-rate=1360Gbps",
                                 64,
                                 options,
                                 harness::SIMAI_NVLS_BANDWIDTHS);
}

/** What SimAI publishes: 1604 us and 28 latencies; -1 is 1.7's table. */
TEST(SimAiPackets, TotalsBySendLatencyAreThePublished)
{
    const std::string workload =
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1 vpp: 8 ga: 1 "
        "all_gpus: 8\n2\n"
        "embedding_layer -1 556000 ALLREDUCE 16777216 1 NONE 0 1 NONE 0 1\n"
        "embedding_layer -1 556000 ALLREDUCE 67108864 1 NONE 0 1 NONE 0 1\n";
    WorkloadSimAiOptions options;
    options.literalLatency = true;
    for (const auto& [latency, total] :
         {std::pair<int64_t, double>{6, 1772}, {6000, 169604}, {7200, 203204}, {-1, 389404}})
    {
        options.sendLatency = latency;
        options.rules = latency < 0 ? WorkloadSimAiRules::SIMAI_1_7 : WorkloadSimAiRules::SIMAI_1_6;
        const double found = harness::RunSimAiPackets(
                                 workload,
                                 "simai:gpus=8,rail=1,spines=1,rate=200Gbps,nvlink-rate=2400Gbps",
                                 options)
                                 .at("total_us");
        EXPECT_NEAR(found, total, 0.005 * total);
    }
}

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a run is said to cost before it begins, against what it costs.

#include "../scratch/wormhole/estimate/estimate-volume.h"
#include "../scratch/wormhole/estimate/machine-groups.h"
#include "../scratch/wormhole/estimate/machine-memory.h"
#include "../scratch/wormhole/run/run-options.h"
#include "harness/memory.h"
#include "harness/sandbox.h"
#include "harness/sanitized.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

using harness::ProgramResult;
using harness::Sandbox;
using harness::With;
using harness::Words;
using nlohmann::json;

namespace
{

json
EstimateOf(const Sandbox& box, const Words& words)
{
    const ProgramResult r = box.Run(With(words, {"--estimate", "--json"}));
    EXPECT_EQ(r.exit, 0) << r.err;
    return json::parse(r.out);
}

TEST(Estimate, CountsByHand)
{
    Sandbox box;
    // 10,500 B are 11 packets of at most 1000 B, over 2 links; 4 flows
    const json e = EstimateOf(
        box,
        {"run", "--topology", "star:hosts=5", "--traffic", "incast:fan-in=4,bytes=10500"});
    EXPECT_EQ(e["transfers"], 4);
    EXPECT_EQ(e["bytes"], 42000.0);
    EXPECT_EQ(e["packets"], 44.0);
    EXPECT_EQ(e["crossings"], 88.0);
    EXPECT_EQ(e["trial"]["crossings"], 88.0);
    EXPECT_EQ(e["trial"]["finished"], true);
    EXPECT_GT(e["packet_level_s"].get<double>(), 0);
    EXPECT_FALSE(std::filesystem::exists(box.PathOf("wormhole-out"))); // nothing is run
}

TEST(Estimate, CountsWhatBeginsBeforeTheStop)
{
    Sandbox box;
    box.Write("flows.txt", "2\n0 1 3 100 1000000 0\n0 1 3 100 5000 0.001\n");
    const Words words{"run", "--topology", "star:hosts=2", "--flows", "flows.txt"};
    EXPECT_EQ(EstimateOf(box, With(words, {"--stop", "1ms"}))["transfers"], 1);
    const ProgramResult all = box.Run(With(words, {"--stop", "1s", "--estimate"}));
    EXPECT_NE(all.out.find("2 transfers"), std::string::npos) << all.out;
    EXPECT_EQ(all.err.find("--stop"), std::string::npos) << all.err; // it has ended before
    EXPECT_NE(box.Run(With(words, {"--stop", "1us", "--estimate"}))
                  .err.find("the flows that begin before it"),
              std::string::npos);
    const ProgramResult workload = box.Run({"run",
                                            "--topology",
                                            "star:hosts=4",
                                            "--workload",
                                            "all-reduce:ranks=4,bytes=1MB",
                                            "--stop",
                                            "1us",
                                            "--estimate"});
    EXPECT_NE(workload.err.find("--stop: traffic, crossings and memory are those of the whole"),
              std::string::npos)
        << workload.err;
}

/** Runs a scenario, and expects it to cross as many links as estimated, in about the memory. */
void
ExpectAsEstimated(const Words& words)
{
    Sandbox box;
    const json e = EstimateOf(box, words);
    ASSERT_EQ(box.Run(With(words, {"--quiet"})).exit, 0);
    const json summary = box.ReadJson("wormhole-out/summary.json");
    EXPECT_EQ(e["crossings"].get<double>(), summary["counters"]["packet_hops"].get<double>());
    constexpr double KIB = 1024;
    const double ratio =
        e["memory_bytes"].get<double>() / summary["cost"]["peak_memory_kib"].get<double>() / KIB;
    // a sanitizer takes memory of its own for each allocation, of which many flows make many
    EXPECT_GT(ratio, harness::IsSanitized() ? 1 / 3.0 : 1 / 1.5) << words[2];
    EXPECT_LT(ratio, 1.5) << words[2];
}

TEST(Estimate, FlowsCrossAsManyLinks)
{
    ExpectAsEstimated({"run",
                       "--topology",
                       "leaf-spine:leaves=4,spines=2,hosts-per-leaf=4",
                       "--traffic",
                       "all-to-all:bytes=20KB"});
    ExpectAsEstimated({"run", "--topology", "fat-tree:k=8", "--traffic", "permutation:bytes=10KB"});
    // 16,256 flows at once (1,560 with sanitizers), which fast-forward watches in vain
    const std::string star = harness::IsSanitized() ? "star:hosts=40" : "star:hosts=128";
    const Words many{"run", "--topology", star, "--traffic", "all-to-all:bytes=2KB"};
    ExpectAsEstimated(many);
    ExpectAsEstimated(With(many, {"--mode", "fast"}));
    const Sandbox box;
    EXPECT_TRUE(EstimateOf(box, many)["watching_s"].is_null());
    const json fast = EstimateOf(box, With(many, {"--mode", "fast"}));
    // as long as 8 packet-hops for each of the first 1000 of these flows
    EXPECT_NEAR(fast["watching_s"].get<double>(),
                1000 * 8 * fast["ns_per_packet_hop"].get<double>() * 1e-9,
                1e-9);
}

TEST(Estimate, WorkloadsCrossAsManyLinks)
{
    ExpectAsEstimated({"run",
                       "--workload",
                       "all-reduce:ranks=16,bytes=1MB",
                       "--topology",
                       "rail-optimized:gpus=16"});
}

TEST(Estimate, ReplaysCrossAsManyLinks)
{
    ExpectAsEstimated(
        {"run",
         "--workload",
         std::string("simai:file=") + WORMHOLE_SOURCE_DIR + "/workloads/simai/two-layers-tp8.txt",
         "--topology",
         "rail-optimized:gpus=16",
         "--payload",
         "9000"});
}

/** Expects of a scenario that the most it may need is known, and is not less than what it does. */
void
ExpectLessThanMost(const Words& words)
{
    constexpr uint64_t PAYLOAD = 1000;
    const wormhole::RunPlan plan = wormhole::MakeRunPlan(wormhole::ParseRunOptions(words));
    const wormhole::TrafficVolume volume = wormhole::VolumeOf(plan, PAYLOAD);
    const auto most = wormhole::MostVolumeOf(plan, PAYLOAD);
    ASSERT_TRUE(most) << words[1];
    EXPECT_GE(most->concurrent, volume.concurrent) << words[1];
    EXPECT_GE(most->inFlight * (1 + 1e-9), volume.inFlight) << words[1]; // which is a sum
    EXPECT_GE(most->ends, volume.ends) << words[1];
    EXPECT_GE(most->operations, volume.operations) << words[1];
    if (plan.IsFlowList()) // of which results remain; of others, operations
    {
        EXPECT_GE(most->transfers, volume.transfers) << words[1];
    }
    EXPECT_EQ(most->crossings, 0); // the traffic was not gone through
}

TEST(Estimate, MostIsKnownWithoutTheTraffic)
{
    const std::string simai = std::string(WORMHOLE_SOURCE_DIR) + "/workloads/simai/";
    const Words rails{"--topology", "rail-optimized:gpus=16", "--mode", "fast"};
    ExpectLessThanMost(With({"--workload", "all-reduce:ranks=16,bytes=1MB"}, rails));
    ExpectLessThanMost(With({"--workload", "simai:file=" + simai + "two-layers-tp8.txt"}, rails));
    ExpectLessThanMost(With({"--traffic", "permutation:bytes=100KB"}, rails));
    ExpectLessThanMost(With({"--traffic", "incast:fan-in=4,bytes=1KB"}, rails));
}

TEST(Estimate, OfCompareIsThatOfPacketLevel)
{
    Sandbox box;
    const Words scenario{"--topology", "star:hosts=3", "--traffic", "permutation:bytes=5KB"};
    const ProgramResult r = box.Run(With({"compare", "--estimate"}, scenario));
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_NE(r.out.find("30 of links"), std::string::npos) << r.out; // 3 * 5 packets * 2
    EXPECT_FALSE(std::filesystem::exists(box.PathOf("wormhole-compare")));
}

TEST(Estimate, IsShownAsATable)
{
    Sandbox box;
    const ProgramResult r = box.Run({"run",
                                     "--topology",
                                     "star:hosts=3",
                                     "--traffic",
                                     "permutation:bytes=5KB",
                                     "--mode",
                                     "fast",
                                     "--estimate"});
    EXPECT_EQ(r.exit, 0);
    EXPECT_NE(r.out.find("3 transfers, 14.6 KiB in 15 packets"), std::string::npos) << r.out;
    EXPECT_NE(r.out.find("30 of links, 2.00 per packet"), std::string::npos) << r.out;
}

/** Of this process, and so of those that it starts, while it lives. */
class AddressSpaceLimit
{
  public:
    explicit AddressSpaceLimit(rlim_t bytes)
    {
        getrlimit(RLIMIT_AS, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        setrlimit(RLIMIT_AS, &limit);
    }

    ~AddressSpaceLimit()
    {
        setrlimit(RLIMIT_AS, &m_before);
    }

    AddressSpaceLimit(const AddressSpaceLimit&) = delete;
    AddressSpaceLimit& operator=(const AddressSpaceLimit&) = delete;

  private:
    rlimit m_before{};
};

TEST(Estimate, WarnsOfTooLittleMemoryAndTooMuchTime)
{
    if (harness::IsSanitized())
    {
        GTEST_SKIP() << "the address sanitizer needs terabytes of address space";
    }
    Sandbox box;
    // 16,384 flows of 10 TB: 10^10 packets each; 16,384 hosts need more than 100 MB
    const Words words{"run",
                      "--topology",
                      "star:hosts=16384",
                      "--traffic",
                      "permutation:bytes=10TB",
                      "--estimate"};
    const AddressSpaceLimit limit(300U << 20);
    const ProgramResult r = box.Run(words);
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_NE(r.err.find("of memory, but only"), std::string::npos) << r.err;
    EXPECT_NE(r.err.find("packet level takes about"), std::string::npos) << r.err;
    EXPECT_NE(r.err.find("--mode fast"), std::string::npos) << r.err;
    EXPECT_NE(r.out.find("too little memory to try"), std::string::npos) << r.out;
}

TEST(Estimate, WhatExceedsMemoryDoesNotBegin)
{
    if (harness::IsSanitized())
    {
        GTEST_SKIP() << "the address sanitizer needs terabytes of address space";
    }
    Sandbox box;
    // At packet level 65,000 hosts and links take 65,000 (1400 + 2400) B = 247 MB; at flow level
    // 65,000 (400 + 1600) B = 130 MB.
    const Words large{"--topology", "star:hosts=65000", "--traffic", "incast:fan-in=2,bytes=1KB"};
    const AddressSpaceLimit limit(130U << 20);
    for (const Words& words : {With({"run"}, large),
                               With({"run", "--mode", "fast"}, large),
                               With({"run", "--mode", "flow"}, large),
                               With({"compare"}, large)})
    {
        const ProgramResult r = box.Run(words);
        EXPECT_EQ(r.exit, 2) << r.err;
        EXPECT_EQ(r.err.rfind("wormhole: this needs about ", 0), 0U) << r.err;
        EXPECT_NE(r.err.find("of memory, but only"), std::string::npos) << r.err;
        EXPECT_NE(r.err.find("--yes"), std::string::npos) << r.err;
        EXPECT_FALSE(std::filesystem::exists(box.PathOf("wormhole-out")));
        EXPECT_FALSE(std::filesystem::exists(box.PathOf("wormhole-compare")));
    }
    const ProgramResult r = box.Run(With({"run", "--yes"}, large));
    EXPECT_EQ(r.exit, 1) << r.err; // it runs, and out of memory
    EXPECT_NE(r.err.find("wormhole: warning: this needs about"), std::string::npos) << r.err;
    EXPECT_NE(r.err.find("out of memory"), std::string::npos) << r.err;
}

TEST(Estimate, MessagesHaveNoPackets)
{
    Sandbox box;
    const ProgramResult r = box.Run(
        {"run", "--workload", "all-reduce:ranks=4,bytes=1MB", "--mode", "message", "--estimate"});
    EXPECT_EQ(r.exit, 2);
    EXPECT_NE(r.err.find("--estimate: no effect with --mode message"), std::string::npos) << r.err;
}

TEST(MachineMemory, TheTightestControlGroupCounts)
{
    Sandbox box;
    box.Write("v2/a/memory.max", "1000\n");
    box.Write("v2/a/memory.current", "400\n");
    box.Write("v2/a/b/memory.max", "max\n");
    box.Write("v2/a/b/memory.current", "100\n");
    EXPECT_EQ(wormhole::CgroupMemory("0::/a/b\n", box.PathOf("v2")), 600U);
    box.Write("v1/memory/c/memory.limit_in_bytes", "5000\n");
    box.Write("v1/memory/c/memory.usage_in_bytes", "6000\n");
    EXPECT_EQ(wormhole::CgroupMemory("8:pids:/x\n4:memory:/c\n", box.PathOf("v1")), 0U);
    EXPECT_EQ(wormhole::CgroupMemory("", box.PathOf("v1")), UINT64_MAX);
    EXPECT_EQ(wormhole::CgroupMemory("nonsense", box.PathOf("v1")), UINT64_MAX);
}

TEST(MachineGroups, LimitProcessors)
{
    const harness::Sandbox box;
    box.Write("v2/a/cpu.max", "250000 100000\n");
    box.Write("v2/a/b/cpu.max", "max 100000\n");
    EXPECT_EQ(wormhole::CgroupProcessors("0::/a/b\n", box.PathOf("v2")), 3U); // two and a half
    box.Write("v1/cpu/c/cpu.cfs_quota_us", "50000\n");
    box.Write("v1/cpu/c/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(wormhole::CgroupProcessors("4:cpu,cpuacct:/c\n", box.PathOf("v1")), 1U);
    box.Write("v1/cpu/c/cpu.cfs_quota_us", "-1\n");
    EXPECT_EQ(wormhole::CgroupProcessors("4:cpu,cpuacct:/c\n", box.PathOf("v1")), UINT32_MAX);
    EXPECT_EQ(wormhole::CgroupProcessors("", box.PathOf("v1")), UINT32_MAX);
    EXPECT_GE(wormhole::MachineProcessors(), 1U);
}

TEST(MachineMemory, ThisMachineHasSome)
{
    EXPECT_GT(wormhole::AvailableMemory(), 1U << 20);
    EXPECT_GT(wormhole::ResidentMemory(), 1U << 20);
}

} // namespace

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// PFC from the command line: nothing is lost by default, in packets and with fast-forward, and
// where something is, it is said.

#include "harness/sandbox.h"

#include <gtest/gtest.h>
#include <string>

using namespace harness;
using nlohmann::json;

namespace
{

Words
Incast(const std::string& links, const std::string& bytes, const Words& more)
{
    return With({"run",
                 "--topology",
                 "star:hosts=9,rate=100Gbps," + links,
                 "--traffic",
                 "incast:fan-in=8,bytes=" + bytes,
                 "--output",
                 "out"},
                more);
}

/** Expects that the run completes and loses nothing. \return its summary */
json
ExpectLossless(const Words& words)
{
    const Sandbox box;
    const ProgramResult r = box.Run(words);
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_EQ(r.err.find("headroom"), std::string::npos) << r.err;
    json summary = box.ReadJson("out/summary.json");
    EXPECT_EQ(summary["counters"]["buffer_drops"], 0);
    EXPECT_EQ(summary["counters"]["nacks"], 0);
    return summary;
}

class Lossless : public testing::TestWithParam<std::string>
{
};

} // namespace

TEST_P(Lossless, ShortLinks)
{
    for (const char* delay : {"10ns", "100ns", "1us", "5us"})
    {
        for (const char* payload : {"1000", "4096", "9000"})
        {
            SCOPED_TRACE(std::string(delay) + ", payload " + payload);
            const json summary = ExpectLossless(Incast("delay=" + std::string(delay),
                                                       "2MB",
                                                       {"--mode",
                                                        GetParam(),
                                                        "--cc",
                                                        "none",
                                                        "--window",
                                                        "none",
                                                        "--payload",
                                                        payload,
                                                        "--set",
                                                        "ns3::RdmaSwitch::BufferSize=4MB"}));
            EXPECT_GT(summary["counters"]["pauses"], 0);
        }
    }
}

TEST_P(Lossless, SmallBuffers)
{
    // It takes 9 * 8192 B of reserve and, at 100 ns and with payloads of 4096 B, headrooms of some
    // 9 * 20 KB: 1 MB is enough.
    for (const char* control : {"none", "hpcc", "dcqcn"})
    {
        ExpectLossless(Incast("delay=100ns",
                              "2MB",
                              {"--mode",
                               GetParam(),
                               "--cc",
                               control,
                               "--payload",
                               "4096",
                               "--set",
                               "ns3::RdmaSwitch::BufferSize=1MB"}));
    }
}

TEST_P(Lossless, Fabrics)
{
    for (const std::string topology :
         {"leaf-spine:leaves=4,spines=2,hosts-per-leaf=4,rate=100Gbps,delay=50ns",
          "rail-optimized:gpus=32,rate=400Gbps,delay=200ns"})
    {
        for (const char* control : {"none", "dcqcn", "timely"})
        {
            SCOPED_TRACE(topology + ", " + control);
            ExpectLossless({"run",
                            "--topology",
                            topology,
                            "--traffic",
                            "all-to-all:bytes=100KB",
                            "--mode",
                            GetParam(),
                            "--cc",
                            control,
                            "--set",
                            "ns3::RdmaSwitch::BufferSize=2MB",
                            "--output",
                            "out"});
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Modes, Lossless, testing::Values("packet", "fast"));

TEST(LosslessWarnings, HpccsHeadroomIsWarnedOfBeforeAndItsLossesAfter)
{
    // 3 * 1250 B of headroom at 100 Gb/s and 100 ns hold less than what arrives after a pause
    const Sandbox box;
    const ProgramResult r = box.Run(Incast("delay=100ns",
                                           "2MB",
                                           {"--cc",
                                            "none",
                                            "--window",
                                            "none",
                                            "--set",
                                            "ns3::RdmaSwitch::HeadroomFactor=3",
                                            "--set",
                                            "ns3::RdmaSwitch::BufferSize=4MB"}));
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_NE(r.err.find("the headroom of 9 switch ports is smaller than what can still arrive"),
              std::string::npos)
        << r.err;
    EXPECT_NE(r.err.find("has 3750 of"), std::string::npos) << r.err;
    const json summary = box.ReadJson("out/summary.json");
    const uint64_t drops = summary["counters"]["buffer_drops"];
    ASSERT_GT(drops, 0U);
    const std::string told =
        std::to_string(drops) + " frames were lost to full buffers in spite of PFC: ";
    EXPECT_NE(r.err.find(told), std::string::npos) << r.err;
    EXPECT_NE(r.err.find(" at node 9 from node "), std::string::npos) << r.err;
    EXPECT_EQ(summary["warnings"].size(), 2U);
}

TEST(LosslessWarnings, AcknowledgementsThatNoPauseStopsAreNamed)
{
    // with packets of 64 B, acknowledgements are about as many bytes as data, and go on in a pause
    const auto told = [](const Words& more) {
        const Sandbox box;
        return box
            .Run(With({"run",
                       "--topology",
                       "star:hosts=9,delay=2us",
                       "--traffic",
                       "all-to-all:bytes=200KB",
                       "--cc",
                       "none",
                       "--window",
                       "none",
                       "--payload",
                       "64",
                       "--set",
                       "ns3::RdmaSwitch::BufferSize=500KB"},
                      more))
            .err;
    };
    const Words hosts{"--set", "ns3::RdmaHost::AckHighPriority=true"};
    const std::string lost = told(hosts);
    EXPECT_NE(lost.find("in spite of PFC"), std::string::npos) << lost;
    EXPECT_NE(lost.find("ns3::RdmaHost::AckHighPriority=true without"), std::string::npos) << lost;
    EXPECT_EQ(lost.find("HeadroomFactor"), std::string::npos) << lost;
    EXPECT_EQ(told({}).find("in spite of PFC"), std::string::npos);
    const Words both = With(hosts, {"--set", "ns3::RdmaSwitch::AckHighPriority=true"});
    EXPECT_EQ(told(both).find("in spite of PFC"), std::string::npos);
}

TEST(LosslessWarnings, WithoutPfcNobodySpeaksOfPauses)
{
    const Sandbox box;
    const ProgramResult r = box.Run(Incast(
        "delay=1us",
        "100KB",
        {"--set", "ns3::RdmaSwitch::Pfc=false", "--set", "ns3::RdmaSwitch::BufferSize=30KB"}));
    // nine reserves of 4096 B, and headrooms of 20 * 1514 B (rdma-lossless-test.cc)
    const std::string lacks = std::to_string(9 * (4096 + 20 * 1514) - 30000);
    EXPECT_NE(r.err.find("lacks " + lacks + " bytes"), std::string::npos) << r.err;
    EXPECT_EQ(r.err.find("paus"), std::string::npos) << r.err;
    EXPECT_EQ(r.err.find("PFC"), std::string::npos) << r.err;
    EXPECT_NE(r.err.find("every queue beyond its reserve loses frames"), std::string::npos);
}

TEST(LosslessWarnings, DcqcnEndsWhereFramesAreLost)
{
    const Sandbox box;
    const ProgramResult r = box.Run(Incast("delay=1us",
                                           "10MB",
                                           {"--cc",
                                            "dcqcn",
                                            "--stop",
                                            "0.02",
                                            "--set",
                                            "ns3::RdmaSwitch::Pfc=false",
                                            "--set",
                                            "ns3::RdmaSwitch::BufferSize=1000000"}));
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_EQ(box.ReadJson("out/summary.json")["flows"]["completed"], 8);
}

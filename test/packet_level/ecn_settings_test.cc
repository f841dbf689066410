/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Thresholds of switches, and quantities with units, by --set.

#include "harness/sandbox.h"

#include <gtest/gtest.h>
#include <string>

using namespace harness;
using nlohmann::json;

namespace
{

/** Hosts at 100 Gb/s, spines at 400 Gb/s. */
const char* const TWO_RATES = "10 4 10\n6 7 8 9\n"
                              "0 6 100Gbps 1us 0\n1 6 100Gbps 1us 0\n2 6 100Gbps 1us 0\n"
                              "3 7 100Gbps 1us 0\n4 7 100Gbps 1us 0\n5 7 100Gbps 1us 0\n"
                              "6 8 400Gbps 1us 0\n7 8 400Gbps 1us 0\n"
                              "6 9 400Gbps 1us 0\n7 9 400Gbps 1us 0\n";

ProgramResult
RunWith(const Sandbox& box, const Words& settings, const Words& more = {})
{
    Words words{"run", "--topology", "t.txt", "--traffic", "incast:fan-in=5,bytes=1MB"};
    for (const std::string& setting : settings)
    {
        words = With(words, {"--set", "ns3::RdmaSwitch::" + setting});
    }
    box.Write("t.txt", TWO_RATES);
    return box.Run(With(With(words, more), {"--cc", "dcqcn", "--output", "out"}));
}

uint64_t
MarksWith(const Words& settings)
{
    const Sandbox box;
    const ProgramResult r = RunWith(box, settings);
    EXPECT_EQ(r.exit, 0) << r.err;
    return box.ReadJson("out/summary.json")["counters"]["marks"];
}

} // namespace

TEST(EcnSettings, ThresholdsApplyByRate)
{
    // The queue is at a port of 100 Gb/s. It is marked from 5 KB on, or hardly at all.
    const uint64_t low = MarksWith({"Kmin=100Gbps:5KB", "Kmax=100Gbps:5KB"});
    const uint64_t high = MarksWith({"Kmin=30MB", "Kmax=30MB"});
    EXPECT_GT(low, 1000U);
    EXPECT_EQ(high, 0U);
    EXPECT_EQ(MarksWith({"Kmin=5KB,400Gbps:1MB", "Kmax=5KB,400Gbps:1MB"}), low);
    EXPECT_LT(MarksWith({"Kmin=400Gbps:5KB", "Kmax=400Gbps:5KB"}), low);
    EXPECT_EQ(MarksWith({"Kmin=5KB", "Kmax=30MB", "Pmax=0"}), 0U);
}

TEST(EcnSettings, AreInTheSummaryAsTheyAreRead)
{
    const Sandbox box;
    const ProgramResult r = RunWith(box,
                                    {"Kmin=100Gbps:100KB,400Gbps:0.4MB",
                                     "Pmax=0.25",
                                     "BufferSize=32MB",
                                     "Reserve=8KiB",
                                     "PauseTime=6us"});
    EXPECT_EQ(r.exit, 0) << r.err;
    const json all = box.ReadJson("out/summary.json")["configuration"]["attributes"];
    const json& sw = all["ns3::RdmaSwitch"];
    EXPECT_EQ(sw["Kmin"], "100Gbps:100000,400Gbps:400000");
    EXPECT_EQ(sw["Kmax"], "");
    EXPECT_EQ(sw["Pmax"], "0.25");
    EXPECT_EQ(sw["BufferSize"], "32000000");
    EXPECT_EQ(sw["Reserve"], "8192");
    EXPECT_EQ(sw["PauseTime"], "6");
}

TEST(EcnSettings, MistakesAreNamedWithTheirRemedy)
{
    const std::vector<std::pair<Words, std::string>> mistakes{
        {{"Kmin=100Gpbs:100KB"}, "100Gpbs must be a link rate with its unit, such as 100Gbps"},
        {{"Kmin=0Gbps:100KB"}, "0Gbps must be a link rate"},
        {{"Kmin=100Gbps:100KX"}, "100KX must be a number, or bytes such as 100KB"},
        {{"Kmin=100Gbps:-1"}, "-1 must be a number"},
        {{"Kmin=1e300"}, "1e300 must be at most 2^53"},
        {{"Kmin=100Gbps:1KB,"}, "something must follow the last comma"},
        {{"Kmin=100Gbps:1KB,100Gbps:2KB"}, "100Gbps must stand there once"},
        {{"Kmin=1KB,2KB"}, "all other rates must stand there once"},
        {{"Kmin=200Gbps:1KB"}, "no switch has a link of this rate; they have 100Gbps"},
        {{"Kmin=100Gbps:2MB"},
         "Kmin must not exceed Kmax, but at 100Gbps it is 2000000 of 1600000 bytes; lower Kmin, "
         "or set Kmax, too"},
        {{"Kmin=0.5"}, "must be whole bytes"},
        {{"Pmax=1.5"}, "must be a probability from 0 to 1"},
        {{"Kmin=1KB", "Ecn=false"}, "no effect, since ns3::RdmaSwitch::Ecn"},
        {{"BufferSize=32XB"}, ", or bytes with a unit, such as 64KB"},
        {{"Reserve=5GB"}, "must be a whole number"},
        {{"PauseTime=1500ns"}, "or a time in whole us, such as 5us"},
        {{"PauseTime=32MB"}, "or a time in whole us, such as 5us"},
        {{"ThresholdShift=1KB"}, "must be a whole number from 0 to 31"},
    };
    for (const auto& [settings, message] : mistakes)
    {
        const Sandbox box;
        const ProgramResult r = RunWith(box, settings);
        EXPECT_EQ(r.exit, 2) << settings[0];
        EXPECT_NE(r.err.find(message), std::string::npos) << settings[0] << ": " << r.err;
    }
}

TEST(EcnSettings, GoBeforeThoseOfConfigTxt)
{
    const Sandbox box;
    box.Write("config.txt",
              "KMIN_MAP 2 100000000000 100 400000000000 100\n"
              "KMAX_MAP 2 100000000000 100 400000000000 100\n"
              "PMAX_MAP 2 100000000000 1 400000000000 1\n"
              "L2_ACK_INTERVAL 1\n");
    const ProgramResult r = RunWith(box, {"Kmin=30MB", "Kmax=30MB"}, {"--config", "config.txt"});
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_EQ(box.ReadJson("out/summary.json")["counters"]["marks"], 0);
}

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Several --traffic in one run, and in the runs of a sweep.

#include "harness/run_cli.h"

#include <gtest/gtest.h>
#include <map>
#include <sstream>

namespace
{

using harness::ProgramResult;
using harness::With;
using harness::Words;
using nlohmann::json;

const Words RING_AND_INCASTS{
    "--topology",
    "star:hosts=5",
    "--traffic",
    "ring:bytes=20KB",
    "--traffic",
    "incast:fan-in=2,senders=random,bytes=3KB,period=10us,duration=25us,name=burst"};

class TrafficMixCli : public harness::RunCli
{
  protected:
    /** \return flows and bytes of each kind in a recorded flows.csv */
    std::map<std::string, std::pair<int, uint64_t>> Kinds() const
    {
        std::map<std::string, std::pair<int, uint64_t>> kinds;
        const std::vector<std::string> lines = box.Lines("out/record/flows.csv");
        for (size_t i = 1; i < lines.size(); ++i)
        {
            std::istringstream in(lines[i]);
            std::string kind;
            std::string src;
            std::string dst;
            std::string bytes;
            std::getline(in, kind, ',');
            std::getline(in, src, ',');
            std::getline(in, dst, ',');
            std::getline(in, bytes, ',');
            ++kinds[kind].first;
            kinds[kind].second += std::stoull(bytes);
        }
        return kinds;
    }
};

} // namespace

TEST_F(TrafficMixCli, FlowsAddUpAndKeepTheirNames)
{
    // a ring of 5 hosts, and incasts of 2 flows at 0, 10 and 20 us
    const std::map<std::string, std::pair<int, uint64_t>> expected{{"ring", {5, 100000}},
                                                                   {"burst", {6, 18000}}};
    for (const char* mode : {"packet", "fast", "flow"})
    {
        const ProgramResult r = box.Run(
            With(With({"run"}, RING_AND_INCASTS),
                 {"--mode", mode, "--disturb", "3", "--record", "--output", "out", "--quiet"}));
        ASSERT_EQ(r.exit, 0) << r.err;
        EXPECT_EQ(Kinds(), expected) << mode;
        const json summary = box.ReadJson("out/summary.json");
        EXPECT_EQ(summary["configuration"]["traffic"],
                  json({RING_AND_INCASTS[3], RING_AND_INCASTS[5]}));
        EXPECT_EQ(summary["flows"]["completed"], 11);
    }
}

TEST_F(TrafficMixCli, ATraceIsAnInput)
{
    box.Write("a.csv", "time_us,source,destination,bytes\n1,0,1,1000\n");
    const ProgramResult r = box.Run({"run",
                                     "--topology",
                                     "star:hosts=2",
                                     "--traffic",
                                     "trace:file=a.csv",
                                     "--output",
                                     "out",
                                     "--quiet"});
    ASSERT_EQ(r.exit, 0) << r.err;
    EXPECT_EQ(box.ReadJson("out/summary.json")["inputs"][0]["path"], "a.csv");
    box.Write("a.csv", "time_us,source,destination,bytes\n1,0,7,1000\n");
    const ProgramResult wrong = box.Run(
        {"run", "--topology", "star:hosts=2", "--traffic", "trace:file=a.csv", "--output", "out"});
    EXPECT_EQ(wrong.exit, 2);
    EXPECT_NE(wrong.err.find("a.csv:2: "), std::string::npos) << wrong.err;
}

TEST_F(TrafficMixCli, SweepsVaryWhatCountsTogether)
{
    box.Write("study.json",
              R"({"topology": "star:hosts=4", "cc": ["hpcc", "dctcp"],
                  "traffic": [["ring:bytes={size}"], ["ring:bytes={size}", "incast:bytes=1KB"]],
                  "size": "2KB"})");
    ASSERT_EQ(box.Run({"sweep", "study.json", "--output", "s", "--quiet"}).exit, 0);
    const std::vector<std::string> lines = box.Lines("s/results.csv");
    ASSERT_EQ(lines.size(), 5U);
    EXPECT_NE(lines[1].find(",hpcc,ring:bytes={size},2KB,"), std::string::npos) << lines[1];
    EXPECT_NE(lines[2].find("ring:bytes={size} + incast:bytes=1KB"), std::string::npos) << lines[2];
    box.Write("wrong.json", R"({"topology": "star:hosts=4", "traffic": [["ring"], "incast"]})");
    const ProgramResult r = box.Run({"sweep", "wrong.json"});
    EXPECT_EQ(r.exit, 2);
    EXPECT_NE(r.err.find("wrong.json: traffic: must be lists throughout"), std::string::npos)
        << r.err;
}

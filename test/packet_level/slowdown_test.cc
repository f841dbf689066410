/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Slowdowns are relative to what a flow takes alone at least; fct.txt has HPCC's formula.

#include "harness/sandbox.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

using namespace harness;
using nlohmann::json;

namespace
{

const Words NETWORK{"run", "--topology", "star:hosts=4,rate=100Gbps,delay=1us", "--output", "out"};

/** Flows of such sizes, one after the other with nothing else in the network. */
std::string
OneAfterTheOther(const std::vector<uint64_t>& bytes)
{
    std::ostringstream text;
    text << bytes.size() << "\n";
    for (size_t i = 0; i < bytes.size(); ++i)
    {
        text << "0 1 3 100 " << bytes[i] << " " << 0.001 * static_cast<double>(i) << "\n";
    }
    return text.str();
}

class Slowdown : public testing::TestWithParam<std::string>
{
};

} // namespace

TEST_P(Slowdown, IsOneAloneAndNeverLess)
{
    const Sandbox box;
    box.Write("f.txt", OneAfterTheOther({1, 999, 1000, 1001, 12345, 1000000}));
    Words words =
        With(NETWORK, {"--flows", "f.txt", "--mode", GetParam(), "--cc", "none", "--record"});
    if (GetParam() != "flow")
    {
        words = With(words, {"--window", "none"});
    }
    const ProgramResult r = box.Run(words);
    ASSERT_EQ(r.exit, 0) << r.err;
    const json slowdown = box.ReadJson("out/summary.json")["slowdown"];
    EXPECT_DOUBLE_EQ(slowdown["mean"], 1);
    EXPECT_DOUBLE_EQ(slowdown["max"], 1);
    const std::vector<std::string> lines = box.Lines("out/record/flows.csv");
    ASSERT_EQ(lines.size(), 7U);
    for (size_t i = 1; i < lines.size(); ++i)
    {
        const size_t comma = lines[i].rfind(',');
        const size_t before = lines[i].rfind(',', comma - 1);
        EXPECT_EQ(lines[i].substr(before + 1, comma - before - 1), lines[i].substr(comma + 1));
    }
}

INSTANTIATE_TEST_SUITE_P(Modes, Slowdown, testing::Values("packet", "flow"));

TEST(Slowdowns, OfControlsAreAtLeastOne)
{
    for (const char* control :
         {"hpcc", "dcqcn", "timely", "dctcp", "swift", "powertcp", "hpcc-pint", "nscc"})
    {
        const Sandbox box;
        box.Write("f.txt", OneAfterTheOther({1, 100, 1000, 5000, 100000, 1000000}));
        const ProgramResult r =
            box.Run(With(NETWORK, {"--flows", "f.txt", "--cc", control, "--record"}));
        ASSERT_EQ(r.exit, 0) << r.err;
        EXPECT_GE(box.ReadJson("out/summary.json")["slowdown"]["p50"], 1.0) << control;
        const ProgramResult report = box.Run({"report", "out", "--json"});
        const json flows = json::parse(report.out)["runs"][0]["flows"]["kinds"][0];
        const std::vector<double> all = flows["slowdown_distribution"]["slowdown"];
        EXPECT_GE(*std::min_element(all.begin(), all.end()), 1.0) << control;
    }
}

TEST(Slowdowns, FctTxtKeepsHpccsFormulaAtEveryLevel)
{
    // A packet of 1000 + 48 B over two links of 100 Gb/s and 1 us. HPCC's formula: 2 * 2000 ns and
    // 2 * 80 ns for the payload, and 83.84 ns at the bottleneck: 4243. The flow takes 2 * (83.84 +
    // 1000) and, for the acknowledgement of 60 B, 2 * (4.8 + 1000): 4177.28.
    for (const char* mode : {"packet", "flow"})
    {
        const Sandbox box;
        box.Write("f.txt", OneAfterTheOther({1000}));
        ASSERT_EQ(box.Run(With(NETWORK, {"--flows", "f.txt", "--mode", mode, "--cc", "none"})).exit,
                  0);
        EXPECT_EQ(box.Lines("out/fct.txt"),
                  std::vector<std::string>{"0b000001 0b000101 10000 100 1000 0 4177 4243"})
            << mode;
        EXPECT_DOUBLE_EQ(box.ReadJson("out/summary.json")["slowdown"]["max"], 1) << mode;
    }
}

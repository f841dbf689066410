/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `scripts/bench.sh fast`: that it measures, reports, and goes on where it was. What it finds is
// judged by no test.

#include "harness/sandbox.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

namespace
{

using harness::Sandbox;
using nlohmann::json;

/** \return the script's exit code; what it says goes to the file "said" of the sandbox */
int
Bench(const Sandbox& box, const std::string& words)
{
    const std::string command = std::string(WORMHOLE_SOURCE_DIR "/scripts/bench.sh fast") +
                                " --runs 1 --program " WORMHOLE_BINARY " --build '" +
                                box.PathOf("build") + "' " + words + " > '" + box.PathOf("said") +
                                "' 2>&1";
    return std::system(command.c_str());
}

/** \return of bounds in a table of one row that is this fast, whether they are reached */
std::string
Verdict(const Sandbox& box, const std::string& must, const std::string& aim)
{
    const std::string row = R"({"title": "t", "group": "main", "complete": true, "modes":
        {"packet": {"cpu_s": 12}, "fast": {"cpu_s": 2, "errors": {"fct": {"mean": 0.01}}}},
        "disturbed": {"within_own_chaos": false}, "must": )" +
                            must + ", \"aim\": " + aim + "}";
    box.Write("results.json", "{\"rows\": [" + row + "]}");
    const std::string command = "jq -r -L " WORMHOLE_SOURCE_DIR
                                "/scripts --arg group main -f " WORMHOLE_SOURCE_DIR
                                "/scripts/bench-fast-tables.jq '" +
                                box.PathOf("results.json") + "' > '" + box.PathOf("table") + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
    const std::string table = box.Read("table");
    const size_t begin = table.rfind("| ", table.size() - 4) + 2;
    return table.substr(begin, table.rfind(" |") - begin);
}

} // namespace

TEST(BenchFast, MeasuresReportsAndGoesOnWhereItWas)
{
    namespace fs = std::filesystem;
    const Sandbox box;
    ASSERT_EQ(Bench(box, "--quick again incast"), 0) << box.Read("said");
    const json report = box.ReadJson("build/bench-fast-quick.json");
    ASSERT_EQ(report["rows"].size(), 2U);
    for (const json& row : report["rows"])
    {
        EXPECT_EQ(row["complete"], true) << row;
        EXPECT_GT(row["modes"]["fast"]["cpu_s"], 0) << row;
        EXPECT_TRUE(row["modes"]["fast"]["errors"]["fct"]["p99"].is_number()) << row;
        EXPECT_TRUE(row["modes"]["fast"]["audit"]["meanError"].is_number()) << row;
        EXPECT_TRUE(row["modes"]["flow"]["cpu_s"].is_number()) << row;
    }
    EXPECT_TRUE(report["rows"][0]["disturbed"]["within_own_chaos"].is_boolean());
    EXPECT_TRUE(report["rows"][1]["modes"]["fast_again"]["cpu_s"].is_number());
    EXPECT_NE(box.Read("build/bench-fast-quick.md").find("\n| incast 16 x 100 MB, HPCC [10MB for "),
              std::string::npos);

    ASSERT_EQ(Bench(box, "--quick again incast"), 0) << box.Read("said");
    EXPECT_NE(box.Read("said").find("again: known"), std::string::npos) << box.Read("said");
    EXPECT_EQ(box.ReadJson("build/bench-fast-quick.json")["rows"], report["rows"]);

    // once more in turn, but for the disturbed packet levels
    ASSERT_EQ(Bench(box, "--quick --again incast"), 0) << box.Read("said");
    const fs::path folder = box.PathOf("build/bench-fast-quick/incast");
    EXPECT_TRUE(fs::exists(folder / "packet"));
    EXPECT_TRUE(fs::exists(folder / "fast-disturb-1"));
    EXPECT_FALSE(fs::exists(folder / "packet-disturb-1"));
    const json again = box.ReadJson("build/bench-fast-quick.json")["rows"];
    EXPECT_NE(again[0]["date"], report["rows"][0]["date"]);
    EXPECT_EQ(again[0]["disturbed"], report["rows"][0]["disturbed"]);
    EXPECT_EQ(again[1], report["rows"][1]);

    // another packet level is not mixed with these
    const std::string kept = "build/bench-fast-quick/packet/incast-10MB/";
    box.Write(kept + "packet/fct.txt", box.Read(kept + "packet-disturb-1/fct.txt"));
    ASSERT_EQ(Bench(box, "--quick --again incast"), 0) << box.Read("said");
    EXPECT_NE(box.Read("said").find("of another program or other inputs"), std::string::npos);
    EXPECT_TRUE(fs::exists(folder / "packet-disturb-1"));
    EXPECT_EQ(box.Read(kept + "packet/fct.txt"),
              box.Read("build/bench-fast-quick/incast/packet/fct.txt"));
}

TEST(BenchFast, JudgesByItsBounds)
{
    // 12 s / 2 s = 6 times as fast, 1 % off on average, beyond chaos
    const Sandbox box;
    EXPECT_EQ(Verdict(box, R"({"speedup": 5, "fct_mean": 0.01})", R"({"speedup": 7})"), "yes");
    EXPECT_EQ(Verdict(box, R"({"speedup": 5})", R"({"speedup": 6})"), "aim");
    EXPECT_EQ(
        Verdict(box, R"({"speedup": 7, "fct_mean": 0.009, "within": 1, "makespan": 1})", "{}"),
        "no: times as fast, mean, within chaos, makespan");
}

TEST(BenchFast, LeavesOutWhatNeedsFilesThatAreNotThere)
{
    const Sandbox box;
    EXPECT_EQ(Bench(box, "--data '" + box.PathOf("nowhere") + "' simai-gpt-13b"), 0);
    EXPECT_NE(box.Read("said").find("simai-gpt-13b: left out; it needs files of "),
              std::string::npos)
        << box.Read("said");
    EXPECT_TRUE(box.ReadJson("build/bench-fast.json")["rows"].empty());
}

TEST(BenchFast, RefusesRowsThatAreNotThere)
{
    const Sandbox box;
    EXPECT_NE(Bench(box, "no-such-row"), 0);
    EXPECT_NE(box.Read("said").find("no-such-row: there is no such row"), std::string::npos);
}

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `scripts/bench.sh fast`: that it measures, reports, and goes on where it was. What it finds is
// judged by no test.

#include "harness/sandbox.h"

#include <cstdlib>
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
                                " --quick --runs 1 --program " WORMHOLE_BINARY " --build '" +
                                box.PathOf("build") + "' " + words + " > '" + box.PathOf("said") +
                                "' 2>&1";
    return std::system(command.c_str());
}

} // namespace

TEST(BenchFast, MeasuresReportsAndGoesOnWhereItWas)
{
    const Sandbox box;
    ASSERT_EQ(Bench(box, "again ring-6400KB"), 0) << box.Read("said");
    const json report = box.ReadJson("build/bench-fast-quick.json");
    ASSERT_EQ(report["rows"].size(), 2U);
    for (const json& row : report["rows"])
    {
        EXPECT_EQ(row["complete"], true) << row;
        EXPECT_GT(row["measured"]["speedup"], 0) << row;
        EXPECT_TRUE(row["measured"]["fct_p99"].is_number()) << row;
        EXPECT_TRUE(row["modes"]["flow"]["wall_s"].is_number()) << row;
    }
    EXPECT_TRUE(report["rows"][0]["required"]["again_over_fast"]["met"].is_boolean());
    EXPECT_NE(box.Read("build/bench-fast-quick.md").find("| ring, messages of 100 KB |"),
              std::string::npos);

    ASSERT_EQ(Bench(box, "again ring-6400KB"), 0) << box.Read("said");
    EXPECT_NE(box.Read("said").find("again: known"), std::string::npos) << box.Read("said");
    EXPECT_EQ(box.ReadJson("build/bench-fast-quick.json")["rows"], report["rows"]);
}

TEST(BenchFast, RefusesRowsThatAreNotThere)
{
    const Sandbox box;
    EXPECT_NE(Bench(box, "no-such-row"), 0);
    EXPECT_NE(box.Read("said").find("no-such-row: there is no such row"), std::string::npos);
}

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `wormhole tenants`, run for real.

#include "harness/run_cli.h"

using namespace harness;
using nlohmann::json;

namespace
{

class TenantsCli : public RunCli
{
  protected:
    /** Two ranks: a message of \p bytes from the first one to the second one. */
    void WriteMessage(const std::string& name, const std::string& bytes)
    {
        box.Write(name,
                  "num_ranks 2\nrank 0 {\nl1: send " + bytes +
                      "b to 1 tag 1\n}\nrank 1 {\nl1: recv " + bytes + "b from 0 tag 1\n}\n");
    }

    /** \return what two messages of 10 MB find at flow level, with these words besides */
    json Tenants(const Words& words)
    {
        WriteMessage("a.goal", "10000000");
        WriteMessage("b.goal", "10000000");
        const ProgramResult r = box.Run(
            With({"tenants", "--mode", "flow", "--topology", "star:hosts=4", "--output", "t"},
                 words));
        EXPECT_EQ(r.exit, 0) << r.err;
        table = r.out;
        return r.exit == 0 ? box.ReadJson("t/tenants.json")["tenants"] : json();
    }

    void ExpectMistake(const Words& words, const std::string& text)
    {
        const ProgramResult r = box.Run(With({"tenants"}, words));
        EXPECT_EQ(r.exit, 2) << r.out << r.err;
        EXPECT_NE(r.err.find(text), std::string::npos) << r.err;
    }

    std::string table;
};

} // namespace

TEST_F(TenantsCli, WhatSharesALinkTakesTwiceAsLong)
{
    // both send to host 1: each gets half of its link, and latency counts for less than 1 %
    const json tenants = Tenants(
        {"--workload", "goal:file=a.goal,place=0+1", "--workload", "goal:file=b.goal,place=2+1"});
    ASSERT_EQ(tenants.size(), 2U);
    for (const json& tenant : tenants)
    {
        EXPECT_NEAR(tenant["slowdown"].get<double>(), 2, 0.02);
        EXPECT_NEAR(tenant["together"]["finish_ns"].get<double>() /
                        tenant["alone"]["finish_ns"].get<double>(),
                    tenant["slowdown"].get<double>(),
                    1e-9);
    }
    EXPECT_EQ(tenants[1]["nodes"], json({2, 1}));
    EXPECT_NE(table.find("workload"), std::string::npos);
}

TEST_F(TenantsCli, WhatIsNotCompletedHasNoSlowdown)
{
    // host 1 is cut off, so the first message does not come, alone or together; the second one does
    WriteMessage("a.goal", "10000000");
    WriteMessage("b.goal", "10000000");
    const ProgramResult r =
        box.Run(With({"tenants", "--topology", "star:hosts=4", "--output", "t"},
                     {"--workload", "a.goal", "--workload", "b.goal", "--link-down", "10us:1-4"}));
    EXPECT_EQ(r.exit, 3) << r.err;
    const json tenants = box.ReadJson("t/tenants.json")["tenants"];
    ASSERT_EQ(tenants.size(), 2U);
    for (const json& tenant : tenants)
    {
        EXPECT_TRUE(tenant["slowdown"].is_null());
        EXPECT_TRUE(tenant["together"]["finish_ns"].is_null());
    }
    EXPECT_TRUE(tenants[0]["alone"]["finish_ns"].is_null());
    EXPECT_GT(tenants[1]["alone"]["finish_ns"], 0);
}

TEST_F(TenantsCli, WhatSharesNothingTakesAsLongAsAlone)
{
    // hosts 0 and 1, then 2 and 3, which the second one has alone, too
    const json tenants = Tenants({"--workload", "a.goal", "--workload", "b.goal"});
    ASSERT_EQ(tenants.size(), 2U);
    EXPECT_EQ(tenants[1]["nodes"], json({2, 3}));
    EXPECT_EQ(tenants[0]["slowdown"], 1.0);
    EXPECT_EQ(tenants[1]["slowdown"], 1.0);
    const json alone = box.ReadJson("t/alone-2/summary.json");
    EXPECT_EQ(alone["configuration"]["placement"]["policy"], "list");
}

TEST_F(TenantsCli, RandomPlacesAreTheSameAlone)
{
    const json tenants = Tenants(
        {"--workload", "a.goal", "--workload", "b.goal", "--placement", "random", "--seed", "3"});
    ASSERT_EQ(tenants.size(), 2U);
    EXPECT_EQ(tenants[0]["slowdown"], 1.0); // each host is of one job, wherever it is
}

TEST_F(TenantsCli, MistakesNameWhatIsWrong)
{
    WriteMessage("a.goal", "10");
    const Words star{"--mode", "flow", "--topology", "star:hosts=4"};
    ExpectMistake(With(star, {"--workload", "a.goal"}), "needs two --workload at least");
    const std::string named = "goal:file=a.goal,name=x";
    ExpectMistake(With(star, {"--workload", named, "--workload", named}), "two jobs are called x");
    ExpectMistake(With(star, {"--workload", "a.goal", "--links"}),
                  "--links: tenants runs several times");
    ExpectMistake(With(star, {"--workload", "none.goal", "--workload", "a.goal"}), "none.goal");
    ExpectMistake(
        With(star,
             {"--workload", "a.goal", "--workload", "goal:file=a.goal,name=b", "--json", "a.goal"}),
        "a.goal");
}

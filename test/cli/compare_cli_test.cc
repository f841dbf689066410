/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `wormhole compare`: what it runs, what it finds, and what becomes of mistakes and failures.

#include "harness/sandbox.h"

#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>

namespace
{

using harness::ProgramResult;
using harness::Sandbox;
using harness::With;
using harness::Words;
using nlohmann::json;

const Words INCAST{"--topology", "star:hosts=5", "--traffic", "incast:fan-in=4,bytes=100KB"};

class CompareCli : public testing::Test
{
  protected:
    json Compare(const Words& words, int exit = 0)
    {
        const ProgramResult r =
            box.Run(With(With({"compare"}, words), {"--output", "out", "--no-progress"}));
        EXPECT_EQ(r.exit, exit) << r.out << r.err;
        table = r.out;
        errors = r.err;
        return box.ReadJson("out/compare.json");
    }

    void ExpectError(const Words& words, const std::string& text)
    {
        const ProgramResult r = box.Run(With({"compare"}, words));
        EXPECT_EQ(r.exit, 2) << r.out << r.err;
        EXPECT_NE(r.err.find(text), std::string::npos) << r.err;
        EXPECT_FALSE(std::filesystem::exists(box.PathOf("wormhole-compare"))) << text;
    }

    Sandbox box;
    std::string table;
    std::string errors;
};

} // namespace

TEST_F(CompareCli, PutsSpeedsBesideErrors)
{
    const json c = Compare(With(INCAST, {"--rtts"}));
    EXPECT_TRUE(c["complete"]);
    EXPECT_FALSE(c["interrupted"]);
    EXPECT_TRUE(c["failures"].empty());
    for (const char* mode : {"packet", "fast", "flow"})
    {
        const json side = c["modes"][mode];
        EXPECT_GT(side["wall_s"], 0) << mode;
        EXPECT_GT(side["cpu_s"], 0) << mode;
        EXPECT_GT(side["speedup"], 0) << mode;
        EXPECT_EQ(side["flows"], 4) << mode;
        EXPECT_GT(side["events"]["run"], 0) << mode;
    }
    EXPECT_EQ(c["modes"]["packet"]["speedup"], 1);
    EXPECT_TRUE(c["modes"]["packet"]["errors"].is_null());
    const json fast = c["modes"]["fast"]["errors"];
    EXPECT_EQ(fast["fct"]["flows"], 4);
    EXPECT_EQ(fast["fct"]["unmatched"], 0);
    EXPECT_LT(fast["fct"]["mean"], 0.05);
    EXPECT_LE(fast["fct"]["p50"], fast["fct"]["max"]);
    EXPECT_LT(fast["makespan"], 0.05);
    EXPECT_EQ(fast["link_throughput"]["links"], 5);
    EXPECT_LT(fast["link_throughput"]["max"], 0.05);
    EXPECT_GT(fast["rtt"]["acknowledgements"], 0);
    EXPECT_TRUE(c["modes"]["fast"]["fast"]["events"].is_object());
    EXPECT_GT(c["modes"]["flow"]["errors"]["fct"]["mean"], 0);
    EXPECT_TRUE(c["modes"]["flow"]["errors"]["rtt"]["nrmse"].is_null());
    ASSERT_EQ(c["seeds"].size(), 1U);
    EXPECT_EQ(c["seeds"][0]["seed"], 2);
    EXPECT_EQ(c["seeds"][0]["errors"]["fct"]["flows"], 4);
    EXPECT_NE(table.find("\npacket, seed 2 "), std::string::npos) << table;
    EXPECT_NE(table.find("RTT NRMSE"), std::string::npos) << table;
}

TEST_F(CompareCli, TheErrorOfTheFlowLevelIsThatOfItsFiles)
{
    // one flow: the error is that of its time alone, and the link's is 1 / (1 - e) - 1 of it or so
    const json c = Compare(
        {"--topology", "star:hosts=2", "--traffic", "incast:fan-in=1,bytes=100KB", "--seeds", "1"});
    const auto fctOf = [&](const std::string& mode) {
        const std::vector<std::string> rows = box.Lines("out/" + mode + "/fct.txt");
        // "0b000101 0b000001 10000 100 100000 0 FCT ALONE"
        const std::string rest = rows.at(0).substr(37);
        return std::stod(rest.substr(0, rest.find(' ')));
    };
    const double packet = fctOf("packet");
    const double flow = fctOf("flow");
    const json e = c["modes"]["flow"]["errors"];
    EXPECT_NEAR(e["fct"]["mean"], std::abs(flow - packet) / packet, 1e-12);
    EXPECT_EQ(e["fct"]["mean"], e["fct"]["max"]);
    EXPECT_NEAR(e["makespan"], std::abs(flow - packet) / packet, 1e-12);
    // bytes / time on both: packet / flow - 1, but for less than a ns of each
    EXPECT_NEAR(e["link_throughput"]["max"], std::abs(packet / flow - 1), 2 / flow);
    EXPECT_TRUE(c["seeds"].empty());
}

TEST_F(CompareCli, WorkloadsAndStores)
{
    const json c = Compare({"--workload",
                            "all-reduce:ranks=4,bytes=100KB",
                            "--topology",
                            "star:hosts=4",
                            "--memo",
                            "memo.db",
                            "--runs",
                            "2",
                            "--seeds",
                            "1"});
    for (const char* mode : {"packet", "fast", "fast_again", "flow"})
    {
        EXPECT_EQ(c["modes"][mode]["walls_s"].size(), 2U) << mode;
        EXPECT_TRUE(c["modes"][mode]["makespan_ns"].is_number()) << mode;
    }
    EXPECT_LT(c["modes"]["fast_again"]["errors"]["fct"]["max"], 0.05);
    const json twice = box.ReadJson("out/fast-2/summary.json");
    EXPECT_EQ(twice["configuration"]["fast"]["memo"], "out/episodes-2.db");
    EXPECT_EQ(box.ReadJson("out/fast_again/summary.json")["configuration"]["fast"]["memo"],
              "memo.db");
    const ProgramResult disturbed = box.Run(
        With(With({"compare"}, INCAST),
             {"--memo", "other.db", "--disturb", "2", "--output", "disturbed", "--no-progress"}));
    EXPECT_NE(disturbed.out.find("fast_again, which knows the episodes of the first run, is not "
                                 "judged\n"),
              std::string::npos)
        << disturbed.out << disturbed.err;
}

TEST_F(CompareCli, AStoreThatIsNoneIsWarnedOf)
{
    box.Write("memo.db", "this is no database, but long enough to be looked at by anybody");
    Compare(With(INCAST, {"--memo", "memo.db", "--runs", "1", "--seeds", "1"}));
    EXPECT_NE(errors.find("wormhole: warning: episode store memo.db: "), std::string::npos)
        << errors;
}

TEST_F(CompareCli, AnEarlierPacketLevelIsReused)
{
    const json first = Compare(INCAST);
    const ProgramResult r = box.Run(
        With(With({"compare"}, INCAST), {"--packet-from", "out", "--output", "next", "--quiet"}));
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_EQ(r.out, "");
    const json c = box.ReadJson("next/compare.json");
    EXPECT_FALSE(std::filesystem::exists(box.PathOf("next/packet")));
    EXPECT_EQ(c["modes"]["packet"]["wall_s"], first["modes"]["packet"]["wall_s"]);
    EXPECT_EQ(c["modes"]["flow"]["errors"], first["modes"]["flow"]["errors"]);
    EXPECT_EQ(c["seeds"], first["seeds"]);
    EXPECT_EQ(c["notes"].size(), 1U);
    const ProgramResult other = box.Run(With(With({"compare"}, INCAST),
                                             {"--packet-from",
                                              "out",
                                              "--output",
                                              "other",
                                              "--quiet",
                                              "--payload",
                                              "500",
                                              "--cc",
                                              "dctcp"}));
    EXPECT_EQ(other.exit, 2);
    EXPECT_NE(other.err.find("--packet-from out: another scenario: "), std::string::npos)
        << other.err;
    // of long ones, what differs is shown
    const auto wide = [](const std::string& delay) {
        return Words{"--topology",
                     "leaf-spine:leaves=2,spines=2,hosts-per-leaf=4,rate=100Gbps,delay=" + delay,
                     "--traffic",
                     "incast:fan-in=4,bytes=100KB"};
    };
    EXPECT_EQ(box.Run(With(With({"run"}, wide("1us")), {"--links", "--output", "wide"})).exit, 0);
    const ProgramResult longer =
        box.Run(With(With({"compare"}, wide("2us")), {"--packet-from", "wide", "--quiet"}));
    EXPECT_NE(longer.err.find("delay=1us"), std::string::npos) << longer.err;
    EXPECT_NE(longer.err.find("delay=2us"), std::string::npos) << longer.err;
    // a single run has neither processor time nor seeds
    EXPECT_EQ(box.Run(With(With({"run"}, INCAST), {"--links", "--output", "single"})).exit, 0);
    const ProgramResult single =
        box.Run(With(With({"compare"}, INCAST),
                     {"--packet-from", "single", "--output", "last", "--quiet", "--seeds", "1"}));
    EXPECT_EQ(single.exit, 0) << single.err;
    const json modes = box.ReadJson("last/compare.json")["modes"];
    EXPECT_GT(modes["fast"]["speedup"], 0);
    EXPECT_TRUE(modes["packet"]["cpu_s"].is_null());
}

TEST_F(CompareCli, AnEarlierComparisonThatIsNoneIsAnError)
{
    Compare(INCAST);
    const std::string written = box.Read("out/compare.json");
    for (const std::string& text : {std::string("{}"), std::string(), written.substr(0, 300)})
    {
        box.Write("out/compare.json", text);
        const ProgramResult r =
            box.Run(With(With({"compare"}, INCAST), {"--packet-from", "out", "--output", "next"}));
        EXPECT_EQ(r.exit, 2) << text;
        EXPECT_NE(r.err.find("out/compare.json: "), std::string::npos) << r.err;
    }
}

TEST_F(CompareCli, WhatIsLeftIsNoted)
{
    // no way for good: packet level and fast-forward leave flows, and the flow level cannot say
    const json c = Compare(With(INCAST, {"--link-down", "1us:0-5", "--seeds", "1"}), 3);
    EXPECT_TRUE(c["complete"]);
    EXPECT_FALSE(c["modes"].contains("flow"));
    EXPECT_TRUE(c["modes"]["fast"]["errors"]["makespan"].is_null());
    ASSERT_EQ(c["notes"].size(), 3U);
    EXPECT_EQ(c["notes"][0], "no flow level: links do not fail at flow level");
    EXPECT_EQ(c["modes"]["packet"]["exit"], 3);
}

TEST_F(CompareCli, WhatOnlyPacketsKnowDoesNotGoToTheFlowLevel)
{
    const json c =
        Compare(With(INCAST, {"--recovery", "irn", "--class", "3:cc=dcqcn", "--seeds", "1"}));
    EXPECT_TRUE(c["complete"]);
    EXPECT_TRUE(c["modes"].contains("flow"));
}

TEST_F(CompareCli, ChaosIsTheScaleOfErrors)
{
    // equal-cost paths collide, and a nanosecond decides which frame is marked: DCQCN is chaotic
    // here
    const json c = Compare({"--topology",
                            "leaf-spine:leaves=4,spines=4,hosts-per-leaf=4",
                            "--traffic",
                            "permutation:bytes=1MB",
                            "--cc",
                            "dcqcn",
                            "--disturb",
                            "3"});
    EXPECT_TRUE(c["seeds"].empty()) << "a disturbance shows more than a seed";
    const json& d = c["disturbed"];
    EXPECT_EQ(d["pairs"], 4); // one of which nothing is moved
    EXPECT_EQ(d["moved"][0], "nothing");
    EXPECT_GT(d["flow_error"]["packet"], 0);
    EXPECT_EQ(d["flow_error"]["packet_pairs"].size(), 6U);
    EXPECT_EQ(d["flow_error"]["fast_pairs"].size(), 4U);
    EXPECT_NE(d["moved"][1], d["moved"][2]);
    ASSERT_EQ(d["statistics"].size(), 5U);
    for (const json& statistic : d["statistics"])
    {
        EXPECT_LE(statistic["interval"]["low"], statistic["bias"]);
        EXPECT_GE(statistic["interval"]["high"], statistic["bias"]);
    }
    EXPECT_TRUE(d["within_own_chaos"]) << d["beyond"];
    EXPECT_NE(table.find("\nwithin own chaos: yes\n"), std::string::npos) << table;
    EXPECT_EQ(box.ReadJson("out/fast-disturb-2/summary.json")["disturbed"]["moved"], d["moved"][2]);
    EXPECT_FALSE(c["modes"]["packet"]["wall_s"].is_null());
}

TEST_F(CompareCli, AllLinksCanBeDisturbed)
{
    const json d = Compare(With(INCAST, {"--disturb", "2", "--disturb-links", "all"}))["disturbed"];
    const std::string moved = d["moved"][2];
    EXPECT_NE(moved.find("each link of a host takes 2 ns longer"), std::string::npos) << moved;
    // Those of one link are others, with --packet-from.
    EXPECT_TRUE(std::filesystem::exists(box.PathOf("out/packet-disturb-all-2")));
    EXPECT_FALSE(std::filesystem::exists(box.PathOf("out/packet-disturb-2")));
}

TEST_F(CompareCli, AWrongFastForwardIsBeyondChaos)
{
    // the second flow has just begun, which a large theta takes for a steady state
    Words words{"--topology", "star:hosts=3", "--traffic", "incast:fan-in=2,bytes=20MB,jitter=1ms"};
    for (const char* option : {"Theta=0.9", "Guard=false", "FirstStretch=10000", "Window=4"})
    {
        words = With(words, {"--fast", option});
    }
    const json d = Compare(With(words, {"--disturb", "2"}))["disturbed"];
    EXPECT_FALSE(d["within_own_chaos"]);
    ASSERT_GE(d["beyond"].size(), 2U);
    EXPECT_EQ(d["beyond"][0], "error of single flows");
    EXPECT_EQ(d["beyond"][1], "FCT mean of all flows");
    EXPECT_NE(table.find("\nwithin own chaos: no\n"), std::string::npos) << table;
    EXPECT_NE(table.find(" %  beyond\n"), std::string::npos) << table;
}

TEST_F(CompareCli, DisturbedWorkloadsAreJudgedByKind)
{
    const Words job{"--workload",
                    "all-reduce:ranks=4,bytes=100KB",
                    "--topology",
                    "star:hosts=4",
                    "--memo",
                    "memo.db"};
    const json d = Compare(With(job, {"--disturb", "2"}))["disturbed"];
    std::vector<std::string> names;
    for (const json& statistic : d["statistics"])
    {
        names.push_back(statistic["statistic"].get<std::string>() + " of " +
                        statistic["of"].get<std::string>());
    }
    EXPECT_EQ(names,
              (Words{"FCT mean of all-reduce",
                     "FCT p50 of all-reduce",
                     "FCT p90 of all-reduce",
                     "FCT p99 of all-reduce",
                     "time of all-reduce",
                     "end of all-reduce",
                     "makespan of all"}));
    EXPECT_TRUE(d["within_own_chaos"]) << d["beyond"];
    // each begins with what was in the file before
    EXPECT_EQ(box.ReadJson("out/fast-disturb-2/summary.json")["configuration"]["fast"]["memo"],
              "out/episodes-disturb-2.db");
    // packet levels that are there are not run again
    const ProgramResult r = box.Run(
        With(With({"compare"}, job),
             {"--disturb", "2", "--packet-from", "out", "--output", "next", "--no-progress"}));
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_FALSE(std::filesystem::exists(box.PathOf("next/packet-disturb-1")));
    EXPECT_EQ(box.ReadJson("next/compare.json")["disturbed"]["moved"], d["moved"]);
    // in turn with fast-forward, only the undisturbed one is
    const Words again = With(With({"compare"}, job), {"--packet-from", "out", "--in-turn"});
    const ProgramResult turn =
        box.Run(With(again, {"--disturb", "2", "--output", "turn", "--quiet"}));
    EXPECT_EQ(turn.exit, 0) << turn.err;
    EXPECT_TRUE(std::filesystem::exists(box.PathOf("turn/packet/summary.json")));
    EXPECT_FALSE(std::filesystem::exists(box.PathOf("turn/packet-disturb-1")));
    EXPECT_EQ(box.ReadJson("turn/compare.json")["disturbed"]["moved"], d["moved"]);
    // which must be what it was
    box.Write("out/packet/fct.txt", box.Read("out/packet-disturb-1/fct.txt"));
    const ProgramResult other = box.Run(With(again, {"--output", "other", "--quiet"}));
    EXPECT_EQ(other.exit, 2);
    EXPECT_NE(other.err.find("--packet-from out: its flows complete at other times"),
              std::string::npos)
        << other.err;
}

TEST_F(CompareCli, AFailureKeepsWhatIsKnown)
{
    // the folder of the second mode cannot be made
    box.Write("out/fast", "in the way");
    const ProgramResult r =
        box.Run(With(With({"compare"}, INCAST), {"--output", "out", "--no-progress"}));
    EXPECT_EQ(r.exit, 1);
    EXPECT_NE(r.err.find("out/fast"), std::string::npos) << r.err;
    const json c = box.ReadJson("out/compare.json");
    EXPECT_FALSE(c["complete"]);
    EXPECT_EQ(c["modes"]["packet"]["flows"], 4);
}

TEST_F(CompareCli, MistakesOfInputsAreToldAsTheRunTellsThem)
{
    const ProgramResult r = box.Run({"compare",
                                     "--topology",
                                     "star:hosts=5",
                                     "--traffic",
                                     "incast:fan-in=9,bytes=1KB",
                                     "--output",
                                     "out",
                                     "--no-progress"});
    EXPECT_EQ(r.exit, 2);
    EXPECT_EQ(r.err.find("wormhole: incast: fan-in=9, but must be"), 0U) << r.err;
    EXPECT_FALSE(std::filesystem::exists(box.PathOf("out"))) << "nothing has begun";
}

TEST_F(CompareCli, InterruptsKeepWhatIsKnown)
{
    const Words longer{"compare",
                       "--topology",
                       "star:hosts=5",
                       "--traffic",
                       "incast:fan-in=4,bytes=2GB",
                       "--output",
                       "out",
                       "--no-progress"};
    ProgramResult other;
    const ProgramResult r = box.RunAndSignal(longer, SIGTERM, [&]() {
        const bool begun = std::filesystem::exists(box.PathOf("out/packet/pfc.txt"));
        if (begun)
        {
            other = box.Run(longer);
        }
        return begun;
    });
    EXPECT_EQ(other.exit, 1) << other.err;
    EXPECT_NE(other.err.find("out: another comparison is writing to this folder"),
              std::string::npos)
        << other.err;
    EXPECT_EQ(r.exit, 130) << r.err;
    EXPECT_NE(r.err.find("packet: interrupted"), std::string::npos) << r.err;
    const json c = box.ReadJson("out/compare.json");
    EXPECT_TRUE(c["interrupted"]);
    EXPECT_FALSE(c["complete"]);
}

TEST_F(CompareCli, WrongOptions)
{
    ExpectError({}, "run needs --config FILE, or --topology");
    ExpectError(With(INCAST, {"--seeds", "0"}), "--seeds 0");
    ExpectError(With(INCAST, {"--runs", "x"}), "--runs x");
    ExpectError(With(INCAST, {"--disturb", "1"}), "--disturb 1");
    ExpectError(With(INCAST, {"--disturb", "-3"}), "--disturb -3");
    ExpectError(With(INCAST, {"--disturb", "x"}), "--disturb x");
    ExpectError(With(INCAST, {"--disturb", "101"}), "--disturb 101");
    ExpectError(With(INCAST, {"--mode", "fast"}), "--mode: compare runs all modes");
    ExpectError(With(INCAST, {"--links"}), "--links: compare runs all modes");
    ExpectError(With(INCAST, {"--routing", "spray"}), "--routing spray: compare counts");
    ExpectError(With(INCAST, {"--pcap", "x"}), "--pcap: compare runs all modes");
    ExpectError(With(INCAST, {"--disturb-links", "all"}), "--disturb-links: no effect without");
    ExpectError(With(INCAST, {"--fast", "Thet=1"}), "no attribute Thet");
    ExpectError(With(INCAST, {"--simulator", "default"}), "--simulator: no effect");
    ExpectError(With(INCAST, {"--frobnicate"}), "frobnicate");
    ExpectError(With(INCAST, {"word"}), "unexpected argument");
    ExpectError(With(INCAST, {"--in-turn"}), "--in-turn: no effect without --packet-from");
    ExpectError(With(INCAST, {"--packet-from", "nowhere"}), "nowhere/summary.json cannot be read");
    box.Write("odd/summary.json", "{}");
    ExpectError(With(INCAST, {"--packet-from", "odd"}), "this is no summary of a run");
    const ProgramResult help = box.Run({"compare", "--help"});
    EXPECT_EQ(help.exit, 0);
    EXPECT_NE(help.out.find("--packet-from"), std::string::npos);
}

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// No output overwrites an input, or another output, whatever it is called; and outputs go where
// they are told to.

#include "fault-run.h"

#include <filesystem>
#include <gtest/gtest.h>

using namespace faults;
namespace fs = std::filesystem;

namespace
{

const char* const TOPOLOGY = "3 1 2\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n";
const char* const FLOW = "1\n0 1 3 100 1000 0\n";
const char* const CONFIG = "TOPOLOGY_FILE topology.txt\nFLOW_FILE flow.txt\nL2_ACK_INTERVAL 1\n"
                           "ENABLE_QCN 0\n";

class Names : public testing::Test
{
  protected:
    Names()
    {
        box.Write("topology.txt", TOPOLOGY);
        box.Write("flow.txt", FLOW);
        box.Write("config.txt", CONFIG);
        box.Write("pair.goal", "num_ranks 1\nrank 0 {\na: calc 1\n}\n");
        fs::create_directory(box.PathOf("out"));
    }

    /** Expects a refusal before anything is written. */
    void ExpectRefused(const Words& words, const std::string& text = "would overwrite")
    {
        const ProgramResult r = RunUnder(box, words);
        EXPECT_EQ(r.exit, 2) << words.back() << "\n" << r.err;
        EXPECT_NE(r.err.find(text), std::string::npos) << r.err;
        EXPECT_EQ(box.Read("topology.txt"), TOPOLOGY);
        EXPECT_EQ(box.Read("flow.txt"), FLOW);
        EXPECT_FALSE(fs::exists(box.PathOf("out/summary.json")));
    }

    static Words Run(const std::string& flows, const Words& more)
    {
        return harness::With({"run", "--topology", "topology.txt", "--flows", flows, "--quiet"},
                             more);
    }

    Sandbox box;
};

} // namespace

TEST_F(Names, OfAnInputInOtherWords)
{
    box.Write("out/fct.txt", FLOW);
    for (const char* name :
         {"out/fct.txt", "./out/fct.txt", "out/../out//fct.txt", "out/./fct.txt"})
    {
        ExpectRefused(Run(name, {"--output", "out"}));
    }
    EXPECT_EQ(box.Read("out/fct.txt"), FLOW);
    ExpectRefused(Run(box.PathOf("out/fct.txt"), {"--output", "out"}));
}

TEST_F(Names, OfAnInputByLinks)
{
    fs::create_symlink("../flow.txt", box.PathOf("out/fct.txt"));
    ExpectRefused(Run("flow.txt", {"--output", "out"}));
    fs::remove(box.PathOf("out/fct.txt"));
    fs::create_hard_link(box.PathOf("flow.txt"), box.PathOf("out/pfc.txt"));
    ExpectRefused(Run("flow.txt", {"--output", "out"}));
    fs::create_directory_symlink("out", box.PathOf("other"));
    ExpectRefused(Run("out/pfc.txt", {"--output", "other"}));
}

TEST_F(Names, OfTwoOutputsByLinks)
{
    fs::create_symlink("fct.txt", box.PathOf("out/pfc.txt")); // which is not there yet
    ExpectRefused(Run("flow.txt", {"--output", "out"}), "would overwrite the output");
    fs::remove(box.PathOf("out/pfc.txt"));
    box.Write("out/fct.txt", "");
    fs::create_hard_link(box.PathOf("out/fct.txt"), box.PathOf("out/pfc.txt"));
    ExpectRefused(Run("flow.txt", {"--output", "out"}), "would overwrite the output");
}

TEST_F(Names, OfConfigTxt)
{
    box.Write("changed.txt", CONFIG + std::string("FCT_OUTPUT_FILE flow.txt\n"));
    ExpectRefused({"run", "--config", "changed.txt", "--quiet"});
    box.Write("other.txt", FLOW);
    ExpectRefused({"run", "--config", "changed.txt", "--flows", "other.txt", "--quiet"});
    box.Write("changed.txt", CONFIG + std::string("PFC_OUTPUT_FILE ./changed.txt\n"));
    ExpectRefused({"run", "--config", "changed.txt", "--quiet"});
    box.Write("changed.txt", CONFIG + std::string("FCT_OUTPUT_FILE ../../../escape.txt\n"));
    EXPECT_EQ(
        RunUnder(box, {"run", "--config", "changed.txt", "--quiet", "--output", "inside"}).exit,
        0);
    EXPECT_EQ(box.Lines("inside/escape.txt").size(), 1U) << "by its base name";
    for (const char* odd : {".", "..", "folder/", "folder/.."})
    {
        box.Write("changed.txt", CONFIG + std::string("FCT_OUTPUT_FILE ") + odd + "\n");
        const ProgramResult r =
            RunUnder(box, {"run", "--config", "changed.txt", "--quiet", "--output", "out"});
        EXPECT_TRUE(r.exit == 1 || r.exit == 2) << odd;
        EXPECT_EQ(r.err.rfind("wormhole: ", 0), 0U) << r.err;
    }
}

TEST_F(Names, OfStoresTracesAndCaptures)
{
    const Words fast{"--mode", "fast", "--output", "out", "--memo"};
    ExpectRefused(Run("flow.txt", harness::With(fast, {"flow.txt"})));
    ExpectRefused(Run("flow.txt", harness::With(fast, {"out/fct.txt"})));
    box.Write("m.db-wal", FLOW);
    ExpectRefused(Run("m.db-wal", harness::With(fast, {"m.db"})));
    box.Write("out/x-0-1.pcap", FLOW);
    ExpectRefused(Run("out/x-0-1.pcap", {"--output", "out", "--pcap", "x"}));
    fs::create_symlink("pair.goal", box.PathOf("trace.json"));
    ExpectRefused({"run",
                   "--workload",
                   "pair.goal",
                   "--mode",
                   "message",
                   "--output",
                   "out",
                   "--chrome-trace",
                   "./trace.json"});
}

TEST_F(Names, OfOtherCommands)
{
    ExpectRefused(
        {"traffic", "ring:bytes=1KB", "--topology", "topology.txt", "--output", "topology.txt"});
    ExpectRefused({"goal", "convert", "pair.goal", "./pair.goal"});
    const Words compare{"compare", "--topology", "topology.txt", "--flows", "flow.txt", "--quiet"};
    ExpectRefused(harness::With(compare, {"--json", "flow.txt"}));
    ExpectRefused(harness::With(compare, {"--json", "./topology.txt"}));
    ExpectRefused({"compare", "--config", "config.txt", "--quiet", "--json", "flow.txt"});
    ExpectRefused({"compare",
                   "--workload",
                   "goal:file=pair.goal,name=a",
                   "--topology",
                   "topology.txt",
                   "--quiet",
                   "--json",
                   "pair.goal"});
    box.Write("wormhole-compare/packet/messages.txt", FLOW);
    ExpectRefused({"compare",
                   "--topology",
                   "topology.txt",
                   "--flows",
                   "wormhole-compare/packet/messages.txt",
                   "--quiet"});
    EXPECT_EQ(box.Read("wormhole-compare/packet/messages.txt"), FLOW);
    ExpectRefused(harness::With(compare, {"--memo", "m.db", "--json", "m.db"}));
    const std::string comparison = R"({"modes": {}})";
    box.Write("earlier/compare.json", comparison);
    box.Write("earlier/summary.json", R"({"configuration": {"mode": "packet"}})");
    box.Write("earlier/fct.txt", "");
    box.Write("earlier/links.csv", "link,from,to,bytes,begin_ns,end_ns\n");
    ExpectRefused(harness::With(compare, {"--packet-from", "earlier", "--output", "earlier"}));
    EXPECT_EQ(box.Read("earlier/compare.json"), comparison);
}

/** There are thousands of them on a large network: comparing each with each takes minutes. */
TEST_F(Names, OfManyCaptures)
{
    Circumstances circumstances;
    circumstances.longest = std::chrono::seconds(30);
    box.Write("out/x-1-1.pcap", FLOW); // so that nothing is written in the end
    const ProgramResult r = RunUnder(box,
                                     {"run",
                                      "--topology",
                                      "fat-tree:k=16",
                                      "--flows",
                                      "out/x-1-1.pcap",
                                      "--output",
                                      "out",
                                      "--pcap",
                                      "x"},
                                     circumstances);
    EXPECT_EQ(r.exit, 2);
    EXPECT_NE(r.err.find("out/x-1-1.pcap: the output --pcap would overwrite"), std::string::npos)
        << r.err;
}

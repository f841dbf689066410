/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The command line `wormhole`, run for real: what it writes. Wrong input is in cli_errors_test.cc.

#include "harness/sandbox.h"

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>

using namespace harness;
using nlohmann::json;

namespace
{

const std::string CASES = std::string(WORMHOLE_SOURCE_DIR) + "/test/data/hpcc/";

/** Two pairs of hosts, each pair on a switch of its own. */
const char* const TWO_ISLANDS = "6 2 4\n4 5\n"
                                "0 4 100Gbps 1us 0\n1 4 100Gbps 1us 0\n"
                                "2 5 100Gbps 1us 0\n3 5 100Gbps 1us 0\n";

const std::vector<std::string>
    RING{"run", "--topology", "star:hosts=4", "--traffic", "ring:bytes=200KB", "--output", "out"};

std::vector<std::string>
RunCase(const std::string& name, const std::string& control, const std::string& output)
{
    return {"run", "--config", CASES + name + "/config_" + control + ".txt", "--output", output};
}

} // namespace

TEST(CliHpcc, SingleFlowIsExact)
{
    Sandbox box;
    const ProgramResult r = box.Run(RunCase("single", "hp", "out"));
    EXPECT_EQ(r.exit, 0);
#ifdef NDEBUG // others say that they are slow
    EXPECT_EQ(r.err, "");
#endif
    EXPECT_NE(r.out.find("1 of 1 completed"), std::string::npos) << r.out;
    // 1838196 ns is from expected.json. Alone: round trip 2 * 2 links * 1000 ns + 2 * 80 ns for
    // 1000 B, plus 20000000 B + 20000 packets * 48 B = 20960000 B at 12.5 B/ns: 4160 + 1676800 ns
    EXPECT_EQ(box.Read("out/fct_hp.txt"),
              "0b000001 0b000101 10000 100 20000000 0 1838196 1680960\n");
    EXPECT_EQ(box.Read("out/pfc_hp.txt"), "");
}

TEST(CliHpcc, PfcFramesAreThoseCounted)
{
    Sandbox box;
    ASSERT_EQ(box.Run(RunCase("incast16pfc", "timely", "out")).exit, 0);
    const std::regex format("[0-9]+ [0-9]+ [01] [0-9]+ [01]");
    uint64_t pauses = 0;
    uint64_t resumes = 0;
    for (const std::string& line : box.Lines("out/pfc_timely.txt"))
    {
        ASSERT_TRUE(std::regex_match(line, format)) << line;
        (line.back() == '1' ? pauses : resumes) += 1;
    }
    const json summary = box.ReadJson("out/summary.json");
    EXPECT_GT(pauses, 0);
    EXPECT_EQ(pauses, summary["counters"]["pauses"]);
    EXPECT_EQ(resumes, summary["counters"]["resumes"]);
    // none is left paused: the frames under way when the last flow ended count as well
    EXPECT_EQ(pauses, resumes);
}

TEST(CliHpcc, FilesGoWhereTheConfigSaysAndInputsAreFoundNextToIt)
{
    Sandbox box;
    for (const char* file : {"config_hp.txt", "topology.txt", "flow.txt", "trace.txt"})
    {
        std::ifstream in(CASES + "single/" + file);
        box.Write(std::string("mix/") + file,
                  {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
    }
    const ProgramResult r = box.Run({"run", "--config", "mix/config_hp.txt"});
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_EQ(box.Lines("fct_hp.txt").size(), 1U);
    const json summary = box.ReadJson("fct_hp.txt.summary.json");
    EXPECT_EQ(summary["inputs"][1]["path"], "mix/topology.txt");
    EXPECT_EQ(summary["configuration"]["config_txt"]["CC_MODE"], "3");
    EXPECT_EQ(summary["configuration"]["timing"], "hpcc");
}

TEST(CliHpcc, PintIsSetUpByTheConfig)
{
    Sandbox box;
    for (const char* file : {"config_hp.txt", "topology.txt", "flow.txt", "trace.txt"})
    {
        std::ifstream in(CASES + "single/" + file);
        std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
        for (const auto& [key, value] :
             {std::pair{"CC_MODE 3", "CC_MODE 10"}, std::pair{"PINT_PROB 1.0", "PINT_PROB 0.5"}})
        {
            const size_t at = text.find(key);
            text =
                at == std::string::npos ? text : text.replace(at, std::string(key).size(), value);
        }
        box.Write(file, text);
    }
    const ProgramResult r =
        box.Run({"run", "--config", "config_hp.txt", "--output", "out", "--json"});
    EXPECT_EQ(r.exit, 0) << r.err;
    const json configuration = json::parse(r.out)["configuration"];
    EXPECT_EQ(configuration["congestion_control"], "ns3::RdmaHpccPint");
    const json& attributes = configuration["attributes"];
    EXPECT_EQ(attributes["ns3::RdmaNetwork"]["PintLogBase"], "1.01"); // the file's PINT_LOG_BASE
    EXPECT_EQ(attributes["ns3::RdmaHpccPint"]["Probability"], "0.5");
}

TEST(CliHpcc, OptionsOverrideTheConfig)
{
    Sandbox box;
    box.Write("flows.txt", "1\n1 0 3 100 1000 0.001\n");
    const ProgramResult r = box.Run(With(
        RunCase("single", "hp", "out"),
        {"--flows", "flows.txt", "--cc", "dctcp", "--payload", "500", "--stop", "1", "--json"}));
    EXPECT_EQ(r.exit, 0) << r.err;
    const json summary = json::parse(r.out);
    EXPECT_EQ(summary, box.ReadJson("out/summary.json"));
    EXPECT_EQ(summary["configuration"]["config_txt"]["CC_MODE"], "8");
    EXPECT_EQ(summary["configuration"]["congestion_control"], "ns3::RdmaDctcp");
    EXPECT_EQ(summary["configuration"]["stop_s"], 1.0);
    // two packets of 500 B over two links
    EXPECT_EQ(summary["counters"]["packet_hops"], 4);
}

TEST(CliDeterminism, TheSameSeedGivesTheSameBytes)
{
    Sandbox box;
    const std::vector<std::string> words{"run", "--config", CASES + "incast16pfc/config_dcqcn.txt"};
    auto run = [&](const std::string& name, const std::vector<std::string>& more) {
        EXPECT_EQ(box.Run(With(With(words, {"--output", name}), more)).exit, 0);
        return box.Read(name + "/fct_dcqcn.txt") + box.Read(name + "/pfc_dcqcn.txt");
    };
    const std::string first = run("first", {"--seed", "7"});
    EXPECT_EQ(first, run("again", {"--seed", "7"}));
    EXPECT_EQ(first, run("quiet", {"--seed", "7", "--no-progress"}));
    EXPECT_EQ(first, run("default", {"--seed", "7", "--simulator", "default"}));
    EXPECT_NE(first, run("other", {"--seed", "8"}));
}

TEST(CliDeterminism, StopComesBeforeWhatHappensAtThatInstant)
{
    Sandbox box;
    ASSERT_EQ(box.Run(RING).exit, 0);
    const json whole = box.ReadJson("out/summary.json");
    char stop[32];
    std::snprintf(stop, sizeof(stop), "%.9f", whole["last_end_ns"].get<double>() * 1e-9);
    for (const char* simulator : {"native", "default"})
    {
        const ProgramResult r = box.Run(With(RING, {"--stop", stop, "--simulator", simulator}));
        EXPECT_EQ(r.exit, 3) << simulator;
    }
}

class CliInterrupt : public testing::TestWithParam<int>
{
};

TEST_P(CliInterrupt, WhatWasComputedIsKept)
{
    Sandbox box;
    box.Write("topology.txt", TWO_ISLANDS);
    // 100 GB at 100 Gb/s: minutes of wall-clock time at least
    box.Write("flows.txt", "2\n0 1 3 100 1000 0\n2 3 3 100 100000000000 0\n");
    const ProgramResult r =
        box.RunAndSignal({"run", "--topology", "topology.txt", "--flows", "flows.txt"},
                         GetParam(),
                         [&]() { return !box.Read("wormhole-out/fct.txt").empty(); });
    EXPECT_EQ(r.exit, 130);
    EXPECT_EQ(box.Lines("wormhole-out/fct.txt").size(), 1U);
    const json summary = box.ReadJson("wormhole-out/summary.json");
    EXPECT_EQ(summary["interrupted"], true);
    EXPECT_EQ(summary["flows"]["completed"], 1);
    EXPECT_EQ(summary["flows"]["unfinished"], 1);
    EXPECT_NE(r.err.find("interrupted; 1 of 2 flows did not complete"), std::string::npos) << r.err;
}

INSTANTIATE_TEST_SUITE_P(Signals, CliInterrupt, testing::Values(SIGHUP, SIGINT, SIGTERM));

TEST(CliInterruptEarly, WhatIsTriedBeforeALongRunEndsToo)
{
    // 8 x 1 TB at 100 Gb/s: what it takes is found by a trial of a second or so before it begins
    Sandbox box;
    const ProgramResult r = box.RunAndSignal(
        {"run", "--topology", "star:hosts=9", "--traffic", "incast:fan-in=8,bytes=1TB"},
        SIGTERM,
        [](int process) { return harness::HoldsBack(process, SIGTERM); }); // the trial begins
    EXPECT_EQ(r.exit, 130) << r.err;
    EXPECT_NE(r.err.find("interrupted"), std::string::npos) << r.err;
}

TEST(CliInterruptEarly, FilesOfARunThatIsSetUpAreComplete)
{
    // 2,000 hosts: their network takes some hundredths of a second
    Sandbox box;
    const ProgramResult r = box.RunAndSignal(
        {"run", "--topology", "fat-tree:k=20", "--traffic", "ring:bytes=1GB", "--yes"},
        SIGTERM,
        [&box]() {
            return std::filesystem::exists(box.PathOf("wormhole-out/summary.json"));
        }); // earlier results are lost
    EXPECT_EQ(r.exit, 130) << r.err;
    EXPECT_EQ(box.ReadJson("wormhole-out/summary.json")["interrupted"], true);
}

/** Two flows, the second of which takes a second or more of wall-clock time. */
const std::string SHORT_AND_LONG = std::string("2\n0 1 3 100 1000 0\n2 3 3 100 ") +
                                   (Sandbox::IsSlow() ? "200000000" : "2000000000") + " 0\n";

TEST(CliIgnored, ASignalThatWasIgnoredAtTheStartStaysSo)
{
    // as under nohup (SIGHUP), or in the background of a script (SIGINT)
    for (const int signal : {SIGHUP, SIGINT})
    {
        Sandbox box;
        box.Write("topology.txt", TWO_ISLANDS);
        box.Write("flows.txt", SHORT_AND_LONG);
        const auto before = std::signal(signal, SIG_IGN); // which the program inherits
        const ProgramResult r =
            box.RunAndSignal({"run", "--topology", "topology.txt", "--flows", "flows.txt"},
                             signal,
                             [&]() { return !box.Read("wormhole-out/fct.txt").empty(); });
        std::signal(signal, before);
        EXPECT_EQ(r.exit, 0) << r.err;
        EXPECT_EQ(box.ReadJson("wormhole-out/summary.json")["flows"]["completed"], 2);
    }
}

TEST(CliFolder, OneThatIsRemovedMeanwhileIsMadeAgain)
{
    constexpr int NO_SIGNAL = 0; // kill(2) only looks whether the process is there
    Sandbox box;
    box.Write("topology.txt", TWO_ISLANDS);
    box.Write("flows.txt", SHORT_AND_LONG);
    const ProgramResult r =
        box.RunAndSignal({"run",
                          "--topology",
                          "topology.txt",
                          "--flows",
                          "flows.txt",
                          "--record",
                          "--output",
                          "a/b"},
                         NO_SIGNAL,
                         [&]() {
                             const bool begun = !box.Read("a/b/fct.txt").empty();
                             return begun && std::filesystem::remove_all(box.PathOf("a")) > 0;
                         });
    EXPECT_EQ(r.exit, 1) << r.err;
    EXPECT_NE(r.err.find("a/b/fct.txt: removed while it was written; what it held is in "
                         "a/b/fct.txt now"),
              std::string::npos)
        << r.err;
    EXPECT_EQ(box.Lines("a/b/fct.txt").size(), 2U);
    EXPECT_EQ(box.ReadJson("a/b/summary.json")["flows"]["completed"], 2);
    EXPECT_EQ(box.Lines("a/b/record/flows.csv").size(), 3U);
    EXPECT_EQ(box.Read("a/b/record/topology.txt").substr(0, 3),
              box.Read("topology.txt").substr(0, 3));
}

TEST(CliFolder, OneThatCannotBeMadeAgainIsReplaced)
{
    constexpr int NO_SIGNAL = 0;
    Sandbox box;
    box.Write("topology.txt", TWO_ISLANDS);
    box.Write("flows.txt", SHORT_AND_LONG);
    const ProgramResult r = box.RunAndSignal(
        {"run", "--topology", "topology.txt", "--flows", "flows.txt", "--output", "out"},
        NO_SIGNAL,
        [&]() {
            const bool begun = !box.Read("out/fct.txt").empty();
            if (begun)
            {
                std::filesystem::remove_all(box.PathOf("out"));
                box.Write("out", "a file, so that there can be no folder");
            }
            return begun;
        });
    EXPECT_EQ(r.exit, 1) << r.err;
    const std::string before = "out/fct.txt: removed while it was written; what it held is in ";
    const size_t at = r.err.find(before);
    ASSERT_NE(at, std::string::npos) << r.err;
    const std::string kept =
        r.err.substr(at + before.size(), r.err.find(" now", at) - at - before.size());
    EXPECT_GT(std::filesystem::file_size(kept), 0U) << kept;
    const std::string process = kept.substr(kept.rfind('.'));
    for (const char* name : {"fct.txt", "pfc.txt", "links.csv", "summary.json"})
    {
        std::filesystem::remove(std::filesystem::path(kept).parent_path() / (name + process));
    }
}

TEST(CliFolder, WhatAnEarlierRunWroteIsRemoved)
{
    Sandbox box;
    const std::vector<std::string> words{"run",
                                         "--topology",
                                         "star:hosts=2",
                                         "--traffic",
                                         "ring:bytes=1KB",
                                         "--output",
                                         "out",
                                         "--quiet"};
    EXPECT_EQ(box.Run(With(words, {"--links", "--rtts"})).exit, 0);
    EXPECT_FALSE(box.Read("out/links.csv").empty());
    box.Write("out/ranks.csv", "the user's own");
    EXPECT_EQ(box.Run(With(words, {"--mode", "flow"})).exit, 0);
    for (const char* name : {"links.csv", "rtts.csv", "pfc.txt"})
    {
        EXPECT_FALSE(std::filesystem::exists(box.PathOf(std::string("out/") + name))) << name;
    }
    EXPECT_EQ(box.Read("out/ranks.csv"), "the user's own");
    EXPECT_FALSE(box.Read("out/fct.txt").empty());
}

TEST(CliFolder, NamesGoIntoItAndPathsWhereTheySay)
{
    Sandbox box;
    box.Write("else/kept", "");
    ASSERT_EQ(box.Run(With(RING, {"--pcap", "in:0"})).exit, 0);
    ASSERT_EQ(box.Run(With(RING, {"--pcap", "else/where:0"})).exit, 0);
    EXPECT_NE(box.Read("out/in-0-1.pcap"), "");
    EXPECT_NE(box.Read("else/where-0-1.pcap"), "");
}

TEST(CliFolder, OneRunAtATimeWritesToIt)
{
    constexpr int NO_SIGNAL = 0;
    Sandbox box;
    box.Write("topology.txt", TWO_ISLANDS);
    box.Write("flows.txt", SHORT_AND_LONG);
    ProgramResult other;
    const std::vector<std::string>
        words{"run", "--topology", "topology.txt", "--flows", "flows.txt", "--output", "out"};
    const ProgramResult r = box.RunAndSignal(words, NO_SIGNAL, [&]() {
        const bool begun = !box.Read("out/fct.txt").empty();
        if (begun)
        {
            other = box.Run(words);
        }
        return begun;
    });
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_EQ(other.exit, 1) << other.err;
    EXPECT_NE(other.err.find("out: another run is writing to this folder"), std::string::npos)
        << other.err;
    EXPECT_EQ(box.ReadJson("out/summary.json")["flows"]["completed"], 2);
}

TEST(CliFlows, UnreachableHostIsReported)
{
    Sandbox box;
    box.Write("topology.txt", TWO_ISLANDS);
    box.Write("flows.txt", "2\n0 1 3 100 1000 0\n0 2 3 100 1000 0\n");
    const ProgramResult r =
        box.Run({"run", "--topology", "topology.txt", "--flows", "flows.txt", "--output", "out"});
    EXPECT_EQ(r.exit, 3);
    EXPECT_NE(r.err.find("flow from 0 to 2, 1000 bytes"), std::string::npos) << r.err;
    EXPECT_NE(r.err.find("no route from node 0 to node 2"), std::string::npos) << r.err;
    const json flows = box.ReadJson("out/summary.json")["flows"];
    EXPECT_EQ(flows["completed"], 1);
    EXPECT_EQ(flows["not_completed"][0]["reason"], "no route from node 0 to node 2");
}

TEST(CliFlows, FlowAfterTheStopIsReported)
{
    Sandbox box;
    box.Write("flows.txt", "1\n0 1 3 100 1000 5\n");
    const ProgramResult r = box.Run(
        {"run", "--topology", "star:hosts=2", "--flows", "flows.txt", "--stop", "1", "--quiet"});
    EXPECT_EQ(r.exit, 3);
    EXPECT_EQ(r.out, "");
    EXPECT_NE(r.err.find("not begun"), std::string::npos) << r.err;
    EXPECT_TRUE(box.ReadJson("wormhole-out/summary.json")["fct_ns"]["mean"].is_null());
}

TEST(CliFlows, EmptyAndOneByteMessagesComplete)
{
    Sandbox box;
    box.Write("flows.txt", "2\n0 1 3 100 0 0\n0 1 3 100 1 0.001\n");
    const ProgramResult r =
        box.Run({"run", "--topology", "star:hosts=2", "--flows", "flows.txt", "--output", "out"});
    EXPECT_EQ(r.exit, 0) << r.err;
    const std::vector<std::string> lines = box.Lines("out/fct.txt");
    ASSERT_EQ(lines.size(), 2U);
    // a packet is a packet: 48 B of headers take 3.84 ns, 49 B take 3.92 ns; round trip 4160 ns
    EXPECT_TRUE(
        std::regex_match(lines[0], std::regex("0b000001 0b000101 10000 100 0 0 [0-9]{4} 4163")))
        << lines[0];
    EXPECT_TRUE(std::regex_match(lines[1],
                                 std::regex("0b000001 0b000101 10001 100 1 1000000 [0-9]{4} 4163")))
        << lines[1];
}

TEST(CliFlows, NoFlowsIsNoError)
{
    Sandbox box;
    box.Write("flows.txt", "0\n");
    const ProgramResult r =
        box.Run({"run", "--topology", "star:hosts=2", "--flows", "flows.txt", "--output", "out"});
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_EQ(box.Read("out/fct.txt"), "");
}

TEST(CliLinks, FlowWaitsForItsLink)
{
    Sandbox box;
    box.Write("flows.txt", "1\n0 1 3 100 1000 0.001\n");
    const std::vector<std::string> words{"run",
                                         "--topology",
                                         "star:hosts=2",
                                         "--flows",
                                         "flows.txt",
                                         "--output",
                                         "out",
                                         "--link-down",
                                         "10us:0-2"};
    EXPECT_EQ(box.Run(With(words, {"--stop", "0.1"})).exit, 3);
    EXPECT_EQ(box.Run(With(words, {"--link-up", "3ms:2-0"})).exit, 0);
    // begun at 1 ms, sent from 3 ms on
    std::smatch columns;
    const std::string line = box.Lines("out/fct.txt").at(0);
    ASSERT_TRUE(std::regex_match(line, columns, std::regex("(\\S+ ){5}1000000 ([0-9]+) [0-9]+")));
    EXPECT_GT(std::stoull(columns[2]), 2000000U);
    EXPECT_LT(std::stoull(columns[2]), 2010000U);
}

TEST(CliLinks, WhatComesAfterTheEndIsWarnedOf)
{
    Sandbox box;
    const ProgramResult r = box.Run({"run",
                                     "--topology",
                                     "star:hosts=2",
                                     "--traffic",
                                     "ring:bytes=1KB",
                                     "--link-down",
                                     "5s:0-2",
                                     "--link-down",
                                     "1us:1-2",
                                     "--link-up",
                                     "2us:1-2"});
    EXPECT_EQ(r.exit, 0);
    EXPECT_NE(r.err.find("1 of 3 link failures and recoveries come after the end of the run"),
              std::string::npos)
        << r.err;
}

TEST(CliSettings, AttributesApplyAndAreInTheSummary)
{
    Sandbox box;
    const ProgramResult r = box.Run(With(RING,
                                         {"--set",
                                          "ns3::RdmaHost::PayloadSize=4000",
                                          "--set",
                                          "ns3::RdmaHpcc::MinRate=50Mbps",
                                          "--set",
                                          "ns3::RdmaHost::RetransmissionTimeout=1.5us"}));
    EXPECT_EQ(r.exit, 0) << r.err;
    const json summary = box.ReadJson("out/summary.json");
    const json& attributes = summary["configuration"]["attributes"];
    EXPECT_EQ(attributes["ns3::RdmaHost"]["PayloadSize"], "4000");
    EXPECT_EQ(attributes["ns3::RdmaHost"]["RetransmissionTimeout"], "1500ns");
    EXPECT_EQ(attributes["ns3::RdmaHpcc"]["MinRate"], "50000000bps");
    EXPECT_EQ(summary["configuration"]["seed"], 1);
    EXPECT_EQ(summary["inputs"], json::array());
}

TEST(CliSettings, BufferTooSmallForItsHeadroomsIsWarnedOf)
{
    Sandbox box;
    const ProgramResult r = box.Run(With(RING, {"--set", "ns3::RdmaSwitch::BufferSize=100000"}));
    EXPECT_EQ(r.exit, 0);
    // Four ports, each with 4096 B of reserve and 20 frames of 1514 B of headroom: in 2 * 1000 ns,
    // one frame (121.12 ns) and eight pauses (8 * 3.44 ns) begin 18, and two more
    // (rdma-lossless-test.cc).
    EXPECT_NE(
        r.err.find("node 4 lacks " + std::to_string(4 * (4096 + 20 * 1514) - 100000) + " bytes"),
        std::string::npos)
        << r.err;
    const json summary = json::parse(box.Read("out/summary.json"));
    EXPECT_EQ(summary.at("warnings").size(), 1U);
}

TEST(CliGenerators, FilesGiveWhatSpecificationsGive)
{
    Sandbox box;
    EXPECT_EQ(box.Run({"topology", "star:hosts=4", "--output", "topology.txt"}).exit, 0);
    EXPECT_EQ(
        box.Run({"traffic", "ring:bytes=200KB", "--topology", "topology.txt", "--output", "f.txt"})
            .exit,
        0);
    EXPECT_EQ(box.Run(RING).exit, 0);
    const ProgramResult r =
        box.Run({"run", "--topology", "topology.txt", "--flows", "f.txt", "--output", "files"});
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_EQ(box.Read("out/fct.txt"), box.Read("files/fct.txt"));
    const ProgramResult printed = box.Run({"topology", "star:hosts=4"});
    EXPECT_EQ(printed.out, box.Read("topology.txt"));
}

TEST(CliHelp, EveryCommandExplainsItself)
{
    Sandbox box;
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"--help"},
                                               {"--version"},
                                               {"run", "--help"},
                                               {"run", "--help-config"},
                                               {"config-help"},
                                               {"topology", "--help"},
                                               {"traffic", "--help"}})
    {
        const ProgramResult r = box.Run(words);
        EXPECT_EQ(r.exit, 0) << words[0];
        EXPECT_EQ(r.err, "") << words[0];
        EXPECT_GT(r.out.size(), 20U) << words[0];
    }
}

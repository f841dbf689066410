/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `wormhole run --workload`: each mode, each kind, and what users may get wrong.

#include "harness/run_cli.h"

#include "ns3/workload-chakra-writer.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/stat.h>

namespace
{

using harness::ProgramResult;
using harness::Sandbox;
using harness::With;
using harness::Words;
using nlohmann::json;

const std::string SOURCE = WORMHOLE_SOURCE_DIR;

// rank 0 computes 1000 ns and sends 1000 B to rank 1, which then computes 500 ns
const std::string PAIR = "num_ranks 2\n"
                         "rank 0 {\n"
                         "l1: calc 1000\n"
                         "l2: send 1000b to 1 tag 7\n"
                         "l2 requires l1\n"
                         "}\n"
                         "rank 1 {\n"
                         "l1: recv 1000b from 0 tag 7\n"
                         "l2: calc 500\n"
                         "l2 requires l1\n"
                         "}\n";

class WorkloadCli : public harness::RunCli
{
  protected:
    WorkloadCli()
    {
        box.Write("pair.goal", PAIR);
    }
};

const Words MESSAGE{"--mode", "message"};
const Words FLOW{"--mode", "flow", "--cc", "none", "--topology", "star:hosts=4"};
const Words PACKET{"--topology", "star:hosts=4"};

} // namespace

TEST_F(WorkloadCli, MessageLevelIsExact)
{
    // rank 0: 1000 + o = 1010; rank 1: the first byte at 1010 + L = 1110, all of it after
    // B = floor(999 * 0.5) = 499 and g = 1: 1610; + o + 500
    const json s =
        Summary(With({"--workload", "pair.goal", "--loggops", "L=100,o=10,g=1,G=0.5,O=0,S=65535"},
                     MESSAGE));
    EXPECT_EQ(s["results"]["finish_ns"], 1000 + 10 + 100 + 499 + 1 + 10 + 500);
    EXPECT_EQ(s["operations"]["completed"], 4);
    EXPECT_EQ(s["configuration"]["loggops"]["G"], 0.5);
    EXPECT_EQ(s["results"]["jobs"][0]["job"], "pair");
    EXPECT_EQ(s["results"]["jobs"][0]["computation_ns"]["max"], 1000);
    EXPECT_TRUE(s["results"]["jobs"][0]["waiting_ns"].is_null());
    EXPECT_EQ(box.Lines("out/ranks.csv").size(), 3U);
}

TEST_F(WorkloadCli, FlowLevelIsExact)
{
    // 1000 + (1000 + 48 B) at 12.5 B/ns + 2 links of 1000 ns + the packet once more at the switch:
    // 1000 + 2 * 83.84 + 2000, then 500
    const json s = Summary(With({"--workload", "pair.goal"}, FLOW));
    EXPECT_DOUBLE_EQ(s["results"]["finish_ns"], 1000 + 2 * 83.84 + 2000 + 500);
    EXPECT_EQ(s["results"]["flows"][0]["count"], 1);
    EXPECT_EQ(s["results"]["flows"][0]["bytes"], 1000);
    const json job = s["results"]["jobs"][0];
    EXPECT_DOUBLE_EQ(job["transfers_alone_ns"]["max"], 2 * 83.84 + 2000);
    EXPECT_EQ(job["waiting_ns"]["max"], 1000) << "rank 1, for rank 0's computation";
    EXPECT_TRUE(s["network"]["hosts"] == 4);
    EXPECT_EQ(box.Lines("out/fct.txt").size(), 1U);
    EXPECT_FALSE(std::filesystem::exists(box.PathOf("out/pfc.txt")));
    // two packets of 500 + 48 B, of which one once more at the switch
    const json small = Summary(With({"--workload", "pair.goal", "--payload", "500"}, FLOW));
    EXPECT_DOUBLE_EQ(small["results"]["finish_ns"], 1000 + 3 * 43.84 + 2000 + 500);
}

TEST_F(WorkloadCli, PacketLevelWritesWhatRunsOfFlowsWrite)
{
    const json s = Summary(With({"--workload", "pair.goal", "--cc", "none"}, PACKET));
    EXPECT_DOUBLE_EQ(s["results"]["finish_ns"], 1000 + 2 * 83.84 + 2000 + 500);
    EXPECT_EQ(box.Lines("out/fct.txt").size(), 1U);
    EXPECT_EQ(s["counters"]["packet_hops"], 2);
    EXPECT_TRUE(s["configuration"]["attributes"].contains("ns3::RdmaHost"));
}

TEST_F(WorkloadCli, ConnectionsPersistUnlessAskedOtherwise)
{
    box.Write("two.goal",
              "num_ranks 2\n"
              "rank 0 {\n"
              "l1: send 1000b to 1 tag 7\n"
              "l2: send 1000b to 1 tag 8\n"
              "}\n"
              "rank 1 {\n"
              "l1: recv 1000b from 0 tag 7\n"
              "l2: recv 1000b from 0 tag 8\n"
              "}\n");
    const auto portsOf = [&](const Words& more, const std::string& kind) {
        const json s = Summary(With(With({"--workload", "two.goal"}, PACKET), more));
        EXPECT_EQ(s["configuration"]["connections"], kind);
        std::vector<std::string> ports;
        for (const std::string& line : box.Lines("out/fct.txt"))
        {
            ports.push_back(line.substr(18, 5)); // "SRC____ DST____ PORT"
        }
        return ports;
    };
    const std::vector<std::string> kept = portsOf({}, "persistent");
    ASSERT_EQ(kept.size(), 2U);
    EXPECT_EQ(kept[0], kept[1]);
    EXPECT_EQ(portsOf({"--connections", "persistent"}, "persistent"), kept);
    EXPECT_EQ(portsOf({"--connections", "fresh"}, "fresh"),
              (std::vector<std::string>{"10000", "10001"}));
    EXPECT_EQ(Summary(With({"--workload", "two.goal", "--connections", "fresh"},
                           FLOW))["configuration"]["connections"],
              "fresh");
    const Words bad{"--workload", "two.goal", "--connections", "eternal"};
    ExpectError(With(bad, PACKET), "--connections eternal: there are persistent and fresh");
    ExpectError(With({"--workload", "two.goal", "--connections", "fresh"}, MESSAGE),
                "--connections: no effect with --mode message");
    ExpectError(
        {"--topology", "star:hosts=2", "--traffic", "incast:fan-in=1", "--connections", "fresh"},
        "--connections: no effect without --workload");
}

TEST_F(WorkloadCli, TimeAfterARankHasFinishedIsNotItsOwn)
{
    // rank 0 computes, sends eagerly and is done; the message takes 2 * 83.84 + 2000 ns
    const json s =
        Summary(With({"--workload", "pair.goal", "--eager-limit", "1000"}, FLOW))["results"];
    const json job = s["jobs"][0];
    EXPECT_DOUBLE_EQ(s["finish_ns"], 1000 + 2 * 83.84 + 2000 + 500);
    EXPECT_DOUBLE_EQ(job["transfers_alone_ns"]["mean"], (2 * 83.84 + 2000) / 2) << "rank 1's";
    EXPECT_DOUBLE_EQ(job["waiting_ns"]["mean"], 1000.0 / 2) << "rank 1's";
}

TEST_F(WorkloadCli, SeveralJobsArePlaced)
{
    const Words two{"--workload", "goal:file=pair.goal,name=a", "--workload", "pair.goal"};
    Summary(With(With(two, FLOW), {"--placement", "round-robin"}));
    const std::vector<std::string> ranks = box.Lines("out/ranks.csv");
    ASSERT_EQ(ranks.size(), 5U);
    EXPECT_EQ(ranks[1].substr(0, 6), "a,0,0,");
    EXPECT_EQ(ranks[2].substr(0, 6), "a,1,2,");
    EXPECT_EQ(ranks[3].substr(0, 11), "pair-1,0,1,");
    Summary(With(With(two, FLOW), {"--placement", "3+1,1+3"}));
    EXPECT_EQ(box.Lines("out/ranks.csv")[1].substr(0, 6), "a,0,3,");
    Summary(With({"--workload", "goal:file=pair.goal,place=2+0"}, FLOW));
    EXPECT_EQ(box.Lines("out/ranks.csv")[1].substr(0, 9), "pair,0,2,");
    const auto random = [&](const std::string& seed) {
        Summary(With(With(two, FLOW), {"--placement", "random", "--seed", seed}));
        return box.Read("out/ranks.csv");
    };
    EXPECT_EQ(random("5"), random("5"));
    EXPECT_NE(random("5"), random("6"));
}

TEST_F(WorkloadCli, TheSameRunGivesTheSameBytes)
{
    const Words words = With({"--workload", "all-reduce:ranks=4,bytes=100KB"}, PACKET);
    const json a = Summary(words);
    const std::string fct = box.Read("out/fct.txt");
    const json b = Summary(With(words, {"--simulator", "default", "--no-progress"}));
    EXPECT_EQ(a["results"], b["results"]);
    EXPECT_EQ(fct, box.Read("out/fct.txt"));
}

TEST_F(WorkloadCli, ChromeTrace)
{
    const json s = Summary(With({"--workload", "pair.goal", "--chrome-trace", "t.json"}, FLOW));
    EXPECT_EQ(s["chrome_trace"]["spans"], 4);
    EXPECT_GE(box.ReadJson("out/t.json").size(), 4U);
    Summary(With({"--workload", "pair.goal", "--chrome-trace", "./here.json"}, FLOW));
    EXPECT_GE(box.ReadJson("here.json").size(), 4U);
    const json cut = Summary(
        With({"--workload", "pair.goal", "--chrome-trace", "t.json", "--chrome-trace-spans", "1"},
             FLOW));
    EXPECT_EQ(cut["chrome_trace"]["left_out"], 3);
    EXPECT_GE(box.ReadJson("out/t.json").size(), 1U);
    // 66 messages in and out of each of 34 ranks at once, of which 64 have room
    const ProgramResult crowded = box.Run({"run",
                                           "--workload",
                                           "all-to-all:ranks=34,bytes=34KB",
                                           "--mode",
                                           "flow",
                                           "--topology",
                                           "star:hosts=34",
                                           "--chrome-trace",
                                           "t.json"});
    EXPECT_NE(crowded.out.find("ranks have more than 64 messages under way at once"),
              std::string::npos)
        << crowded.out;
    EXPECT_EQ(crowded.out.find("--chrome-trace-spans allows more"), std::string::npos)
        << crowded.out;
}

TEST_F(WorkloadCli, TreesThatAreNotDividedAreWarnedOf)
{
    const auto warnings = [&](const std::string& keys) {
        return Summary({"--workload",
                        "all-reduce:ranks=32,bytes=2MB" + keys,
                        "--topology",
                        "star:hosts=32",
                        "--mode",
                        "flow",
                        "--cc",
                        "none"})["warnings"];
    };
    ASSERT_EQ(warnings("").size(), 1U);
    EXPECT_NE(warnings("")[0].get<std::string>().find("give chunk=256KB,window=1"),
              std::string::npos);
    EXPECT_TRUE(warnings(",chunk=256KB,window=1").empty());
    EXPECT_TRUE(warnings(",algorithm=ring").empty());
    EXPECT_TRUE(warnings(",algorithm=double-tree").empty());
}

TEST_F(WorkloadCli, Kinds)
{
    const std::string gpt = SOURCE + "/workloads/training/gpt-7b-64.json";
    for (const std::string& text : {gpt, "training:file=" + gpt + ",scale=100"})
    {
        const json s = Summary(With({"--workload", text}, MESSAGE));
        EXPECT_EQ(s["results"]["jobs"][0]["ranks"], 64) << text;
    }
    for (const char* kind : {"all-reduce", "all-gather", "all-to-all", "broadcast"})
    {
        const json s =
            Summary(With({"--workload", std::string(kind) + ":ranks=4,bytes=10KB"}, FLOW));
        EXPECT_EQ(s["results"]["jobs"][0]["job"], kind);
    }
    box.Write("micro.txt", "MICRO\n1\nlayer -1 100 ALLREDUCE 1000000 1 NONE 0 1 NONE 0 1\n");
    const json simai = Summary(With({"--workload", "micro.txt"}, FLOW));
    EXPECT_GT(simai["results"]["simai"]["total_ns"], 0);
    EXPECT_FALSE(box.Read("out/ncclFlowModel_EndToEnd.csv").empty());
    box.Write("spc.txt", "0,20,4096,R,0.1\n1,40,8192,W,0.2\n");
    const json storage =
        Summary(With({"--workload", "storage:file=spc.txt,ccs=1,bss=2"}, {"--mode", "message"}));
    EXPECT_GT(storage["operations"]["count"], 0);
}

TEST_F(WorkloadCli, Chakra)
{
    const std::string prefix = SOURCE + "/test/data/formats/chakra/all-reduce";
    const json s = Summary(With({"--workload", "chakra:prefix=" + prefix}, FLOW));
    EXPECT_EQ(s["results"]["jobs"][0]["ranks"], 4);
    EXPECT_EQ(s["results"]["flows"][0]["category"], "all-reduce");
    EXPECT_GT(s["results"]["finish_ns"], 0);
    box.Write("groups.json", R"({"1": [0, 1]})");
    for (const char* also : {"", ".2.et", ",groups=groups.json"})
    {
        const json named = Summary(With({"--workload", "chakra:prefix=" + prefix + also}, FLOW));
        EXPECT_EQ(named["results"]["jobs"][0]["job"], "all-reduce") << also;
    }
}

TEST_F(WorkloadCli, ChakraMessagesThatNoRankReceives)
{
    ns3::WorkloadChakraNode sends;
    sends.kind = ns3::WorkloadChakraKind::COMM_SEND;
    sends.commDst = 1;
    sends.commSize = 1000;
    sends.commTag = 7;
    ns3::WorkloadChakraTrace trace;
    trace.ranks = {{"", "0.0.4", {sends}}, {"", "0.0.4", {}}};
    ns3::WriteWorkloadChakra(box.PathOf("world"), trace);
    const ProgramResult r =
        box.Run(With({"run", "--output", "out", "--workload", "chakra:prefix=world"}, FLOW));
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_NE(r.err.find("warning: world.0.et: node 0 (byte "), std::string::npos) << r.err;
    EXPECT_NE(r.err.find("1000 bytes go to rank 1, tag 7, but 0 bytes are received"),
              std::string::npos)
        << r.err;
}

TEST_F(WorkloadCli, ChakraOfWhichTheNetworkGivesAMessageUp)
{
    const std::string prefix = SOURCE + "/test/data/formats/chakra/all-reduce";
    const ProgramResult r = box.Run({"run",
                                     "--workload",
                                     "chakra:prefix=" + prefix,
                                     "--topology",
                                     "star:hosts=4",
                                     "--link-down",
                                     "150us:0-4",
                                     "--output",
                                     "out"});
    EXPECT_EQ(r.exit, 3) << r.err;
    EXPECT_NE(r.err.find("bytes was given up: no route from node"), std::string::npos) << r.err;
    EXPECT_NE(box.Read("out/ranks.csv"), "");
    EXPECT_EQ(box.ReadJson("out/summary.json")["results"]["jobs"][0]["ranks"], 4);
}

TEST_F(WorkloadCli, Gpt7bOn64GpusAtPacketLevel)
{
    const std::string gpt = SOURCE + "/workloads/training/gpt-7b-64.json";
    const json s = Summary({"--workload",
                            "training:file=" + gpt + ",scale=1000",
                            "--topology",
                            "rail-optimized:gpus=64,rate=100Gbps"});
    const json job = s["results"]["jobs"][0];
    const double finish = job["finish_ns"]["mean"];
    const double sum = job["computation_ns"]["mean"].get<double>() +
                       job["transfers_alone_ns"]["mean"].get<double>() +
                       job["waiting_ns"]["mean"].get<double>() +
                       job["idle_ns"]["mean"].get<double>();
    EXPECT_NEAR(sum, finish, finish * 1e-6) << "all of the time is accounted for";
    EXPECT_EQ(s["results"]["flows"].size(), 2U) << "pipeline and data-parallel";
}

TEST_F(WorkloadCli, AStallIsExplained)
{
    box.Write("stall.goal",
              "num_ranks 2\nrank 0 {\nl1: recv 10b from 1 tag 1\n}\n"
              "rank 1 {\nl1: recv 10b from 0 tag 1\n}\n");
    for (const Words& mode : {MESSAGE, FLOW, PACKET})
    {
        const ProgramResult r = box.Run(With({"run", "--workload", "stall.goal"}, mode));
        EXPECT_EQ(r.exit, 3) << r.err;
        EXPECT_NE(r.err.find("rank 0 waits for rank 1, which waits for rank 0"), std::string::npos)
            << r.err;
        EXPECT_NE(r.err.find("(recv 10b from 1 tag 1): waits for a message"), std::string::npos)
            << r.err;
        EXPECT_NE(r.err.find("2 of 2 operations did not complete"), std::string::npos) << r.err;
        EXPECT_FALSE(box.ReadJson("wormhole-out/summary.json")["operations"]["stalled"].empty());
    }
}

TEST_F(WorkloadCli, AStallOfSendsNamesTheOptionThatLetsThemGo)
{
    // both send first
    box.Write("heads.goal",
              "num_ranks 2\n"
              "rank 0 {\ns: send 10b to 1\nr: recv 10b from 1\nr requires s\n}\n"
              "rank 1 {\ns: send 10b to 0\nr: recv 10b from 0\nr requires s\n}\n");
    for (const Words& mode : {FLOW, PACKET})
    {
        const Words words = With({"run", "--workload", "heads.goal"}, mode);
        const ProgramResult r = box.Run(With(words, {"--eager-limit", "9"}));
        EXPECT_EQ(r.exit, 3) << r.err;
        EXPECT_NE(r.err.find("of at most --eager-limit bytes, 9 here, do not wait"),
                  std::string::npos)
            << r.err;
        EXPECT_EQ(box.Run(With(words, {"--eager-limit", "10"})).exit, 0);
    }
}

TEST_F(WorkloadCli, AMessageThatNobodyReceivesIsNoticed)
{
    box.Write("lost.goal", "num_ranks 2\nrank 0 {\nsend 10b to 1 tag 1\n}\nrank 1 {\n}\n");
    const json s = Summary(With({"--workload", "lost.goal"}, MESSAGE));
    ASSERT_EQ(s["warnings"].size(), 1U);
    EXPECT_EQ(s["warnings"][0].get<std::string>().find("job lost has 1 more sends than receives"),
              0U);
    EXPECT_TRUE(Summary(With({"--workload", "pair.goal"}, MESSAGE))["warnings"].empty());
}

TEST_F(WorkloadCli, InterruptedRunsKeepWhatTheyHave)
{
    // minutes at packet level: 100 GB per step
    const ProgramResult r = box.RunAndSignal(
        {"run",
         "--workload",
         "all-reduce:ranks=4,bytes=400GB,algorithm=ring",
         "--topology",
         "star:hosts=4",
         "--chrome-trace",
         "t.json"},
        SIGINT,
        // begun, and looked at once: only then signals are waited for
        [&]() {
            std::error_code error;
            const auto size = std::filesystem::file_size(box.PathOf("wormhole-out/t.json"), error);
            return !error && size > 0;
        });
    EXPECT_EQ(r.exit, 130) << r.err;
    EXPECT_EQ(box.ReadJson("wormhole-out/summary.json")["interrupted"], true);
    EXPECT_TRUE(box.ReadJson("wormhole-out/t.json").is_array());
    EXPECT_EQ(box.Lines("wormhole-out/ranks.csv").size(), 5U);
}

TEST_F(WorkloadCli, OptionsWithoutEffect)
{
    const Words pair{"--workload", "pair.goal"};
    ExpectError(With(pair, {}), "run --workload needs --topology");
    ExpectError(With(With(pair, PACKET), {"--loggops", "L=1"}), "--loggops: no effect");
    ExpectError(With(pair, {"--mode", "flow", "--topology", "star:hosts=4", "--cc", "dcqcnn"}),
                "--cc dcqcnn: no such congestion");
    ExpectError(With(With(pair, FLOW), {"--seed", "3"}), "--seed: no effect");
    ExpectError(With(With(pair, MESSAGE), {"--topology", "star:hosts=4"}), "--topology: no effect");
    ExpectError(With(With(pair, MESSAGE), {"--eager-limit", "4"}), "--eager-limit: no effect");
    ExpectError(With(With(pair, MESSAGE), {"--payload", "500"}),
                "--payload: no effect with --mode message; it belongs to packet, fast and flow");
    ExpectError(With(With(pair, MESSAGE), {"--placement", "random"}), "--placement: no effect");
    ExpectError(With(With(pair, FLOW), {"--chrome-trace-spans", "4"}), "--chrome-trace-spans");
    ExpectError(With(With(pair, FLOW), {"--traffic", "ring:bytes=1KB"}), "--traffic: no effect");
    ExpectError(With(PACKET, {"--traffic", "ring:bytes=1KB", "--mode", "message"}),
                "--mode message: it runs workloads; give --workload");
    ExpectError({"--workload",
                 "goal:file=pair.goal,place=0+1",
                 "--topology",
                 "star:hosts=4",
                 "--placement",
                 "random"},
                "no effect, since every job lists its nodes");
}

TEST_F(WorkloadCli, WrongInput)
{
    ExpectError(With({"--workload", ""}, FLOW), "the value is empty");
    ExpectError(With({"--workload", "none.goal"}, FLOW), "there is no such file, and no such kind");
    ExpectError(With({"--workload", "goal"}, FLOW), "file");
    ExpectError(With({"--workload", "goal:file=none"}, FLOW), "none");
    ExpectError(With({"--workload", "goal:file=pair.goal,fiel=3"}, FLOW), "fiel");
    ExpectError(With({"--workload", "goal:file=pair.goal,name="}, FLOW), "name=");
    ExpectError(With({"--workload", "goal:file=pair.goal,place=0"}, FLOW), "list names 1");
    ExpectError(With({"--workload", "goal:file=pair.goal,place=0+9"}, FLOW), "node 9");
    ExpectError(With({"--workload", "all-reduce:ranks=5,bytes=1KB"}, FLOW), "5 ranks");
    const Words pair{"--workload", "pair.goal"};
    ExpectError(With({"--workload",
                      "goal:file=pair.goal,name=a",
                      "--workload",
                      "goal:file=pair.goal,name=a"},
                     FLOW),
                "two jobs are called a");
    ExpectError(With(With(pair, {"--mode", "cell"}), PACKET),
                "there are packet, fast, flow and message");
    ExpectError(With(With(pair, FLOW), {"--placement", "tight"}), "--placement tight");
    ExpectError(With(With(pair, FLOW), {"--placement", "0-1,2-3"}), "2 lists for 1 jobs");
    ExpectError(With(With(pair, FLOW), {"--overhead", "5"}), "--overhead 5");
    ExpectError(With(With(pair, FLOW), {"--handshake", "0"}), "--handshake 0");
    ExpectError(With(With(pair, MESSAGE), {"--loggops", "L=-1"}), "L");
    ExpectError(With(With(pair, MESSAGE), {"--loggops", "X=1"}), "X");
    ExpectError(With(With(pair, FLOW), {"--chrome-trace", "summary.json"}), "would overwrite");
    ExpectError(With(With(pair, FLOW), {"--chrome-trace", "./pair.goal"}), "would overwrite");
    ASSERT_EQ(::mkfifo(box.PathOf("pipe").c_str(), 0600), 0);
    ExpectError(With({"--workload", "pipe"}, FLOW), "pipe: a pipe, but");
    ExpectError(With({"--workload", "goal:file=pipe"}, FLOW), "pipe: a pipe, but");
    ExpectError(With({"--workload", "chakra:prefix=x,groups=pipe"}, FLOW), "pipe: a pipe, but");
    box.Write("garbage.bin", std::string("\x00\xff\x13garbage", 10));
    ExpectError(With({"--workload", "garbage.bin"}, FLOW), "garbage.bin");
    box.Write("empty", "");
    ExpectError(With({"--workload", "empty"}, FLOW), "empty");
    box.Write("traces/ring.0.et", "one rank's");
    ExpectError(With({"--workload", "traces/ring.0.et"}, FLOW), "chakra:prefix=traces/ring");
    box.Write("half.json", "{\"model\": ");
    ExpectError(With({"--workload", "half.json"}, FLOW), "half.json");
    EXPECT_FALSE(std::filesystem::exists(box.PathOf("wormhole-out"))) << "nothing was run";
}

TEST_F(WorkloadCli, ATrainingJobMayBeginWithAByteOrderMark)
{
    const std::string gpt = SOURCE + "/workloads/training/gpt-7b-64.json";
    std::ifstream in(gpt);
    std::ostringstream text;
    text << "\xEF\xBB\xBF" << in.rdbuf();
    box.Write("gpt.json", text.str());
    EXPECT_EQ(Summary(With({"--workload", "gpt.json"}, MESSAGE))["results"]["jobs"][0]["ranks"],
              64);
    EXPECT_NE(box.Run({"training", "gpt.json"})
                  .out.find("6.66 G parameters, 6.66 G of them used by a token\n"),
              std::string::npos);
}

TEST_F(WorkloadCli, Help)
{
    EXPECT_NE(box.Run({"run", "--help"}).out.find("--loggops"), std::string::npos);
    const ProgramResult kinds = box.Run({"run", "--help-workload"});
    EXPECT_EQ(kinds.exit, 0);
    for (const char* kind : {"goal", "training", "simai", "chakra", "storage", "all-reduce"})
    {
        EXPECT_NE(kinds.out.find(kind), std::string::npos) << kind;
    }
}

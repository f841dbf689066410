/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `wormhole run --disturb K`: one thing of every kind of workload, and of flows, happens 1 ns
// later, the same in every mode.

#include "harness/run_cli.h"

#include "ns3/workload-chakra-codec.h"
#include "ns3/workload-chakra-writer.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace
{

using harness::ProgramResult;
using harness::With;
using harness::Words;
using nlohmann::json;

const std::string SOURCE = WORMHOLE_SOURCE_DIR;
const Words STAR{"--topology", "star:hosts=4"};
const Words INCAST{"--topology", "star:hosts=4", "--traffic", "incast:fan-in=3,bytes=10KB"};

class DisturbCli : public harness::RunCli
{
  protected:
    /** \return what was moved in all these modes, which must agree */
    std::string MovedBy(const Words& words, const std::string& number, const Words& modes)
    {
        std::set<std::string> moved;
        for (const std::string& mode : modes)
        {
            const json summary = Summary(With(words, {"--mode", mode, "--disturb", number}));
            EXPECT_EQ(summary["disturbed"]["number"], std::stoull(number));
            moved.insert(summary["disturbed"]["moved"].get<std::string>());
        }
        EXPECT_EQ(moved.size(), 1U);
        return *moved.begin();
    }

    /** \return when the last rank finished, ns */
    double Finish(const Words& words)
    {
        return Summary(words)["results"]["finish_ns"];
    }

    /** \return start of each flow, ns, in the order of fct.txt */
    std::vector<std::string> Starts(const Words& words)
    {
        Summary(words);
        std::vector<std::string> starts;
        for (const std::string& line : box.Lines("out/fct.txt"))
        {
            std::istringstream in(line);
            std::string word;
            for (int i = 0; i < 6; ++i)
            {
                in >> word;
            }
            starts.push_back(word);
        }
        return starts;
    }
};

const Words ALL_BUT_MESSAGE{"packet", "fast", "flow"};

} // namespace

TEST_F(DisturbCli, OneFlowStartsLater)
{
    std::set<std::string> moved;
    for (const std::string number : {"1", "2", "3", "4"})
    {
        moved.insert(MovedBy(INCAST, number, ALL_BUT_MESSAGE));
        const std::vector<std::string> starts = Starts(With(INCAST, {"--disturb", number}));
        // three flows: the fourth number moves one of them by 2 ns
        EXPECT_EQ(std::count(starts.begin(), starts.end(), "0"), 2);
        EXPECT_EQ(std::count(starts.begin(), starts.end(), number == "4" ? "2" : "1"), 1);
    }
    EXPECT_EQ(moved.size(), 4U);
    EXPECT_NE(moved.begin()->find("the flow of 10000 bytes from node "), std::string::npos);
}

TEST_F(DisturbCli, NothingIsMovedByNone)
{
    const std::vector<std::string> starts = Starts(INCAST);
    const std::string fct = box.Read("out/fct.txt");
    EXPECT_FALSE(box.ReadJson("out/summary.json").contains("disturbed"));
    EXPECT_EQ(starts, Starts(With(INCAST, {"--disturb", "0"})));
    EXPECT_EQ(fct, box.Read("out/fct.txt"));
    EXPECT_FALSE(box.ReadJson("out/summary.json").contains("disturbed"));
}

TEST_F(DisturbCli, EachComputationOfARankTakesLonger)
{
    // The two computations of each of the two ranks, all one after the other, are 2 x 1 ns longer
    // whichever rank it is, and so are the ways of both messages, whichever link it is; all of it
    // is 2 ns for the third number, when both ranks and both links had their turn.
    const Words workload{"--workload", SOURCE + "/workloads/goal/pipeline-2.goal"};
    const Words pipeline = With(workload, {"--topology", "star:hosts=2"});
    const Words flow = With(pipeline, {"--mode", "flow"});
    const double finish = Finish(flow);
    std::set<std::string> moved;
    for (const std::string number : {"1", "2"})
    {
        moved.insert(MovedBy(pipeline, number, ALL_BUT_MESSAGE));
        EXPECT_NEAR(Finish(With(flow, {"--disturb", number})), finish + 4, 0.5) << number;
    }
    EXPECT_EQ(moved.size(), 2U);
    EXPECT_EQ(
        moved.count("job pipeline-2, rank 0: each of its 2 computations takes 1 ns longer; the "
                    "link of nodes 0 and 2 takes 1 ns longer"),
        1U);
    EXPECT_NEAR(Finish(With(flow, {"--disturb", "3"})), finish + 8, 0.5);
    EXPECT_EQ(Finish(With(workload, {"--mode", "message", "--disturb", "1"})),
              Finish(With(workload, {"--mode", "message"})) + 2);
}

TEST_F(DisturbCli, WithoutComputationsARankBeginsLater)
{
    const Words collective = With({"--workload", "all-reduce:ranks=4,bytes=100KB"}, STAR);
    std::set<std::string> moved;
    for (const std::string number : {"1", "2", "3", "4"})
    {
        moved.insert(MovedBy(collective, number, ALL_BUT_MESSAGE));
    }
    EXPECT_EQ(moved.size(), 4U);
    EXPECT_EQ(
        moved.count("job all-reduce, rank 3 begins 1 ns later; the link of nodes 3 and 4 takes "
                    "1 ns longer"),
        1U);
    // the others only wait for the root of a broadcast: it is the root that begins later, always
    const Words broadcast{"--mode",
                          "message",
                          "--workload",
                          "broadcast:ranks=4,bytes=100KB,algorithm=ring"};
    EXPECT_EQ(Finish(With(broadcast, {"--disturb", "1"})), Finish(broadcast) + 1);
}

TEST_F(DisturbCli, LinksWithinServersAndWithoutDelayStayAsTheyAre)
{
    // each of 16 GPUs has a link to its NVSwitch, 16 or 17, and one to another switch
    std::set<std::string> moved;
    for (int number = 1; number <= 16; ++number)
    {
        const json summary = Summary({"--workload",
                                      "all-reduce:ranks=16,bytes=1KB",
                                      "--topology",
                                      "spectrum-x:gpus=16",
                                      "--mode",
                                      "flow",
                                      "--disturb",
                                      std::to_string(number)});
        const std::string text = summary["disturbed"]["moved"];
        moved.insert(text.substr(text.find("the link of nodes ")));
        EXPECT_EQ(text.find(" and 16 "), std::string::npos) << text;
        EXPECT_EQ(text.find(" and 17 "), std::string::npos) << text;
    }
    EXPECT_EQ(moved.size(), 16U);
    EXPECT_EQ(MovedBy({"--traffic", "ring:bytes=1KB", "--topology", "star:hosts=2,delay=0ns"},
                      "1",
                      {"packet"})
                  .find("the link"),
              std::string::npos);
}

TEST_F(DisturbCli, AllLinksTakeLonger)
{
    // Those of hosts: there and back, each of two by 3 ns, and what starts later is the same flow.
    const Words flow{"--topology", "star:hosts=2", "--traffic", "incast:fan-in=1,bytes=10KB"};
    const double before = Summary(flow)["fct_ns"]["max"];
    const json summary = Summary(With(flow, {"--disturb", "3", "--disturb-links", "all"}));
    EXPECT_EQ(summary["fct_ns"]["max"], before + 4 * 3);
    const std::string text = summary["disturbed"]["moved"];
    EXPECT_NE(text.find("each link of a host takes 3 ns longer"), std::string::npos) << text;
    EXPECT_EQ(MovedBy(With(INCAST, {"--disturb-links", "one"}), "2", {"packet"}),
              MovedBy(INCAST, "2", {"packet"}));
}

TEST_F(DisturbCli, AllKindsOfWorkloadsCanBeDisturbed)
{
    EXPECT_NE(MovedBy({"--workload",
                       "training:file=" + SOURCE + "/workloads/training/gpt-7b-64.json,scale=10000",
                       "--topology",
                       "rail-optimized:gpus=64"},
                      "1",
                      ALL_BUT_MESSAGE)
                  .find("each of its "),
              std::string::npos);
    EXPECT_NE(MovedBy({"--workload",
                       "storage:file=" + SOURCE + "/workloads/storage/two-hosts.spc",
                       "--topology",
                       "star:hosts=77"},
                      "1",
                      {"packet"}),
              "");
}

TEST_F(DisturbCli, OneRankOfSimAisComputesLonger)
{
    box.Write(
        "w.txt",
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 1 pp: 1 vpp: 1 ga: 1 "
        "all_gpus: 8\n1\nlayer -1 1000 ALLREDUCE 65536 1 NONE 0 1 NONE 0 100\n");
    const Words network{"--workload", "w.txt", "--topology", "spectrum-x:gpus=8"};
    const Words simai = With(network, {"--mode", "flow"});
    const double finish = Finish(simai);
    std::set<std::string> moved;
    for (int number = 1; number <= 8; ++number)
    {
        const Words disturbed = With(simai, {"--disturb", std::to_string(number)});
        EXPECT_NE(Finish(disturbed), finish) << number;
        moved.insert(box.ReadJson("out/summary.json")["disturbed"]["moved"].get<std::string>());
    }
    EXPECT_EQ(moved.size(), 8U);
    EXPECT_EQ(moved.count("each computation and each change of state of rank 7 takes 1 ns longer; "
                          "the link of nodes 7 and 16 takes 1 ns longer"),
              1U);
    MovedBy(network, "1", ALL_BUT_MESSAGE);
}

TEST_F(DisturbCli, ComputationsOfAChakraTraceTakeLonger)
{
    if (!ns3::HasWorkloadChakra())
    {
        GTEST_SKIP() << "this build has no protobuf";
    }
    ns3::WorkloadChakraNode computes;
    computes.name = "gemm";
    computes.durationMicros = 5;
    ns3::WorkloadChakraNode reduces;
    reduces.id = 1;
    reduces.kind = ns3::WorkloadChakraKind::COMM_COLL;
    reduces.commType = static_cast<uint64_t>(ns3::WorkloadChakraCollective::ALL_REDUCE);
    reduces.commSize = 65536;
    reduces.dependencies = {0};
    ns3::WorkloadChakraTrace trace;
    for (int rank = 0; rank < 4; ++rank)
    {
        trace.ranks.push_back({"", "0.0.4", {computes, reduces}});
    }
    ns3::WriteWorkloadChakra(box.PathOf("both"), trace);
    const Words both = With({"--workload", "chakra:prefix=both"}, STAR);
    const Words modes{"packet", "fast", "flow"};
    EXPECT_NE(MovedBy(both, "1", modes), MovedBy(both, "2", modes));
    EXPECT_NE(Finish(With(both, {"--disturb", "1"})), Finish(both));
    EXPECT_NE(MovedBy(both, "1", modes).find("each computation of rank "), std::string::npos);
    // without a computation, a rank begins later
    for (ns3::WorkloadChakraRank& rank : trace.ranks)
    {
        rank.nodes.erase(rank.nodes.begin());
        rank.nodes[0].dependencies.clear();
    }
    ns3::WriteWorkloadChakra(box.PathOf("one"), trace);
    const Words one = With({"--workload", "chakra:prefix=one"}, STAR);
    EXPECT_NE(MovedBy(one, "1", modes).find(" begins 1 ns later"), std::string::npos);
    EXPECT_NE(Finish(With(one, {"--disturb", "1"})), Finish(one));
}

TEST_F(DisturbCli, WrongValues)
{
    ExpectError(With(INCAST, {"--disturb", "x"}), "--disturb x");
    ExpectError(With(INCAST, {"--disturb", "-1"}), "--disturb -1");
    ExpectError(With(INCAST, {"--disturb", "10001"}), "--disturb 10001");
    ExpectError(With(INCAST, {"--disturb", "1", "--disturb-links", "2"}),
                "--disturb-links 2: must be one or all");
    ExpectError(With(INCAST, {"--disturb-links", "all"}), "no effect without --disturb");
    box.Write("none.txt", "0\n");
    ExpectError({"--topology", "star:hosts=2", "--flows", "none.txt", "--disturb", "1"},
                "there is no flow that could start later");
}

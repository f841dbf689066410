/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// SimAI's users start with a workload, a topology and a SimAI.conf: the same on the command line.

#include "harness/sandbox.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace
{

using harness::ProgramResult;
using harness::Sandbox;
using nlohmann::json;
using Words = std::vector<std::string>;

const std::string SOURCE = WORMHOLE_SOURCE_DIR;

class SimAiCli : public testing::Test
{
  protected:
    SimAiCli()
    {
        conf = Content(SOURCE + "/workloads/simai/simai.conf");
    }

    std::string Content(const std::string& path)
    {
        std::filesystem::copy_file(path,
                                   box.PathOf("copy"),
                                   std::filesystem::copy_options::overwrite_existing);
        return box.Read("copy");
    }

    /** Runs layers on 32 GPUs, TP 8, EP 2, \return the summary */
    json Run(const std::string& layer, const std::string& options, const Words& more)
    {
        box.Write("w.txt",
                  "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 2 pp: 1 vpp: 1 "
                  "ga: 1 all_gpus: 32\n1\nlayer -1 1 " +
                      layer + " 100\n");
        Words words{"run",
                    "--workload",
                    "simai:file=w.txt" + options,
                    "--topology",
                    "spectrum-x:gpus=32",
                    "--output",
                    "out"};
        words.insert(words.end(), more.begin(), more.end());
        const ProgramResult r = box.Run(words);
        EXPECT_EQ(r.exit, 0) << r.err;
        return box.ReadJson("out/summary.json");
    }

    Sandbox box;
    std::string conf; ///< SimAI.conf's values that count
};

} // namespace

TEST_F(SimAiCli, TakesSimAisConfWithoutTheTraceFileThatItNames)
{
    box.Write("SimAI.conf",
              conf + "TRACE_FILE /nowhere/trace1.txt\nTRACE_OUTPUT_FILE /nowhere/mix.tr\n"
                     "ENABLE_TRACE 1\nFLOW_FILE /nowhere/flow1.txt\n");
    const json s =
        Run("ALLREDUCE 65536 1 NONE 0 1 NONE 0", ",name=test1", {"--config", "SimAI.conf"});
    ASSERT_EQ(s["warnings"].size(), 2U); // the other one is of the headroom, by HPCC's rule
    const std::string warning = s["warnings"][0];
    EXPECT_NE(warning.find("TRACE_FILE /nowhere/trace1.txt: there is no such file"),
              std::string::npos)
        << warning;
    EXPECT_EQ(s["configuration"]["timing"], "truncate");
    EXPECT_EQ(s["configuration"]["attributes"]["ns3::RdmaNetwork"]["SequenceBytes"], "8");
    EXPECT_EQ(box.Lines("out/ncclFlowModel_EndToEnd.csv")[1].substr(0, 6), "test1,");
    EXPECT_FALSE(std::filesystem::exists(box.PathOf("out/mix.tr")));

    // HPCC's own users mean the trace that they ask for
    const std::string hpcc = conf.substr(0, conf.find("RATE_MON_FILE"));
    box.Write("config.txt",
              hpcc + "TRACE_FILE none.txt\nTRACE_OUTPUT_FILE mix.tr\nENABLE_TRACE 1\n");
    const ProgramResult r = box.Run({"run",
                                     "--workload",
                                     "w.txt",
                                     "--topology",
                                     "spectrum-x:gpus=32",
                                     "--config",
                                     "config.txt",
                                     "--output",
                                     "out"});
    EXPECT_EQ(r.exit, 2);
    EXPECT_NE(r.err.find("TRACE_FILE none.txt: there is no such file"), std::string::npos) << r.err;
}

TEST_F(SimAiCli, SaysWhatToDoIfResultsCannotBeWhereSimAisConfPutsThem)
{
    box.Write("w.txt", "MICRO\n1\nlayer -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 4096 1\n");
    const std::string key = "FCT_OUTPUT_FILE ";
    box.Write("SimAI.conf", conf.replace(conf.find(key), key.size(), key + "/nowhere/at/all/"));
    const ProgramResult r = box.Run({"run",
                                     "--workload",
                                     "w.txt",
                                     "--topology",
                                     "spectrum-x:gpus=8",
                                     "--config",
                                     "SimAI.conf"});
    EXPECT_EQ(r.exit, 1);
    EXPECT_NE(r.err.find("/nowhere/at/all: there is no such folder"), std::string::npos) << r.err;
    EXPECT_NE(r.err.find("--output DIR"), std::string::npos) << r.err;
}

TEST_F(SimAiCli, HasNoTotalIfItDidNotEnd)
{
    box.Write("w.txt", "MICRO\n1\nlayer -1 1 NONE 0 1 NONE 0 1000 ALLREDUCE 1048576 1\n");
    const ProgramResult r = box.Run({"run",
                                     "--workload",
                                     "w.txt",
                                     "--topology",
                                     "spectrum-x:gpus=8",
                                     "--stop",
                                     "0.00001",
                                     "--output",
                                     "out"});
    EXPECT_EQ(r.exit, 3);
    const json totals = box.ReadJson("out/summary.json")["results"]["simai"];
    EXPECT_TRUE(totals["total_ns"].is_null());
    EXPECT_TRUE(totals["last_rank_ns"].is_null());
    EXPECT_EQ(totals["compute_ns"], 1000);
    EXPECT_EQ(totals["exposed_ns"], 0) << "what has ended";
    EXPECT_EQ(box.Lines("out/ncclFlowModel_EndToEnd.csv").back(),
              "total exposed comm,0.000000,total comp,1.000000,total time,0.000000");
}

TEST_F(SimAiCli, DataGroupsTakeTheTimeOfTheirSteps)
{
    // 8 MiB in 8 groups of 4, a rank of each server: 1 channel, 6 steps of 2 MiB on one rail, which
    // carries nothing else. SimAI's timing at 400 Gb/s: 233 packets of 9,052 B take 181 ns each,
    // the last, 152 + 52 B, 4 ns. The switch sends the first on when it has it; 2 links of 500 ns.
    const int64_t alone = 181 + 233 * 181 + 4 + 2 * 500;
    // Each rank acknowledges, 1 ns per packet, what it receives while it sends: from the first
    // packet's arrival on, 2 * (181 + 500) ns after its start, until its own are sent.
    const int64_t beside = (233 * 181 + 4 - 2 * (181 + 500)) / 181;
    const int64_t back = 2 * (1 + 500);
    // 6 us and 10 ns before each step, 30 ns more where it carries sums: steps 2, 3 and 4; 100 ns
    // after all; 1 ns for each of three computations and the changes of state between them.
    const int64_t total = 6 * (6000 + 10 + alone + beside + back) + 3 * 30 + 100;
    const json s = Run("NONE 0 1 NONE 0 1 ALLREDUCE 8388608",
                       "",
                       {"--config", SOURCE + "/workloads/simai/simai.conf"});
    EXPECT_NEAR(s["results"]["simai"]["total_ns"].get<double>(), double(total), 20);
    EXPECT_EQ(s["results"]["simai"]["total_ns"], s["results"]["simai"]["last_rank_ns"]);
}

/** n flows of so many bytes in all that a layer makes. */
struct Shape
{
    const char* layer;
    const char* options;
    uint64_t flows;
    uint64_t bytes;
};

TEST_F(SimAiCli, FlowsAreCountedAsSimAiMakesThem)
{
    // 32 GPUs, TP 8: a tensor group has 8 channels, the others 1. DP 4, EP 2, DP_EP 2.
    const uint64_t kib = 1024;
    const Shape shapes[]{
        // 4 groups of 8: 14 steps, 8 flows, 8 channels of S / 64
        {"ALLREDUCE 1048576 1 NONE 0 1 NONE 0", "", 4 * 14 * 8 * 8, 4 * 14 * 1024 * kib},
        {"ALLGATHER 1048576 1 NONE 0 1 NONE 0", "", 4 * 7 * 8 * 8, 4 * 7 * 1024 * kib},
        // a size that does not divide: 100,001 / 8 / 8 = 1,562 B
        {"NONE 0 1 REDUCESCATTER 100001 1 NONE 0", "", 4 * 7 * 64, 4 * 7 * 64 * 1562},
        {"ALLTOALL 100001 1 NONE 0 1 NONE 0", "", 4 * 8 * 7, 4 * 8 * 7 * 12500},
        // 8 groups of 4
        {"NONE 0 1 NONE 0 1 ALLREDUCE 100002", "", 8 * 6 * 4, 8 * 6 * 4 * 25000},
        {"NONE 0 1 NONE 0 1 ALLTOALL 100002", "", 8 * 4 * 3, 8 * 4 * 3 * 25000},
        // 16 groups of 2
        {"ALLTOALL_EP 100001 1 NONE 0 1 NONE 0", "", 16 * 2, 16 * 2 * 50000},
        {"NONE 0 1 NONE 0 1 ALLGATHER_DP_EP 100001", "", 16 * 2, 16 * 2 * 50000},
        // less than a byte for each: one
        {"NONE 0 1 NONE 0 1 ALLREDUCE 3", "", 8 * 6 * 4, 8 * 6 * 4},
        // SimAI raises small sizes in the forward pass: 4,096 B
        {"ALLREDUCE 1001 1 NONE 0 1 NONE 0", "", 4 * 14 * 64, 4 * 14 * 4096},
        // NVLS: 4 quarters up and down
        {"ALLREDUCE 1048576 1 NONE 0 1 NONE 0", ",nvls=1", 4 * 8 * 8, 4 * 64 * 256 * kib},
        // no data: none
        {"ALLREDUCE 0 1 REDUCESCATTER 0 1 ALLGATHER 0", "", 0, 0},
    };
    for (const Shape& shape : shapes)
    {
        SCOPED_TRACE(shape.layer);
        const json s = Run(shape.layer, shape.options, {"--mode", "flow"});
        EXPECT_EQ(s["results"]["simai"]["flows"], shape.flows);
        uint64_t bytes = 0;
        for (const json& flows : s["results"]["flows"])
        {
            bytes += flows["bytes"].get<uint64_t>();
        }
        EXPECT_EQ(bytes, shape.bytes);
    }
}

TEST_F(SimAiCli, GroupsAcrossServersChangeThemOnEveryRail)
{
    // TP 16 on two servers of 8: 8 channels; PXN relays the 2 flows of a step that change servers
    const std::string header = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 16 ep: 1 "
                               "pp: 1 vpp: 1 ga: 1 all_gpus: 32\n1\nlayer -1 1 ";
    const std::vector<std::pair<std::string, uint64_t>> cases{
        {"ALLREDUCE 1048576", 2 * 30 * 8},
        {"ALLGATHER 1048576", 2 * 15 * 8},
        {"REDUCESCATTER 1048576", 2 * 15 * 8},
    };
    for (const auto& [collective, steps] : cases)
    {
        for (const uint64_t relays : {0, 2})
        {
            box.Write("tp.txt", header + collective + " 1 NONE 0 1 NONE 0 1\n");
            const ProgramResult r =
                box.Run({"run",
                         "--workload",
                         std::string("simai:file=tp.txt") + (relays ? ",pxn=1" : ""),
                         "--topology",
                         "spectrum-x:gpus=32",
                         "--mode",
                         "flow",
                         "--output",
                         "out"});
            ASSERT_EQ(r.exit, 0) << r.err;
            EXPECT_EQ(box.ReadJson("out/summary.json")["results"]["simai"]["flows"],
                      steps * (16 + relays))
                << collective << ", relays " << relays;
        }
    }
}

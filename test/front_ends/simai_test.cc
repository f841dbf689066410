/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The program wormhole-simai, on a stand-in of SimAI's interface whose workloads are texts
// (scratch/front-ends/simai/stand-in).

#include "../../scratch/front-ends/simai/simai-lean.h" // which only SimAI's own files include
#include "harness/sandbox.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

namespace
{

using harness::ProgramResult;
using harness::Sandbox;
using harness::With;
using harness::Words;

const std::string CONF = WORMHOLE_SOURCE_DIR "/workloads/simai/simai.conf";

const std::string LINKS = "0 2 400Gbps 0.0005ms 0\n1 2 400Gbps 0.0005ms 0\n";
const std::string BARE = "3 1 0 1 2 A100\n2\n" + LINKS;   // 2 GPUs at a switch
const std::string SERVER = "3 2 1 0 2 A100\n2\n" + LINKS; // 2 GPUs at an NVSwitch

/** 2 GPUs at a switch by links of 400 Gb/s and 500 ns. */
class SimAi : public testing::Test
{
  protected:
    SimAi()
    {
        setenv("AS_SEND_LAT", "2", 1);
        box.Write("topo.txt", BARE);
        box.Write("workload.txt", "0 compute 50\n0 send 1 7 1000 5\n1 receive 0 7 1000 5\n");
    }

    ~SimAi() override
    {
        unsetenv("AS_SEND_LAT");
    }

    ProgramResult Run(const Words& words) const
    {
        return box.Run(
            With({"-w", "workload.txt", "-n", "topo.txt", "-c", CONF, "--output", "out", "--quiet"},
                 words));
    }

    Sandbox box{SIMAI_STAND_IN};
};

// 1000 bytes and 52 of headers take 21.04 ns on each of two links, cut to 21, an acknowledgement of
// 60 bytes 1.2, cut to 1; a message leaves 2 us after it is sent.
constexpr int SENT = 50 + 2000 + 2 * (21 + 500);
constexpr int RECEIVED = SENT + 2 * (1 + 500);

} // namespace

// It stands for the std::map<int, int> of SimAI's files: 0 where nothing was set.
TEST(SimAiNumbersByChannel, HasANumberForEachChannelThatWasAskedFor)
{
    wormhole::SimAiNumbersByChannel numbers;
    EXPECT_EQ(numbers.count(0), 0U);
    EXPECT_EQ(numbers.find(2), numbers.end());
    numbers[2] += 5;
    EXPECT_EQ(numbers[2], 5);
    ASSERT_NE(numbers.find(2), numbers.end());
    EXPECT_EQ(*numbers.find(2), 5);
    EXPECT_EQ(numbers.count(2), 1U);
    EXPECT_EQ(numbers.count(3), 0U);
    EXPECT_EQ(numbers[0], 0);
    EXPECT_EQ(--numbers[40], -1); // no number is lost where there must be room
    EXPECT_EQ(numbers[2], 5);
}

TEST_F(SimAi, SendersGoOnAtDeliveryReceiversAtTheAcknowledgement)
{
    const ProgramResult r = Run({});
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_EQ(r.out,
              "node 0 finished at " + std::to_string(SENT) + "\nnode 1 finished at " +
                  std::to_string(RECEIVED) + "\n");
    EXPECT_EQ(box.Read("out/ncclFlowModel_EndToEnd.csv"),
              "Total time," + std::to_string(RECEIVED) + "\n");
    // starts after the latency, and ends with the acknowledgement
    const std::string fct = " 1000 2050 " + std::to_string(RECEIVED - 2050) + " ";
    EXPECT_NE(box.Read("out/fct.txt").find(fct), std::string::npos) << box.Read("out/fct.txt");
}

TEST_F(SimAi, HandsTheTagOfEachMessageToItsReceiver)
{
    box.Write("workload.txt",
              "0 send 1 7 1000 5\n0 send 1 7 1000 6\n1 receive 0 7 1000 5\n1 receive 0 7 1000 6\n");
    EXPECT_EQ(Run({"-t", "2"}).exit, 0);
    // flow 6 where 5 comes: the stand-in does not go on
    box.Write("workload.txt", "0 send 1 7 1000 5\n1 receive 0 7 1000 6\n");
    const ProgramResult r = Run({});
    EXPECT_EQ(r.exit, 3);
    EXPECT_NE(r.err.find("rank 1 has not finished, but neither sends nor receives anything"),
              std::string::npos)
        << r.err;
}

// An all-to-all of SimAI asks for each message once for each flow that it sends, and the next one
// of the layer has the same tags: a receive that is left would get what is meant for another.
TEST_F(SimAi, TakesASecondReceiveForTheFirstWhileItWaits)
{
    box.Write("workload.txt",
              "0 send 1 7 1000 5\n0 send 1 7 1000 6\n"
              "1 ask 0 7 1000 5\n1 receive 0 7 1000 5\n1 receive 0 7 1000 6\n");
    const ProgramResult r = Run({});
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_NE(r.out.find("node 1 finished"), std::string::npos) << r.out;
}

TEST_F(SimAi, NamesNodesThatAreStuck)
{
    box.Write("workload.txt", "1 receive 0 7 1000 5\n");
    const ProgramResult r = Run({});
    EXPECT_EQ(r.exit, 3);
    EXPECT_NE(r.err.find("rank 1 waits for 1000 bytes from rank 0, tag 7, of which 0 have come"),
              std::string::npos)
        << r.err;
}

// Flows 0 and 1 are a collective, flow 2 is another, and of a third nothing comes.
TEST_F(SimAi, LetsModelsGoWhoseFlowsHaveCome)
{
    box.Write("workload.txt",
              "0 model TP_0 2\n0 model TP_1 1\n0 model TP_2 4\n"
              "0 send 1 7 8 0\n1 receive 0 7 8 0\n1 compute 1\n1 count\n"
              "0 send 1 7 8 1\n1 receive 0 7 8 1\n1 compute 1\n1 count\n"
              "0 send 1 7 8 2\n1 receive 0 7 8 2\n1 compute 1\n1 count\n");
    const ProgramResult r = Run({});
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_NE(r.out.find("3 models\n2 models\n"), std::string::npos) << r.out;
    EXPECT_NE(r.out.find("\n1 models\n"), std::string::npos) << r.out;
}

// Three times the same messages, 2 us after what causes them: fast-forward leaves out the second
// and the third, which is as exact as packets are.
TEST_F(SimAi, LeavesOutStepsThatItKnows)
{
    std::string text;
    for (const char* id : {"1\n", "2\n", "3\n"})
    {
        for (const char* step :
             {"0 send 1 7 90000 ", "0 receive 1 8 9 ", "1 receive 0 7 90000 ", "1 send 0 8 9 "})
        {
            text.append(step).append(id);
        }
    }
    box.Write("workload.txt", text);
    const ProgramResult packets = Run({});
    const std::string fct = box.Read("out/fct.txt");
    const ProgramResult fast = Run({"--mode", "fast", "--fast", "Audit=0"});
    EXPECT_EQ(fast.exit, 0) << fast.err;
    EXPECT_EQ(fast.out, packets.out);
    EXPECT_EQ(box.Read("out/fct.txt"), fct);
    const auto known = nlohmann::json::parse(box.Read("out/summary.json"))["fast"]["collectives"];
    EXPECT_EQ(known["recorded"], 2);
    EXPECT_EQ(known["steps"], 4);
}

// SimAI divides sizes by the 2 members of a group and the 2 channels of its rings, in a server of 2
// GPUs, and so makes no message of fewer than 4 bytes. In the forward pass it takes 4096 at least.
TEST_F(SimAi, CorrectsCollectivesThatSimAiWouldWaitForForEver)
{
    box.Write("topo.txt", SERVER);
    box.Write(
        "workload.txt",
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 1 "
        "all_gpus: 2\n3\n"
        "empty -1 5 ALLREDUCE 0 1 ALLREDUCE 4 1 ALLREDUCE 0 1\n"
        "small -1 5 ALLREDUCE 1 1 ALLREDUCE 3 1 NONE 0 1\n"
        "alone -1 5 NONE 0 1 NONE 0 1 ALLREDUCE 1 1\n");
    const ProgramResult r = Run({});
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_NE(r.out.find("empty none 0 all-reduce 4 none 0\n"
                         "small all-reduce 1 all-reduce 4 none 0\n"
                         "alone none 0 none 0 all-reduce 1\n"), // a group of one: no ring
              std::string::npos)
        << r.out;
    EXPECT_NE(r.err.find("workload.txt:3: the forward pass of empty, an all-reduce of 0 B, is "
                         "left out: it sends nothing; 1 more like it"),
              std::string::npos)
        << r.err;
    EXPECT_NE(r.err.find("workload.txt:4: the input gradient of small, an all-reduce of 3 B, has "
                         "4 B in place of them: SimAI would send nothing"),
              std::string::npos)
        << r.err;
    EXPECT_EQ(r.err.find("forward pass of small"), std::string::npos) << r.err;
}

// It takes names, as SimAI's documents have them, and what SimAI itself takes.
TEST_F(SimAi, TakesTheEnvironmentOfSimAi)
{
    for (const char* value : {"0", "1", ""})
    {
        setenv("AS_NVLS_ENABLE", value, 1);
        setenv("AS_PXN_ENABLE", value, 1);
        EXPECT_EQ(Run({}).exit, 0) << value;
    }
    unsetenv("AS_NVLS_ENABLE");
    unsetenv("AS_PXN_ENABLE");
    box.Write("workload.txt", "0 level\n");
    for (const auto& [value, number] : std::map<std::string, std::string>{{"DEBUG", "0"},
                                                                          {"ERROR", "3"},
                                                                          {"UNKNOWN", "4"},
                                                                          {"2", "2"}})
    {
        setenv("AS_LOG_LEVEL", value.c_str(), 1);
        const ProgramResult r = Run({});
        EXPECT_NE(r.out.find("level " + number + "\n"), std::string::npos) << r.out << r.err;
    }
    unsetenv("AS_LOG_LEVEL");
}

// SimAI uses NVLS for tensor groups of 8 and more on an H100 or H800, on however many servers. Of
// a group that is on two, it sends nothing.
TEST_F(SimAi, SaysWhereNvlsCannotBeUsed)
{
    setenv("AS_NVLS_ENABLE", "1", 1);
    const auto run = [this](const std::string& topology, int tensor) {
        box.Write("workload.txt",
                  "HYBRID_TRANSFORMER model_parallel_NPU_group: " + std::to_string(tensor) +
                      " ep: 1 pp: 1 vpp: 1 ga: 1 all_gpus: 16\n1\n"
                      "a -1 5 ALLREDUCE 65536 1 NONE 0 1 NONE 0 1\n");
        return box.Run({"-w", "workload.txt", "-n", topology, "-c", CONF, "--output", "out"});
    };
    EXPECT_EQ(run("spectrum-x:gpus=16", 8).err.find("NVLS"), std::string::npos);
    const std::string small = run("spectrum-x:gpus=16", 2).err;
    EXPECT_NE(small.find("AS_NVLS_ENABLE=1: NVLS is asked for, but no collective can use it"),
              std::string::npos)
        << small;
    const ProgramResult large = run("spectrum-x:gpus=16", 16);
    EXPECT_EQ(large.exit, 2);
    EXPECT_NE(large.err.find("workload.txt:1: AS_NVLS_ENABLE=1: tensor groups of 16 GPUs are on "
                             "several servers of 8"),
              std::string::npos)
        << large.err;
    unsetenv("AS_NVLS_ENABLE");
}

// SimAI divides by sizes of groups that it has not read, takes times for an int, and looks for the
// NVSwitch of each server.
TEST_F(SimAi, RefusesWhatSimAiWouldBeKilledBy)
{
    const std::string sizes = " model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 1 all_gpus: 2\n";
    const auto expect = [&](const std::string& policy,
                            const std::string& ns,
                            const std::string& topology,
                            const std::string& text) {
        box.Write("topo.txt", topology);
        box.Write("workload.txt",
                  policy + sizes + "1\na -1 5 ALLREDUCE 1000 1 NONE 0 " + ns + " NONE 0 1\n");
        const ProgramResult r = Run({});
        EXPECT_EQ(r.exit, text.empty() ? 0 : 2) << r.out << r.err;
        EXPECT_NE(r.err.find(text), std::string::npos) << r.err;
    };
    const std::string policy = "HYBRID_TRANSFORMER";
    expect(policy, "2147483647", SERVER, "");
    expect(policy,
           "2147483648",
           SERVER,
           "workload.txt:3: a takes 2147483648 ns, but SimAI counts up to 2147483647");
    for (const char* other : {"MICRO", "DATA", "HYBRID_TRANSFORMERS"})
    {
        expect(other,
               "1",
               SERVER,
               std::string("workload.txt:1: policy ") + other +
                   ", but must be HYBRID_TRANSFORMER or HYBRID_TRANSFORMER_FWD_IN_BCKWD");
    }
    expect(policy, "1", BARE, "the topology (-n) has no NVSwitches, but SimAI needs one in each");
}

TEST_F(SimAi, RefusesWhatIsWrong)
{
    const auto expect = [this](const Words& words, const std::string& text) {
        const ProgramResult r = Run(words);
        EXPECT_EQ(r.exit, 2) << r.out << r.err;
        EXPECT_NE(r.err.find(text), std::string::npos) << r.err;
    };
    expect({"--traffic", "ring:bytes=1"}, "--traffic");
    expect({"--mode", "message"}, "--mode message");
    expect({"--disturb", "1"}, "--disturb");
    expect({"-w", "none"}, "specified more than once");
    setenv("AS_SEND_LAT", "soon", 1);
    expect({}, "AS_SEND_LAT=soon: must be a whole number of us");
    setenv("AS_SEND_LAT", "2", 1);
    const auto expectOf = [&](const char* name, const char* value, const std::string& must) {
        setenv(name, value, 1);
        expect({}, std::string(name) + "=" + value + ": must be " + must);
        unsetenv(name);
    };
    expectOf("AS_NVLS_ENABLE", "2", "1 (on) or 0 (off)");
    expectOf("AS_PXN_ENABLE", "true", "1 (on) or 0 (off)");
    expectOf("AS_LOG_LEVEL", "5", "DEBUG, INFO, WARNING, ERROR or UNKNOWN, or their number");
    box.Write("workload.txt",
              "HYBRID_TRANSFORMER model_parallel_NPU_group: 8 ep: 0 pp: 1 vpp: x ga:\n");
    expect(
        {},
        "workload.txt:1: the header lacks (or has 0 for) all_gpus:, ep:, ga: and vpp:; add them");
    const std::string header = "HYBRID_TRANSFORMER model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 "
                               "ga: 1 all_gpus: 2\n";
    const std::string layer = "a -1 5 ALLREDUCE 1000 1 NONE 0 1 NONE 0 1\n";
    box.Write("workload.txt", "");
    expect({}, "workload.txt:1: the file is empty");
    box.Write("workload.txt", header);
    expect({}, "workload.txt:1: the file ends where the number of layers is expected");
    box.Write("workload.txt", header + "2\n" + layer);
    expect({}, "workload.txt:2: 2 layers are declared, but there are 1; complete the file");
    box.Write("workload.txt", header + "\n\n2\n" + layer);
    expect({}, "workload.txt:4: 2 layers are declared, but there are 1; complete the file");
    box.Write("workload.txt", header + "1\na -1 5 ALLREDUCE x 1 NONE 0 1 NONE 0 1\n");
    expect({}, "workload.txt:3: communication size");
    box.Write("topo.txt", SERVER);
    box.Write("workload.txt",
              "HYBRID_TRANSFORMER model_parallel_NPU_group: 3 ep: 1 pp: 1 vpp: 1 "
              "ga: 1 all_gpus: 2\n1\n" +
                  layer);
    expect({}, "workload.txt:1: tensor parallelism 3 does not divide the 2 hosts");
    EXPECT_NE(box.Run({"-w", ".", "-n", "topo.txt", "-c", CONF}).err.find(".: cannot be read"),
              std::string::npos);
    box.Write("topo.txt", "3 1 0 1 2 A100\n0\n1 0 400Gbps 0.0005ms 0\n2 0 400Gbps 0.0005ms 0\n");
    expect({}, "node 0 must be a GPU");
    EXPECT_EQ(box.Run({"-n", "topo.txt"}).exit, 2);
    const ProgramResult help = box.Run({"--help"});
    EXPECT_EQ(help.exit, 0);
    EXPECT_NE(help.out.find("AS_SEND_LAT"), std::string::npos);
}

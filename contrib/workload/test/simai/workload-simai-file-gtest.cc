/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/errors.h"

#include "ns3/input-error.h"
#include "ns3/workload-simai-file.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace ns3;

namespace
{

const std::string HEADER =
    "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 ep: 2 pp: 3 "
    "vpp: 4 ga: 5 all_gpus: 96 checkpoints: 0 checkpoint_initiates: 0 ";
const std::string LAYER = "layer -1 10 NONE 0 20 NONE 0 30 NONE 0 100\n";

WorkloadSimAiFile
Read(const std::string& text, const WorkloadSimAiOptions& options = {})
{
    std::istringstream in(text);
    return ReadWorkloadSimAi(in, "w.txt", options);
}

/** \return the message of the error that the text leads to */
std::string
ErrorOf(const std::string& text, const WorkloadSimAiOptions& options = {})
{
    return harness::InputErrorOf([&] { Read(text, options); });
}

void
ExpectError(const std::string& text, const std::string& start, const std::string& part)
{
    const std::string error = ErrorOf(text);
    EXPECT_EQ(error.substr(0, start.size()), start) << error;
    EXPECT_NE(error.find(part), std::string::npos) << error;
}

} // namespace

TEST(SimAiFile, HoldsHeaderAndLayers)
{
    const WorkloadSimAiFile file = Read(
        HEADER + "pp_comm 50331648\n2\n"
                 "attention\t-1\t11 ALLREDUCE 12\r\n 21 ALLGATHER_EP 22 31 REDUCESCATTER 33 44\n"
                 "moe 7 0 ALLTOALL_DP_EP 18446744073709551615 0 NONE 5 0 ALLGATHER_DP_EP 1 0");
    EXPECT_EQ(file.policy, WorkloadSimAiPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD);
    EXPECT_EQ(file.tp, 8U);
    EXPECT_EQ(file.ep, 2U);
    EXPECT_EQ(file.pp, 3U);
    EXPECT_EQ(file.vpp, 4U);
    EXPECT_EQ(file.ga, 5U);
    EXPECT_EQ(file.allGpus, 96U);
    EXPECT_EQ(file.ppCommBytes, 50331648U);
    EXPECT_TRUE(file.warnings.empty());
    ASSERT_EQ(file.layers.size(), 2U);
    const WorkloadSimAiLayer& first = file.layers[0];
    EXPECT_EQ(first.name, "attention");
    EXPECT_EQ(first.line, 3U);
    EXPECT_EQ(first.processNs, 44U);
    const WorkloadSimAiPart& fwd = first.Part(WorkloadSimAiPass::FWD);
    EXPECT_EQ(fwd.computeNs, 11U);
    EXPECT_EQ(fwd.kind, WorkloadSimAiKind::ALL_REDUCE);
    EXPECT_EQ(fwd.group, WorkloadSimAiGroup::TP);
    EXPECT_EQ(fwd.bytes, 12U);
    const WorkloadSimAiPart& ig = first.Part(WorkloadSimAiPass::IG);
    EXPECT_EQ(ig.kind, WorkloadSimAiKind::ALL_GATHER);
    EXPECT_EQ(ig.group, WorkloadSimAiGroup::EP);
    const WorkloadSimAiPart& wg = first.Part(WorkloadSimAiPass::WG);
    EXPECT_EQ(wg.kind, WorkloadSimAiKind::REDUCE_SCATTER);
    EXPECT_EQ(wg.group, WorkloadSimAiGroup::DP); // a bare name means another group in this column
    const WorkloadSimAiPart& big = file.layers[1].Part(WorkloadSimAiPass::FWD);
    EXPECT_EQ(big.kind, WorkloadSimAiKind::ALL_TO_ALL);
    EXPECT_EQ(big.group, WorkloadSimAiGroup::DP_EP);
    EXPECT_EQ(big.bytes, UINT64_MAX);
}

TEST(SimAiFile, TakesHeaderValuesInAnyOrderAndReportsWhatItSkips)
{
    const WorkloadSimAiFile file =
        Read("HYBRID_TRANSFORMER all_gpus: 2 colour: 3 ga: 1 vpp: 1 pp: 1 pp_comm: 7.0 ep: 1 "
             "model_parallel_NPU_group: 2\n1\n" +
             LAYER);
    EXPECT_EQ(file.allGpus, 2U);
    EXPECT_EQ(file.tp, 2U);
    EXPECT_EQ(file.ppCommBytes, 7U);
    ASSERT_EQ(file.warnings.size(), 2U);
    EXPECT_EQ(file.warnings[0], "w.txt:1: header word colour: is skipped");
    EXPECT_EQ(file.warnings[1], "w.txt:1: header word 3 is skipped");
}

TEST(SimAiFile, CompletesShortHeadersFromOptions)
{
    const std::string text =
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 8 checkpoints: 0 "
        "checkpoint_initiates: 0\n1\n" +
        LAYER;
    EXPECT_EQ(ErrorOf(text),
              "w.txt:1: the header lacks (or has 0 for) ep, pp, vpp, ga and all_gpus; add them, or "
              "give them as options (1 for no parallelism)");
    WorkloadSimAiOptions options;
    options.ep = options.pp = options.vpp = options.ga = 1;
    options.allGpus = 16;
    EXPECT_EQ(Read(text, options).allGpus, 16U);
    options.tp = 4;
    EXPECT_EQ(ErrorOf(text, options), "w.txt:1: tp is 8 here, but 4 was asked for; change one");
    EXPECT_EQ(ErrorOf("MICRO\n1\n" + LAYER, options),
              "w.txt:1: tp was asked for, but has no effect with policy MICRO; leave it out");
}

TEST(SimAiFile, MarksAllCheckpoints)
{
    const std::string start =
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1 ep: 1 pp: 1 "
        "vpp: 1 ga: 1 all_gpus: 1 ";
    const WorkloadSimAiFile file =
        Read(start + "checkpoints: 2 0 2 checkpoint_initiates: 2 1 3\n4\n" + LAYER + LAYER + LAYER +
             LAYER);
    for (uint32_t i = 0; i < 4; ++i)
    {
        EXPECT_EQ(file.layers[i].checkpoint, i % 2 == 0);
        EXPECT_EQ(file.layers[i].initiates, i % 2 == 1);
    }
    ExpectError(start + "checkpoints: 1 1 checkpoint_initiates: 1 0\n2\n" + LAYER + LAYER,
                "w.txt:1: ",
                "no checkpoint is at or before it");
    ExpectError(start + "checkpoints: 1 2\n2\n" + LAYER + LAYER, "w.txt:1: ", "the last one is 1");
    ExpectError(start + "checkpoints: 3 0 1\n2\n" + LAYER + LAYER, "w.txt:1: ", "same line");
}

TEST(SimAiFile, TakesThirteenWordsPerLayerIfCustomized)
{
    const WorkloadSimAiFile file =
        Read("HYBRID_CUSTOMIZED\n2\na -1 1 ALLREDUCE 2 3 NONE 0 1 NONE 0 1 MODEL\n"
             "b -1 1 NONE 2 3 NONE 0 1 ALLREDUCE 8 1 DATA\n");
    EXPECT_EQ(file.layers[0].policy, WorkloadSimAiPolicy::MODEL);
    EXPECT_EQ(file.layers[1].policy, WorkloadSimAiPolicy::DATA);
    EXPECT_EQ(file.layers[0].Part(WorkloadSimAiPass::FWD).group, WorkloadSimAiGroup::ALL);
    ExpectError("HYBRID_CUSTOMIZED\n1\na -1 1 NONE 2 3 NONE 0 1 NONE 0 1 HYBRID\n",
                "w.txt:3: policy of a layer HYBRID",
                "");
}

TEST(SimAiFile, WarnsOfMissingAndFurtherLayersAndOfTypesNotSimulated)
{
    WorkloadSimAiFile file = Read("MICRO\n3\n" + LAYER + LAYER);
    ASSERT_EQ(file.warnings.size(), 1U);
    EXPECT_EQ(file.warnings[0],
              "w.txt:2: 3 layers are declared, but there are 2; is the file complete?");
    file = Read("MICRO\n1\n" + LAYER + LAYER);
    ASSERT_EQ(file.warnings.size(), 1U);
    EXPECT_EQ(file.warnings[0], "w.txt:4: what follows is skipped, since line 2 declares 1 layer");
    EXPECT_EQ(file.layers.size(), 1U);
    file = Read("MICRO\n1\nx -1 1 BROADCAST 1 1 BROADCAST 1 1 BROADCAST 1 1");
    EXPECT_EQ(file.warnings.size(), 1U);
}

TEST(SimAiFile, RejectsWhatItCannotRead)
{
    ExpectError("", "w.txt:1: ", "policy");
    ExpectError("HYBRID\n1\n" + LAYER, "w.txt:1: policy HYBRID is not one", "");
    ExpectError(std::string("\0\xff\x01", 3), "w.txt:1: policy", "");
    ExpectError("MICRO", "w.txt:1: ", "number of layers");
    ExpectError("MICRO\n0\n", "w.txt:2: number of layers 0", "from 1");
    ExpectError("MICRO\nmany\n", "w.txt:2: number of layers many", "");
    ExpectError("MICRO\n2\n", "w.txt:2: ", "before its first layer");
    ExpectError("MICRO\n1\nx -1 1 NONE 0 1", "w.txt:3: ", "the file ends");
    ExpectError("MICRO\n1\nx NONE 1 NONE 0 1", "w.txt:3: dependency NONE", "12 words");
    // one word too few, and one too many: the next layer's are taken for it
    ExpectError("MICRO\n2\nx -1 1 NONE 0 1 NONE 0 1 NONE 0\n" + LAYER,
                "w.txt:3: process time ",
                ", but must be a whole number; does each layer have 12 words?");
    ExpectError("MICRO\n2\nx -1 1 NONE 0 1 NONE 0 1 NONE 0 1 1\n" + LAYER,
                "w.txt:3: dependency ",
                "12 words?");
    ExpectError("MICRO\n1\nx -1 -5 NONE 0 1 NONE 0 1 NONE 0 1", "w.txt:3: compute time -5", "");
    ExpectError("MICRO\n1\nx -1 1 NONE 18446744073709551616 1 NONE 0 1 NONE 0 1",
                "w.txt:3: communication size 18446744073709551616",
                "");
    ExpectError("MICRO\n1\nx -1 3000000000000000 NONE 0 1 NONE 0 1 NONE 0 1",
                "w.txt:3: the times of all layers add up",
                "nanoseconds");
    ExpectError("MICRO\n1\n\nx -1 1 NONE 0 1 NONE 0\n1 ALLREDUCE_TP 8 1",
                "w.txt:5: communication type ALLREDUCE_TP has an unknown ending",
                "_EP");
    for (const char* type : {"ALLREDUCES", "ALL_REDUCE", "allreduce", "BROADCAST_EP", "8"})
    {
        ExpectError(std::string("MICRO\n1\nx -1 1 NONE 0 1 NONE 0 1 ") + type + " 8 1",
                    std::string("w.txt:3: communication type ") + type,
                    "_DP_EP");
    }
    ExpectError("MICRO\n1\nx -1 1 NONE 0 1 NONE 0 1 ALLREDUCE_EP 8 1",
                "w.txt:3: communication type ALLREDUCE_EP needs expert groups",
                "MICRO has none");
    ExpectError(HEADER + "ep: 9\n1\n" + LAYER, "w.txt:1: ep: is given twice: 2 and 9", "keep one");
    ExpectError(HEADER + "ga:\n1\n" + LAYER, "w.txt:1: no value after ga:", "same line");
    ExpectError(HEADER + "ga: 99999999999\n1\n" + LAYER, "w.txt:1: ga: 99999999999", "");
    ExpectError(HEADER + "pp_comm 1.x\n1\n" + LAYER, "w.txt:1: pp_comm 1.x", "");
    EXPECT_THROW(ReadWorkloadSimAi("/nowhere/w.txt"), InputError);
    EXPECT_THROW(ReadWorkloadSimAi("/"), InputError);
}

TEST(SimAiFile, NoWordIsMissedOrDoubledInSilence)
{
    const std::vector<std::string> words{"HYBRID_TRANSFORMER_FWD_IN_BCKWD",
                                         "model_parallel_NPU_group:",
                                         "8",
                                         "ep:",
                                         "2",
                                         "pp:",
                                         "3",
                                         "vpp:",
                                         "4",
                                         "ga:",
                                         "5",
                                         "all_gpus:",
                                         "96",
                                         "\n",
                                         "2",
                                         "\n",
                                         "a",
                                         "-1",
                                         "10",
                                         "ALLREDUCE",
                                         "16",
                                         "20",
                                         "NONE",
                                         "0",
                                         "30",
                                         "ALLGATHER",
                                         "8",
                                         "100",
                                         "\n",
                                         "b",
                                         "-1",
                                         "10",
                                         "NONE",
                                         "0",
                                         "20",
                                         "ALLTOALL_EP",
                                         "7",
                                         "30",
                                         "NONE",
                                         "0",
                                         "100",
                                         "\n"};
    const auto isTold = [&words](size_t changed, int times) {
        std::string text;
        for (size_t i = 0; i < words.size(); ++i)
        {
            for (int time = 0; time < (i == changed ? times : 1); ++time)
            {
                text += words[i] + (words[i] == "\n" ? "" : " ");
            }
        }
        std::istringstream in(text);
        try
        {
            return !ReadWorkloadSimAi(in, "w.txt").warnings.empty();
        }
        catch (const InputError&)
        {
            return true;
        }
    };
    EXPECT_FALSE(isTold(0, 1)); // as it is
    for (size_t i = 0; i < words.size(); ++i)
    {
        if (words[i] != "\n")
        {
            EXPECT_TRUE(isTold(i, 0)) << "without word " << i << ", " << words[i];
            EXPECT_TRUE(isTold(i, 2)) << "with word " << i << " twice, " << words[i];
        }
    }
}

TEST(SimAiFile, RejectsRecomputationWithoutBounds)
{
    std::string header =
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1 ep: 1 pp: 1 vpp: "
        "1 ga: 1 all_gpus: 1 checkpoints: 1 0 checkpoint_initiates: 5000";
    std::string layers;
    for (uint32_t i = 0; i < 5000; ++i)
    {
        header += " " + std::to_string(i); // layer i recomputes i layers: 12.5 million
        layers += LAYER;
    }
    ExpectError(header + "\n5000\n" + layers, "w.txt:1: ", "too much recomputation");
}

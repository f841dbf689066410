/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/** \file Shipped training jobs: parameters, and traffic against closed formulas. */

#include "harness/sanitized.h"
#include "harness/schedule_run.h"

#include "ns3/workload-training-model.h"
#include "ns3/workload-training-volume.h"
#include "ns3/workload-training.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

WorkloadTraining
Preset(const std::string& name)
{
    return ReadWorkloadTraining(WORMHOLE_SOURCE_DIR "/workloads/training/" + name + ".json");
}

uint64_t
VolumeOf(const WorkloadTraining& training, const std::string& category)
{
    for (const WorkloadTrainingVolume& volume : WorkloadTrainingVolumes(training))
    {
        if (volume.category == category)
        {
            return volume.bytes;
        }
    }
    return 0;
}

struct PresetCase
{
    std::string name;
    uint32_t ranks;
    double billions; ///< parameters, as the name or the publication says
    double tolerance;
    double active; ///< 0: not published
};

class Presets : public testing::TestWithParam<PresetCase>
{
};

TEST_P(Presets, HasTheParametersOfItsName)
{
    const WorkloadTraining training = Preset(GetParam().name);
    const WorkloadTrainingParameters parameters = CountWorkloadTrainingParameters(training);
    EXPECT_EQ(training.name, GetParam().name);
    EXPECT_EQ(training.GetRankCount(), GetParam().ranks);
    EXPECT_NEAR(parameters.total / 1e9, GetParam().billions, GetParam().tolerance);
    if (GetParam().active > 0)
    {
        EXPECT_NEAR(parameters.active / 1e9, GetParam().active, 0.6);
    }
}

TEST_P(Presets, SendsWhatTheFormulasSay)
{
    WorkloadTraining training = Preset(GetParam().name);
    if (training.name == "deepseek-v3")
    {
        training.globalBatch /= 8; // two micro-batches instead of 16: the same in an eighth
    }
    const WorkloadSchedule schedule = MakeTrainingSchedule(training);
    ASSERT_EQ(schedule.ranks.size(), GetParam().ranks);
    auto traffic = harness::CountTraffic(schedule);
    for (const WorkloadTrainingVolume& volume : WorkloadTrainingVolumes(training))
    {
        EXPECT_EQ(traffic[volume.category].bytes, volume.bytes) << volume.category;
        EXPECT_EQ(traffic[volume.category].messages, volume.messages) << volume.category;
        traffic.erase(volume.category);
    }
    EXPECT_TRUE(traffic.empty()) << traffic.begin()->first << " has no formula";
}

TEST_P(Presets, RunsToItsEnd)
{
    WorkloadTraining training = Preset(GetParam().name);
    if (training.GetRankCount() > (harness::IsSanitized() ? 64U : 256U))
    {
        GTEST_SKIP() << "as large as it is, this is for the runner's own tests";
    }
    EXPECT_EQ(harness::RunSchedule(MakeTrainingSchedule(training), true).fault, "");
}

// GPT without biases and norms: 12 layers hidden^2 + vocabulary hidden.
//   7B:   12 * 32 *  4096^2 + 51200 *  4096 =   6.44 +  0.21 =   6.65
//   13B:  12 * 40 *  5120^2 + 51200 *  5120 =  12.58 +  0.26 =  12.85
//   22B:  12 * 48 *  6144^2 + 51200 *  6144 =  21.74 +  0.31 =  22.06
//   175B: 12 * 96 * 12288^2 + 51200 * 12288 = 173.95 +  0.63 = 174.58
// With E experts, 8 layers hidden^2 of it is there E times:
//   8x7B:   6.65 +  7 * 8 * 32 * 4096^2 =  6.65 +  30.06 =  36.7
//   8x13B: 12.85 +  7 * 8 * 40 * 5120^2 = 12.85 +  58.72 =  71.6
//   8x22B: 22.06 +  7 * 8 * 48 * 6144^2 = 22.06 + 101.47 = 123.5
//   32x22B: 22.06 + 31 * 8 * 48 * 6144^2 = 22.06 + 449.36 = 471.4
INSTANTIATE_TEST_SUITE_P(Shipped,
                         Presets,
                         testing::Values(PresetCase{"gpt-7b-64", 64, 6.65, 0.02, 6.65},
                                         PresetCase{"gpt-13b-128", 128, 12.85, 0.02, 12.85},
                                         PresetCase{"gpt-22b-256", 256, 22.06, 0.03, 22.06},
                                         PresetCase{"gpt-175b-1024", 1024, 174.58, 0.1, 174.58},
                                         PresetCase{"moe-8x7b-64", 64, 36.7, 0.1, 0},
                                         PresetCase{"moe-8x13b-128", 128, 71.6, 0.1, 0},
                                         PresetCase{"moe-8x22b-256", 256, 123.5, 0.1, 0},
                                         PresetCase{"moe-32x22b-1024", 1024, 471.4, 0.2, 0},
                                         // the publications' totals, and what a token uses
                                         PresetCase{"deepseek-v3", 1024, 671, 0.2, 37},
                                         PresetCase{"qwen2.5-72b", 128, 72.7, 0.05, 72.7},
                                         PresetCase{"mixtral-8x7b-64", 64, 46.7, 0.05, 12.9}),
                         [](const auto& info) {
                             std::string name = info.param.name;
                             for (char& c : name)
                             {
                                 c = isalnum(static_cast<unsigned char>(c)) ? c : '_';
                             }
                             return name;
                         });

TEST(TrainingVolumes, OfGpt7bAreThoseOfTheArithmetic)
{
    const WorkloadTraining training = Preset("gpt-7b-64");
    // A GPU's share of a layer: matrices and their divided biases by 8, norms and biases of the
    // output whole.
    const uint64_t h = 4096;
    const uint64_t attention = (4 * h * h + 3 * h) / 8 + h + 2 * h;
    const uint64_t mlp = (8 * h * h + 4 * h) / 8 + h + 2 * h;
    const uint64_t embedding = 51200 * h / 8;
    const uint64_t first = 16 * (attention + mlp) + embedding + 2048 * h;
    const uint64_t second = 16 * (attention + mlp) + embedding + 2 * h; // its copy, and the norm
    const WorkloadTrainingParameters parameters = CountWorkloadTrainingParameters(training);
    EXPECT_EQ(parameters.perStage, (std::vector<uint64_t>{first, second}));
    // ring all-reduce of four: 2 * 3 times the bytes, in each of 8 groups per stage
    EXPECT_EQ(VolumeOf(training, "data-parallel"), 2 * 3 * 8 * 2 * (first + second));
    // 2 directions, 2 micro-batches, 1 border, 32 GPUs, 2048 * 4096 / 8 elements of 2 bytes
    EXPECT_EQ(VolumeOf(training, "pipeline"), 2 * 2 * 1 * 32 * (2048 * h / 8 * 2));
}

TEST(TrainingVolumes, OfMoe8x7bAreThoseOfTheArithmetic)
{
    WorkloadTraining training = Preset("moe-8x7b-64");
    training.parallelism.expertPlacement = WorkloadTrainingExpertPlacement::RAILS;
    const uint64_t h = 4096;
    // A GPU has one whole expert per layer; four GPUs (tensor * data / expert) have the same one.
    const uint64_t expert = 8 * h * h + 4 * h + h;
    EXPECT_EQ(VolumeOf(training, "expert-data-parallel"), 2 * 3 * (8 + 8) * 16 * expert * 2);
    // Of 2048 / 8 tokens, each goes to 2 experts, 7/8 of them elsewhere; dispatch and combine,
    // forward and backward, 2 micro-batches, 32 layers, 32 GPUs of the layer's stage.
    EXPECT_EQ(VolumeOf(training, "expert-parallel"),
              4 * 2 * 32 * 32 * (2048 / 8 * 2 * h * 2) / 8 * 7);
    // By default, an expert group is a server, and nothing of that is on the network.
    training.parallelism.expertPlacement = WorkloadTrainingExpertPlacement::AUTO;
    EXPECT_EQ(VolumeOf(training, "expert-parallel"), 0U);
    // Four GPUs share an expert: its gradients are reduced by 32 / (8 * 4) GPUs, which is no
    // traffic. A group is two GPUs of each of four servers: 1/8 of the tokens stay on the GPU, 1/8
    // go to the other one of the server; 3/8 are for the own rail, and 3/8 for the other one, which
    // they go to by NVLink.
    training.parallelism.expertPlacement = WorkloadTrainingExpertPlacement::PXN;
    const uint64_t eighths = 4 * 2 * 32 * 32 * (2048 / 8 * 2 * h * 2) / 8;
    EXPECT_EQ(VolumeOf(training, "expert-data-parallel"), 0U);
    EXPECT_EQ(VolumeOf(training, "expert-parallel"), eighths * 6);
    EXPECT_EQ(WorkloadTrainingNvlinkVolumes(training).front().bytes, eighths * 4);
}

TEST(TrainingVolumes, OfShardedGradientsAndParametersAddUpToAnAllReduce)
{
    WorkloadTraining training = Preset("gpt-7b-64");
    const uint64_t allReduce = VolumeOf(training, "data-parallel");
    training.parallelism.sharding = 1;
    EXPECT_EQ(VolumeOf(training, "data-parallel"), allReduce / 2);
    EXPECT_EQ(VolumeOf(training, "parameter-gather"), allReduce / 2);
    training.parallelism.sharding = 2; // gradients with each of the two micro-batches
    EXPECT_EQ(VolumeOf(training, "data-parallel"), 2 * allReduce / 2);
    EXPECT_EQ(VolumeOf(training, "parameter-gather"), allReduce / 2);
    training.parallelism.sharding = 3; // parameters for each pass of each micro-batch
    EXPECT_EQ(VolumeOf(training, "data-parallel"), 2 * allReduce / 2);
    EXPECT_EQ(VolumeOf(training, "parameter-gather"), 2 * 2 * allReduce / 2);
}

TEST(TrainingVolumes, OfTensorParallelismAreTwoAllReducesPerLayerAndDirection)
{
    WorkloadTraining training = Preset("gpt-7b-64");
    training.network.tensorOnNetwork = true;
    training.parallelism.sequence = false;
    const uint64_t activations = 2048 * 4096 * 2;
    // 32 layers * 2 blocks * 2 directions, the embedding forward, the head backward: all-reduces;
    // and what crosses the one border between stages is gathered, in each direction
    const uint64_t units = 2 * (32 * 2 * 2 + 2) + 2;
    // 2 micro-batches of 4 replicas; 7 times the bytes per pass
    EXPECT_EQ(VolumeOf(training, "tensor-parallel"), units * 2 * 4 * 7 * activations);
    training.parallelism.sequence = true;
    // forward all-gather and reduce-scatter per block, backward one all-gather more;
    // embedding: one each way; head: gather forward, gather and scatter backward
    const uint64_t passes = 32 * 2 * (2 + 3) + 2 + 3;
    EXPECT_EQ(VolumeOf(training, "tensor-parallel"), passes * 2 * 4 * 7 * activations);
}

TEST(TrainingVolumes, ScaleDividesMessages)
{
    WorkloadTraining training = Preset("moe-8x7b-64");
    const uint64_t pipeline = VolumeOf(training, "pipeline");
    training.scale.bytes = 128;
    EXPECT_EQ(VolumeOf(training, "pipeline"), pipeline / 128);
    training.scale.bytes = 1ULL << 40; // nothing is lost: a byte per vector
    EXPECT_EQ(VolumeOf(training, "pipeline"), 2 * 2 * 32);
    EXPECT_EQ(VolumeOf(training, "data-parallel"), 2 * 3 * 16);
}

TEST(TrainingSchedule, OfManyBucketsIsReduced)
{
    WorkloadTraining training = Preset("gpt-7b-64");
    training.gradients.bucketBytes = 25000000;
    training.gradients.overlap = true;
    const WorkloadSchedule schedule = MakeTrainingSchedule(training);
    auto traffic = harness::CountTraffic(schedule)["data-parallel"];
    EXPECT_EQ(traffic.bytes, VolumeOf(training, "data-parallel"));
    // buckets of a GPU: 25 MB each, but for the last one; 6 sends per bucket
    uint64_t messages = 0;
    for (const uint64_t parameters : CountWorkloadTrainingParameters(training).perStage)
    {
        messages += (2 * parameters + 24999999) / 25000000 * 6 * 32;
    }
    EXPECT_EQ(traffic.messages, messages);
    EXPECT_EQ(harness::RunSchedule(schedule, true).fault, "");
}

} // namespace

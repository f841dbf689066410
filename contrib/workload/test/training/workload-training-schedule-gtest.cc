/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/** \file Order, dependencies and traffic of small training jobs of every kind. */

#include "harness/sanitized.h"
#include "harness/schedule_run.h"
#include "harness/small_training.h"

#include "ns3/input-error.h"
#include "ns3/workload-training-check.h"
#include "ns3/workload-training-model.h"
#include "ns3/workload-training-pipeline.h"
#include "ns3/workload-training-volume.h"
#include "ns3/workload-training.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

using namespace ns3;
using harness::Small;

namespace
{

/** \return "F0 F1 B0 ...", with the chunk after a dot if there are several */
std::string
OrderText(const WorkloadTraining& training, uint32_t stage)
{
    std::string text;
    for (const WorkloadTrainingUnit& unit : MakeWorkloadTrainingOrder(training, stage))
    {
        text += (text.empty() ? "" : " ") + std::string(unit.forward ? "F" : "B") +
                std::to_string(unit.microBatch);
        if (training.parallelism.virtualStages > 1)
        {
            text += "." + std::to_string(unit.chunk);
        }
    }
    return text;
}

TEST(TrainingOrder, Of1f1b)
{
    WorkloadTraining training = Small();
    training.parallelism.pipeline = 2;
    EXPECT_EQ(OrderText(training, 0), "F0 F1 B0 F2 B1 F3 B2 B3");
    EXPECT_EQ(OrderText(training, 1), "F0 B0 F1 B1 F2 B2 F3 B3");
    training.parallelism.pipeline = 4;
    EXPECT_EQ(OrderText(training, 0), "F0 F1 F2 F3 B0 B1 B2 B3");
    EXPECT_EQ(OrderText(training, 1), "F0 F1 F2 B0 F3 B1 B2 B3");
    EXPECT_EQ(OrderText(training, 2), "F0 F1 B0 F2 B1 F3 B2 B3");
    EXPECT_EQ(OrderText(training, 3), "F0 B0 F1 B1 F2 B2 F3 B3");
}

TEST(TrainingOrder, OfGpipe)
{
    WorkloadTraining training = Small();
    training.parallelism.pipeline = 2;
    training.parallelism.schedule = WorkloadTrainingPipeline::GPIPE;
    EXPECT_EQ(OrderText(training, 0), "F0 F1 F2 F3 B3 B2 B1 B0");
}

TEST(TrainingOrder, OfInterleaved)
{
    WorkloadTraining training = Small();
    training.parallelism.pipeline = 2;
    training.parallelism.virtualStages = 2;
    training.parallelism.schedule = WorkloadTrainingPipeline::INTERLEAVED;
    // warm-up: 2 * (stages after) + (2 - 1) * 2 = 4 on the first stage, 2 on the last
    EXPECT_EQ(OrderText(training, 0),
              "F0.0 F1.0 F0.1 F1.1 F2.0 B0.1 F3.0 B1.1 F2.1 B0.0 F3.1 B1.0 B2.1 B3.1 B2.0 B3.0");
    EXPECT_EQ(OrderText(training, 1),
              "F0.0 F1.0 F0.1 B0.1 F1.1 B1.1 F2.0 B0.0 F3.0 B1.0 F2.1 B2.1 F3.1 B3.1 B2.0 B3.0");
}

/** Runs it both ways; they must agree, since messages take no time. */
uint64_t
FinishOf(const WorkloadTraining& training)
{
    const WorkloadSchedule schedule = MakeTrainingSchedule(training);
    const harness::ScheduleRun eager = harness::RunSchedule(schedule, false);
    const harness::ScheduleRun rendezvous = harness::RunSchedule(schedule, true);
    EXPECT_EQ(eager.fault, "");
    EXPECT_EQ(rendezvous.fault, "");
    EXPECT_EQ(eager.finishNs, rendezvous.finishNs);
    return eager.finishNs;
}

TEST(TrainingTime, OfAPipelineIsThatOfTheTextbook)
{
    WorkloadTraining training = Small();
    // A layer takes 2 * 10 ns forward and 2 * 20 ns backward; four micro-batches.
    EXPECT_EQ(FinishOf(training), 4U * 4 * 60);
    // Two stages of two layers: (4 + 2 - 1) * 2 * 60.
    training.parallelism.pipeline = 2;
    EXPECT_EQ(FinishOf(training), 5U * 120);
    training.parallelism.schedule = WorkloadTrainingPipeline::GPIPE;
    EXPECT_EQ(FinishOf(training), 5U * 120);
    // Interleaved, a bubble is half as long: 4 * 120 + 120 / 2.
    training.parallelism.schedule = WorkloadTrainingPipeline::INTERLEAVED;
    training.parallelism.virtualStages = 2;
    EXPECT_EQ(FinishOf(training), 4U * 120 + 60);
    // Four stages of one layer: (4 + 4 - 1) * 60.
    training.parallelism.schedule = WorkloadTrainingPipeline::ONE_FORWARD_ONE_BACKWARD;
    training.parallelism.virtualStages = 1;
    training.parallelism.pipeline = 4;
    EXPECT_EQ(FinishOf(training), 7U * 60);
}

TEST(TrainingTime, ScalesAndAddsNvlink)
{
    WorkloadTraining training = Small();
    training.globalBatch = 1;
    training.scale.compute = 2;
    EXPECT_EQ(FinishOf(training), 4U * 60 / 2);
    training.parallelism.tensor = 2;
    training.network.nvlinkGBps = 1;
    // All-reduce of 8 * 8 * 2 = 128 B between two: 2 / 2 * 128 ns; two per layer and direction,
    // one of the embedding forward, one of the head backward.
    EXPECT_EQ(FinishOf(training), 4U * 60 / 2 + (4 * 2 * 2 + 2) * 128);
}

TEST(TrainingTime, OfFlopsIsThatOfTheArithmetic)
{
    WorkloadTraining training = Small();
    training.globalBatch = 1;
    training.model.layers = 1;
    training.gpu.compute = WorkloadTrainingCompute::FLOPS;
    training.gpu.peakFlops = 2e9; // 2 per ns
    training.gpu.efficiency = 0.5;
    const uint64_t tokens = 8;
    const uint64_t attention = 2 * tokens * 4 * 8 * 8 + 2 * tokens * 8 * (8 + 8);
    const uint64_t mlp = 2 * tokens * 2 * 8 * 32;
    const uint64_t head = 2 * tokens * 8 * 64;
    // one per ns, and backward twice that
    EXPECT_EQ(FinishOf(training), 3 * (attention + mlp + head));
}

/** \return when each rank's first message of a category is sent, and its last computation backward
 * ends */
std::pair<uint64_t, uint64_t>
FirstReductionAndLastBackward(const WorkloadTraining& training)
{
    const WorkloadSchedule schedule = MakeTrainingSchedule(training);
    const harness::ScheduleRun run = harness::RunSchedule(schedule, false);
    EXPECT_EQ(run.fault, "");
    std::pair<uint64_t, uint64_t> result{UINT64_MAX, 0};
    for (size_t i = 0; i < schedule.ranks[0].operations.size(); ++i)
    {
        const WorkloadOperation& operation = schedule.ranks[0].operations[i];
        const std::string& category = schedule.categories[operation.category];
        if (operation.kind == WorkloadKind::SEND && category == "data-parallel")
        {
            result.first = std::min(result.first, run.endNs[0][i]);
        }
        if (category == "backward")
        {
            result.second = std::max(result.second, run.endNs[0][i]);
        }
    }
    return result;
}

TEST(TrainingGradients, OverlapWithTheBackwardPass)
{
    WorkloadTraining training = Small();
    training.parallelism.data = 2;
    training.globalBatch = 4; // two micro-batches each
    const uint64_t end = 2 * 4 * 60;
    EXPECT_EQ(FirstReductionAndLastBackward(training), std::make_pair(end, end));
    // Output layer 8 * 64 + 8, then MLPs of 2 * 8 * 32 + 8 = 520 and attentions of 4 * 64 + 8:
    // a bucket of 1,040 parameters is full when the last MLP's backward (20 ns) is done. Before:
    // a whole micro-batch, and the second one's forward.
    training.gradients.bucketBytes = 2080;
    training.gradients.overlap = true;
    EXPECT_EQ(FirstReductionAndLastBackward(training),
              std::make_pair(uint64_t{240 + 80 + 20}, end));
    // one bucket is complete at the end only
    training.gradients.bucketBytes = 0;
    EXPECT_EQ(FirstReductionAndLastBackward(training), std::make_pair(end, end));
    // sharded gradients leave after the first micro-batch
    training.gradients.overlap = false;
    training.parallelism.sharding = 2;
    EXPECT_EQ(FirstReductionAndLastBackward(training), std::make_pair(uint64_t{240}, end));
    // and with sharded parameters after the output layer's backward, which takes no time
    training.parallelism.sharding = 3;
    EXPECT_EQ(FirstReductionAndLastBackward(training), std::make_pair(uint64_t{80}, end));
}

TEST(TrainingRanks, NumberTensorFirstThenDataThenPipeline)
{
    WorkloadTraining training = Small();
    training.parallelism.tensor = 2;
    training.parallelism.data = 2;
    training.parallelism.pipeline = 2;
    const WorkloadSchedule schedule = MakeTrainingSchedule(training);
    ASSERT_EQ(schedule.ranks.size(), 8U);
    for (uint32_t rank = 0; rank < 8; ++rank)
    {
        for (const WorkloadOperation& operation : schedule.ranks[rank].operations)
        {
            if (operation.kind == WorkloadKind::CALC)
            {
                continue;
            }
            const bool data = schedule.categories[operation.category] == "data-parallel";
            EXPECT_EQ(operation.peer, data ? rank ^ 2U : rank ^ 4U);
        }
    }
}

TEST(TrainingRanks, ExpertGroupsAreNeighboursAndReplicasAreStrided)
{
    WorkloadTraining training = Small();
    training.parallelism.tensor = 2;
    training.parallelism.sequence = true;
    training.parallelism.data = 4;
    training.parallelism.expert = 4;
    training.parallelism.expertPlacement = WorkloadTrainingExpertPlacement::RAILS;
    training.model.ffn = 0;
    training.model.moe = {8, 2, 16, 0, 0, 1};
    const WorkloadSchedule schedule = MakeTrainingSchedule(training);
    std::set<std::string> seen;
    for (uint32_t rank = 0; rank < 8; ++rank)
    {
        for (const WorkloadOperation& operation : schedule.ranks[rank].operations)
        {
            const std::string& category = schedule.categories[operation.category];
            if (operation.kind == WorkloadKind::CALC)
            {
                continue;
            }
            seen.insert(category);
            if (category == "expert-parallel")
            {
                EXPECT_EQ(operation.peer / 4, rank / 4);
            }
            else if (category == "expert-data-parallel")
            {
                EXPECT_EQ(operation.peer, rank ^ 4U);
            }
            else
            {
                EXPECT_EQ(operation.peer % 2, rank % 2) << category;
            }
        }
    }
    EXPECT_EQ(seen.count("expert-parallel") + seen.count("expert-data-parallel"), 2U);
    EXPECT_GT(seen.size(), 2U) << "others, too";
}

TEST(TrainingEmbedding, IsReducedBetweenFirstAndLastStage)
{
    WorkloadTraining training = Small();
    training.parallelism.pipeline = 4;
    training.parallelism.data = 2;
    training.model.tiedEmbeddings = true;
    training.gradients.embeddingAllReduce = true;
    const WorkloadSchedule schedule = MakeTrainingSchedule(training);
    // two pairs, each 2 * 64 * 8 elements of 2 bytes
    EXPECT_EQ(harness::CountTraffic(schedule)["embedding"].bytes, 2U * 2 * 64 * 8 * 2);
    EXPECT_EQ(harness::RunSchedule(schedule, true).fault, "");
}

TEST(TrainingSchedule, RefusesWhatNoMemoryHolds)
{
    WorkloadTraining training = Small();
    training.parallelism.data = 1U << 18;
    training.globalBatch = 1U << 18;
    try
    {
        MakeTrainingSchedule(training);
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_NE(std::string(error.what()).find("small.json: the schedule would have some"),
                  std::string::npos)
            << error.what();
    }
}

/** SplitMix64. */
class Random
{
  public:
    explicit Random(uint64_t seed)
        : m_state(seed)
    {
    }

    uint64_t Below(uint64_t n)
    {
        uint64_t z = (m_state += 0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return (z ^ (z >> 31)) % n;
    }

    bool Coin()
    {
        return Below(2) == 1;
    }

  private:
    uint64_t m_state;
};

/** \return some training job; not all are possible */
WorkloadTraining
RandomTraining(Random& random)
{
    WorkloadTraining training = Small();
    WorkloadTrainingModel& model = training.model;
    WorkloadTrainingParallelism& parallelism = training.parallelism;
    model.layers = 1 + static_cast<uint32_t>(random.Below(9));
    model.tiedEmbeddings = random.Coin();
    model.gatedMlp = random.Coin();
    model.layerNorm = random.Coin();
    model.bias = static_cast<WorkloadTrainingBias>(random.Below(3));
    model.kvHeads = 1U << random.Below(3);
    model.vocabulary = 1 + static_cast<uint32_t>(random.Below(70));
    if (random.Coin())
    {
        model.moe = {4U << random.Below(2),
                     2,
                     16,
                     static_cast<uint32_t>(random.Below(2)),
                     static_cast<uint32_t>(random.Below(model.layers)),
                     1 + static_cast<uint32_t>(random.Below(2))};
        parallelism.expert = 1U << random.Below(3);
        parallelism.expertPlacement = static_cast<WorkloadTrainingExpertPlacement>(random.Below(5));
        parallelism.expertTensor = static_cast<uint32_t>(random.Below(3));
    }
    parallelism.tensor = 1U << random.Below(3);
    parallelism.sequence = parallelism.tensor > 1 && random.Coin();
    parallelism.data = 1 + static_cast<uint32_t>(random.Below(4));
    parallelism.pipeline = 1 + static_cast<uint32_t>(random.Below(4));
    parallelism.context = 1U << (random.Coin() ? 0 : random.Below(3));
    parallelism.schedule = static_cast<WorkloadTrainingPipeline>(random.Below(4));
    if (parallelism.schedule == WorkloadTrainingPipeline::INTERLEAVED)
    {
        parallelism.virtualStages = 2 + static_cast<uint32_t>(random.Below(2));
    }
    parallelism.sharding = static_cast<uint32_t>(random.Below(4));
    training.globalBatch = parallelism.data * (1 + static_cast<uint32_t>(random.Below(8)));
    training.gradients.bucketBytes = random.Coin() ? 1 + random.Below(5000) : 0;
    training.gradients.overlap = random.Coin();
    training.gradients.embeddingAllReduce = random.Coin();
    training.collectives.channels = 1 + static_cast<uint32_t>(random.Below(3));
    training.collectives.chunkBytes = random.Coin() ? 16 + random.Below(600) : 0;
    training.collectives.window = static_cast<uint32_t>(random.Below(3));
    training.network.tensorOnNetwork = parallelism.tensor > 1 && random.Coin();
    training.network.gpusPerServer = 1U << random.Below(4);
    training.scale.bytes = random.Coin() ? 1 : 1 + random.Below(100);
    training.gpu.recompute = static_cast<WorkloadTrainingRecompute>(random.Below(3));
    training.gpu.core = {4, 8};
    training.collectives.hierarchical = random.Below(4) == 0;
    if (random.Coin())
    {
        training.network.serverTypes = {{"a", 0, 5, 0.5}};
    }
    if (training.IsMirrored())
    {
        parallelism.pipeline = 2;
        parallelism.sharding %= 2;
        training.globalBatch = parallelism.data * (4 + 2 * static_cast<uint32_t>(random.Below(3)));
        training.gradients.overlap = false;
        training.gradients.embeddingAllReduce = false;
    }
    if (parallelism.context == 1 && !training.IsMirrored() &&
        training.gpu.recompute != WorkloadTrainingRecompute::SELECTIVE)
    {
        training.gpu.core = {};
    }
    return training;
}

bool
IsPossible(const WorkloadTraining& training)
{
    try
    {
        CheckWorkloadTraining(training);
        return true;
    }
    catch (const InputError&)
    {
        return false;
    }
}

/** \return ns that each GPU computes, by category, from the table alone */
uint64_t
ComputationOf(const WorkloadSchedule& schedule, uint32_t rank, const std::string& category)
{
    uint64_t ns = 0;
    for (const WorkloadOperation& operation : schedule.ranks[rank].operations)
    {
        if (operation.kind == WorkloadKind::CALC &&
            schedule.categories[operation.category] == category)
        {
            ns += operation.size;
        }
    }
    return ns;
}

TEST(TrainingRandom, EveryJobRunsAndSendsWhatItsFormulasSay)
{
    Random random(4);
    uint32_t possible = 0;
    uint32_t interleaved = 0;
    uint32_t mirrored = 0;
    while (possible < harness::Repetitions(200))
    {
        const WorkloadTraining training = RandomTraining(random);
        if (!IsPossible(training))
        {
            continue;
        }
        ++possible;
        interleaved += training.parallelism.virtualStages > 1;
        mirrored += training.IsMirrored();
        SCOPED_TRACE(possible);
        const WorkloadSchedule schedule = MakeTrainingSchedule(training);
        ASSERT_EQ(harness::RunSchedule(schedule, possible % 2 == 0).fault, "");
        auto traffic = harness::CountTraffic(schedule);
        for (const WorkloadTrainingVolume& volume : WorkloadTrainingVolumes(training))
        {
            ASSERT_EQ(traffic[volume.category].bytes, volume.bytes) << volume.formula;
            if (volume.messagesKnown)
            {
                ASSERT_EQ(traffic[volume.category].messages, volume.messages) << volume.formula;
            }
            traffic.erase(volume.category);
        }
        if (traffic["context-parallel"].bytes == 0)
        {
            traffic.erase("context-parallel"); // NVLink's are empty
        }
        ASSERT_TRUE(traffic.empty()) << traffic.begin()->first;
        // every layer once per micro-batch: attention, and an MLP where there are no experts
        uint64_t blocks = 0;
        uint64_t cores = 0;
        for (uint32_t chunk = 0; chunk < training.GetChunkCount(); ++chunk)
        {
            for (const auto& block : MakeWorkloadTrainingBlocks(training, chunk))
            {
                blocks += block.kind == WorkloadTrainingBlockKind::ATTENTION ||
                          block.kind == WorkloadTrainingBlockKind::MLP;
                cores += block.kind == WorkloadTrainingBlockKind::ATTENTION;
            }
        }
        uint64_t forward = 0;
        uint64_t backward = 0;
        for (uint32_t rank = 0; rank < schedule.ranks.size(); rank += training.GetStageRankCount())
        {
            forward += ComputationOf(schedule, rank, "forward");
            backward += ComputationOf(schedule, rank, "backward");
        }
        ASSERT_EQ(forward, 10 * blocks * training.GetMicroBatchCount());
        const bool again = training.gpu.recompute == WorkloadTrainingRecompute::FULL;
        const bool selective = training.gpu.recompute == WorkloadTrainingRecompute::SELECTIVE;
        ASSERT_EQ(backward,
                  ((again ? 30 : 20) * blocks + (selective ? 4 : 0) * cores) *
                      training.GetMicroBatchCount());
    }
    EXPECT_GE(interleaved, possible / 80); // none of the few under sanitizers
    EXPECT_GE(mirrored, possible / 40);
}

} // namespace

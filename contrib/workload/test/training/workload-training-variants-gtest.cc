/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/** \file What training jobs do otherwise than by default, each by hand: recomputation, context
 * parallelism, DualPipe, collectives by server, set-up times, slower computation. */

#include "harness/ideal_transport.h"
#include "harness/schedule_run.h"
#include "harness/small_runner.h"
#include "harness/small_training.h"

#include "ns3/input-error.h"
#include "ns3/workload-message-network.h"
#include "ns3/workload-training-model.h"
#include "ns3/workload-training-pipeline.h"
#include "ns3/workload-training-slowdown.h"
#include "ns3/workload-training-volume.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>

using namespace ns3;
using harness::Small;

namespace
{

/** \return ns that a schedule takes where messages take no time, and streams do not exclude each
 * other */
uint64_t
FinishOfEager(const WorkloadTraining& training)
{
    const harness::ScheduleRun run = harness::RunSchedule(MakeTrainingSchedule(training), false);
    EXPECT_EQ(run.fault, "");
    return run.finishNs;
}

/** \return ns that it takes where messages take next to no time, and a stream does one thing at a
 * time */
int64_t
FinishOfStreams(WorkloadSchedule schedule)
{
    harness::IdealTransport::Options options;
    options.hosts = static_cast<uint32_t>(schedule.ranks.size());
    options.insideBps = options.outsideBps = 9'000'000'000'000'000;
    options.onewayPs = options.backPs = 0;
    harness::IdealTransport transport(options);
    WorkloadMessageNetwork network(transport);
    std::vector<uint32_t> nodes;
    for (uint32_t rank = 0; rank < options.hosts; ++rank)
    {
        nodes.push_back(rank);
    }
    const WorkloadJobs jobs({{"job", std::move(schedule), nodes}});
    harness::SmallRunner runner(jobs, network);
    EXPECT_TRUE(runner.Run());
    int64_t end = 0;
    for (const auto& process : runner.completed)
    {
        end = std::max(end, *std::max_element(process.begin(), process.end()));
    }
    return (end + 500) / 1000;
}

/** \return bytes that a job sends, by category */
uint64_t
BytesOf(const WorkloadTraining& training, const std::string& category)
{
    return harness::CountTraffic(MakeTrainingSchedule(training))[category].bytes;
}

/** \return the gradients of the whole model on one GPU, bytes */
uint64_t
GradientsOf(const WorkloadTraining& training)
{
    return CountWorkloadTrainingParameters(training).total * training.model.gradientBytes;
}

TEST(TrainingRecompute, ComputesForwardAgain)
{
    WorkloadTraining training = Small();
    // A layer: 2 * 10 ns forward, 2 * 20 backward; full adds 2 * 10, selective the core's 4.
    EXPECT_EQ(FinishOfEager(training), 4U * 4 * 60);
    training.gpu.recompute = WorkloadTrainingRecompute::FULL;
    EXPECT_EQ(FinishOfEager(training), 4U * 4 * 80);
    training.gpu.recompute = WorkloadTrainingRecompute::SELECTIVE;
    training.gpu.core = {4, 8};
    EXPECT_EQ(FinishOfEager(training), 4U * 4 * 64);
}

TEST(TrainingRecompute, CountsOperationsOfTheCore)
{
    WorkloadTraining training = Small();
    training.globalBatch = 1;
    training.model.layers = 1;
    training.gpu.compute = WorkloadTrainingCompute::FLOPS;
    training.gpu.peakFlops = 1e9; // one per ns
    const uint64_t tokens = 8;
    const uint64_t core = 2 * tokens * 8 * (8 + 8);
    const uint64_t layer = 2 * tokens * 4 * 8 * 8 + core + 2 * tokens * 2 * 8 * 32;
    const uint64_t head = 2 * tokens * 8 * 64;
    EXPECT_EQ(FinishOfEager(training), 3 * (layer + head));
    training.gpu.recompute = WorkloadTrainingRecompute::SELECTIVE;
    EXPECT_EQ(FinishOfEager(training), 3 * (layer + head) + core);
    training.gpu.recompute = WorkloadTrainingRecompute::FULL;
    EXPECT_EQ(FinishOfEager(training), 4 * layer + 3 * head);
}

TEST(TrainingRecompute, CommunicatesAgain)
{
    WorkloadTraining training = Small();
    training.parallelism.tensor = 2;
    training.network.tensorOnNetwork = true;
    // All-reduces of 8 * 8 * 2 B by two GPUs: two per layer and pass, and one each of embedding and
    // output layer; each moves 2 * (2 - 1) times its vector. Four micro-batches.
    EXPECT_EQ(BytesOf(training, "tensor-parallel"), 4U * (4 * 2 * 2 + 2) * 2 * 128);
    training.gpu.recompute = WorkloadTrainingRecompute::FULL;
    EXPECT_EQ(BytesOf(training, "tensor-parallel"), 4U * (4 * 2 * 3 + 2) * 2 * 128);
}

TEST(TrainingContext, SendsKeysAndValuesRound)
{
    WorkloadTraining training = Small();
    training.parallelism.context = 4;
    training.network.tensorOnNetwork = true;
    training.gpu.core = {4, 8};
    // Two tokens on a GPU: 2 * 4 heads * 2 (keys, values) * 2 elements of 2 B.
    const uint64_t block = uint64_t{2} * 4 * 2 * 2 * 2;
    // Forward 3 hops; backward 3, and 4 of gradients. Four layers, micro-batches and GPUs.
    EXPECT_EQ(BytesOf(training, "context-parallel"), block * (3 + 3 + 4) * 4 * 4 * 4);
    training.gpu.recompute = WorkloadTrainingRecompute::FULL;
    EXPECT_EQ(BytesOf(training, "context-parallel"), block * (3 + 3 + 3 + 4) * 4 * 4 * 4);
    // Each GPU has all parameters: a ring of four.
    EXPECT_EQ(BytesOf(training, "data-parallel"), GradientsOf(training) * 2 * 3);
    // On one server they go through NVLink; of two, from the second GPU of each to the next one.
    training.network.tensorOnNetwork = false;
    EXPECT_EQ(BytesOf(training, "context-parallel"), 0U);
    training.network.gpusPerServer = 2;
    EXPECT_EQ(BytesOf(training, "context-parallel"), block * (3 + 3 + 3 + 4) * 4 * 4 * 2);
}

TEST(TrainingContext, HidesHopsBehindTheCore)
{
    WorkloadTraining training = Small();
    training.globalBatch = 1;
    training.model.layers = 1;
    training.parallelism.context = 2;
    training.gpu.core = {4, 8};
    EXPECT_EQ(FinishOfStreams(MakeTrainingSchedule(training)), 60);
    // 4 tokens: hops of 4 * 4 * 2 * 2 * 2 = 128 B at 128 B/ns: 1 ns each. Forward one, behind the
    // core's first half of 2 ns. Backward one and one, behind halves of 4 ns, and one at the end.
    training.network.nvlinkGBps = 128;
    EXPECT_EQ(FinishOfStreams(MakeTrainingSchedule(training)), 60 + 1);
    // At 16 B/ns: 8 ns. Forward: 8 instead of 2; backward: 8 instead of 4 twice, and 8.
    training.network.nvlinkGBps = 16;
    EXPECT_EQ(FinishOfStreams(MakeTrainingSchedule(training)), 60 + 6 + 2 * 4 + 8);
}

/** \return "F0.0 B2.1 b1.0 w1.0 ...": input gradients alone are b, weights w; pairs in brackets */
std::string
PartsText(const WorkloadTraining& training, uint32_t stage)
{
    std::string text;
    bool open = false;
    for (const WorkloadTrainingUnit& unit : MakeWorkloadTrainingOrder(training, stage))
    {
        text += text.empty() ? "" : " ";
        text += unit.withNext ? "[" : "";
        text += unit.forward                                ? "F"
                : unit.part == WorkloadTrainingPart::WHOLE  ? "B"
                : unit.part == WorkloadTrainingPart::INPUTS ? "b"
                                                            : "w";
        text += std::to_string(unit.microBatch) + "." + std::to_string(unit.chunk);
        text += open ? "]" : "";
        open = unit.withNext;
    }
    return text;
}

WorkloadTraining
DualPipe(uint32_t stages, uint32_t microBatches)
{
    WorkloadTraining training = Small();
    training.parallelism.pipeline = stages;
    training.parallelism.schedule = WorkloadTrainingPipeline::DUALPIPE;
    training.globalBatch = microBatches;
    return training;
}

TEST(TrainingDualPipe, OrdersAsDeepSeekDoes)
{
    // Micro-batches 0 and 1 come from stage 0, 2 and 3 from stage 1. A stage's nearer end is phase
    // 0. nF0F1 once; the main step once, without overlap of its first two since both are middle
    // stages; nB1B0 once, the last with weights later; nW once.
    const WorkloadTraining two = DualPipe(2, 4);
    EXPECT_EQ(PartsText(two, 0), "F0.0 F2.1 F1.0 B2.1 [F3.1 B0.0] B3.1 b1.0 w1.0");
    EXPECT_EQ(PartsText(two, 1), "F2.1 F0.0 F3.1 B0.0 [F1.0 B2.1] B1.0 b3.1 w3.1");
    // Four stages, 8 micro-batches, 4 each way. Stage 0 is 1 from the middle: nF0 twice, nF0F1
    // once, nB1W1F1 once, the main step 4 - 4 + 0 + 1 times, nB1F1B0 once, nB1B0 once, nWB0 once,
    // nW once.
    EXPECT_EQ(PartsText(DualPipe(4, 8), 0),
              "F0.0 F1.0 F2.0 F4.1 b4.1 w4.1 F5.1 [F3.0 B5.1] [F6.1 B0.0] B6.1 [F7.1 B1.0] B7.1 "
              "b2.0 w2.0 b3.0 w3.0");
}

TEST(TrainingDualPipe, KeepsEachChunkOnTwoStages)
{
    WorkloadTraining training = DualPipe(2, 4);
    training.model.vocabulary = 64;
    // All gradients once more than without: each chunk's two GPUs all-reduce 2 * (2 - 1) of them.
    EXPECT_EQ(BytesOf(training, "data-parallel"), 2 * GradientsOf(training));
    // Activations of 8 * 8 * 2 B over one border, both directions, 4 micro-batches.
    EXPECT_EQ(BytesOf(training, "pipeline"), 2U * 4 * 128);
    const WorkloadTrainingParameters parameters = CountWorkloadTrainingParameters(training);
    EXPECT_EQ(parameters.perStage, std::vector<uint64_t>(2, parameters.total));
}

TEST(TrainingDualPipe, HasNoBubbleWithTwoStages)
{
    // Two stages of two layers: F 40 ns, B 80, of which weights 40. Both stages do the same at the
    // same time. Stage 0: F0 0-40; F2, which stage 1 has computed until 40, 40-80; F1 80-120; B2,
    // whose last chunk is here, 120-200; F3 and B0, both there at 200, 200-320; B3 320-400; b1,
    // which stage 1 has ended at 400, 400-440; w1 440-480.
    const WorkloadTraining training = DualPipe(2, 4);
    EXPECT_EQ(FinishOfStreams(MakeTrainingSchedule(training)), 480);
    WorkloadTraining usual = training;
    usual.parallelism.schedule = WorkloadTrainingPipeline::ONE_FORWARD_ONE_BACKWARD;
    EXPECT_EQ(FinishOfStreams(MakeTrainingSchedule(usual)), 480 + 120) << "(4 + 2 - 1) * 120";
}

TEST(TrainingHierarchy, ReducesInServersFirst)
{
    WorkloadTraining training = Small();
    training.parallelism.data = 4;
    training.network.gpusPerServer = 2;
    const uint64_t gradients = GradientsOf(training);
    ASSERT_EQ(gradients % 2, 0U);
    EXPECT_EQ(BytesOf(training, "data-parallel"), gradients * 2 * 3);
    // Two servers of two: each GPU all-reduces its half with one of the other server.
    training.collectives.hierarchical = true;
    EXPECT_EQ(BytesOf(training, "data-parallel"), gradients / 2 * 2 * 1 * 2);
    // Through NVLink, half of the vector each way.
    training.network.nvlinkGBps = 1;
    EXPECT_EQ(FinishOfEager(training), uint64_t{4} * 60 + 2 * (gradients / 2));
    // Sharded: reduce-scatter, and all-gather after the optimizer.
    training.parallelism.sharding = 1;
    EXPECT_EQ(BytesOf(training, "data-parallel"), 2 * (gradients / 2));
    EXPECT_EQ(BytesOf(training, "parameter-gather"), 2 * (gradients / 2));
    EXPECT_EQ(FinishOfEager(training), uint64_t{4} * 60 + 2 * (gradients / 2));
}

TEST(TrainingServers, TakeTimeToSetUpAndReduce)
{
    WorkloadTraining training = Small();
    training.parallelism.data = 2;
    training.globalBatch = 2;
    training.network.gpusPerServer = 1;
    EXPECT_EQ(FinishOfEager(training), 4U * 60);
    // The slower of the two servers; then each adds half of the gradients to what it has.
    training.network.serverTypes = {{"fast", 0, 5, 0}, {"slow", 1, 7, 0.5}};
    EXPECT_EQ(FinishOfEager(training), 4U * 60 + 7 + GradientsOf(training) / 2 / 2);
    training.network.serverTypes = {{"fast", 0, 5, 0}};
    EXPECT_EQ(FinishOfEager(training), 4U * 60 + 5);
}

TEST(TrainingSlowdown, SlowsWhatIsBesideCommunication)
{
    WorkloadScheduleBuilder builder(1);
    const uint32_t computation = builder.Calc(0, 100, 0);
    builder.SetSlowdown(0, computation, 500);
    const uint32_t before = builder.Calc(0, 20, 1);
    const uint32_t begin = builder.Calc(0, 0, 1);
    const uint32_t during = builder.Calc(0, 30, 1);
    const uint32_t end = builder.Calc(0, 0, 1);
    builder.Require(0, begin, before);
    builder.Require(0, during, begin);
    builder.Require(0, end, during);
    builder.SetMark(0, begin, WORKLOAD_COMMUNICATION_BEGINS);
    builder.SetMark(0, end, WORKLOAD_COMMUNICATION_ENDS);
    // 20 ns of work until 20, 30 / 1.5 = 20 more until 50, the other 60 after that.
    EXPECT_EQ(FinishOfStreams(builder.Build()), 50 + 60);
}

TEST(TrainingSlowdown, OfOverlappedBuckets)
{
    // Two layers: forward until 40 ns, backward until 120. Parameters: the output layer 16, MLPs
    // 520 and attentions 264 each, the embedding 8; in all 1,592, so that a bucket of half of them
    // is full when the second layer's backward pass is over, at 80.
    WorkloadTraining training = Small();
    training.parallelism.data = 2;
    training.globalBatch = 2;
    training.model.layers = 2;
    training.model.vocabulary = 1;
    training.gradients.overlap = true;
    training.gradients.bucketBytes = 1592;
    ASSERT_EQ(GradientsOf(training), 2U * 1592);
    EXPECT_EQ(FinishOfStreams(MakeTrainingSchedule(training)), 120);
    training.gpu.overlap = "by hand";
    training.gpu.slowdowns.fill(500);
    EXPECT_EQ(FinishOfStreams(MakeTrainingSchedule(training)), 120) << "no time to slow it in";
    // Each GPU adds half a bucket, 796 B, in 30 ns: 80-110. The backward pass does 20 ns of work
    // meanwhile, and the other 20 until 130. The second bucket takes until 160.
    training.network.serverTypes = {{"a", 0, 0, 30.0 / 796}};
    EXPECT_EQ(FinishOfStreams(MakeTrainingSchedule(training)), 160);
    training.gpu.slowdowns.fill(0);
    EXPECT_EQ(FinishOfStreams(MakeTrainingSchedule(training)), 150) << "120 + 30";
}

TEST(TrainingSlowdown, TablesGiveFactorsByKernelAndChannels)
{
    const auto of = [](const WorkloadTrainingSlowdowns& slowdowns, WorkloadTrainingKernel kernel) {
        return slowdowns[static_cast<size_t>(kernel)];
    };
    // Echo's ranges: GEMM 1.13 to 1.39, LayerNorm 1.09 to 1.94.
    EXPECT_EQ(of(ReadWorkloadTrainingSlowdowns("echo-low", 1, 0), WorkloadTrainingKernel::MLP),
              130U);
    EXPECT_EQ(of(ReadWorkloadTrainingSlowdowns("echo-high", 8, 1), WorkloadTrainingKernel::MLP),
              940U);
    // Half and half: (0.39 + 0.94) / 2.
    EXPECT_EQ(of(ReadWorkloadTrainingSlowdowns("echo-high", 8, 0.5), WorkloadTrainingKernel::MLP),
              665U);
    const std::string file = testing::TempDir() + "slowdowns.csv";
    const auto write = [&](const std::string& text) { std::ofstream(file) << text; };
    const auto errorOf = [&](uint32_t channels) {
        try
        {
            ReadWorkloadTrainingSlowdowns(file, channels, 0);
            return std::string();
        }
        catch (const InputError& error)
        {
            return std::string(error.what()).substr(file.size());
        }
    };
    write("kernel,channels,factor\ngemm,2,1.1\ngemm,8,1.2\r\nattention,2,1.5\n");
    EXPECT_EQ(of(ReadWorkloadTrainingSlowdowns(file, 7, 0), WorkloadTrainingKernel::MLP), 100U);
    EXPECT_EQ(of(ReadWorkloadTrainingSlowdowns(file, 8, 0), WorkloadTrainingKernel::MLP), 200U);
    EXPECT_EQ(of(ReadWorkloadTrainingSlowdowns(file, 8, 0), WorkloadTrainingKernel::ATTENTION),
              500U);
    EXPECT_EQ(errorOf(1).find(": has no row for kernel gemm and 1 channels"), 0U) << errorOf(1);
    write("kernel,factor\n");
    EXPECT_EQ(errorOf(1), ":1: the first line kernel,factor, but must be kernel,channels,factor");
    write("kernel,channels,factor\ngem,1,1.1\n");
    EXPECT_EQ(errorOf(1).find(":2: kernel gem, but must be one of gemm, layernorm"), 0U);
    write("kernel,channels,factor\ngemm,1,0.9\n");
    EXPECT_EQ(errorOf(1).find(":2: factor 0.9, but must be a number from 1"), 0U) << errorOf(1);
    write("kernel,channels,factor\ngemm,1,1.1\ngemm,1,1.1\n");
    EXPECT_EQ(errorOf(1), ":3: kernel and channels gemm,1, but must be given once");
    write("kernel,channels,factor\n");
    EXPECT_EQ(errorOf(1), ":1: has no rows");
    std::remove(file.c_str());
    EXPECT_EQ(errorOf(1).find(": cannot be opened; "), 0U) << errorOf(1);
}

} // namespace

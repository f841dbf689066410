/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/** \file Where experts are: groups by hand, and the way of every byte by brute force. */

#include "harness/sanitized.h"
#include "harness/schedule_run.h"

#include "ns3/input-error.h"
#include "ns3/workload-training-check.h"
#include "ns3/workload-training-experts.h"
#include "ns3/workload-training-model.h"
#include "ns3/workload-training-volume.h"
#include "ns3/workload-training.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace ns3;

namespace
{

using Placement = WorkloadTrainingExpertPlacement;

/** Two layers with 16 experts; a GPU sends 2 x 32 tokens x 64 x 2 B = 8 kB / tensor to experts. */
WorkloadTraining
Job(uint32_t tensor, uint32_t data, uint32_t expert)
{
    WorkloadTraining training;
    training.origin = "job.json";
    training.name = "job";
    WorkloadTrainingModel& model = training.model;
    model.layers = 2;
    model.hidden = 64;
    model.heads = 8;
    model.kvHeads = 8;
    model.headSize = 8;
    model.vocabulary = 64;
    model.sequence = 32;
    model.moe = {64, 2, 128, 0, 0, 1};
    training.parallelism.tensor = tensor;
    training.parallelism.sequence = tensor > 1;
    training.parallelism.data = data;
    training.parallelism.expert = expert;
    training.globalBatch = data;
    return training;
}

std::string
NamesOf(const WorkloadTraining& training)
{
    return WorkloadName(ResolveWorkloadTrainingExperts(training).placement) + " " +
           std::to_string(ResolveWorkloadTrainingExperts(training).tensor);
}

using Members = std::vector<uint32_t>;

TEST(TrainingExperts, AreWhereMegatronLmHasThem)
{
    // Two stages of 32 GPUs, servers of 8. 8 groups of 8 GPUs that share an expert do not fit into
    // 32, so that an expert is on one GPU, and a group is a server.
    WorkloadTraining training = Job(8, 4, 8);
    training.parallelism.pipeline = 2;
    EXPECT_EQ(NamesOf(training), "nvlink 1");
    EXPECT_EQ(MakeWorkloadTrainingExpertGroups(training, 32)[1],
              (Members{40, 41, 42, 43, 44, 45, 46, 47}));
    // 4 groups of 8 do fit: a tensor-parallel group shares its experts, and an expert group is on a
    // rail.
    training.parallelism.expert = 4;
    EXPECT_EQ(NamesOf(training), "rail 8");
    EXPECT_EQ(MakeWorkloadTrainingExpertGroups(training, 32)[1], (Members{33, 41, 49, 57}));
    // With two of them, the second two tensor-parallel groups are replicas of the first two.
    training.parallelism.expert = 2;
    EXPECT_EQ(MakeWorkloadTrainingExpertGroups(training, 0)[9], (Members{17, 25}));
    // No tensor parallelism, as in DeepSeek-V3: eight servers, all GPUs of each.
    training = Job(1, 64, 64);
    EXPECT_EQ(NamesOf(training), "pxn 1");
    const WorkloadTrainingGroups groups = MakeWorkloadTrainingExpertGroups(training, 0);
    ASSERT_EQ(groups.size(), 1U);
    EXPECT_EQ(MakeWorkloadTrainingRails(groups, 8)[3], (Members{3, 11, 19, 27, 35, 43, 51, 59}));
    // Two tensor-parallel groups on each server: two rails.
    training = Job(4, 4, 4);
    EXPECT_EQ(NamesOf(training), "pxn 4");
    EXPECT_EQ(MakeWorkloadTrainingExpertGroups(training, 0)[0], (Members{0, 4, 8, 12}));
    EXPECT_EQ(MakeWorkloadTrainingRails({{0, 4, 8, 12}}, 2),
              (WorkloadTrainingGroups{{0, 8}, {4, 12}}));
    // One and a half servers: what is on which rail differs from server to server.
    EXPECT_EQ(NamesOf(Job(1, 24, 12)), "rails 1");
    training = Job(8, 4, 4);
    training.network.tensorOnNetwork = true; // so there is no NVLink
    EXPECT_EQ(NamesOf(training), "rails 8");
}

TEST(TrainingExperts, FollowThePlacementThatIsAskedFor)
{
    WorkloadTraining training = Job(8, 4, 4);
    training.parallelism.expertPlacement = Placement::NVLINK;
    EXPECT_EQ(NamesOf(training), "nvlink 1");
    EXPECT_EQ(MakeWorkloadTrainingExpertGroups(training, 0)[1], (Members{4, 5, 6, 7}));
    training.parallelism.expertPlacement = Placement::RAILS;
    EXPECT_EQ(NamesOf(training), "rails 1");
    // As many GPUs share an expert as leave more than one member on a server: 4 of them, so that
    // the members are 0, 4 on the first server, and 8, 12 on the second.
    training.parallelism.expertPlacement = Placement::PXN;
    EXPECT_EQ(NamesOf(training), "pxn 4");
    EXPECT_EQ(MakeWorkloadTrainingExpertGroups(training, 0)[5], (Members{17, 21, 25, 29}));
    training.parallelism.expertTensor = 2; // 0, 2, 4, 6: one server
    EXPECT_EQ(ResolveWorkloadTrainingExperts(training).GetFitting(), Placement::NVLINK);
}

TEST(TrainingExperts, ShareTheirParametersTokensAndTime)
{
    WorkloadTraining training = Job(8, 4, 4);
    training.globalBatch = 4;
    training.model.bias = WorkloadTrainingBias::ALL;
    const auto experts = [&] {
        return MakeWorkloadTrainingBlocks(training, 0)[2].expertParameters;
    };
    // 64 / 4 experts of 64 x 128 + 128 x 64 weights and 128 inner biases, an eighth of each, and
    // 64 biases of the output.
    EXPECT_EQ(experts(), 16U * ((2 * 64 * 128 + 128) / 8 + 64));
    training.parallelism.expertTensor = 1;
    EXPECT_EQ(experts(), 16U * (2 * 64 * 128 + 128 + 64));
    training.parallelism.expertTensor = 8;
    // A GPU sends 2 copies of 32 / 8 tokens of 128 B. Eight GPUs gather 8 times as much, seven
    // eighths of it from each other; and scatter it: forward and backward, in 2 layers, by 32 GPUs.
    const auto nvlink = WorkloadTrainingNvlinkVolumes(training);
    ASSERT_EQ(nvlink.size(), 1U);
    EXPECT_EQ(nvlink[0].category, "expert-tensor-parallel");
    EXPECT_EQ(nvlink[0].bytes, 4U * 2 * 32 * 7 * (2 * 4 * 128));
    training.network.tensorOnNetwork = true;
    EXPECT_TRUE(WorkloadTrainingNvlinkVolumes(training).empty());
    EXPECT_EQ(harness::CountTraffic(MakeTrainingSchedule(training))["expert-tensor-parallel"].bytes,
              nvlink[0].bytes);
}

/** \return when a job without computations ends, whose NVLink has 1 byte per ns */
uint64_t
NsOnNvlink(WorkloadTraining training)
{
    training.network.nvlinkGBps = 1;
    CheckWorkloadTraining(training);
    const harness::ScheduleRun run = harness::RunSchedule(MakeTrainingSchedule(training), true);
    EXPECT_EQ(run.fault, "");
    return run.finishNs;
}

TEST(TrainingExperts, TakeTimeOnNvlink)
{
    // A GPU sends 2 x 32 tokens x 128 B = 8,192 B, 4 times in each of two layers.
    WorkloadTraining training = Job(1, 8, 8);
    EXPECT_EQ(NsOnNvlink(training), 8U * 8192 * 7 / 8);
    training.network.gpusPerServer = 2; // half of it is for the GPU on the other rail
    EXPECT_EQ(NsOnNvlink(training), 8U * 8192 / 2);
    // Tensor parallelism takes its time, too: what is between dividing experts and not dividing
    // them is their gathers and scatters, 2 x (8,192 / 2) B, half of it from the other GPU.
    training = Job(2, 2, 1);
    training.parallelism.expertTensor = 1;
    const uint64_t whole = NsOnNvlink(training);
    training.parallelism.expertTensor = 2;
    EXPECT_EQ(NsOnNvlink(training) - whole, 8U * (2 * 8192 / 2) / 2);
}

/** Bytes from GPU to GPU. */
struct Ways
{
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> nvlink;
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> network;
};

/** What each of an expert group's members has for each other takes, byte by byte: the reference. */
Ways
WaysOf(const WorkloadTraining& training, Placement placement, uint32_t tensor, uint64_t bytes)
{
    Ways ways;
    const uint32_t server = training.network.gpusPerServer;
    const uint32_t expert = training.parallelism.expert;
    const uint32_t all = training.GetRankCount();
    // Megatron-LM's order: tensor, expert, data, pipeline.
    const auto groupOf = [&](uint32_t rank) {
        return std::make_pair(rank % tensor, rank / (tensor * expert));
    };
    for (uint32_t from = 0; from < all; ++from)
    {
        for (uint32_t to = 0; to < all; ++to)
        {
            if (from == to || groupOf(from) != groupOf(to))
            {
                continue;
            }
            if (placement == Placement::RAIL || placement == Placement::RAILS)
            {
                ways.network[{from, to}] += bytes;
                EXPECT_TRUE(placement == Placement::RAILS || from % server == to % server);
                EXPECT_TRUE(placement == Placement::RAILS || from / server != to / server);
                continue;
            }
            const uint32_t via = from / server * server + to % server;
            if (via != from)
            {
                ways.nvlink[{from, via}] += bytes;
            }
            if (via != to)
            {
                ways.network[{via, to}] += bytes;
                EXPECT_EQ(placement, Placement::PXN);
            }
        }
    }
    return ways;
}

bool
FitsTogether(const WorkloadTraining& training)
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

TEST(TrainingExperts, SendEveryByteOnItsWay)
{
    std::mt19937 random(15);
    const auto power = [&](uint32_t most) { return 1U << (random() % (most + 1)); };
    std::map<Placement, uint32_t> seen;
    for (uint32_t jobs = 0; jobs < harness::Repetitions(300);)
    {
        WorkloadTraining training = Job(power(3), power(4), 2 * power(4));
        training.parallelism.pipeline = 1 + random() % 2;
        training.network.gpusPerServer = power(3);
        training.parallelism.expertPlacement = static_cast<Placement>(random() % 5);
        training.parallelism.expertTensor = random() % 2 == 0 ? 0 : power(3);
        if (training.GetRankCount() > 128 || !FitsTogether(training))
        {
            continue;
        }
        ++jobs;
        const WorkloadTrainingExperts experts = ResolveWorkloadTrainingExperts(training);
        ++seen[experts.placement];
        SCOPED_TRACE(NamesOf(training) + " of " + std::to_string(training.parallelism.expert) +
                     ", servers of " + std::to_string(training.network.gpusPerServer));
        // 8,192 B / tensor, equally for all members; 4 times in the layer or the two of a stage
        const uint64_t bytes = 8192 / training.parallelism.tensor / training.parallelism.expert;
        Ways ways = WaysOf(training,
                           experts.placement,
                           experts.tensor,
                           4 * bytes * 2 / training.parallelism.pipeline);
        const WorkloadSchedule schedule = MakeTrainingSchedule(training);
        ASSERT_EQ(harness::RunSchedule(schedule, true).fault, "");
        for (uint32_t rank = 0; rank < schedule.ranks.size(); ++rank)
        {
            for (const WorkloadOperation& operation : schedule.ranks[rank].operations)
            {
                if (operation.kind == WorkloadKind::SEND &&
                    schedule.categories[operation.category] == "expert-parallel")
                {
                    ways.network[{rank, operation.peer}] -= operation.size;
                }
            }
        }
        for (const auto& [ends, left] : ways.network)
        {
            ASSERT_EQ(left, 0U) << ends.first << " to " << ends.second;
        }
        uint64_t nvlink = 0;
        for (const auto& [ends, sent] : ways.nvlink)
        {
            ASSERT_EQ(ends.first / training.network.gpusPerServer,
                      ends.second / training.network.gpusPerServer);
            nvlink += sent;
        }
        for (const WorkloadTrainingVolume& volume : WorkloadTrainingNvlinkVolumes(training))
        {
            nvlink -= volume.category == "expert-parallel" ? volume.bytes : 0;
        }
        ASSERT_EQ(nvlink, 0U);
    }
    for (const auto placement :
         {Placement::NVLINK, Placement::RAIL, Placement::PXN, Placement::RAILS})
    {
        EXPECT_GT(seen[placement], harness::Repetitions(300) / 30) << WorkloadName(placement);
    }
}

} // namespace

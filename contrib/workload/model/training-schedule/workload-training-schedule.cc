/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-dualpipe.h"
#include "workload-training-stage.h"

#include "ns3/input-error.h"
#include "ns3/rdma-arithmetic.h"
#include "ns3/workload-training-volume.h"
#include "ns3/workload-training.h"

#include <deque>
#include <memory>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_OPERATIONS = 2000000000;

/** \return about how many operations the schedule will have */
uint64_t
EstimateOperations(const WorkloadTraining& training)
{
    // A computation or the ends of a collective per block and direction, at most some six.
    uint64_t operations = RdmaProduct(2,
                                      training.GetMicroBatchCount(),
                                      6 * uint64_t{training.model.layers} + 8,
                                      training.GetStageRankCount());
    for (const WorkloadTrainingVolume& volume : WorkloadTrainingVolumes(training))
    {
        operations = RdmaSum(operations, RdmaProduct(volume.messages, 2));
    }
    return operations;
}

/** Reduces the gradients of the embedding, of which the first and last stage have a copy. */
void
AddEmbedding(const WorkloadTraining& training,
             WorkloadScheduleBuilder& builder,
             std::deque<WorkloadTrainingStage>& stages,
             std::vector<WorkloadTrainingChain::Operations>& ends)
{
    const uint32_t count = training.GetStageRankCount();
    const uint32_t lastStage = training.parallelism.pipeline - 1;
    const WorkloadTrainingChain::Operations first = stages.front().JoinGradients();
    const WorkloadTrainingChain::Operations last = stages.back().JoinGradients();
    WorkloadCollective collective =
        MakeWorkloadTrainingCollective(training,
                                       WorkloadCollectiveKind::ALL_REDUCE,
                                       WorkloadTrainingEmbeddingBytes(training));
    collective.cpu = WORKLOAD_DATA_STREAM;
    const uint8_t before =
        builder.SetCategory(builder.Category(WorkloadTrainingCategory::EMBEDDING));
    for (uint32_t i = 0; i < count; ++i)
    {
        const WorkloadCollectiveEnds added =
            AddWorkloadTrainingCollective(builder,
                                          training,
                                          {i, lastStage * count + i},
                                          collective,
                                          {first[i], last[i]},
                                          {WORKLOAD_NONE, WORKLOAD_NONE});
        ends.front()[i] = added.end[0];
        ends.back()[i] = added.end[1];
    }
    builder.SetCategory(before);
}

} // namespace

WorkloadSchedule
MakeTrainingSchedule(const WorkloadTraining& training)
{
    const uint64_t operations = EstimateOperations(training);
    if (operations > MAX_OPERATIONS)
    {
        throw InputError(training.origin,
                         0,
                         "the schedule would have some " + std::to_string(operations) +
                             " operations, more than " + std::to_string(MAX_OPERATIONS) +
                             ": use fewer micro-batches (batch.global), larger buckets "
                             "(gradients.bucketBytes) or larger chunks "
                             "(collectives.chunkBytes)");
    }
    WorkloadScheduleBuilder builder(training.GetRankCount());
    WorkloadTrainingTags tags;
    tags.microBatches = training.GetMicroBatchCount();
    tags.chunks = training.GetChunkCount();
    tags.first = builder.NewTag();
    const uint64_t more = tags.chunks > 1 ? 2ULL * tags.microBatches * tags.chunks : 0;
    for (uint64_t i = 0; i < more; ++i)
    {
        builder.NewTag();
    }

    std::deque<WorkloadTrainingStage> stages; // they refer to their own parts: not moved
    std::vector<WorkloadTrainingChain::Operations> ends;
    for (uint32_t stage = 0; stage < training.parallelism.pipeline; ++stage)
    {
        stages.emplace_back(training, builder, stage, tags);
        stages.back().AddPasses();
        ends.push_back(stages.back().None());
    }
    if (training.gradients.embeddingAllReduce)
    {
        AddEmbedding(training, builder, stages, ends);
    }
    std::unique_ptr<WorkloadTrainingMirrors> mirrors;
    if (training.IsMirrored())
    {
        mirrors = std::make_unique<WorkloadTrainingMirrors>(training, builder);
        mirrors->Reduce(stages);
    }
    for (uint32_t stage = 0; stage < training.parallelism.pipeline; ++stage)
    {
        stages[stage].AddOptimizer(ends[stage]);
    }
    if (mirrors && training.parallelism.sharding > 0)
    {
        mirrors->Gather(stages);
    }
    WorkloadSchedule schedule = builder.Build();
    schedule.origin = training.origin;
    return schedule;
}

} // namespace ns3

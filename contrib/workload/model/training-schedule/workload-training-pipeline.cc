/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-pipeline.h"

#include "workload-training-dualpipe.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** The k-th forward or backward of a stage with several chunks: a chunk works on as many
 * micro-batches in a row as there are stages; backward, the last chunk comes first. */
WorkloadTrainingUnit
MakeUnit(const WorkloadTrainingParallelism& parallelism, uint32_t k, bool forward)
{
    const uint32_t stages = parallelism.pipeline;
    const uint32_t chunks = parallelism.virtualStages;
    if (chunks == 1)
    {
        return {forward, k, 0};
    }
    const uint32_t group = stages * chunks;
    const uint32_t chunk = k % group / stages;
    return {forward, k / group * stages + k % stages, forward ? chunk : chunks - 1 - chunk};
}

/** \return forward units before the first backward one */
uint32_t
CountWarmUp(const WorkloadTraining& training, uint32_t stage, uint32_t count)
{
    const WorkloadTrainingParallelism& parallelism = training.parallelism;
    const uint32_t after = parallelism.pipeline - 1 - stage;
    switch (parallelism.schedule)
    {
    case WorkloadTrainingPipeline::ONE_FORWARD_ONE_BACKWARD:
        return std::min(after, count);
    case WorkloadTrainingPipeline::INTERLEAVED:
        return std::min(2 * after + (parallelism.virtualStages - 1) * parallelism.pipeline, count);
    case WorkloadTrainingPipeline::GPIPE:
    case WorkloadTrainingPipeline::DUALPIPE:
        break;
    }
    return count;
}

} // namespace

std::vector<WorkloadTrainingUnit>
MakeWorkloadTrainingOrder(const WorkloadTraining& training, uint32_t stage)
{
    const WorkloadTrainingParallelism& parallelism = training.parallelism;
    if (training.IsMirrored())
    {
        return MakeWorkloadTrainingDualPipe(training, stage);
    }
    const uint32_t count = training.GetMicroBatchCount() * parallelism.virtualStages;
    const uint32_t warmUp = CountWarmUp(training, stage, count);
    const bool last = parallelism.schedule == WorkloadTrainingPipeline::GPIPE;
    std::vector<WorkloadTrainingUnit> units;
    units.reserve(2 * static_cast<size_t>(count));
    for (uint32_t k = 0; k < count + warmUp; ++k)
    {
        if (k < count)
        {
            units.push_back(MakeUnit(parallelism, k, true));
        }
        if (k >= warmUp)
        {
            const uint32_t done = k - warmUp;
            units.push_back(MakeUnit(parallelism, last ? count - 1 - done : done, false));
        }
    }
    return units;
}

} // namespace ns3

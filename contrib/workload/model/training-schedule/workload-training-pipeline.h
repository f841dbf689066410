/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TRAINING_PIPELINE_H
#define WORKLOAD_TRAINING_PIPELINE_H

#include "ns3/workload-training.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload Which part of a backward pass. */
enum class WorkloadTrainingPart : uint8_t
{
    WHOLE,
    INPUTS, ///< what the stage before waits for
    WEIGHTS ///< what nobody waits for before the reduction
};

/** \ingroup workload What a pipeline stage computes without a break. */
struct WorkloadTrainingUnit
{
    bool forward{true};
    uint32_t microBatch{0};
    uint32_t chunk{0}; ///< of the stage's own, from 0 to GetStageChunkCount() - 1
    WorkloadTrainingPart part{WorkloadTrainingPart::WHOLE};
    bool withNext{false}; ///< at the same time as the next one: communication of one overlaps with
                          ///< computation of the other
};

/**
 * \ingroup workload
 *
 * The order in which a stage computes. 1F1B and interleaved as in Narayanan et al., "Efficient
 * Large-Scale Language Model Training on GPU Clusters Using Megatron-LM" (SC 2021), section 2.2:
 * warm-up (forward only), steady (one forward, one backward), cool-down (backward only); GPipe: all
 * forward, then all backward, the last micro-batch first; DualPipe as in DeepSeek's published
 * scheduler (github.com/deepseek-ai/DualPipe, DeepSeek-V3 Technical Report, section 3.2.1).
 * \param training valid
 * \param stage from 0
 * \return 2 * micro-batches * virtualStages units; with DualPipe 2 * micro-batches, and one more for
 * each backward pass whose weights come later
 */
std::vector<WorkloadTrainingUnit> MakeWorkloadTrainingOrder(const WorkloadTraining& training,
                                                            uint32_t stage);

} // namespace ns3

#endif // WORKLOAD_TRAINING_PIPELINE_H

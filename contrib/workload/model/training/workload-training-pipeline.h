/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TRAINING_PIPELINE_H
#define WORKLOAD_TRAINING_PIPELINE_H

#include "workload-training.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload What a pipeline stage computes without a break. */
struct WorkloadTrainingUnit
{
    bool forward{true};
    uint32_t microBatch{0};
    uint32_t chunk{0}; ///< of the stage's own, from 0 to virtualStages - 1
};

/**
 * \ingroup workload
 *
 * The order in which a stage computes. 1F1B and interleaved as in Narayanan et al., "Efficient
 * Large-Scale Language Model Training on GPU Clusters Using Megatron-LM" (SC 2021), section 2.2:
 * warm-up (forward only), steady (one forward, one backward), cool-down (backward only); GPipe: all
 * forward, then all backward, the last micro-batch first.
 * \param training valid
 * \param stage from 0
 * \return 2 * micro-batches * virtualStages units
 */
std::vector<WorkloadTrainingUnit> MakeWorkloadTrainingOrder(const WorkloadTraining& training,
                                                            uint32_t stage);

} // namespace ns3

#endif // WORKLOAD_TRAINING_PIPELINE_H

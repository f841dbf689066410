/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TRAINING_SIZES_H
#define WORKLOAD_TRAINING_SIZES_H

#include "workload-training-model.h"
#include "workload-training.h"

#include "ns3/workload-collective.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload \return bytes divided by training.scale.bytes, rounded up */
uint64_t WorkloadTrainingScaled(const WorkloadTraining& training, uint64_t bytes);

/** \ingroup workload Activations of a micro-batch between layers, whole: the vector of the
 * tensor-parallel collectives. Bytes, scaled. */
uint64_t WorkloadTrainingActivationBytes(const WorkloadTraining& training);

/** \ingroup workload What a GPU sends to the next or previous stage: its 1/tensor of the
 * activations. Bytes, scaled. */
uint64_t WorkloadTrainingStageBytes(const WorkloadTraining& training);

/** \ingroup workload Keys and values of a layer's tokens on a GPU, which go round the GPUs that
 * share a sample. Bytes, scaled. */
uint64_t WorkloadTrainingKeyValueBytes(const WorkloadTraining& training);

/** \ingroup workload What a GPU sends to the experts of a layer, its own included: topK copies of
 * each of its tokens. Bytes, scaled. */
uint64_t WorkloadTrainingDispatchBytes(const WorkloadTraining& training);

/** \ingroup workload The tokens that the GPUs which share an expert gather: what each of them sent
 * to experts. Bytes, scaled. */
uint64_t WorkloadTrainingGatheredBytes(const WorkloadTraining& training);

/** \ingroup workload Gradient of a GPU's part of the embedding. Bytes, scaled. */
uint64_t WorkloadTrainingEmbeddingBytes(const WorkloadTraining& training);

/** \ingroup workload Tensor-parallel collectives of a block and direction. All have the bytes of
 * WorkloadTrainingActivationBytes. */
struct WorkloadTrainingTensorCollectives
{
    uint32_t gathersBefore{0};
    uint32_t scattersAfter{0};
    uint32_t allReducesAfter{0};
};

/** \ingroup workload \return those of a block; none without tensor parallelism */
WorkloadTrainingTensorCollectives WorkloadTrainingTensorCollectivesOf(
    const WorkloadTraining& training,
    WorkloadTrainingBlockKind kind,
    bool forward);

/** \ingroup workload A collective of the training, with its algorithm, channels and chunks. \param
 * bytes scaled */
WorkloadCollective MakeWorkloadTrainingCollective(const WorkloadTraining& training,
                                                  WorkloadCollectiveKind kind,
                                                  uint64_t bytes);

/** \ingroup workload Parameters whose gradients are reduced together, divided into buckets. */
struct WorkloadTrainingBuckets
{
    uint64_t parameters{0};
    uint64_t perBucket{1}; ///< parameters of each bucket but the last

    /** \return buckets; none without parameters */
    uint64_t GetCount() const;

    /** \return parameters of a bucket */
    uint64_t GetSize(uint64_t bucket) const;
};

/** \ingroup workload \param parameters of a model chunk on a GPU */
WorkloadTrainingBuckets MakeWorkloadTrainingBuckets(const WorkloadTraining& training,
                                                    uint64_t parameters);

/** \ingroup workload Which parameters: the routed experts', or all others. */
enum class WorkloadTrainingShare : uint8_t
{
    DENSE,
    EXPERTS
};

/** \ingroup workload \return GPUs that hold the same parameters: data * context, or tensor * data *
 * context / (expert * expertTensor); twice as many if each chunk is on two stages */
uint32_t CountWorkloadTrainingReplicas(const WorkloadTraining& training,
                                       WorkloadTrainingShare share);

/** \ingroup workload \return a block's parameters on a GPU */
uint64_t CountWorkloadTrainingShare(const WorkloadTrainingBlock& block,
                                    WorkloadTrainingShare share);

} // namespace ns3

#endif // WORKLOAD_TRAINING_SIZES_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-sizes.h"

#include "workload-training-experts.h"

#include "ns3/rdma-arithmetic.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** \return a GPU's tokens of a micro-batch, before tensor parallelism divides them */
uint64_t
CountTokens(const WorkloadTraining& training)
{
    return RdmaShare(RdmaProduct(training.microBatch, training.model.sequence),
                     training.parallelism.context);
}

/** \return elements of their activations */
uint64_t
CountActivations(const WorkloadTraining& training)
{
    return RdmaProduct(CountTokens(training), training.model.hidden);
}

} // namespace

uint64_t
WorkloadTrainingScaled(const WorkloadTraining& training, uint64_t bytes)
{
    return RdmaShare(bytes, training.scale.bytes);
}

uint64_t
WorkloadTrainingActivationBytes(const WorkloadTraining& training)
{
    return WorkloadTrainingScaled(
        training,
        RdmaProduct(CountActivations(training), training.model.bytesPerElement));
}

uint64_t
WorkloadTrainingStageBytes(const WorkloadTraining& training)
{
    const uint64_t elements = RdmaShare(CountActivations(training), training.parallelism.tensor);
    return WorkloadTrainingScaled(training, RdmaProduct(elements, training.model.bytesPerElement));
}

uint64_t
WorkloadTrainingKeyValueBytes(const WorkloadTraining& training)
{
    const WorkloadTrainingModel& model = training.model;
    const WorkloadTrainingMla& mla = model.mla;
    const uint32_t tensor = training.parallelism.tensor;
    const uint64_t perHead = mla.keyValueRank > 0
                                 ? uint64_t{mla.headSize} + mla.ropeHeadSize + mla.valueHeadSize
                                 : 2 * uint64_t{model.headSize};
    const uint64_t elements =
        RdmaProduct(CountTokens(training), RdmaShare(model.kvHeads, tensor), perHead);
    return WorkloadTrainingScaled(training, RdmaProduct(elements, model.bytesPerElement));
}

uint64_t
WorkloadTrainingDispatchBytes(const WorkloadTraining& training)
{
    const uint64_t copies = RdmaProduct(CountActivations(training), training.model.moe.topK);
    return WorkloadTrainingScaled(training,
                                  RdmaProduct(RdmaShare(copies, training.parallelism.tensor),
                                              training.model.bytesPerElement));
}

uint64_t
WorkloadTrainingGatheredBytes(const WorkloadTraining& training)
{
    return RdmaProduct(ResolveWorkloadTrainingExperts(training).tensor,
                       WorkloadTrainingDispatchBytes(training));
}

uint64_t
WorkloadTrainingEmbeddingBytes(const WorkloadTraining& training)
{
    const uint64_t parameters =
        RdmaShare(RdmaProduct(training.model.vocabulary, training.model.hidden),
                  training.parallelism.tensor);
    return WorkloadTrainingScaled(training, RdmaProduct(parameters, training.model.gradientBytes));
}

WorkloadTrainingTensorCollectives
WorkloadTrainingTensorCollectivesOf(const WorkloadTraining& training,
                                    WorkloadTrainingBlockKind kind,
                                    bool forward)
{
    using Kind = WorkloadTrainingBlockKind;
    const bool moe = kind == Kind::MOE;
    if (training.parallelism.tensor == 1 || (moe && training.model.moe.sharedExperts == 0))
    {
        return {};
    }
    const bool sequence = training.parallelism.sequence;
    if (kind == Kind::EMBEDDING)
    {
        // its output is summed up; backward, the gradient is needed whole
        return sequence ? WorkloadTrainingTensorCollectives{forward ? 0U : 1U, forward ? 1U : 0U, 0}
                        : WorkloadTrainingTensorCollectives{0, 0, forward ? 1U : 0U};
    }
    if (kind == Kind::HEAD)
    {
        // its output stays divided
        return sequence ? WorkloadTrainingTensorCollectives{1, forward ? 0U : 1U, 0}
                        : WorkloadTrainingTensorCollectives{0, 0, forward ? 0U : 1U};
    }
    // Backward the input is gathered again, since only a share of it was kept (Korthikanti et al.,
    // "Reducing Activation Recomputation in Large Transformer Models", section 4.2.2).
    return sequence ? WorkloadTrainingTensorCollectives{forward ? 1U : 2U, 1, 0}
                    : WorkloadTrainingTensorCollectives{0, 0, 1};
}

WorkloadCollective
MakeWorkloadTrainingCollective(const WorkloadTraining& training,
                               WorkloadCollectiveKind kind,
                               uint64_t bytes)
{
    WorkloadCollective collective;
    collective.kind = kind;
    collective.bytes = bytes;
    collective.chunkBytes = training.collectives.chunkBytes;
    collective.window = training.collectives.window;
    if (kind == WorkloadCollectiveKind::ALL_TO_ALL)
    {
        collective.algorithm = WorkloadCollectiveAlgorithm::DIRECT;
        return collective;
    }
    if (kind == WorkloadCollectiveKind::SEND_RECV)
    {
        collective.algorithm = WorkloadCollectiveAlgorithm::RING;
        return collective;
    }
    collective.algorithm = kind == WorkloadCollectiveKind::ALL_REDUCE
                               ? training.collectives.allReduce
                               : WorkloadCollectiveAlgorithm::RING;
    collective.channels = training.collectives.channels;
    return collective;
}

uint64_t
WorkloadTrainingBuckets::GetCount() const
{
    return RdmaShare(parameters, perBucket);
}

uint64_t
WorkloadTrainingBuckets::GetSize(uint64_t bucket) const
{
    return std::min(perBucket, parameters - bucket * perBucket);
}

WorkloadTrainingBuckets
MakeWorkloadTrainingBuckets(const WorkloadTraining& training, uint64_t parameters)
{
    const uint64_t bytes = training.gradients.bucketBytes;
    const uint64_t elements =
        bytes == 0 ? parameters : RdmaShare(bytes, training.model.gradientBytes);
    return {parameters, std::max<uint64_t>(elements, 1)};
}

uint32_t
CountWorkloadTrainingReplicas(const WorkloadTraining& training, WorkloadTrainingShare share)
{
    const uint32_t copies = training.IsMirrored() ? 2 : 1;
    return share == WorkloadTrainingShare::DENSE
               ? copies * training.parallelism.data * training.parallelism.context
               : copies * training.GetStageRankCount() / training.parallelism.expert /
                     ResolveWorkloadTrainingExperts(training).tensor;
}

uint64_t
CountWorkloadTrainingShare(const WorkloadTrainingBlock& block, WorkloadTrainingShare share)
{
    return share == WorkloadTrainingShare::DENSE ? block.parameters : block.expertParameters;
}

} // namespace ns3

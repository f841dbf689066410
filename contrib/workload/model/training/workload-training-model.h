/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TRAINING_MODEL_H
#define WORKLOAD_TRAINING_MODEL_H

#include "workload-training.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload A part of the model that is computed at once. */
enum class WorkloadTrainingBlockKind : uint8_t
{
    EMBEDDING,
    ATTENTION, ///< with its norm
    MLP,       ///< dense, with its norm
    MOE,       ///< router, shared and routed experts, with their norm
    HEAD       ///< final norm, output layer and loss
};

/** \ingroup workload A block as one GPU holds it. Numbers that do not fit are UINT64_MAX. */
struct WorkloadTrainingBlock
{
    WorkloadTrainingBlockKind kind{WorkloadTrainingBlockKind::ATTENTION};
    uint64_t parameters{0};       ///< on a GPU, without routed experts
    uint64_t expertParameters{0}; ///< of the routed experts on a GPU
    uint64_t modelParameters{0};  ///< of the whole block, each counted once
    uint64_t activeParameters{0}; ///< of these, what a token uses
    double flops{0};              ///< forward, per GPU and micro-batch, without routed experts
    double coreFlops{0};          ///< of these, attention's scores and what they weight
    double expertFlops{0};        ///< forward, of the routed experts
};

/**
 * \ingroup workload
 * \param chunk from 0 to training.GetChunkCount() - 1, in the order of the model; it is on stage
 * chunk % pipeline
 * \return its blocks, in the order of the forward pass
 */
std::vector<WorkloadTrainingBlock> MakeWorkloadTrainingBlocks(const WorkloadTraining& training,
                                                              uint32_t chunk);

/** \ingroup workload Layers that a chunk has. As even as can be unless given, the first chunks with
 * one more. */
uint32_t CountWorkloadTrainingLayers(const WorkloadTraining& training, uint32_t chunk);

/** \ingroup workload Parameters of a model. */
struct WorkloadTrainingParameters
{
    uint64_t total{0};
    uint64_t active{0};             ///< that one token uses
    std::vector<uint64_t> perStage; ///< on a GPU of each pipeline stage, copies included
};

/** \ingroup workload Counts them. */
WorkloadTrainingParameters CountWorkloadTrainingParameters(const WorkloadTraining& training);

/** \ingroup workload Time of a kernel for one micro-batch on one GPU, ns, scaled. \param block
 * whose floating-point operations count */
WorkloadTrainingTimes WorkloadTrainingKernelTimes(const WorkloadTraining& training,
                                                  const WorkloadTrainingBlock& block,
                                                  WorkloadTrainingKernel kernel);

/** \ingroup workload Time of the core of an attention block, a part of that of its kernel; 0 if it
 * is not known. */
WorkloadTrainingTimes WorkloadTrainingCoreTimes(const WorkloadTraining& training,
                                                const WorkloadTrainingBlock& block);

/** \ingroup workload \return the part of a kernel's backward time that gradients of weights take:
 * half of it, without attention's core, which has no weights. ns */
uint64_t WorkloadTrainingWeightTime(const WorkloadTraining& training,
                                    const WorkloadTrainingBlock& block,
                                    WorkloadTrainingKernel kernel);

/** \ingroup workload \return whether a block is computed again in the backward pass */
bool IsWorkloadTrainingRecomputed(const WorkloadTraining& training, WorkloadTrainingBlockKind kind);

/** \ingroup workload \return the names of kernels in files, in the order of the enumeration */
const std::vector<std::string>& WorkloadTrainingKernelNames();

/** \ingroup workload \return the kernel that a block is, without routed experts */
WorkloadTrainingKernel WorkloadTrainingKernelOf(WorkloadTrainingBlockKind kind);

} // namespace ns3

#endif // WORKLOAD_TRAINING_MODEL_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_SMALL_TRAINING_H
#define HARNESS_SMALL_TRAINING_H

#include "ns3/workload-training.h"

namespace harness
{

/** \return a dense model of four small layers on one GPU; times 10 and 20 ns per block. */
inline ns3::WorkloadTraining
Small()
{
    using namespace ns3;
    WorkloadTraining training;
    training.origin = "small.json";
    training.name = "small";
    WorkloadTrainingModel& model = training.model;
    model.layers = 4;
    model.hidden = 8;
    model.heads = 4;
    model.kvHeads = 4;
    model.headSize = 2;
    model.ffn = 32;
    model.vocabulary = 64;
    model.sequence = 8;
    training.globalBatch = 4;
    training.gpu.compute = WorkloadTrainingCompute::TABLE;
    for (const auto kernel : {WorkloadTrainingKernel::ATTENTION, WorkloadTrainingKernel::MLP})
    {
        training.gpu.table[static_cast<size_t>(kernel)] = {10, 20};
    }
    return training;
}

} // namespace harness

#endif // HARNESS_SMALL_TRAINING_H

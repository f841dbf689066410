/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TRAINING_SERVERS_H
#define WORKLOAD_TRAINING_SERVERS_H

#include "workload-training-sizes.h"
#include "workload-training.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload What a collective takes besides the network (alpha and delta of Echo's
 * model). */
struct WorkloadTrainingCosts
{
    uint64_t setupNs{0}; ///< scaled as computations are
    double reduceNsPerByte{0};
};

/** \ingroup workload \return those of a GPU's server */
WorkloadTrainingCosts WorkloadTrainingCostsOf(const WorkloadTraining& training, uint32_t rank);

/** \ingroup workload \return the largest of some GPUs */
WorkloadTrainingCosts WorkloadTrainingCostsOf(const WorkloadTraining& training,
                                              const std::vector<uint32_t>& ranks);

/**
 * \ingroup workload
 * \return GPUs of a server that hold the same parameters, which go first in hierarchical
 * collectives: 1 if there are no others; 0 if not as many on each server
 */
uint32_t CountWorkloadTrainingServerReplicas(const WorkloadTraining& training,
                                             WorkloadTrainingShare share);

} // namespace ns3

#endif // WORKLOAD_TRAINING_SERVERS_H

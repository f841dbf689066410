/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TRAINING_VOLUME_H
#define WORKLOAD_TRAINING_VOLUME_H

#include "workload-training.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload Names of the kinds of traffic: categories of the schedule. */
namespace WorkloadTrainingCategory
{
constexpr const char* DATA = "data-parallel";               ///< gradients but of routed experts
constexpr const char* EXPERT_DATA = "expert-data-parallel"; ///< gradients of routed experts
constexpr const char* GATHER = "parameter-gather";          ///< parameters of sharded data-parallel
constexpr const char* PIPELINE = "pipeline";
constexpr const char* EXPERT = "expert-parallel";
constexpr const char* TENSOR = "tensor-parallel";
constexpr const char* EXPERT_TENSOR = "expert-tensor-parallel"; ///< tokens of divided experts
constexpr const char* CONTEXT = "context-parallel";             ///< keys, values, their gradients
constexpr const char* EMBEDDING = "embedding";                  ///< gradient of tied embeddings
constexpr const char* FORWARD = "forward";                      ///< computation
constexpr const char* BACKWARD = "backward";                    ///< computation
constexpr const char* OPTIMIZER = "optimizer";                  ///< computation
} // namespace WorkloadTrainingCategory

/** \ingroup workload What one kind of traffic puts on the network in an iteration. */
struct WorkloadTrainingVolume
{
    std::string category;
    std::string formula;      ///< of the bytes, with its numbers
    uint64_t collectives{0};  ///< or transfers
    uint64_t bytes{0};        ///< of all messages; UINT64_MAX if it does not fit
    uint64_t messages{0};     ///< if known
    bool messagesKnown{true}; ///< not for trees, whose chunks are the collective's own matter, nor
                              ///< through NVLink
};

/**
 * \ingroup workload
 *
 * Closed formulas: nothing is generated.
 * \return the kinds of traffic that are on the network, none with 0 bytes
 */
std::vector<WorkloadTrainingVolume> WorkloadTrainingVolumes(const WorkloadTraining& training);

/** \ingroup workload \return the same of the experts' traffic that NVLink carries */
std::vector<WorkloadTrainingVolume> WorkloadTrainingNvlinkVolumes(const WorkloadTraining& training);

} // namespace ns3

#endif // WORKLOAD_TRAINING_VOLUME_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_PROGRAM_H
#define WORKLOAD_SIMAI_PROGRAM_H

#include "workload-simai-groups.h"
#include "workload-simai.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload A collective that every rank takes part in, in its own group. */
struct WorkloadSimAiOperation
{
    uint32_t layer{0};
    WorkloadSimAiPass pass{};
    WorkloadSimAiKind kind{};
    WorkloadSimAiGroup group{};
    uint64_t bytes{0}; ///< as simulated
    uint8_t queue{0};  ///< 0: tensor and expert traffic; 1: weight gradients, or all
    uint32_t dimension{
        1}; ///< nodes of the logical dimension that SimAI runs it in: TP, or GPUs and
            ///< NVSwitches / TP for weight gradients; without parallelism all of them
};

/** \ingroup workload One thing that a rank does. */
struct WorkloadSimAiStep
{
    enum class Kind : uint8_t
    {
        COMPUTE, ///< for \c ns
        TICK,    ///< SimAI's change of state: 1 ns
        ISSUE,   ///< put \c operation into its queue, and go on
        AWAIT    ///< wait until \c operation is done
    };

    Kind kind{Kind::TICK};
    WorkloadSimAiPass pass{};
    uint32_t layer{0};
    uint32_t operation{0};
    uint64_t ns{0};
};

/**
 * \ingroup workload
 * \brief What every rank does, one step after the other: a layer list unrolled by its policy.
 *
 * After the last step a rank waits for all collectives that it issued. The policies' orders are
 * SimAI's (doc/simai.md lists them), with these readings where SimAI does nothing useful: MICRO
 * runs the weight-gradient part of every line in turn; HYBRID_DLRM is DATA, since only weight
 * gradients communicate in it.
 */
struct WorkloadSimAiProgram
{
    std::vector<WorkloadSimAiStep> steps;
    std::vector<WorkloadSimAiOperation> operations; ///< in the order of issue
    uint64_t computeNs{0};                          ///< of a rank, in all
};

/**
 * \ingroup workload
 * \param file the layers
 * \param options for NVSwitches, and literal sizes and filters
 * \param groups of the topology's ranks
 */
WorkloadSimAiProgram MakeWorkloadSimAiProgram(const WorkloadSimAiFile& file,
                                              const WorkloadSimAiOptions& options,
                                              const WorkloadSimAiGroups& groups);

} // namespace ns3

#endif // WORKLOAD_SIMAI_PROGRAM_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_NCCL_GOAL_H
#define WORKLOAD_NCCL_GOAL_H

#include "workload-nccl-trace.h"

#include "ns3/workload-collective.h"

#include <array>
#include <cstdint>
#include <ostream>
#include <string>

namespace ns3
{

/** \ingroup workload What to make of a trace of NCCL. */
struct WorkloadNcclOptions
{
    double scale{1}; ///< computations take so many times as long as they did

    /** How collectives are carried out; their kind, bytes and root come from the trace. AUTO and 0
     * channels: as the trace says, or else as NCCL would choose. */
    WorkloadCollective how;
};

/**
 * \ingroup workload
 * \param keys as in a collective's specification, KEY=VALUE,KEY=VALUE..., but for ranks, bytes,
 * root, repeat and gap; empty for none
 * \return how collectives are carried out: what is not given is AUTO and 0 channels
 * \throws InputError for what is wrong in them
 */
WorkloadCollective ParseWorkloadNcclKeys(const std::string& keys);

/** \ingroup workload What was made of an operation, for all ranks. */
struct WorkloadNcclCount
{
    uint64_t calls{0};
    uint64_t bytes{0};    ///< of the calls, as WorkloadNcclCall has them
    uint64_t messages{0}; ///< sent
    uint64_t sent{0};     ///< bytes of these messages
};

/** \ingroup workload What a conversion went through. */
struct WorkloadNcclConversion
{
    uint32_t ranks{0};
    uint64_t operations{0};
    uint64_t dependencies{0};
    std::array<WorkloadNcclCount, WORKLOAD_NCCL_OPERATIONS> counts; ///< by operation
};

/**
 * \ingroup workload
 *
 * Writes a trace of NCCL as GOAL, a rank per GPU, holding the operations of one rank at a time.
 *
 * The time between two kernels of NCCL on a stream becomes a computation on the compute stream of
 * its number. A kernel starts when that is over, and when all kernels that had ended on other
 * streams before it started are done. Its own time is left out: the network finds it anew.
 * \param trace what the GPUs did
 * \param options what to make of it
 * \param out must be able to seek if \p binary
 * \param binary what to write
 * \throws InputError if GPUs do not agree about a collective or a message
 */
WorkloadNcclConversion ConvertWorkloadNccl(const WorkloadNcclTrace& trace,
                                           const WorkloadNcclOptions& options,
                                           std::ostream& out,
                                           bool binary);

} // namespace ns3

#endif // WORKLOAD_NCCL_GOAL_H

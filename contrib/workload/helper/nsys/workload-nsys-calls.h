/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_NSYS_CALLS_H
#define WORKLOAD_NSYS_CALLS_H

#include "workload-nsys-database.h"

#include "ns3/workload-nccl-trace.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/** \ingroup workload A GPU becomes a rank of a communicator. */
struct WorkloadNsysInit
{
    uint64_t communicator{0}; ///< NCCL's hash
    uint32_t rank{0};
    uint32_t ranks{0};
    uint64_t process{0};
    uint32_t device{0};
};

/** \ingroup workload What a GPU of a process did. */
struct WorkloadNsysGpu
{
    uint64_t process{0};
    uint32_t device{0};
    /** Bytes of its calls are as NCCL's ranges have them: of what one rank gives or gets. */
    WorkloadNcclGpu gpu;
};

/** \ingroup workload What an export has of NCCL. */
struct WorkloadNsysExport
{
    std::vector<WorkloadNsysGpu> gpus; ///< by process and device
    std::vector<WorkloadNsysInit> inits;
    std::vector<std::string> warnings;
};

/** \ingroup workload Indices of communicators, by NCCL's hash. */
using WorkloadNsysIds = std::map<uint64_t, uint32_t>;

/**
 * \ingroup workload
 *
 * Reads an export table by table, and keeps what is of NCCL. A kernel belongs to the calls of the
 * range (ncclAllReduce and so on, or the ncclGroupEnd of several) within which it was launched.
 * \param database the export
 * \param ids indices of communicators; new ones are added
 * \return what it has of NCCL
 * \throws InputError for what is wrong in it
 */
WorkloadNsysExport ReadWorkloadNsysExport(const WorkloadNsysDatabase& database,
                                          WorkloadNsysIds& ids);

} // namespace ns3

#endif // WORKLOAD_NSYS_CALLS_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_NSYS_RANGES_H
#define WORKLOAD_NSYS_RANGES_H

#include "workload-nsys-calls.h"

#include <string>
#include <unordered_map>

namespace ns3
{

/** \ingroup workload Strings of an export that start with nccl, by their ids. */
using WorkloadNsysStrings = std::unordered_map<uint64_t, std::string>;

/** \ingroup workload A thread calls NCCL, once or in a group; the kernels that it launches within
 * these times carry out the calls. */
struct WorkloadNsysBatch
{
    uint64_t thread{0};
    uint64_t startNs{0};
    uint64_t endNs{0};
    std::vector<WorkloadNcclCall> calls; ///< communicators are indices
};

/** \ingroup workload What the ranges of NCCL say. */
struct WorkloadNsysRanges
{
    std::vector<WorkloadNsysBatch> batches; ///< by thread and time
    std::vector<WorkloadNsysInit> inits;
};

/**
 * \ingroup workload
 * \param database an export
 * \param strings of it
 * \param ids indices of communicators; new ones are added
 * \return its ranges of NCCL
 * \throws InputError if they do not say what is necessary
 */
WorkloadNsysRanges ReadWorkloadNsysRanges(const WorkloadNsysDatabase& database,
                                          const WorkloadNsysStrings& strings,
                                          WorkloadNsysIds& ids);

/** \ingroup workload \return the process of a thread, as Nsight Systems numbers them */
constexpr uint64_t
WorkloadNsysProcessOf(uint64_t globalTid)
{
    return globalTid & ~uint64_t{0xffffff};
}

} // namespace ns3

#endif // WORKLOAD_NSYS_RANGES_H

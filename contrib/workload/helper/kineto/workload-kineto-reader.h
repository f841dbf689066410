/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_KINETO_READER_H
#define WORKLOAD_KINETO_READER_H

#include "ns3/workload-nccl-trace.h"

#include <istream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 *
 * Reads traces of PyTorch's profiler (Kineto), one of each rank, one after the other.
 * \param files of all ranks
 * \return what their GPUs did with NCCL
 * \throws InputError for what is wrong in a file, and if members of a process group are missing
 */
WorkloadNcclTrace ReadWorkloadKineto(const std::vector<std::string>& files);

/** \ingroup workload The same from streams. \param files with the names that stand for them */
WorkloadNcclTrace ReadWorkloadKineto(
    const std::vector<std::pair<std::istream*, std::string>>& files);

} // namespace ns3

#endif // WORKLOAD_KINETO_READER_H

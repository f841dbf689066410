/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_NSYS_READER_H
#define WORKLOAD_NSYS_READER_H

#include "ns3/workload-nccl-trace.h"

#include <string>
#include <vector>

namespace ns3
{

class WorkloadNsysDatabase;

/**
 * \ingroup workload
 *
 * Reads SQLite exports of Nsight Systems, one after the other, each of one or more processes with
 * one or more GPUs. Ranks are those of the communicator that has all GPUs, if the exports have its
 * creation; else the GPUs are numbered by file, process and device.
 * \param files of all processes of a program
 * \return what its GPUs did with NCCL
 * \throws InputError for what is wrong in a file, and if members of a communicator are missing
 */
WorkloadNcclTrace ReadWorkloadNsys(const std::vector<std::string>& files);

/** \ingroup workload The same of one export. */
WorkloadNcclTrace ReadWorkloadNsys(const WorkloadNsysDatabase& database);

} // namespace ns3

#endif // WORKLOAD_NSYS_READER_H

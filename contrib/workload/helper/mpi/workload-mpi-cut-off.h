/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MPI_CUT_OFF_H
#define WORKLOAD_MPI_CUT_OFF_H

#include "workload-mpi-reader.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * Names all traces without an end, if one was met: a program that is ended leaves several of them,
 * and the first one is not the rank at fault.
 * \param reader of the trace that was read last \param files all traces, by rank
 * \throws InputError if the trace has no end
 */
void FailIfWorkloadMpiCutOff(const WorkloadMpiReader& reader,
                             const std::vector<std::string>& files);

} // namespace ns3

#endif // WORKLOAD_MPI_CUT_OFF_H

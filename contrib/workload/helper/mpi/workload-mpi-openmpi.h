/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MPI_OPENMPI_H
#define WORKLOAD_MPI_OPENMPI_H

#include "workload-mpi-part.h"
#include "workload-mpi-reader.h"

namespace ns3
{

/**
 * \ingroup workload
 * \brief Adds one member's part of a collective, by the algorithm that Open MPI's coll/tuned
 * chooses.
 *
 * docs/reference/mpi-trace-format.md lists the rules.
 * \param part of the member, one of several
 * \param call of a blocking collective
 * \param record the call's arguments
 */
void AddWorkloadOpenMpiCollective(WorkloadMpiPart& part,
                                  WorkloadMpiCall call,
                                  const WorkloadMpiRecord& record);

} // namespace ns3

#endif // WORKLOAD_MPI_OPENMPI_H

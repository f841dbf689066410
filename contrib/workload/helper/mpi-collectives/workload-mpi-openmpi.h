/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MPI_OPENMPI_H
#define WORKLOAD_MPI_OPENMPI_H

#include "workload-mpi-part.h"

#include "ns3/workload-mpi-reader.h"

namespace ns3
{

/**
 * \ingroup workload
 * \brief Adds one member's part of a collective, by the algorithm that Open MPI 4.1 or 5.0 chooses:
 * its component coll/tuned, or coll/basic for what that one does not have.
 *
 * docs/reference/mpi-trace-format.md lists the rules.
 * \param part of the member, one of several
 * \param call of a blocking collective
 * \param record the call's arguments
 */
void AddWorkloadOpenMpiCollective(WorkloadMpiPart& part,
                                  WorkloadMpiCall call,
                                  const WorkloadMpiRecord& record);

/**
 * \ingroup workload
 * \brief The same, by the algorithm that Open MPI 1.8 to 4.0 choose.
 */
void AddWorkloadOpenMpi40Collective(WorkloadMpiPart& part,
                                    WorkloadMpiCall call,
                                    const WorkloadMpiRecord& record);

/**
 * \ingroup workload
 * \brief Adds what Open MPI of all these versions does without a choice: messages of buffers that
 * are empty, which are none, and the collectives of coll/basic.
 * \return whether it is such a collective
 */
bool AddWorkloadOpenMpiBasicCollective(WorkloadMpiPart& part,
                                       WorkloadMpiCall call,
                                       const WorkloadMpiRecord& record);

} // namespace ns3

#endif // WORKLOAD_MPI_OPENMPI_H

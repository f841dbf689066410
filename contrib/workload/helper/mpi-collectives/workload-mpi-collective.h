/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MPI_COLLECTIVE_H
#define WORKLOAD_MPI_COLLECTIVE_H

#include "workload-mpi-part.h"

#include "ns3/workload-mpi-goal.h"
#include "ns3/workload-mpi-reader.h"

namespace ns3
{

/**
 * \ingroup workload
 * \brief Adds one member's part of a collective, by the algorithm that Open MPI chooses, or MPICH.
 *
 * docs/reference/mpi-trace-format.md lists the choices by bytes and members, and what is simpler
 * here. Non-blocking collectives take the algorithms of the blocking ones.
 * \param part of the member; collectives of one member add nothing
 * \param record the call; its lists have a number for each member where the call has them, and its
 * root is a member
 * \param library whose choice it is: AddWorkloadOpenMpiCollective(),
 * AddWorkloadOpenMpi40Collective() or AddWorkloadMpichCollective()
 */
void AddWorkloadMpiCollective(WorkloadMpiPart& part,
                              const WorkloadMpiRecord& record,
                              WorkloadMpiLibrary library = WorkloadMpiLibrary::OPEN_MPI);

/**
 * \ingroup workload
 * \param record a collective
 * \param size members of its communicator
 * \param rank of the member that recorded it
 * \return what is wrong about its lists and its root; empty if nothing is
 */
std::string WorkloadMpiCollectiveFault(const WorkloadMpiRecord& record,
                                       uint32_t size,
                                       uint32_t rank);

} // namespace ns3

#endif // WORKLOAD_MPI_COLLECTIVE_H

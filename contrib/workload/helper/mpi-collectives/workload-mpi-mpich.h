/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MPI_MPICH_H
#define WORKLOAD_MPI_MPICH_H

#include "workload-mpi-part.h"

#include "ns3/workload-mpi-reader.h"

namespace ns3
{

/**
 * \ingroup workload
 * \brief Adds one member's part of a collective, by the algorithm that MPICH chooses.
 *
 * The algorithms and the sizes from which on each is used are those of R. Thakur, R. Rabenseifner
 * and W. Gropp ("Optimization of Collective Communication Operations in MPICH", IJHPCA 19(1),
 * 2005); docs/reference/mpi-trace-format.md lists them.
 * \param part of the member, one of several
 * \param call of a blocking collective
 * \param record the call's arguments
 */
void AddWorkloadMpichCollective(WorkloadMpiPart& part,
                                WorkloadMpiCall call,
                                const WorkloadMpiRecord& record);

} // namespace ns3

#endif // WORKLOAD_MPI_MPICH_H

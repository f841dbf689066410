/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MPI_TREES_H
#define WORKLOAD_MPI_TREES_H

#include "workload-mpi-algorithms.h"

#include <vector>

namespace ns3
{

/** \ingroup workload Whom a member of a tree sends to and receives from, by their ranks. */
struct WorkloadMpiPlace
{
    bool top{true}; //!< it is the root
    uint32_t parent{0};
    std::vector<uint32_t> children;
};

/** \ingroup workload \return the place of a part's member in a tree \param root of all trees but
 * IN_ORDER_BINARY, which has none but 0 */
WorkloadMpiPlace WorkloadMpiPlaceOf(const WorkloadMpiPart& part,
                                    WorkloadMpiTree tree,
                                    uint32_t root);

} // namespace ns3

#endif // WORKLOAD_MPI_TREES_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MPI_TRACE_WORLD_RANKS_H
#define MPI_TRACE_WORLD_RANKS_H

#include <cstddef>
#include <mpi.h>
#include <numeric>
#include <vector>

namespace mpitrace
{

/** \return the ranks in MPI_COMM_WORLD of a group; MPI_UNDEFINED for others */
inline std::vector<int>
RanksOf(MPI_Group group)
{
    MPI_Group world = MPI_GROUP_NULL;
    int size = 0;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_size(group, &size);
    std::vector<int> own(static_cast<size_t>(size));
    std::iota(own.begin(), own.end(), 0);
    std::vector<int> ranks(own.size());
    PMPI_Group_translate_ranks(group, size, own.data(), world, ranks.data());
    PMPI_Group_free(&world);
    return ranks;
}

/** \return the same of a communicator's own group */
inline std::vector<int>
RanksOf(MPI_Comm comm)
{
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_group(comm, &group);
    std::vector<int> ranks = RanksOf(group);
    PMPI_Group_free(&group);
    return ranks;
}

} // namespace mpitrace

#endif // MPI_TRACE_WORLD_RANKS_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MPI_OPENMPI_CHOICE_H
#define WORKLOAD_MPI_OPENMPI_CHOICE_H

#include "ns3/workload-mpi-format.h"

#include <cstdint>

namespace ns3
{

/** \ingroup workload Ways of Open MPI to do a collective. */
enum class WorkloadOpenMpiWay : uint8_t
{
    LINEAR,             ///< from or to the root, one after the other
    DIRECT,             ///< all at once
    CHAIN,              ///< trees: see WorkloadMpiTree
    BINARY,             ///< \copydoc CHAIN
    BINOMIAL,           ///< \copydoc CHAIN
    QUATERNARY,         ///< \copydoc CHAIN
    IN_ORDER,           ///< \copydoc CHAIN
    SPLIT_BINARY,       ///< halves down the sides of a binary tree
    SCATTER_ALL_GATHER, ///< a broadcast as a scatter and an all-gather
    SYNCHRONOUS,        ///< a gather in which the root tells members to send
    RABENSEIFNER,       ///< halving, then doubling or a gather
    DOUBLING,           ///< pairs at distances 1, 2, 4...
    HALVING,            ///< pairs at distances of n / 2, n / 4...
    BUTTERFLY,          ///< pairs at distances 1, 2, 4..., halving what they exchange
    RING,
    NEIGHBORS, ///< to the neighbors in turn
    BRUCK,
    PAIRWISE,         ///< to the member at distance 1, 2, 3...
    REDUCE_BROADCAST, ///< two collectives: MPI_Reduce, then MPI_Bcast
    REDUCE_SCATTER,   ///< MPI_Reduce, then MPI_Scatter or MPI_Scatterv
    GATHER_BROADCAST, ///< MPI_Gatherv, then MPI_Bcast
};

/**
 * \ingroup workload
 * \brief The way that Open MPI 4.1 and 5.0 choose where nothing else is configured.
 *
 * They are the fixed rules of its component coll/tuned, which are the same in 4.1.0 to 5.0.8
 * (ompi/mca/coll/tuned/coll_tuned_decision_fixed.c). With 5.0, the component coll/han comes before
 * it if members are on several hosts.
 * \param call of a collective that coll/tuned has
 * \param commutative whether a reduction's operation is
 * \param members of the communicator, at least 2
 * \param bytes of the buffer, or of a block, as traces have it; of MPI_Allgatherv the mean of the
 * blocks, of MPI_Reduce_scatter their sum
 */
WorkloadOpenMpiWay ChooseWorkloadOpenMpiWay(WorkloadMpiCall call,
                                            bool commutative,
                                            uint32_t members,
                                            uint64_t bytes);

} // namespace ns3

#endif // WORKLOAD_MPI_OPENMPI_CHOICE_H

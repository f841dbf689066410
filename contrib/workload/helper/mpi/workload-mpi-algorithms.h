/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MPI_ALGORITHMS_H
#define WORKLOAD_MPI_ALGORITHMS_H

#include "workload-mpi-part.h"

#include <vector>

namespace ns3
{

// Algorithms of collectives, the part of one member each. They are those of Open MPI's component
// coll/base, which J. Pjesivac-Grbovic et al. describe ("Performance analysis of MPI collective
// operations", Cluster Computing 10, 2007), and R. Thakur et al. ("Optimization of collective
// communication operations in MPICH", IJHPCA 19, 2005). Reducing takes no time. Members count from
// the root: the root is number 0, the member behind it 1, and so on.

/** \ingroup workload Bytes of each member's block. */
using WorkloadMpiBlocks = std::vector<uint64_t>;

/** \ingroup workload How members hang below the root of a broadcast or a reduction. */
enum class WorkloadMpiTree
{
    LINEAR, ///< all below the root
    CHAIN,
    BINARY,   ///< level by level: the children of n, of a level of w members, are n + w and n + 2w
    BINOMIAL, ///< children of n: n + 2^k for 2^k > n, as Open MPI's broadcast has it
    IN_ORDER, ///< binomial: children of n are n + 2^k for 2^k below n's lowest bit
};

/** \ingroup workload \return bytes of all blocks */
uint64_t WorkloadMpiSum(const WorkloadMpiBlocks& blocks);

/** \ingroup workload \return \p bytes in \p size blocks of whole elements, as even as possible:
 * the first ones have more \param element bytes, not 0 */
WorkloadMpiBlocks ShareWorkloadMpiBytes(uint64_t bytes, uint64_t element, uint32_t size);

/** \ingroup workload \return the largest power of two of at most \p size, which is not 0 */
inline uint32_t
WorkloadMpiPowerBelow(uint32_t size)
{
    uint32_t power = 1;
    while (power <= size / 2)
    {
        power *= 2;
    }
    return power;
}

// From or to one member.

/** \ingroup workload A broadcast of segments down a tree. \param segment bytes; 0: all at once */
void AddWorkloadMpiBroadcast(WorkloadMpiPart& part,
                             WorkloadMpiTree tree,
                             uint32_t root,
                             uint64_t bytes,
                             uint64_t segment);

/** \ingroup workload A reduction of segments up a tree. \param segment bytes; 0: all at once */
void AddWorkloadMpiReduction(WorkloadMpiPart& part,
                             WorkloadMpiTree tree,
                             uint32_t root,
                             uint64_t bytes,
                             uint64_t segment);

/** \ingroup workload A broadcast of one half down each side of a binary tree; then members of the
 * two sides exchange their halves in pairs. */
void AddWorkloadMpiSplitBinary(WorkloadMpiPart& part,
                               uint32_t root,
                               uint64_t bytes,
                               uint64_t segment);

/** \ingroup workload Blocks of the members to the root, one after the other. */
void AddWorkloadMpiLinearGather(WorkloadMpiPart& part,
                                uint32_t root,
                                uint64_t own,
                                const WorkloadMpiBlocks& blocks);

/** \ingroup workload The other way round. */
void AddWorkloadMpiLinearScatter(WorkloadMpiPart& part,
                                 uint32_t root,
                                 uint64_t own,
                                 const WorkloadMpiBlocks& blocks);

/** \ingroup workload Blocks of equal size up a binomial tree, each member's with those below. */
void AddWorkloadMpiBinomialGather(WorkloadMpiPart& part, uint32_t root, uint64_t block);

/** \ingroup workload The other way round. */
void AddWorkloadMpiBinomialScatter(WorkloadMpiPart& part, uint32_t root, uint64_t block);

/** \ingroup workload From each member to the next one, the first to the last. */
void AddWorkloadMpiScan(WorkloadMpiPart& part, uint64_t bytes);

// From all to all.

/** \ingroup workload A barrier, or an all-reduce of everything in each step: pairs at distances 1,
 * 2, 4...; of members that are no power of two, the first ones join in pairs before, and are told
 * after. */
void AddWorkloadMpiRecursiveDoubling(WorkloadMpiPart& part, uint64_t bytes);

/** \ingroup workload A barrier: to the member at distance 1, 2, 4... */
void AddWorkloadMpiDissemination(WorkloadMpiPart& part);

/**
 * \ingroup workload
 *
 * Adds a reduce-scatter by a ring.
 * \param segment bytes of a block that go round before the next ones; 0: all
 * \param behind blocks by which the first one that a member sends is behind its own number
 */
void AddWorkloadMpiRingReduceScatter(WorkloadMpiPart& part,
                                     const WorkloadMpiBlocks& blocks,
                                     uint64_t segment,
                                     uint32_t behind);

/** \ingroup workload A reduce-scatter by halving what pairs exchange. */
void AddWorkloadMpiRecursiveHalving(WorkloadMpiPart& part, const WorkloadMpiBlocks& blocks);

/** \ingroup workload An all-gather by a ring. \param ahead blocks by which the first one that a
 * member sends is ahead of its own number \param segment most bytes of a message; 0: of any size */
void AddWorkloadMpiRingAllGather(WorkloadMpiPart& part,
                                 const WorkloadMpiBlocks& blocks,
                                 uint32_t ahead,
                                 uint64_t segment = 0);

/** \ingroup workload An all-gather of a power of two of members. */
void AddWorkloadMpiDoublingAllGather(WorkloadMpiPart& part, const WorkloadMpiBlocks& blocks);

/** \ingroup workload An all-gather by Bruck's algorithm. */
void AddWorkloadMpiBruckAllGather(WorkloadMpiPart& part, const WorkloadMpiBlocks& blocks);

/** \ingroup workload An all-gather of an even number of members, to the neighbors in turn. */
void AddWorkloadMpiNeighborExchange(WorkloadMpiPart& part, const WorkloadMpiBlocks& blocks);

/** \ingroup workload An all-to-all in steps: to the member at distance 1, 2, 3... */
void AddWorkloadMpiPairwise(WorkloadMpiPart& part,
                            const WorkloadMpiBlocks& sends,
                            const WorkloadMpiBlocks& receives);

/** \ingroup workload An all-to-all at once, without empty messages if \p skip. */
void AddWorkloadMpiDirect(WorkloadMpiPart& part,
                          const WorkloadMpiBlocks& sends,
                          const WorkloadMpiBlocks& receives,
                          bool skip);

/** \ingroup workload An all-to-all of small blocks by Bruck's algorithm. */
void AddWorkloadMpiBruckAllToAll(WorkloadMpiPart& part, uint64_t block);

} // namespace ns3

#endif // WORKLOAD_MPI_ALGORITHMS_H

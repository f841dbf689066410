/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MPI_ALGORITHMS_H
#define WORKLOAD_MPI_ALGORITHMS_H

#include "workload-mpi-part.h"

#include <vector>

namespace ns3
{

// Algorithms of collectives, the part of one member each, as Open MPI's component coll/base and
// MPICH have them. Unless said, J. Pjesivac-Grbovic et al. describe them ("Performance analysis of
// MPI collective operations", Cluster Computing 10, 2007), or R. Thakur, R. Rabenseifner and W.
// Gropp
// ("Optimization of collective communication operations in MPICH", IJHPCA 19, 2005). Reducing takes
// no time. Members count from the root: the root is number 0, the member behind it 1, and so on.

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
    QUATERNARY,      ///< the same with digits to the base 4: a k-nomial tree, k being 4
    IN_ORDER_BINARY, ///< below the last member, whatever the root is: no member comes before those
                     ///< below it
};

/** \ingroup workload \return bytes of all blocks */
uint64_t WorkloadMpiSum(const WorkloadMpiBlocks& blocks);

/** \ingroup workload \return \p bytes in \p size blocks of whole elements, as even as possible:
 * the first ones have more \param element bytes, not 0 */
WorkloadMpiBlocks ShareWorkloadMpiBytes(uint64_t bytes, uint64_t element, uint32_t size);

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

/** \ingroup workload A reduction that keeps the order of members: up a tree below the last one, and
 * from that one to the root. */
void AddWorkloadMpiInOrderReduction(WorkloadMpiPart& part, uint32_t root, uint64_t bytes);

/**
 * \ingroup workload
 *
 * Adds a reduction by halving and a binomial gather (R. Rabenseifner, "Optimization of collective
 * reduction operations", ICCS 2004), distances being 1, 2, 4... of a power of two of members;
 * others join in pairs before.
 * \param element bytes, not 0
 */
void AddWorkloadMpiRabenseifnerReduce(WorkloadMpiPart& part,
                                      uint32_t root,
                                      uint64_t bytes,
                                      uint64_t element);

/** \ingroup workload A broadcast of one half down each side of a binary tree; then members of the
 * two sides exchange their halves in pairs. Less than two elements, and halves of less than a
 * segment, go down a chain. \param element bytes */
void AddWorkloadMpiSplitBinary(WorkloadMpiPart& part,
                               uint32_t root,
                               uint64_t bytes,
                               uint64_t element,
                               uint64_t segment);

/** \ingroup workload A broadcast by a binomial scatter and an all-gather (Thakur et al.). \param
 * element bytes, not 0 \param ring whether the all-gather is a ring, not recursive doubling */
void AddWorkloadMpiScatterAllGather(WorkloadMpiPart& part,
                                    uint32_t root,
                                    uint64_t bytes,
                                    uint64_t element,
                                    bool ring);

/** \ingroup workload Blocks of the members to the root, one after the other, but for empty ones. */
void AddWorkloadMpiLinearGather(WorkloadMpiPart& part,
                                uint32_t root,
                                uint64_t own,
                                const WorkloadMpiBlocks& blocks);

/** \ingroup workload The other way round. \param atOnce without a send waiting for another one */
void AddWorkloadMpiLinearScatter(WorkloadMpiPart& part,
                                 uint32_t root,
                                 uint64_t own,
                                 const WorkloadMpiBlocks& blocks,
                                 bool atOnce);

/** \ingroup workload Blocks of equal size to the root, which tells one member after the other to
 * send; empty messages follow. */
void AddWorkloadMpiSynchronousGather(WorkloadMpiPart& part, uint32_t root, uint64_t block);

/** \ingroup workload Blocks of equal size up a binomial tree, each member's with those below. */
void AddWorkloadMpiBinomialGather(WorkloadMpiPart& part, uint32_t root, uint64_t block);

/** \ingroup workload The other way round, of blocks that may differ: those of the members by
 * number, the root's first. */
void AddWorkloadMpiBinomialScatter(WorkloadMpiPart& part,
                                   uint32_t root,
                                   const WorkloadMpiBlocks& blocks);

/** \ingroup workload From each member to the next one, the first to the last. */
void AddWorkloadMpiScan(WorkloadMpiPart& part, uint64_t bytes);

// From all to all.

/** \ingroup workload An all-reduce of everything in each step: pairs at distances 1, 2, 4...; of
 * members that are no power of two, the first ones join in pairs before, and are told after. */
void AddWorkloadMpiRecursiveDoubling(WorkloadMpiPart& part, uint64_t bytes);

/** \ingroup workload A barrier of the same steps; of members that are no power of two, the last
 * ones join the first ones. */
void AddWorkloadMpiDoublingBarrier(WorkloadMpiPart& part);

/** \ingroup workload An all-reduce by halving and doubling, as AddWorkloadMpiRabenseifnerReduce().
 */
void AddWorkloadMpiRabenseifnerAllReduce(WorkloadMpiPart& part, uint64_t bytes, uint64_t element);

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

/** \ingroup workload A reduce-scatter by halving what pairs exchange, without empty messages. */
void AddWorkloadMpiRecursiveHalving(WorkloadMpiPart& part, const WorkloadMpiBlocks& blocks);

/** \ingroup workload A reduce-scatter by pairs at distances 1, 2, 4... that exchange all but what
 * both of them need no more. */
void AddWorkloadMpiDoublingReduceScatter(WorkloadMpiPart& part, const WorkloadMpiBlocks& blocks);

/** \ingroup workload A reduce-scatter by halving at distances 1, 2, 4..., which keeps the order of
 * members and leaves a block with the member of the mirrored number (J. L. Traff, "An improved
 * algorithm for (non-commutative) reduce-scatter with an application", EuroPVM/MPI 2005). \param
 * sorted whether each block was put where it ends at its member */
void AddWorkloadMpiButterfly(WorkloadMpiPart& part, const WorkloadMpiBlocks& blocks, bool sorted);

/** \ingroup workload An all-gather by a ring. \param ahead blocks by which the first one that a
 * member sends is ahead of its own number \param segment most bytes of a message; 0: of any size */
void AddWorkloadMpiRingAllGather(WorkloadMpiPart& part,
                                 const WorkloadMpiBlocks& blocks,
                                 uint32_t ahead,
                                 uint64_t segment = 0);

/** \ingroup workload An all-gather by pairs at distances 1, 2, 4... that exchange what they have;
 * members that have no partner are told by others. */
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

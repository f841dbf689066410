/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-mpi-algorithms.h"
#include "workload-mpi-mapped-part.h"
#include "workload-mpi-openmpi.h"

namespace ns3
{

namespace
{

constexpr uint64_t KIB = 1024;

bool
IsPowerOfTwo(uint32_t size)
{
    return (size & (size - 1)) == 0;
}

void
Barrier(WorkloadMpiPart& part)
{
    IsPowerOfTwo(part.GetSize()) ? AddWorkloadMpiDoublingBarrier(part)
                                 : AddWorkloadMpiDissemination(part);
}

void
Broadcast(WorkloadMpiPart& part, uint32_t root, uint64_t bytes, uint64_t element)
{
    const uint32_t size = part.GetSize();
    const auto amount = static_cast<double>(bytes);
    const auto pipeline = [&](uint64_t segment) {
        AddWorkloadMpiBroadcast(part, WorkloadMpiTree::CHAIN, root, bytes, segment);
    };
    if (bytes < 2048)
    {
        AddWorkloadMpiBroadcast(part, WorkloadMpiTree::BINOMIAL, root, bytes, 0);
    }
    else if (bytes < 370728)
    {
        AddWorkloadMpiSplitBinary(part, root, bytes, element, KIB);
    }
    else if (size < 1.6134e-6 * amount + 2.1102)
    {
        pipeline(128 * KIB);
    }
    else if (size < 13)
    {
        AddWorkloadMpiSplitBinary(part, root, bytes, element, 8 * KIB);
    }
    else if (size < 2.3679e-6 * amount + 1.1787)
    {
        pipeline(64 * KIB);
    }
    else if (size < 3.2118e-6 * amount + 8.7936)
    {
        pipeline(16 * KIB);
    }
    else
    {
        pipeline(8 * KIB);
    }
}

/** A reduction that keeps the order of members. */
void
ReduceInOrder(WorkloadMpiPart& part, uint32_t root, uint64_t bytes)
{
    if (part.GetSize() < 12 && bytes < 2048)
    {
        AddWorkloadMpiReduction(part, WorkloadMpiTree::LINEAR, root, bytes, 0);
    }
    else
    {
        AddWorkloadMpiInOrderReduction(part, root, bytes);
    }
}

void
Reduce(WorkloadMpiPart& part, uint32_t root, uint64_t bytes, bool commutative)
{
    const uint32_t size = part.GetSize();
    const double amount = static_cast<double>(bytes) / KIB;
    const auto up = [&](WorkloadMpiTree tree, uint64_t segment) {
        AddWorkloadMpiReduction(part, tree, root, bytes, segment);
    };
    if (!commutative)
    {
        ReduceInOrder(part, root, bytes);
    }
    else if (size < 8 && bytes < 512)
    {
        up(WorkloadMpiTree::LINEAR, 0);
    }
    else if (size < 8 && bytes < 20480)
    {
        up(WorkloadMpiTree::IN_ORDER, 0);
    }
    else if (bytes < 2048)
    {
        up(WorkloadMpiTree::BINARY, 0);
    }
    else if (size > 0.6016 * amount + 1.3496)
    {
        up(WorkloadMpiTree::BINARY, KIB);
    }
    else if (size > 0.0410 * amount + 9.7128)
    {
        up(WorkloadMpiTree::CHAIN, KIB);
    }
    else if (size > 0.0033 * amount + 1.6761)
    {
        up(WorkloadMpiTree::CHAIN, 32 * KIB);
    }
    else
    {
        up(WorkloadMpiTree::CHAIN, 64 * KIB);
    }
}

void
AllReduce(WorkloadMpiPart& part, uint64_t bytes, uint64_t element, bool commutative)
{
    constexpr uint64_t SEGMENT = KIB * KIB;
    const uint32_t size = part.GetSize();
    if (bytes < 10000)
    {
        AddWorkloadMpiRecursiveDoubling(part, bytes);
    }
    else if (commutative && element > 0 && bytes / element > size)
    {
        const WorkloadMpiBlocks blocks = ShareWorkloadMpiBytes(bytes, element, size);
        AddWorkloadMpiRingReduceScatter(part, blocks, size * SEGMENT >= bytes ? 0 : SEGMENT, 0);
        AddWorkloadMpiRingAllGather(part, blocks, 1);
    }
    else
    {
        Reduce(part, 0, bytes, commutative);
        Broadcast(part, 0, bytes, element);
    }
}

/** \param equal whether MPI_Allgather is meant, not MPI_Allgatherv */
void
AllGather(WorkloadMpiPart& part, const WorkloadMpiBlocks& blocks, bool equal)
{
    const uint32_t size = part.GetSize();
    if (size == 2 || WorkloadMpiSum(blocks) < 50000)
    {
        equal&& IsPowerOfTwo(size) ? AddWorkloadMpiDoublingAllGather(part, blocks)
                                   : AddWorkloadMpiBruckAllGather(part, blocks);
    }
    else if (size % 2)
    {
        AddWorkloadMpiRingAllGather(part, blocks, 0);
    }
    else
    {
        AddWorkloadMpiNeighborExchange(part, blocks);
    }
}

void
AllToAll(WorkloadMpiPart& part, uint64_t block)
{
    const uint32_t size = part.GetSize();
    const WorkloadMpiBlocks blocks(size, block);
    if (size > 12 && block < 200)
    {
        AddWorkloadMpiBruckAllToAll(part, block);
    }
    else if (size > 2 && block < 3000)
    {
        AddWorkloadMpiDirect(part, blocks, blocks, false);
    }
    else
    {
        AddWorkloadMpiPairwise(part, blocks, blocks);
    }
}

void
ReduceScatter(WorkloadMpiPart& part, const WorkloadMpiRecord& record)
{
    const uint32_t size = part.GetSize();
    const WorkloadMpiBlocks& blocks = record.receives;
    const uint64_t total = WorkloadMpiSum(blocks);
    if (!record.commutative)
    {
        Reduce(part, 0, total, false);
        AddWorkloadMpiLinearScatter(part, 0, blocks[part.GetRank()], blocks, false);
    }
    else if (total <= 12 * KIB || (total <= 256 * KIB && IsPowerOfTwo(size)) ||
             size >= 0.0012 * static_cast<double>(total) + 8.0)
    {
        AddWorkloadMpiRecursiveHalving(part, blocks);
    }
    else
    {
        AddWorkloadMpiRingReduceScatter(part, blocks, 0, 1);
    }
}

void
Gather(WorkloadMpiPart& part, uint32_t root, uint64_t block)
{
    const uint32_t size = part.GetSize();
    if (block <= 6000 && (size > 60 || (size > 10 && block < 1024)))
    {
        AddWorkloadMpiBinomialGather(part, root, block);
    }
    else
    {
        AddWorkloadMpiLinearGather(part, root, block, WorkloadMpiBlocks(size, block));
    }
}

void
Scatter(WorkloadMpiPart& part, uint32_t root, uint64_t block)
{
    const uint32_t size = part.GetSize();
    if (size > 10 && block < 300)
    {
        AddWorkloadMpiBinomialScatter(part, root, WorkloadMpiBlocks(size, block));
    }
    else
    {
        AddWorkloadMpiLinearScatter(part, root, block, WorkloadMpiBlocks(size, block), false);
    }
}

} // namespace

void
AddWorkloadOpenMpi40Collective(WorkloadMpiPart& part,
                               WorkloadMpiCall call,
                               const WorkloadMpiRecord& record)
{
    if (AddWorkloadOpenMpiBasicCollective(part, call, record))
    {
        return;
    }
    const uint32_t size = part.GetSize();
    const uint32_t root = record.peer;
    switch (call)
    {
    case WorkloadMpiCall::Barrier:
        Barrier(part);
        break;
    case WorkloadMpiCall::Bcast:
        Broadcast(part, root, record.bytes, record.element);
        break;
    case WorkloadMpiCall::Reduce:
        Reduce(part, root, record.bytes, record.commutative);
        break;
    case WorkloadMpiCall::Allreduce:
        AllReduce(part, record.bytes, record.element, record.commutative);
        break;
    case WorkloadMpiCall::Gather:
        Gather(part, root, record.bytes);
        break;
    case WorkloadMpiCall::Scatter:
        Scatter(part, root, record.bytes);
        break;
    case WorkloadMpiCall::Allgather:
        AllGather(part, WorkloadMpiBlocks(size, record.bytes), true);
        break;
    case WorkloadMpiCall::Allgatherv:
        AllGather(part, record.receives, false);
        break;
    case WorkloadMpiCall::Alltoall:
        AllToAll(part, record.bytes);
        break;
    case WorkloadMpiCall::Alltoallv:
        AddWorkloadMpiPairwise(part, record.sends, record.receives);
        break;
    case WorkloadMpiCall::Reduce_scatter:
        ReduceScatter(part, record);
        break;
    case WorkloadMpiCall::Reduce_scatter_block:
        Reduce(part, 0, record.bytes * size, record.commutative);
        AddWorkloadMpiLinearScatter(part,
                                    0,
                                    record.bytes,
                                    WorkloadMpiBlocks(size, record.bytes),
                                    false);
        break;
    default:
        break; // see WorkloadMpiCollectiveFault
    }
}

} // namespace ns3

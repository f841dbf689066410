/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-mpi-mpich.h"

#include "workload-mpi-algorithms.h"
#include "workload-mpi-mapped-part.h"

namespace ns3
{

namespace
{

// Bytes up to which a collective counts as short, or of medium size.
constexpr uint64_t SHORT_BROADCAST = 12288;
constexpr uint64_t LONG_BROADCAST = 524288;
constexpr uint32_t FEW_MEMBERS = 8;
constexpr uint64_t SHORT_REDUCTION = 2048;
constexpr uint64_t LONG_REDUCE_SCATTER = 524288;
constexpr uint64_t SHORT_ALL_GATHER = 81920;
constexpr uint64_t LONG_ALL_GATHER = 524288;
constexpr uint64_t ALL_GATHER_V_SEGMENT = 32768;
constexpr uint64_t SHORT_ALL_TO_ALL = 256;
constexpr uint64_t MEDIUM_ALL_TO_ALL = 32768;

/** \param segment most bytes of a message of a ring; 0: of any size */
void
MpichAllGather(WorkloadMpiPart& part, const WorkloadMpiBlocks& blocks, uint64_t segment)
{
    const uint64_t total = WorkloadMpiSum(blocks);
    if (total < LONG_ALL_GATHER && WorkloadMpiPowerBelow(part.GetSize()) == part.GetSize())
    {
        AddWorkloadMpiDoublingAllGather(part, blocks);
    }
    else if (total < SHORT_ALL_GATHER)
    {
        AddWorkloadMpiBruckAllGather(part, blocks);
    }
    else
    {
        AddWorkloadMpiRingAllGather(part, blocks, 0, segment);
    }
}

void
MpichBroadcast(WorkloadMpiPart& part, uint32_t root, uint64_t bytes)
{
    const uint32_t size = part.GetSize();
    if (bytes < SHORT_BROADCAST || size < FEW_MEMBERS)
    {
        AddWorkloadMpiBroadcast(part, WorkloadMpiTree::IN_ORDER, root, bytes, 0);
        return;
    }
    const bool ring = bytes >= LONG_BROADCAST || WorkloadMpiPowerBelow(size) != size;
    AddWorkloadMpiScatterAllGather(part, root, bytes, 1, ring);
}

/** \return whether a reduction has too few elements to be divided among members */
bool
HasFewElements(const WorkloadMpiRecord& record, uint64_t bytes, uint32_t size)
{
    return record.element == 0 || bytes / record.element < WorkloadMpiPowerBelow(size);
}

/** Reduce-scatter by halving, then gather (Rabenseifner). */
void
MpichReduce(WorkloadMpiPart& part, uint32_t root, const WorkloadMpiRecord& record, uint64_t bytes)
{
    const uint32_t size = part.GetSize();
    if (!record.commutative || bytes <= SHORT_REDUCTION || HasFewElements(record, bytes, size))
    {
        AddWorkloadMpiReduction(part, WorkloadMpiTree::IN_ORDER, root, bytes, 0);
        return;
    }
    WorkloadMpiFoldedPart folded(part, 0);
    const uint32_t power = folded.GetSize();
    const uint64_t block = bytes / power + (bytes % power ? 1 : 0);
    if (folded.Fold(bytes))
    {
        AddWorkloadMpiRecursiveHalving(folded, ShareWorkloadMpiBytes(bytes, record.element, power));
    }
    if (!folded.HasJoined(root))
    {
        if (!folded.HasJoined(part.GetRank()))
        {
            AddWorkloadMpiBinomialGather(folded,
                                         WorkloadMpiFoldedPart::NumberOf(root, size),
                                         block);
        }
        return;
    }
    // a root that has joined takes the place, and the block, of member 0
    if (part.GetRank() == root || part.GetRank() == 0)
    {
        part.GetRank() == root ? part.Receive(0, block) : part.Send(root, block);
        part.Next();
    }
    if (part.GetRank() == root || (part.GetRank() != 0 && !folded.HasJoined(part.GetRank())))
    {
        WorkloadMpiFoldedPart gathered(part, 0, root);
        AddWorkloadMpiBinomialGather(gathered, 0, block);
    }
}

void
MpichAllReduce(WorkloadMpiPart& part, const WorkloadMpiRecord& record)
{
    const uint64_t bytes = record.bytes;
    if (!record.commutative || HasFewElements(record, bytes, part.GetSize()))
    {
        AddWorkloadMpiRecursiveDoubling(part, bytes);
        return;
    }
    WorkloadMpiFoldedPart folded(part, 1);
    if (folded.Fold(bytes))
    {
        const WorkloadMpiBlocks blocks =
            ShareWorkloadMpiBytes(bytes, record.element, folded.GetSize());
        AddWorkloadMpiRecursiveHalving(folded, blocks);
        AddWorkloadMpiDoublingAllGather(folded, blocks);
    }
    folded.Unfold(bytes);
}

void
MpichReduceScatter(WorkloadMpiPart& part,
                   const WorkloadMpiRecord& record,
                   const WorkloadMpiBlocks& blocks)
{
    const uint64_t total = WorkloadMpiSum(blocks);
    const uint64_t own = blocks[part.GetRank()];
    if (!record.commutative)
    {
        MpichReduce(part, 0, record, total);
        AddWorkloadMpiLinearScatter(part, 0, own, blocks, false);
    }
    else if (total < LONG_REDUCE_SCATTER)
    {
        AddWorkloadMpiRecursiveHalving(part, blocks);
    }
    else
    {
        AddWorkloadMpiPairwise(part, blocks, WorkloadMpiBlocks(part.GetSize(), own));
    }
}

void
MpichAllToAll(WorkloadMpiPart& part, uint64_t block)
{
    const WorkloadMpiBlocks blocks(part.GetSize(), block);
    if (block <= SHORT_ALL_TO_ALL && part.GetSize() > FEW_MEMBERS)
    {
        AddWorkloadMpiBruckAllToAll(part, block);
    }
    else if (block <= MEDIUM_ALL_TO_ALL)
    {
        AddWorkloadMpiDirect(part, blocks, blocks, false);
    }
    else
    {
        AddWorkloadMpiPairwise(part, blocks, blocks);
    }
}

/** A prefix by recursive doubling. */
void
MpichScan(WorkloadMpiPart& part, uint64_t bytes)
{
    for (uint32_t distance = 1; distance < part.GetSize(); distance *= 2)
    {
        const uint32_t other = part.GetRank() ^ distance;
        if (other < part.GetSize())
        {
            part.Exchange(other, bytes, other, bytes);
        }
    }
}

} // namespace

void
AddWorkloadMpichCollective(WorkloadMpiPart& part,
                           WorkloadMpiCall call,
                           const WorkloadMpiRecord& record)
{
    const uint32_t size = part.GetSize();
    const uint32_t root = record.peer;
    switch (call)
    {
    case WorkloadMpiCall::Barrier:
        AddWorkloadMpiDissemination(part);
        break;
    case WorkloadMpiCall::Bcast:
        MpichBroadcast(part, root, record.bytes);
        break;
    case WorkloadMpiCall::Reduce:
        MpichReduce(part, root, record, record.bytes);
        break;
    case WorkloadMpiCall::Allreduce:
        MpichAllReduce(part, record);
        break;
    case WorkloadMpiCall::Gather:
        AddWorkloadMpiBinomialGather(part, root, record.bytes);
        break;
    case WorkloadMpiCall::Gatherv:
        AddWorkloadMpiLinearGather(part, root, record.bytes, record.receives);
        break;
    case WorkloadMpiCall::Scatter:
        AddWorkloadMpiBinomialScatter(part, root, WorkloadMpiBlocks(size, record.bytes));
        break;
    case WorkloadMpiCall::Scatterv:
        AddWorkloadMpiLinearScatter(part, root, record.bytes, record.sends, false);
        break;
    case WorkloadMpiCall::Allgather:
        MpichAllGather(part, WorkloadMpiBlocks(size, record.bytes), 0);
        break;
    case WorkloadMpiCall::Allgatherv:
        MpichAllGather(part, record.receives, ALL_GATHER_V_SEGMENT);
        break;
    case WorkloadMpiCall::Alltoall:
        MpichAllToAll(part, record.bytes);
        break;
    case WorkloadMpiCall::Alltoallv:
    case WorkloadMpiCall::Alltoallw:
        AddWorkloadMpiDirect(part, record.sends, record.receives, true);
        break;
    case WorkloadMpiCall::Reduce_scatter:
        MpichReduceScatter(part, record, record.receives);
        break;
    case WorkloadMpiCall::Reduce_scatter_block:
        MpichReduceScatter(part, record, WorkloadMpiBlocks(size, record.bytes));
        break;
    case WorkloadMpiCall::Scan:
    case WorkloadMpiCall::Exscan:
        MpichScan(part, record.bytes);
        break;
    default:
        break; // see WorkloadMpiCollectiveFault
    }
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-mpi-mpich.h"

#include "workload-mpi-algorithms.h"

#include <algorithm>
#include <numeric>

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
constexpr uint64_t SHORT_ALL_TO_ALL = 256;
constexpr uint64_t MEDIUM_ALL_TO_ALL = 32768;

uint64_t
SumOf(const WorkloadMpiBlocks& blocks)
{
    return std::accumulate(blocks.begin(), blocks.end(), uint64_t(0));
}

/** The members that are left when as many pairs have joined as leave a power of two. */
class FoldedPart : public WorkloadMpiPart
{
  public:
    explicit FoldedPart(WorkloadMpiPart& part)
        : WorkloadMpiPart(WorkloadMpiPowerBelow(part.GetSize()),
                          NumberOf(part.GetRank(), part.GetSize())),
          m_part(part),
          m_pairs(part.GetSize() - WorkloadMpiPowerBelow(part.GetSize()))
    {
    }

    /** \return number of a member, or of the one that it has joined */
    static uint32_t NumberOf(uint32_t rank, uint32_t size)
    {
        const uint32_t pairs = size - WorkloadMpiPowerBelow(size);
        return rank < 2 * pairs ? rank / 2 : rank - pairs;
    }

    /** \return whether a member has joined the one behind it */
    bool HasJoined(uint32_t rank) const
    {
        return rank < 2 * m_pairs && rank % 2 == 0;
    }

    /** The first of each pair sends all that it has to the second. \return whether this member is
     * still there */
    bool Fold(uint64_t bytes)
    {
        Between(bytes, true);
        return !HasJoined(m_part.GetRank());
    }

    /** The other way round. */
    void Unfold(uint64_t bytes)
    {
        Between(bytes, false);
    }

    void Send(uint32_t to, uint64_t bytes) override
    {
        m_part.Send(MemberOf(to), bytes);
    }

    void Receive(uint32_t from, uint64_t bytes) override
    {
        m_part.Receive(MemberOf(from), bytes);
    }

    void Next() override
    {
        m_part.Next();
    }

  private:
    uint32_t MemberOf(uint32_t number) const
    {
        return number < m_pairs ? 2 * number + 1 : number + m_pairs;
    }

    void Between(uint64_t bytes, bool join)
    {
        const uint32_t rank = m_part.GetRank();
        if (rank >= 2 * m_pairs)
        {
            return;
        }
        const bool first = HasJoined(rank);
        first == join ? m_part.Send(first ? rank + 1 : rank - 1, bytes)
                      : m_part.Receive(first ? rank + 1 : rank - 1, bytes);
        m_part.Next();
    }

    WorkloadMpiPart& m_part;
    uint32_t m_pairs;
};

/** \return \p bytes in \p size blocks of whole elements, the first ones larger */
WorkloadMpiBlocks
BlocksOf(uint64_t bytes, uint64_t element, uint32_t size)
{
    const uint64_t count = bytes / element;
    WorkloadMpiBlocks blocks(size, count / size * element);
    for (uint64_t i = 0; i < count % size; ++i)
    {
        blocks[i] += element;
    }
    return blocks;
}

void
MpichAllGather(WorkloadMpiPart& part, const WorkloadMpiBlocks& blocks)
{
    const uint64_t total = SumOf(blocks);
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
        AddWorkloadMpiRingAllGather(part, blocks, 0);
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
    const uint64_t block = bytes / size + (bytes % size ? 1 : 0);
    const WorkloadMpiBlocks blocks(size, block);
    AddWorkloadMpiBinomialScatter(part, root, block);
    if (bytes < LONG_BROADCAST && WorkloadMpiPowerBelow(size) == size)
    {
        AddWorkloadMpiDoublingAllGather(part, blocks);
    }
    else
    {
        AddWorkloadMpiRingAllGather(part, blocks, 0);
    }
}

/** \return whether a reduction is too short to be divided among members */
bool
IsShort(uint64_t bytes, uint64_t element, uint32_t size)
{
    return bytes <= SHORT_REDUCTION || element == 0 ||
           bytes / element < WorkloadMpiPowerBelow(size);
}

/** Reduce-scatter by halving, then gather (Rabenseifner). */
void
MpichReduce(WorkloadMpiPart& part, uint32_t root, const WorkloadMpiRecord& record, uint64_t bytes)
{
    const uint32_t size = part.GetSize();
    if (!record.commutative || IsShort(bytes, record.element, size))
    {
        AddWorkloadMpiReduction(part, WorkloadMpiTree::IN_ORDER, root, bytes, 0);
        return;
    }
    FoldedPart folded(part);
    const uint32_t power = folded.GetSize();
    if (folded.Fold(bytes))
    {
        AddWorkloadMpiRecursiveHalving(folded, BlocksOf(bytes, record.element, power));
        AddWorkloadMpiBinomialGather(folded,
                                     FoldedPart::NumberOf(root, size),
                                     bytes / power + (bytes % power ? 1 : 0));
    }
    if (folded.HasJoined(root) && part.GetRank() / 2 == root / 2)
    {
        part.GetRank() == root ? part.Receive(root + 1, bytes) : part.Send(root, bytes);
        part.Next();
    }
}

void
MpichAllReduce(WorkloadMpiPart& part, const WorkloadMpiRecord& record)
{
    const uint64_t bytes = record.bytes;
    if (!record.commutative || IsShort(bytes, record.element, part.GetSize()))
    {
        AddWorkloadMpiRecursiveDoubling(part, bytes);
        return;
    }
    FoldedPart folded(part);
    if (folded.Fold(bytes))
    {
        const WorkloadMpiBlocks blocks = BlocksOf(bytes, record.element, folded.GetSize());
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
    const uint64_t total = SumOf(blocks);
    const uint64_t own = blocks[part.GetRank()];
    if (!record.commutative)
    {
        MpichReduce(part, 0, record, total);
        AddWorkloadMpiLinearScatter(part, 0, own, blocks);
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
    if (block <= SHORT_ALL_TO_ALL && part.GetSize() >= FEW_MEMBERS)
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
        AddWorkloadMpiBinomialScatter(part, root, record.bytes);
        break;
    case WorkloadMpiCall::Scatterv:
        AddWorkloadMpiLinearScatter(part, root, record.bytes, record.sends);
        break;
    case WorkloadMpiCall::Allgather:
        MpichAllGather(part, WorkloadMpiBlocks(size, record.bytes));
        break;
    case WorkloadMpiCall::Allgatherv:
        MpichAllGather(part, record.receives);
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

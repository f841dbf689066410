/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-mpi-mpich.h"

#include "workload-mpi-algorithms.h"

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

/** The members that are left when as many pairs have joined as leave a power of two. */
class FoldedPart : public WorkloadMpiPart
{
  public:
    /** \param stays which one of a pair stays: 0 or 1 */
    FoldedPart(WorkloadMpiPart& part, uint32_t stays)
        : FoldedPart(part, stays, stays)
    {
    }

    /** \param zero the member of number 0, perhaps one that has joined */
    FoldedPart(WorkloadMpiPart& part, uint32_t stays, uint32_t zero)
        : WorkloadMpiPart(WorkloadMpiPowerBelow(part.GetSize()),
                          IsNumberZero(part, zero) ? 0 : NumberOf(part.GetRank(), part.GetSize())),
          m_part(part),
          m_pairs(part.GetSize() - WorkloadMpiPowerBelow(part.GetSize())),
          m_stays(stays),
          m_zero(m_pairs > 0 ? zero : 0)
    {
    }

    /** \return number of a member, or of the one that it has joined */
    static uint32_t NumberOf(uint32_t rank, uint32_t size)
    {
        const uint32_t pairs = size - WorkloadMpiPowerBelow(size);
        return rank < 2 * pairs ? rank / 2 : rank - pairs;
    }

    /** \return whether a member has joined the other one of its pair */
    bool HasJoined(uint32_t rank) const
    {
        return rank < 2 * m_pairs && rank % 2 != m_stays;
    }

    /** One of each pair sends all that it has to the other one. \return whether this member is
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
    static bool IsNumberZero(const WorkloadMpiPart& part, uint32_t zero)
    {
        return part.GetRank() == zero && WorkloadMpiPowerBelow(part.GetSize()) < part.GetSize();
    }

    uint32_t MemberOf(uint32_t number) const
    {
        return number == 0 ? m_zero : number < m_pairs ? 2 * number + m_stays : number + m_pairs;
    }

    void Between(uint64_t bytes, bool join)
    {
        const uint32_t rank = m_part.GetRank();
        if (rank >= 2 * m_pairs)
        {
            return;
        }
        const uint32_t other = rank ^ 1U;
        HasJoined(rank) == join ? m_part.Send(other, bytes) : m_part.Receive(other, bytes);
        m_part.Next();
    }

    WorkloadMpiPart& m_part;
    uint32_t m_pairs;
    uint32_t m_stays;
    uint32_t m_zero;
};

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
    FoldedPart folded(part, 0);
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
            AddWorkloadMpiBinomialGather(folded, FoldedPart::NumberOf(root, size), block);
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
        FoldedPart gathered(part, 0, root);
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
    FoldedPart folded(part, 1);
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
        AddWorkloadMpiBinomialScatter(part, root, record.bytes);
        break;
    case WorkloadMpiCall::Scatterv:
        AddWorkloadMpiLinearScatter(part, root, record.bytes, record.sends);
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

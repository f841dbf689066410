/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-mpi-openmpi.h"

#include "workload-mpi-algorithms.h"
#include "workload-mpi-mapped-part.h"
#include "workload-mpi-openmpi-choice.h"

namespace ns3
{

namespace
{

using Way = WorkloadOpenMpiWay;

/** One member's part of the collectives of coll/tuned. Some are made of others, each of which takes
 * the way that is chosen for itself. */
class TunedPart
{
  public:
    TunedPart(WorkloadMpiPart& part, const WorkloadMpiRecord& record)
        : m_part(part),
          m_size(part.GetSize()),
          m_element(record.element),
          m_commutative(record.commutative)
    {
    }

    void Barrier();
    void Broadcast(uint32_t root, uint64_t bytes);
    void Reduce(uint32_t root, uint64_t bytes);
    void AllReduce(uint64_t bytes);
    void Gather(uint32_t root, uint64_t block);
    void Scatter(uint32_t root, uint64_t block);
    void AllGather(WorkloadMpiCall call, const WorkloadMpiBlocks& blocks);
    void AllToAll(WorkloadMpiCall call,
                  uint64_t bytes,
                  const WorkloadMpiBlocks& sends,
                  const WorkloadMpiBlocks& receives);
    void ReduceScatter(WorkloadMpiCall call, uint64_t bytes, const WorkloadMpiBlocks& blocks);

  private:
    Way Choose(WorkloadMpiCall call, uint64_t bytes, bool commutative = true) const
    {
        return ChooseWorkloadOpenMpiWay(call, commutative, m_size, bytes);
    }

    uint64_t CountOf(uint64_t bytes) const
    {
        return m_element == 0 ? 0 : bytes / m_element;
    }

    void ReduceLinear(uint32_t root, uint64_t bytes)
    {
        AddWorkloadMpiReduction(m_part, WorkloadMpiTree::LINEAR, root, bytes, 0);
    }

    void BroadcastLinear(uint32_t root, uint64_t bytes)
    {
        AddWorkloadMpiBroadcast(m_part, WorkloadMpiTree::LINEAR, root, bytes, 0);
    }

    WorkloadMpiPart& m_part;
    uint32_t m_size;
    uint64_t m_element;
    bool m_commutative;
};

/** \return the tree of a way that has one \param binomial as it is of this collective */
WorkloadMpiTree
TreeOf(Way way, WorkloadMpiTree binomial)
{
    switch (way)
    {
    case Way::CHAIN:
        return WorkloadMpiTree::CHAIN;
    case Way::BINARY:
        return WorkloadMpiTree::BINARY;
    case Way::BINOMIAL:
        return binomial;
    case Way::QUATERNARY:
        return WorkloadMpiTree::QUATERNARY;
    default:
        return WorkloadMpiTree::LINEAR;
    }
}

void
TunedPart::Barrier()
{
    switch (Choose(WorkloadMpiCall::Barrier, 0))
    {
    case Way::DOUBLING:
        AddWorkloadMpiDoublingBarrier(m_part);
        break;
    case Way::BRUCK:
        AddWorkloadMpiDissemination(m_part);
        break;
    case Way::BINOMIAL:
        AddWorkloadMpiReduction(m_part, WorkloadMpiTree::IN_ORDER, 0, 0, 0);
        AddWorkloadMpiBroadcast(m_part, WorkloadMpiTree::IN_ORDER, 0, 0, 0);
        break;
    default:
        ReduceLinear(0, 0);
        BroadcastLinear(0, 0);
    }
}

void
TunedPart::Broadcast(uint32_t root, uint64_t bytes)
{
    const Way way = Choose(WorkloadMpiCall::Bcast, bytes);
    if (way == Way::SPLIT_BINARY)
    {
        AddWorkloadMpiSplitBinary(m_part, root, bytes, m_element, 0);
    }
    else if (way == Way::SCATTER_ALL_GATHER && CountOf(bytes) >= m_size)
    {
        AddWorkloadMpiScatterAllGather(m_part, root, bytes, m_element, false);
    }
    else
    {
        const WorkloadMpiTree tree = TreeOf(way, WorkloadMpiTree::BINOMIAL);
        AddWorkloadMpiBroadcast(m_part, tree, root, bytes, 0);
    }
}

void
TunedPart::Reduce(uint32_t root, uint64_t bytes)
{
    const Way way = Choose(WorkloadMpiCall::Reduce, bytes, m_commutative);
    if (way == Way::IN_ORDER)
    {
        AddWorkloadMpiInOrderReduction(m_part, root, bytes);
    }
    else if (way == Way::RABENSEIFNER && CountOf(bytes) >= WorkloadMpiPowerBelow(m_size))
    {
        AddWorkloadMpiRabenseifnerReduce(m_part, root, bytes, m_element);
    }
    else
    {
        const WorkloadMpiTree tree = TreeOf(way, WorkloadMpiTree::IN_ORDER);
        AddWorkloadMpiReduction(m_part, tree, root, bytes, 0);
    }
}

void
TunedPart::AllReduce(uint64_t bytes)
{
    const uint64_t count = CountOf(bytes);
    const Way way = Choose(WorkloadMpiCall::Allreduce, bytes, m_commutative);
    if (way == Way::DOUBLING || (way == Way::RING && count < m_size))
    {
        AddWorkloadMpiRecursiveDoubling(m_part, bytes);
    }
    else if (way == Way::RING)
    {
        const WorkloadMpiBlocks blocks = ShareWorkloadMpiBytes(bytes, m_element, m_size);
        AddWorkloadMpiRingReduceScatter(m_part, blocks, 0, 0);
        AddWorkloadMpiRingAllGather(m_part, blocks, 1);
    }
    else if (way == Way::RABENSEIFNER && count >= WorkloadMpiPowerBelow(m_size))
    {
        AddWorkloadMpiRabenseifnerAllReduce(m_part, bytes, m_element);
    }
    else if (way == Way::REDUCE_BROADCAST)
    {
        Reduce(0, bytes);
        Broadcast(0, bytes);
    }
    else
    {
        ReduceLinear(0, bytes);
        BroadcastLinear(0, bytes);
    }
}

void
TunedPart::Gather(uint32_t root, uint64_t block)
{
    switch (Choose(WorkloadMpiCall::Gather, block))
    {
    case Way::BINOMIAL:
        AddWorkloadMpiBinomialGather(m_part, root, block);
        break;
    case Way::SYNCHRONOUS:
        AddWorkloadMpiSynchronousGather(m_part, root, block);
        break;
    default:
        AddWorkloadMpiLinearGather(m_part, root, block, WorkloadMpiBlocks(m_size, block));
    }
}

void
TunedPart::Scatter(uint32_t root, uint64_t block)
{
    const WorkloadMpiBlocks blocks(m_size, block);
    const Way way = Choose(WorkloadMpiCall::Scatter, block);
    way == Way::BINOMIAL
        ? AddWorkloadMpiBinomialScatter(m_part, root, blocks)
        : AddWorkloadMpiLinearScatter(m_part, root, block, blocks, way == Way::DIRECT);
}

void
TunedPart::AllGather(WorkloadMpiCall call, const WorkloadMpiBlocks& blocks)
{
    const bool power = WorkloadMpiPowerBelow(m_size) == m_size;
    const uint64_t total = WorkloadMpiSum(blocks);
    const Way way = Choose(call, total / m_size);
    if (way == Way::GATHER_BROADCAST)
    {
        AddWorkloadMpiLinearGather(m_part, 0, blocks[m_part.GetRank()], blocks);
        Broadcast(0, total);
    }
    else if (way == Way::DOUBLING && power)
    {
        AddWorkloadMpiDoublingAllGather(m_part, blocks);
    }
    else if (way == Way::BRUCK || way == Way::DOUBLING)
    {
        AddWorkloadMpiBruckAllGather(m_part, blocks);
    }
    else if (way == Way::NEIGHBORS && m_size % 2 == 0)
    {
        AddWorkloadMpiNeighborExchange(m_part, blocks);
    }
    else
    {
        AddWorkloadMpiRingAllGather(m_part, blocks, 0);
    }
}

void
TunedPart::AllToAll(WorkloadMpiCall call,
                    uint64_t bytes,
                    const WorkloadMpiBlocks& sends,
                    const WorkloadMpiBlocks& receives)
{
    switch (Choose(call, bytes))
    {
    case Way::BRUCK:
        AddWorkloadMpiBruckAllToAll(m_part, bytes);
        break;
    case Way::PAIRWISE:
        AddWorkloadMpiPairwise(m_part, sends, receives);
        break;
    default:
        AddWorkloadMpiDirect(m_part, sends, receives, false);
    }
}

void
TunedPart::ReduceScatter(WorkloadMpiCall call, uint64_t bytes, const WorkloadMpiBlocks& blocks)
{
    const bool equal = call == WorkloadMpiCall::Reduce_scatter_block;
    switch (Choose(call, bytes, m_commutative))
    {
    case Way::DOUBLING:
        AddWorkloadMpiDoublingReduceScatter(m_part, blocks);
        break;
    case Way::HALVING:
        AddWorkloadMpiRecursiveHalving(m_part, blocks);
        break;
    case Way::BUTTERFLY:
        AddWorkloadMpiButterfly(m_part, blocks, equal && WorkloadMpiPowerBelow(m_size) == m_size);
        break;
    case Way::RING:
        AddWorkloadMpiRingReduceScatter(m_part, blocks, 0, 1);
        break;
    default:
        Reduce(0, WorkloadMpiSum(blocks));
        equal ? Scatter(0, bytes)
              : AddWorkloadMpiLinearScatter(m_part, 0, blocks[m_part.GetRank()], blocks, false);
    }
}

/** \return whether a collective moves nothing, so that members return at once */
bool
IsEmpty(WorkloadMpiCall call, const WorkloadMpiRecord& record)
{
    switch (call)
    {
    case WorkloadMpiCall::Barrier:
    case WorkloadMpiCall::Gatherv:
    case WorkloadMpiCall::Scatterv:
    case WorkloadMpiCall::Alltoallv:
    case WorkloadMpiCall::Alltoallw:
        return false;
    case WorkloadMpiCall::Allgatherv:
    case WorkloadMpiCall::Reduce_scatter:
        return WorkloadMpiSum(record.receives) == 0;
    default:
        return record.bytes == 0;
    }
}

} // namespace

bool
AddWorkloadOpenMpiBasicCollective(WorkloadMpiPart& part,
                                  WorkloadMpiCall call,
                                  const WorkloadMpiRecord& record)
{
    if (IsEmpty(call, record))
    {
        return true;
    }
    switch (call)
    {
    case WorkloadMpiCall::Gatherv:
        AddWorkloadMpiLinearGather(part, record.peer, record.bytes, record.receives);
        return true;
    case WorkloadMpiCall::Scatterv:
        AddWorkloadMpiLinearScatter(part, record.peer, record.bytes, record.sends, false);
        return true;
    case WorkloadMpiCall::Alltoallw:
        AddWorkloadMpiDirect(part, record.sends, record.receives, true);
        return true;
    case WorkloadMpiCall::Scan:
    case WorkloadMpiCall::Exscan:
        AddWorkloadMpiScan(part, record.bytes);
        return true;
    default:
        return false;
    }
}

void
AddWorkloadOpenMpiCollective(WorkloadMpiPart& part,
                             WorkloadMpiCall call,
                             const WorkloadMpiRecord& record)
{
    if (AddWorkloadOpenMpiBasicCollective(part, call, record))
    {
        return;
    }
    const WorkloadMpiBlocks blocks(part.GetSize(), record.bytes);
    TunedPart tuned(part, record);
    switch (call)
    {
    case WorkloadMpiCall::Barrier:
        tuned.Barrier();
        break;
    case WorkloadMpiCall::Bcast:
        tuned.Broadcast(record.peer, record.bytes);
        break;
    case WorkloadMpiCall::Reduce:
        tuned.Reduce(record.peer, record.bytes);
        break;
    case WorkloadMpiCall::Allreduce:
        tuned.AllReduce(record.bytes);
        break;
    case WorkloadMpiCall::Gather:
        tuned.Gather(record.peer, record.bytes);
        break;
    case WorkloadMpiCall::Scatter:
        tuned.Scatter(record.peer, record.bytes);
        break;
    case WorkloadMpiCall::Allgather:
        tuned.AllGather(call, blocks);
        break;
    case WorkloadMpiCall::Allgatherv:
        tuned.AllGather(call, record.receives);
        break;
    case WorkloadMpiCall::Alltoall:
        tuned.AllToAll(call, record.bytes, blocks, blocks);
        break;
    case WorkloadMpiCall::Alltoallv:
        tuned.AllToAll(call, 0, record.sends, record.receives);
        break;
    case WorkloadMpiCall::Reduce_scatter:
        tuned.ReduceScatter(call, WorkloadMpiSum(record.receives), record.receives);
        break;
    case WorkloadMpiCall::Reduce_scatter_block:
        tuned.ReduceScatter(call, record.bytes, blocks);
        break;
    default:
        break; // see WorkloadMpiCollectiveFault
    }
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-mpi-collective.h"

#include "workload-mpi-algorithms.h"
#include "workload-mpi-mpich.h"
#include "workload-mpi-openmpi.h"

namespace ns3
{

namespace
{

/** Largest buffer of a collective that is taken, bytes. More is a damaged file, and its segments
 * would fill the memory. */
constexpr uint64_t MOST_COLLECTIVE_BYTES = uint64_t{64} << 30;

/** \return the blocking function of a non-blocking one; others as they are */
WorkloadMpiCall
BlockingForm(WorkloadMpiCall call)
{
    const auto number = static_cast<uint8_t>(call);
    const auto first = static_cast<uint8_t>(WorkloadMpiCall::Ibarrier);
    const bool nonBlocking = number >= first && call <= WorkloadMpiCall::Iexscan;
    const int shift = first - static_cast<uint8_t>(WorkloadMpiCall::Barrier);
    return nonBlocking ? static_cast<WorkloadMpiCall>(number - shift) : call;
}

/** \return whether the buffers of a collective are of a size that is taken */
bool
IsOfLikelySize(const WorkloadMpiRecord& record, WorkloadMpiCall call, uint32_t size)
{
    const uint32_t blocks = call == WorkloadMpiCall::Reduce_scatter_block ? size : 1;
    if (record.bytes > MOST_COLLECTIVE_BYTES / blocks)
    {
        return false;
    }
    for (const WorkloadMpiBlocks* list : {&record.sends, &record.receives})
    {
        uint64_t left = MOST_COLLECTIVE_BYTES;
        for (const uint64_t bytes : *list)
        {
            if (bytes > left)
            {
                return false;
            }
            left -= bytes;
        }
    }
    return true;
}

} // namespace

std::string
WorkloadMpiCollectiveFault(const WorkloadMpiRecord& record, uint32_t size, uint32_t rank)
{
    const WorkloadMpiCall call = BlockingForm(record.call);
    if (call < WorkloadMpiCall::Barrier || call > WorkloadMpiCall::Exscan)
    {
        return std::string("MPI_") + WorkloadMpiCallName(record.call) + " is no collective";
    }
    if (record.peer >= size)
    {
        return "root " + std::to_string(record.peer) + " of " + std::to_string(size) + " members";
    }
    if (!IsOfLikelySize(record, call, size))
    {
        return "moves more than the " + std::to_string(MOST_COLLECTIVE_BYTES) +
               " bytes that are possible";
    }
    const bool root = rank == record.peer;
    const bool toAll = call == WorkloadMpiCall::Alltoallv || call == WorkloadMpiCall::Alltoallw;
    const bool needsSends = toAll || (call == WorkloadMpiCall::Scatterv && root);
    const bool needsReceives = toAll || (call == WorkloadMpiCall::Gatherv && root) ||
                               call == WorkloadMpiCall::Allgatherv ||
                               call == WorkloadMpiCall::Reduce_scatter;
    if ((needsSends && record.sends.size() != size) ||
        (needsReceives && record.receives.size() != size))
    {
        return "sizes for " + std::to_string(record.sends.size()) + " and " +
               std::to_string(record.receives.size()) + " members, but there are " +
               std::to_string(size);
    }
    return {};
}

void
AddWorkloadMpiCollective(WorkloadMpiPart& part,
                         const WorkloadMpiRecord& record,
                         WorkloadMpiLibrary library)
{
    if (part.GetSize() == 1)
    {
        return;
    }
    const WorkloadMpiCall call = BlockingForm(record.call);
    switch (library)
    {
    case WorkloadMpiLibrary::OPEN_MPI:
        AddWorkloadOpenMpiCollective(part, call, record);
        break;
    case WorkloadMpiLibrary::OPEN_MPI_4_0:
        AddWorkloadOpenMpi40Collective(part, call, record);
        break;
    case WorkloadMpiLibrary::MPICH:
        AddWorkloadMpichCollective(part, call, record);
        break;
    }
}

} // namespace ns3

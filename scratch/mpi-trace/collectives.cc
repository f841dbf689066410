/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Collectives, blocking and non-blocking.
 */

#include "collective.h"

using namespace mpitrace;

namespace
{

/** What a collective moves, as the trace has it. */
struct Collective
{
    int root{0};
    uint64_t bytes{0};   //!< of the buffer, or of a block of it
    uint64_t element{1}; //!< bytes of an element of a reduction
    bool commutative{true};
    std::vector<uint64_t> sends;    //!< by rank: bytes, where they differ
    std::vector<uint64_t> receives; //!< the same
};

size_t
SizeOf(MPI_Comm comm)
{
    int size = 0;
    int inter = 0;
    PMPI_Comm_test_inter(comm, &inter);
    inter ? PMPI_Comm_remote_size(comm, &size) : PMPI_Comm_size(comm, &size);
    return static_cast<size_t>(size);
}

bool
IsRoot(int root, MPI_Comm comm)
{
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank == root;
}

std::vector<uint64_t>
ListOf(const Counts& counts, MPI_Comm comm)
{
    std::vector<uint64_t> list(SizeOf(comm));
    for (size_t i = 0; i < list.size(); ++i)
    {
        list[i] = counts[i];
    }
    return list;
}

Collective
Rooted(int count, MPI_Datatype type, int root)
{
    return {root, Bytes(static_cast<uint64_t>(count), type), 1, true, {}, {}};
}

Collective
Reduction(int count, MPI_Datatype type, MPI_Op op, int root)
{
    int commutative = 1;
    PMPI_Op_commutative(op, &commutative);
    return {root,
            Bytes(static_cast<uint64_t>(count), type),
            Bytes(1, type),
            commutative != 0,
            {},
            {}};
}

/** \return a block that the root names by its own count, the others by theirs */
Collective
Block(int root, MPI_Comm comm, const Counts& atRoot, const Counts& elsewhere)
{
    return {root, (IsRoot(root, comm) ? atRoot : elsewhere)[0], 1, true, {}, {}};
}

Collective
GatherV(int root, MPI_Comm comm, const void* sent, const Counts& own, const Counts& all)
{
    Collective what;
    what.root = root;
    const bool here = IsRoot(root, comm);
    if (here)
    {
        what.receives = ListOf(all, comm);
    }
    what.bytes = here && sent == MPI_IN_PLACE ? 0 : own[0];
    return what;
}

Collective
ScatterV(int root, MPI_Comm comm, const void* received, const Counts& all, const Counts& own)
{
    Collective what;
    what.root = root;
    const bool here = IsRoot(root, comm);
    if (here)
    {
        what.sends = ListOf(all, comm);
    }
    what.bytes = here && received == MPI_IN_PLACE ? 0 : own[0];
    return what;
}

Collective
AllGatherV(MPI_Comm comm, const Counts& all)
{
    Collective what;
    what.receives = ListOf(all, comm);
    return what;
}

Collective
ReduceScatter(const int* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    Collective what = Reduction(0, type, op, 0);
    what.receives = ListOf({counts, type}, comm);
    return what;
}

Collective
AllToAllV(const void* sent, MPI_Comm comm, const Counts& sends, const Counts& receives)
{
    Collective what;
    what.receives = ListOf(receives, comm);
    what.sends = sent == MPI_IN_PLACE ? what.receives : ListOf(sends, comm);
    return what;
}

void
PutList(Call& call, const std::vector<uint64_t>& list)
{
    call.Put(list.size());
    for (const uint64_t bytes : list)
    {
        call.Put(bytes);
    }
}

void
Write(Call& call, MPI_Comm comm, const Collective& what, uint32_t request)
{
    call.Begin(Kind::COLLECTIVE,
               {NumberOf(comm),
                // a root of two groups' collectives is MPI_ROOT or MPI_PROC_NULL
                what.root < 0 ? 0 : static_cast<uint64_t>(what.root),
                what.bytes,
                what.element,
                what.commutative ? 0 : static_cast<uint64_t>(ns3::WORKLOAD_MPI_IN_ORDER),
                request});
    PutList(call, what.sends);
    PutList(call, what.receives);
}

} // namespace

COLLECTIVE(Barrier, Ibarrier, Collective(), (comm), MPI_Comm comm)

COLLECTIVE(Bcast,
           Ibcast,
           Rooted(count, type, root),
           (buffer, count, type, root, comm),
           void* buffer,
           int count,
           MPI_Datatype type,
           int root,
           MPI_Comm comm)

COLLECTIVE(Reduce,
           Ireduce,
           Reduction(count, type, op, root),
           (sent, received, count, type, op, root, comm),
           const void* sent,
           void* received,
           int count,
           MPI_Datatype type,
           MPI_Op op,
           int root,
           MPI_Comm comm)

COLLECTIVE(Allreduce,
           Iallreduce,
           Reduction(count, type, op, 0),
           (sent, received, count, type, op, comm),
           const void* sent,
           void* received,
           int count,
           MPI_Datatype type,
           MPI_Op op,
           MPI_Comm comm)

COLLECTIVE(Scan,
           Iscan,
           Reduction(count, type, op, 0),
           (sent, received, count, type, op, comm),
           const void* sent,
           void* received,
           int count,
           MPI_Datatype type,
           MPI_Op op,
           MPI_Comm comm)

COLLECTIVE(Exscan,
           Iexscan,
           Reduction(count, type, op, 0),
           (sent, received, count, type, op, comm),
           const void* sent,
           void* received,
           int count,
           MPI_Datatype type,
           MPI_Op op,
           MPI_Comm comm)

COLLECTIVE(Reduce_scatter_block,
           Ireduce_scatter_block,
           Reduction(count, type, op, 0),
           (sent, received, count, type, op, comm),
           const void* sent,
           void* received,
           int count,
           MPI_Datatype type,
           MPI_Op op,
           MPI_Comm comm)

COLLECTIVE(Reduce_scatter,
           Ireduce_scatter,
           ReduceScatter(counts, type, op, comm),
           (sent, received, counts, type, op, comm),
           const void* sent,
           void* received,
           const int counts[],
           MPI_Datatype type,
           MPI_Op op,
           MPI_Comm comm)

COLLECTIVE(Gather,
           Igather,
           Block(root, comm, {&receiveCount, receiveType}, {&sendCount, sendType}),
           (sent, sendCount, sendType, received, receiveCount, receiveType, root, comm),
           const void* sent,
           int sendCount,
           MPI_Datatype sendType,
           void* received,
           int receiveCount,
           MPI_Datatype receiveType,
           int root,
           MPI_Comm comm)

COLLECTIVE(Scatter,
           Iscatter,
           Block(root, comm, {&sendCount, sendType}, {&receiveCount, receiveType}),
           (sent, sendCount, sendType, received, receiveCount, receiveType, root, comm),
           const void* sent,
           int sendCount,
           MPI_Datatype sendType,
           void* received,
           int receiveCount,
           MPI_Datatype receiveType,
           int root,
           MPI_Comm comm)

COLLECTIVE(Gatherv,
           Igatherv,
           GatherV(root, comm, sent, {&sendCount, sendType}, {counts, receiveType}),
           (sent, sendCount, sendType, received, counts, places, receiveType, root, comm),
           const void* sent,
           int sendCount,
           MPI_Datatype sendType,
           void* received,
           const int counts[],
           const int places[],
           MPI_Datatype receiveType,
           int root,
           MPI_Comm comm)

COLLECTIVE(Scatterv,
           Iscatterv,
           ScatterV(root, comm, received, {counts, sendType}, {&receiveCount, receiveType}),
           (sent, counts, places, sendType, received, receiveCount, receiveType, root, comm),
           const void* sent,
           const int counts[],
           const int places[],
           MPI_Datatype sendType,
           void* received,
           int receiveCount,
           MPI_Datatype receiveType,
           int root,
           MPI_Comm comm)

COLLECTIVE(Allgather,
           Iallgather,
           Rooted(receiveCount, receiveType, 0),
           (sent, sendCount, sendType, received, receiveCount, receiveType, comm),
           const void* sent,
           int sendCount,
           MPI_Datatype sendType,
           void* received,
           int receiveCount,
           MPI_Datatype receiveType,
           MPI_Comm comm)

COLLECTIVE(Alltoall,
           Ialltoall,
           Rooted(receiveCount, receiveType, 0),
           (sent, sendCount, sendType, received, receiveCount, receiveType, comm),
           const void* sent,
           int sendCount,
           MPI_Datatype sendType,
           void* received,
           int receiveCount,
           MPI_Datatype receiveType,
           MPI_Comm comm)

COLLECTIVE(Allgatherv,
           Iallgatherv,
           AllGatherV(comm, {counts, receiveType}),
           (sent, sendCount, sendType, received, counts, places, receiveType, comm),
           const void* sent,
           int sendCount,
           MPI_Datatype sendType,
           void* received,
           const int counts[],
           const int places[],
           MPI_Datatype receiveType,
           MPI_Comm comm)

COLLECTIVE(Alltoallv,
           Ialltoallv,
           AllToAllV(sent, comm, {sendCounts, sendType}, {receiveCounts, receiveType}),
           (sent,
            sendCounts,
            sendPlaces,
            sendType,
            received,
            receiveCounts,
            receivePlaces,
            receiveType,
            comm),
           const void* sent,
           const int sendCounts[],
           const int sendPlaces[],
           MPI_Datatype sendType,
           void* received,
           const int receiveCounts[],
           const int receivePlaces[],
           MPI_Datatype receiveType,
           MPI_Comm comm)

COLLECTIVE(Alltoallw,
           Ialltoallw,
           AllToAllV(sent,
                     comm,
                     {sendCounts, MPI_BYTE, sendTypes},
                     {receiveCounts, MPI_BYTE, receiveTypes}),
           (sent,
            sendCounts,
            sendPlaces,
            sendTypes,
            received,
            receiveCounts,
            receivePlaces,
            receiveTypes,
            comm),
           const void* sent,
           const int sendCounts[],
           const int sendPlaces[],
           const MPI_Datatype sendTypes[],
           void* received,
           const int receiveCounts[],
           const int receivePlaces[],
           const MPI_Datatype receiveTypes[],
           MPI_Comm comm)

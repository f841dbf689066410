/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * The collectives, blocking and non-blocking: who includes this, once in a program, defines
 * COLLECTIVE (see collective.h), COLLECTIVE_OF_SOME, for those that a member can leave before all
 * others have entered it, and COLLECTIVE_OF_BLOCKS, for those where this is so if blocks are empty.
 */

COLLECTIVE(Barrier, Ibarrier, Collective(), (comm), MPI_Comm comm)

COLLECTIVE_OF_SOME(Bcast,
                   Ibcast,
                   Rooted(count, type, root),
                   (buffer, count, type, root, comm),
                   void* buffer,
                   int count,
                   MPI_Datatype type,
                   int root,
                   MPI_Comm comm)

COLLECTIVE_OF_SOME(Reduce,
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

COLLECTIVE_OF_SOME(Scan,
                   Iscan,
                   Reduction(count, type, op, 0),
                   (sent, received, count, type, op, comm),
                   const void* sent,
                   void* received,
                   int count,
                   MPI_Datatype type,
                   MPI_Op op,
                   MPI_Comm comm)

COLLECTIVE_OF_SOME(Exscan,
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

COLLECTIVE_OF_BLOCKS(Reduce_scatter,
                     Ireduce_scatter,
                     ReduceScatter(counts, type, op, comm),
                     (sent, received, counts, type, op, comm),
                     const void* sent,
                     void* received,
                     const int counts[],
                     MPI_Datatype type,
                     MPI_Op op,
                     MPI_Comm comm)

COLLECTIVE_OF_SOME(Gather,
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

COLLECTIVE_OF_SOME(Scatter,
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

COLLECTIVE_OF_SOME(Gatherv,
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

COLLECTIVE_OF_SOME(
    Scatterv,
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

COLLECTIVE_OF_BLOCKS(Allgatherv,
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

COLLECTIVE_OF_SOME(Alltoallv,
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

COLLECTIVE_OF_SOME(Alltoallw,
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

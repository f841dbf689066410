/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Collectives over the neighbors of a topology, blocking and non-blocking: who includes this, once
 * in a program, defines COLLECTIVE (see collective.h).
 */

COLLECTIVE(Neighbor_allgather,
           Ineighbor_allgather,
           Near(comm, {&sendCount, sendType}, {&receiveCount, receiveType}, true),
           (sent, sendCount, sendType, received, receiveCount, receiveType, comm),
           const void* sent,
           int sendCount,
           MPI_Datatype sendType,
           void* received,
           int receiveCount,
           MPI_Datatype receiveType,
           MPI_Comm comm)

COLLECTIVE(Neighbor_alltoall,
           Ineighbor_alltoall,
           Near(comm, {&sendCount, sendType}, {&receiveCount, receiveType}, true),
           (sent, sendCount, sendType, received, receiveCount, receiveType, comm),
           const void* sent,
           int sendCount,
           MPI_Datatype sendType,
           void* received,
           int receiveCount,
           MPI_Datatype receiveType,
           MPI_Comm comm)

COLLECTIVE(Neighbor_alltoallv,
           Ineighbor_alltoallv,
           Near(comm, {sendCounts, sendType}, {receiveCounts, receiveType}, false),
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

COLLECTIVE(
    Neighbor_alltoallw,
    Ineighbor_alltoallw,
    Near(comm, {sendCounts, MPI_BYTE, sendTypes}, {receiveCounts, MPI_BYTE, receiveTypes}, false),
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
    const MPI_Aint sendPlaces[],
    const MPI_Datatype sendTypes[],
    void* received,
    const int receiveCounts[],
    const MPI_Aint receivePlaces[],
    const MPI_Datatype receiveTypes[],
    MPI_Comm comm)

COLLECTIVE(Neighbor_allgatherv,
           Ineighbor_allgatherv,
           NearV(comm, {&sendCount, sendType}, {counts, receiveType}),
           (sent, sendCount, sendType, received, counts, places, receiveType, comm),
           const void* sent,
           int sendCount,
           MPI_Datatype sendType,
           void* received,
           const int counts[],
           const int places[],
           MPI_Datatype receiveType,
           MPI_Comm comm)

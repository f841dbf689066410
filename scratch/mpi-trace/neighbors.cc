/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Collectives over the neighbors of a topology, blocking and non-blocking.
 */

#include "collective.h"

#include <utility>

using namespace mpitrace;

namespace
{

/** What goes to and comes from the neighbors of a topology: rank and bytes of each. */
struct Neighborhood
{
    std::vector<std::pair<int, uint64_t>> sends;
    std::vector<std::pair<int, uint64_t>> receives;
};

void
PutNeighbors(Call& call, const std::vector<std::pair<int, uint64_t>>& neighbors)
{
    call.Put(neighbors.size());
    for (const auto& [rank, bytes] : neighbors)
    {
        call.Put(static_cast<uint64_t>(rank));
        call.Put(bytes);
    }
}

void
Write(Call& call, MPI_Comm comm, const Neighborhood& what, uint32_t request)
{
    call.Begin(Kind::NEIGHBORS, {NumberOf(comm), request});
    PutNeighbors(call, what.sends);
    PutNeighbors(call, what.receives);
}

/** \return neighbors that messages come from, and neighbors that they go to (MPI 3.1, 7.6) */
std::pair<std::vector<int>, std::vector<int>>
NeighborsOf(MPI_Comm comm)
{
    int kind = MPI_UNDEFINED;
    PMPI_Topo_test(comm, &kind);
    int in = 0;
    int out = 0;
    if (kind == MPI_DIST_GRAPH)
    {
        int weighted = 0;
        PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
        std::vector<int> from(static_cast<size_t>(in));
        std::vector<int> to(static_cast<size_t>(out));
        PMPI_Dist_graph_neighbors(comm,
                                  in,
                                  from.data(),
                                  MPI_UNWEIGHTED,
                                  out,
                                  to.data(),
                                  MPI_UNWEIGHTED);
        return {from, to};
    }
    std::vector<int> both;
    if (kind == MPI_GRAPH)
    {
        int rank = 0;
        PMPI_Comm_rank(comm, &rank);
        PMPI_Graph_neighbors_count(comm, rank, &in);
        both.resize(static_cast<size_t>(in));
        PMPI_Graph_neighbors(comm, rank, in, both.data());
    }
    else if (kind == MPI_CART)
    {
        PMPI_Cartdim_get(comm, &out);
        for (int dimension = 0; dimension < out; ++dimension)
        {
            int below = 0;
            int above = 0;
            PMPI_Cart_shift(comm, dimension, 1, &below, &above);
            both.push_back(below);
            both.push_back(above);
        }
    }
    return {both, both};
}

/** \param same whether the same bytes go to, or come from, each neighbor: those of the first */
std::vector<std::pair<int, uint64_t>>
Around(const std::vector<int>& neighbors, const Counts& counts, bool same)
{
    std::vector<std::pair<int, uint64_t>> list;
    for (size_t i = 0; i < neighbors.size(); ++i)
    {
        if (neighbors[i] != MPI_PROC_NULL)
        {
            list.emplace_back(neighbors[i], counts[same ? 0 : i]);
        }
    }
    return list;
}

Neighborhood
Near(MPI_Comm comm, const Counts& sends, const Counts& receives, bool same)
{
    const auto [in, out] = NeighborsOf(comm);
    return {Around(out, sends, same), Around(in, receives, same)};
}

/** As Near; the same goes to each neighbor, but what comes differs. */
Neighborhood
NearV(MPI_Comm comm, const Counts& send, const Counts& receives)
{
    const auto [in, out] = NeighborsOf(comm);
    return {Around(out, send, true), Around(in, receives, false)};
}

} // namespace

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

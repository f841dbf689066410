/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MPI_TRACE_NEIGHBORHOOD_H
#define MPI_TRACE_NEIGHBORHOOD_H

#include "collective-bytes.h"

#include <utility>

namespace mpitrace
{

/** What goes to and comes from the neighbors of a topology: rank and bytes of each. */
struct Neighborhood
{
    std::vector<std::pair<int, uint64_t>> sends;
    std::vector<std::pair<int, uint64_t>> receives;
};

/** \return neighbors that messages come from, and neighbors that they go to (MPI 3.1, 7.6) */
inline std::pair<std::vector<int>, std::vector<int>>
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
inline std::vector<std::pair<int, uint64_t>>
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

inline Neighborhood
Near(MPI_Comm comm, const Counts& sends, const Counts& receives, bool same)
{
    const auto [in, out] = NeighborsOf(comm);
    return {Around(out, sends, same), Around(in, receives, same)};
}

/** As Near; the same goes to each neighbor, but what comes differs. */
inline Neighborhood
NearV(MPI_Comm comm, const Counts& send, const Counts& receives)
{
    const auto [in, out] = NeighborsOf(comm);
    return {Around(out, send, true), Around(in, receives, false)};
}

} // namespace mpitrace

#endif // MPI_TRACE_NEIGHBORHOOD_H

/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_TEST_CONFLICT_GRAPH_EDGES_H
#define WORMHOLE_TEST_CONFLICT_GRAPH_EDGES_H

#include "wormhole/conflict-graph.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace wormhole::test
{

using EdgeList = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/** \return neighbours and labels */
inline EdgeList
EdgesOf(const ConflictGraph& graph, std::uint32_t vertex)
{
    EdgeList edges;
    for (const auto& edge : graph.Edges(vertex))
    {
        edges.emplace_back(edge.neighbour, edge.label);
    }
    return edges;
}

} // namespace wormhole::test

#endif // WORMHOLE_TEST_CONFLICT_GRAPH_EDGES_H

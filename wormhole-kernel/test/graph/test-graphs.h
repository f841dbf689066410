/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_TEST_GRAPHS_H
#define WORMHOLE_TEST_GRAPHS_H

#include "wormhole/conflict-graph.h"

#include <cstdint>
#include <functional>
#include <random>
#include <utility>
#include <vector>

namespace wormhole::test
{

/** Random numbers that are the same with every standard library. */
class GraphRandom
{
  public:
    explicit GraphRandom(std::uint64_t seed);
    /** \return below \p bound, which is small */
    std::uint32_t Below(std::size_t bound);
    /** \return 0 to \p count - 1, shuffled */
    std::vector<std::uint32_t> Permutation(std::size_t count);

  private:
    std::mt19937_64 m_generator;
};

/** What a conflict graph is built from. */
struct Traffic
{
    std::vector<FlowAttributes> flows;
    std::vector<std::vector<PortId>> paths; //!< by flow
    std::vector<std::pair<PortId, PortAttributes>> ports;
};

/** What a conflict graph is made from by ConflictGraph::FromParts. */
struct GraphParts
{
    GraphDetail detail{GraphDetail::Flows};
    std::vector<FlowAttributes> flows;
    std::vector<PortAttributes> ports;
    std::vector<ConflictGraph::FullEdge> edges;
};

ConflictGraph Build(const Traffic& traffic, GraphDetail detail);
ConflictGraph Build(const GraphParts& parts);
GraphParts PartsOf(const ConflictGraph& graph);

/** 1 to \p maxFlows flows on few ports, with few different attributes, so that some are alike. */
Traffic RandomTraffic(GraphRandom& random, std::size_t maxFlows);

/** The same traffic: flows in another order, ports with other numbers and in another order. */
Traffic Relabel(const Traffic& traffic, GraphRandom& random);

/** The same graph: other numbers of flows and ports, other order of edges. */
GraphParts Relabel(const GraphParts& parts, GraphRandom& random);

/** Edges by the numbers of their vertices. */
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/** Flows for vertices, each pair of which shares a port; all alike. */
GraphParts FlowsFor(std::uint32_t vertices, const Pairs& edges);

/** A port for each edge, which both flows cross at their first hop; all alike. */
GraphParts PortsFor(std::uint32_t vertices, const Pairs& edges);

/** \return whether \p vertices is a mapping of all of \p a to all of \p b that keeps attributes,
 *          edges and labels. Slow and simple. */
bool IsIsomorphism(const ConflictGraph& a,
                   const ConflictGraph& b,
                   const std::vector<std::uint32_t>& vertices);

/** \return whether there is one, by trial of all mappings */
bool AreIsomorphicByTrial(const ConflictGraph& a, const ConflictGraph& b);

/** Two graphs that colour refinement cannot tell apart, but which are not isomorphic. */
struct HardPair
{
    const char* name;
    std::uint32_t vertices;
    Pairs first;
    Pairs second;
};

std::vector<HardPair> HardPairs();

/** The pair of Cai, Fuerer and Immerman (1992) over a graph with three edges at each vertex. */
HardPair CfiPair(const char* name, const Pairs& cubic);

/** Such pairs with so many symmetries that the work is too much to prove them different. */
std::vector<HardPair> HarderPairs();

} // namespace wormhole::test

#endif // WORMHOLE_TEST_GRAPHS_H

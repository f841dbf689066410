/*
 * SPDX-License-Identifier: MIT
 */

// Random graphs, compared with the same by simpler means. Cases by hand: conflict-graph-test.cc.

#include "graph/conflict-graph-edges.h"
#include "graph/test-graphs.h"
#include "wormhole/conflict-graph.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace wormhole
{
namespace
{

using test::EdgeList;
using test::EdgesOf;
using test::GraphRandom;
using test::Traffic;

/** The edges, found by comparing every pair of flows, or every port of every flow. */
TEST(ConflictGraph, EdgesAreThoseOfTheTwin)
{
    GraphRandom random(2);
    for (int i = 0; i < 1000; ++i)
    {
        const Traffic traffic = test::RandomTraffic(random, 12);
        const ConflictGraph flows = test::Build(traffic, GraphDetail::Flows);
        const ConflictGraph ports = test::Build(traffic, GraphDetail::Ports);

        std::vector<std::uint32_t> portsInOrder;
        for (std::uint32_t f = 0; f < traffic.flows.size(); ++f)
        {
            const std::set<PortId> mine(traffic.paths[f].begin(), traffic.paths[f].end());
            EdgeList shared;
            for (std::uint32_t g = 0; g < traffic.flows.size(); ++g)
            {
                const std::set<PortId> theirs(traffic.paths[g].begin(), traffic.paths[g].end());
                const auto count = static_cast<std::uint32_t>(
                    std::count_if(mine.begin(), mine.end(), [&](PortId port) {
                        return theirs.count(port) == 1;
                    }));
                if (f != g && count > 0)
                {
                    shared.emplace_back(g, count);
                }
            }
            EXPECT_EQ(EdgesOf(flows, f), shared);

            EdgeList crossed;
            for (std::uint32_t hop = 0; hop < traffic.paths[f].size(); ++hop)
            {
                const std::uint32_t port = traffic.paths[f][hop].Value();
                auto place = std::find(portsInOrder.begin(), portsInOrder.end(), port);
                place = place == portsInOrder.end() ? portsInOrder.insert(place, port) : place;
                const auto vertex = static_cast<std::uint32_t>(traffic.flows.size()) +
                                    static_cast<std::uint32_t>(place - portsInOrder.begin());
                const bool again = std::any_of(crossed.begin(), crossed.end(), [&](auto edge) {
                    return edge.first == vertex;
                });
                if (!again)
                {
                    crossed.emplace_back(vertex, hop);
                }
                EXPECT_EQ(ports.Port(vertex).rate, traffic.ports[port].second.rate);
            }
            std::sort(crossed.begin(), crossed.end());
            EXPECT_EQ(EdgesOf(ports, f), crossed);
        }
        EXPECT_EQ(ports.PortCount(), portsInOrder.size());
    }
}

/** Colour refinement in rounds, by maps, on two graphs side by side. */
std::vector<std::uint32_t>
ColoursInRounds(const ConflictGraph& graph)
{
    using View = std::tuple<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>>;
    std::vector<std::uint32_t> colours(graph.VertexCount());
    for (std::uint32_t v = 0; v < graph.VertexCount(); ++v)
    {
        // The traffic tells vertices apart by these alone.
        colours[v] = v < graph.FlowCount()
                         ? static_cast<std::uint32_t>(graph.Flow(v).startRateClass)
                         : static_cast<std::uint32_t>(graph.Port(v).rate);
    }
    for (std::size_t count = 0;;)
    {
        std::map<View, std::uint32_t> numbers;
        std::vector<View> views;
        for (std::uint32_t v = 0; v < graph.VertexCount(); ++v)
        {
            std::vector<std::pair<std::uint32_t, std::uint32_t>> seen;
            for (const auto& edge : graph.Edges(v))
            {
                seen.emplace_back(edge.label, colours[edge.neighbour]);
            }
            std::sort(seen.begin(), seen.end());
            views.emplace_back(colours[v], seen);
            numbers.emplace(views.back(), static_cast<std::uint32_t>(numbers.size()));
        }
        for (std::uint32_t v = 0; v < graph.VertexCount(); ++v)
        {
            colours[v] = numbers[views[v]];
        }
        if (numbers.size() == count)
        {
            return colours;
        }
        count = numbers.size();
    }
}

TEST(ConflictGraph, ColoursAreThoseOfTheTwin)
{
    GraphRandom random(3);
    for (int i = 0; i < 1000; ++i)
    {
        const Traffic traffic = test::RandomTraffic(random, 20);
        for (const GraphDetail detail : {GraphDetail::Flows, GraphDetail::Ports})
        {
            const ConflictGraph graph = test::Build(traffic, detail);
            const auto twin = ColoursInRounds(graph);
            std::vector<std::uint32_t> sorted;
            for (std::uint32_t v = 0; v < graph.VertexCount(); ++v)
            {
                for (std::uint32_t w = 0; w < v; ++w)
                {
                    EXPECT_EQ(graph.Colour(v) == graph.Colour(w), twin[v] == twin[w]);
                }
                sorted.push_back(graph.Colour(v));
            }
            // A colour is the number of vertices with a smaller one.
            std::sort(sorted.begin(), sorted.end());
            for (std::uint32_t place = 0; place < sorted.size(); ++place)
            {
                const auto first = std::lower_bound(sorted.begin(), sorted.end(), sorted[place]);
                EXPECT_EQ(sorted[place], first - sorted.begin());
            }
        }
    }
}

} // namespace
} // namespace wormhole

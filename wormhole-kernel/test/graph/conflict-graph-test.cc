/*
 * SPDX-License-Identifier: MIT
 */
#include "graph/conflict-graph-edges.h"
#include "graph/test-graphs.h"
#include "usage-error.h"
#include "wormhole/conflict-graph.h"
#include "wormhole/error.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace wormhole
{
namespace
{

using test::EdgeList;
using test::EdgesOf;
using test::GraphParts;
using test::GraphRandom;
using test::Traffic;

std::vector<PortId>
Path(std::initializer_list<std::uint32_t> ports)
{
    std::vector<PortId> path;
    for (const std::uint32_t port : ports)
    {
        path.emplace_back(port);
    }
    return path;
}

FlowAttributes
FlowOf(std::uint64_t control)
{
    FlowAttributes flow;
    flow.control = control;
    return flow;
}

PortAttributes
PortOf(std::uint64_t rate)
{
    PortAttributes port;
    port.rate = rate;
    return port;
}

TEST(ConflictGraph, OfFlowsCountsSharedPorts)
{
    ConflictGraph::Builder builder(GraphDetail::Flows);
    builder.AddFlow(FlowOf(7), Path({10, 20, 30}));
    builder.AddFlow(FlowOf(8), Path({30, 20, 40, 20})); // 20 and 30 with the first flow
    builder.AddFlow(FlowOf(9), Path({40}));             // 40 with the second
    builder.AddFlow(FlowOf(9), Path({50}));             // none
    builder.AddPort(PortId(10), PortOf(1));             // has no effect
    const ConflictGraph graph = builder.Build();

    EXPECT_EQ(graph.Detail(), GraphDetail::Flows);
    EXPECT_EQ(graph.FlowCount(), 4U);
    EXPECT_EQ(graph.PortCount(), 0U);
    EXPECT_EQ(graph.VertexCount(), 4U);
    EXPECT_EQ(graph.EdgeCount(), 2U);
    EXPECT_EQ(graph.Flow(1).control, 8U);
    EXPECT_EQ(EdgesOf(graph, 0), (EdgeList{{1, 2}}));
    EXPECT_EQ(EdgesOf(graph, 1), (EdgeList{{0, 2}, {2, 1}}));
    EXPECT_EQ(EdgesOf(graph, 2), (EdgeList{{1, 1}}));
    EXPECT_EQ(EdgesOf(graph, 3), (EdgeList{}));
}

TEST(ConflictGraph, OfPortsTellsHops)
{
    ConflictGraph::Builder builder(GraphDetail::Ports);
    builder.AddPort(PortId(20), PortOf(200));
    builder.AddPort(PortId(99), PortOf(990)); // not crossed
    builder.AddFlow(FlowOf(7), Path({10, 20}));
    builder.AddFlow(FlowOf(8), Path({30, 20, 30, 10}));
    builder.AddPort(PortId(10), PortOf(100));
    builder.AddPort(PortId(30), PortOf(300));
    const ConflictGraph graph = builder.Build();

    // Vertices: flows 0 and 1; then ports 10, 20, 30, as the paths name them first.
    EXPECT_EQ(graph.FlowCount(), 2U);
    EXPECT_EQ(graph.PortCount(), 3U);
    EXPECT_EQ(graph.VertexCount(), 5U);
    EXPECT_EQ(graph.EdgeCount(), 5U);
    EXPECT_EQ(graph.Port(2).rate, 100U);
    EXPECT_EQ(graph.Port(3).rate, 200U);
    EXPECT_EQ(graph.Port(4).rate, 300U);
    EXPECT_EQ(EdgesOf(graph, 0), (EdgeList{{2, 0}, {3, 1}}));
    EXPECT_EQ(EdgesOf(graph, 1), (EdgeList{{2, 3}, {3, 1}, {4, 0}}));
    EXPECT_EQ(EdgesOf(graph, 2), (EdgeList{{0, 0}, {1, 3}}));
    EXPECT_EQ(EdgesOf(graph, 3), (EdgeList{{0, 1}, {1, 1}}));
    EXPECT_EQ(EdgesOf(graph, 4), (EdgeList{{1, 0}}));
}

TEST(ConflictGraph, NeedsEachPortOnce)
{
    ConflictGraph::Builder builder(GraphDetail::Ports);
    builder.AddFlow(FlowOf(7), Path({10, 20}));
    builder.AddPort(PortId(10), PortOf(100));
    EXPECT_EQ(test::UsageErrorOf([&] { builder.Build(); }),
              "port 20 is on the path of a flow, but was added never");
    // Nothing is lost by the error.
    builder.AddPort(PortId(20), PortOf(200));
    EXPECT_EQ(builder.Build().VertexCount(), 3U);

    builder.AddFlow(FlowOf(7), Path({10}));
    builder.AddPort(PortId(10), PortOf(100));
    builder.AddPort(PortId(10), PortOf(100));
    EXPECT_EQ(test::UsageErrorOf([&] { builder.Build(); }),
              "port 10 is on the path of a flow, but was added more than once");
}

TEST(ConflictGraph, BuilderIsEmptyAfterBuild)
{
    for (const GraphDetail detail : {GraphDetail::Flows, GraphDetail::Ports})
    {
        GraphRandom random(1);
        ConflictGraph::Builder builder(detail);
        for (int i = 0; i < 100; ++i)
        {
            const Traffic traffic = test::RandomTraffic(random, 8);
            for (std::size_t flow = 0; flow < traffic.flows.size(); ++flow)
            {
                builder.AddFlow(traffic.flows[flow], traffic.paths[flow]);
            }
            for (const auto& [port, attributes] : traffic.ports)
            {
                builder.AddPort(port, attributes);
            }
            const ConflictGraph graph = builder.Build();
            const ConflictGraph fresh = test::Build(traffic, detail);
            EXPECT_EQ(graph.GetSignature(), fresh.GetSignature());
            for (std::uint32_t vertex = 0; vertex < fresh.VertexCount(); ++vertex)
            {
                EXPECT_EQ(EdgesOf(graph, vertex), EdgesOf(fresh, vertex));
            }
        }
        EXPECT_EQ(builder.Build().VertexCount(), 0U);
    }
}

TEST(ConflictGraph, BuilderKnowsGraphsAgain)
{
    using Change = void (*)(Traffic&);
    const std::vector<Change> changes{
        [](Traffic&) {},
        [](Traffic& traffic) { ++traffic.flows[0].startRateClass; },
        [](Traffic& traffic) { traffic.flows[0].bytesLeft = 0; },
        [](Traffic& traffic) { ++traffic.ports[0].second.queueClass; },
        [](Traffic& traffic) { traffic.paths[0].pop_back(); }};
    for (const GraphDetail detail : {GraphDetail::Flows, GraphDetail::Ports})
    {
        GraphRandom random(2);
        ConflictGraph::Builder builder(detail);
        for (int i = 0; i < 5000; ++i) // some 10 vertices each: more than it keeps
        {
            Traffic traffic = test::RandomTraffic(random, 1 + random.Below(8));
            traffic.paths[0].push_back(traffic.ports[0].first);
            changes[random.Below(changes.size())](traffic);
            const ConflictGraph fresh = test::Build(traffic, detail);
            for (int time = 0; time < 2; ++time)
            {
                for (std::size_t flow = 0; flow < traffic.flows.size(); ++flow)
                {
                    builder.AddFlow(traffic.flows[flow], traffic.paths[flow]);
                }
                for (const auto& [port, attributes] : traffic.ports)
                {
                    builder.AddPort(port, attributes);
                }
                const ConflictGraph graph = builder.Build();
                ASSERT_TRUE(graph == fresh);
                for (std::uint32_t vertex = 0; vertex < fresh.VertexCount(); ++vertex)
                {
                    ASSERT_EQ(graph.Colour(vertex), fresh.Colour(vertex));
                }
            }
        }
    }
}

TEST(ConflictGraph, MayBeEmpty)
{
    const ConflictGraph none;
    EXPECT_EQ(none.VertexCount(), 0U);
    EXPECT_EQ(none.EdgeCount(), 0U);
    EXPECT_EQ(none.GetSignature(),
              ConflictGraph::Builder(GraphDetail::Flows).Build().GetSignature());
    EXPECT_NE(none.GetSignature(),
              ConflictGraph::Builder(GraphDetail::Ports).Build().GetSignature());
}

TEST(ConflictGraph, SignatureCountsEveryAttribute)
{
    // Each change must give a signature and a value of its own.
    const auto check = [](const auto& plain, const auto& changes, const auto& signatureOf) {
        std::set<Signature> signatures{signatureOf(plain)};
        for (const auto& change : changes)
        {
            auto changed = plain;
            EXPECT_TRUE(changed == plain);
            change(changed);
            EXPECT_TRUE(changed != plain);
            EXPECT_TRUE(signatures.insert(signatureOf(changed)).second);
        }
    };
    using FlowChange = void (*)(FlowAttributes&);
    check(FlowAttributes{},
          std::vector<FlowChange>{[](auto& flow) { flow.control = 1; },
                                  [](auto& flow) { flow.lineRate = 1; },
                                  [](auto& flow) { flow.baseRttClass = 1; },
                                  [](auto& flow) { flow.startRateClass = 1; },
                                  [](auto& flow) { flow.startRateClass = -1; },
                                  [](auto& flow) { flow.inFlightClass = 1; },
                                  [](auto& flow) { flow.extra = 1; },
                                  [](auto& flow) { flow.bytesLeft = 0; },
                                  [](auto& flow) { flow.bytesLeft = 1; }},
          [](const FlowAttributes& flow) {
              return ConflictGraph::FromParts(GraphDetail::Flows, {flow}, {}, {}).GetSignature();
          });
    using PortChange = void (*)(PortAttributes&);
    check(PortAttributes{},
          std::vector<PortChange>{[](auto& port) { port.rate = 1; },
                                  [](auto& port) { port.delayClass = 1; },
                                  [](auto& port) { port.queueClass = 1; },
                                  [](auto& port) { port.queueClass = -1; },
                                  [](auto& port) { port.backgroundClass = 1; },
                                  [](auto& port) { port.extra = 1; }},
          [](const PortAttributes& port) {
              return ConflictGraph::FromParts(GraphDetail::Ports, {{}}, {port}, {{0, 1, 0}})
                  .GetSignature();
          });
}

TEST(ConflictGraph, SignatureCountsWhatIsThere)
{
    const auto signatureOf = [](GraphDetail detail,
                                std::size_t flows,
                                std::size_t ports,
                                const std::vector<ConflictGraph::FullEdge>& edges) {
        return ConflictGraph::FromParts(detail,
                                        std::vector<FlowAttributes>(flows),
                                        std::vector<PortAttributes>(ports),
                                        edges)
            .GetSignature();
    };
    const std::set<Signature> signatures{
        signatureOf(GraphDetail::Flows, 3, 0, {}),
        signatureOf(GraphDetail::Ports, 3, 0, {}),
        signatureOf(GraphDetail::Ports, 2, 1, {}),
        signatureOf(GraphDetail::Flows, 4, 0, {}),
        signatureOf(GraphDetail::Flows, 3, 0, {{0, 1, 1}}),
        signatureOf(GraphDetail::Flows, 3, 0, {{0, 1, 2}}),
        signatureOf(GraphDetail::Flows, 3, 0, {{0, 1, 1}, {1, 2, 1}}),
        signatureOf(GraphDetail::Flows, 3, 0, {{0, 1, 1}, {1, 2, 2}}),
        signatureOf(GraphDetail::Flows, 3, 0, {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}}),
        signatureOf(GraphDetail::Ports, 2, 1, {{0, 2, 0}}),
        signatureOf(GraphDetail::Ports, 2, 1, {{0, 2, 1}}),
    };
    EXPECT_EQ(signatures.size(), 11U);
}

/** A change of code or platform that changes them makes all stored episodes useless: raise the
 * version of the store then. */
TEST(ConflictGraph, SignaturesStay)
{
    FlowAttributes flow;
    flow.control = 0x0123456789abcdef;
    flow.lineRate = 100'000'000'000;
    flow.baseRttClass = -230;
    flow.startRateClass = 519;
    PortAttributes port;
    port.rate = 400'000'000'000;
    port.delayClass = -283;
    port.queueClass = std::numeric_limits<std::int32_t>::min();
    Traffic traffic;
    traffic.flows = {flow, flow, flow};
    traffic.flows[2].bytesLeft = 65536;
    traffic.paths = {Path({0, 2, 3}), Path({1, 2, 3}), Path({4, 3})};
    for (const std::uint32_t number : {0, 1, 2, 3, 4})
    {
        traffic.ports.emplace_back(PortId(number), port);
    }
    EXPECT_EQ(ConflictGraph().GetSignature().ToString(), "010e4ab21e9ac54ebb26e1c3a5805f0d");
    EXPECT_EQ(test::Build(traffic, GraphDetail::Flows).GetSignature().ToString(),
              "bf0ce9df6fa44e403e0afa5cb6985e6b");
    EXPECT_EQ(test::Build(traffic, GraphDetail::Ports).GetSignature().ToString(),
              "75ee035fbe4dab40ee3bb09b50b95cb7");
}

TEST(ConflictGraph, PartsMakeTheSameGraph)
{
    GraphRandom random(4);
    for (int i = 0; i < 300; ++i)
    {
        const Traffic traffic = test::RandomTraffic(random, 10);
        for (const GraphDetail detail : {GraphDetail::Flows, GraphDetail::Ports})
        {
            const ConflictGraph graph = test::Build(traffic, detail);
            GraphParts parts = test::PartsOf(graph);
            std::reverse(parts.edges.begin(), parts.edges.end());
            const ConflictGraph copy = test::Build(parts);
            EXPECT_EQ(copy.Detail(), graph.Detail());
            EXPECT_EQ(copy.GetSignature(), graph.GetSignature());
            ASSERT_EQ(copy.VertexCount(), graph.VertexCount());
            for (std::uint32_t vertex = 0; vertex < graph.VertexCount(); ++vertex)
            {
                EXPECT_EQ(EdgesOf(copy, vertex), EdgesOf(graph, vertex));
                EXPECT_EQ(copy.Colour(vertex), graph.Colour(vertex));
            }
        }
    }
}

TEST(ConflictGraph, PartsMustFit)
{
    const auto errorOf = [](GraphDetail detail,
                            std::size_t ports,
                            const std::vector<ConflictGraph::FullEdge>& edges) {
        return test::UsageErrorOf([&] {
            ConflictGraph::FromParts(detail,
                                     std::vector<FlowAttributes>(2),
                                     std::vector<PortAttributes>(ports),
                                     edges);
        });
    };
    constexpr auto FLOWS = GraphDetail::Flows;
    constexpr auto PORTS = GraphDetail::Ports;
    EXPECT_EQ(errorOf(FLOWS, 0, {{0, 1, 1}}), "");
    EXPECT_EQ(errorOf(PORTS, 2, {{0, 2, 0}, {3, 1, 0}}), "");
    EXPECT_EQ(errorOf(FLOWS, 1, {}), "a conflict graph of flows alone, with 1 ports");
    EXPECT_EQ(errorOf(FLOWS, 0, {{0, 2, 1}}),
              "an edge between vertices 0 and 2, but there are only 2");
    EXPECT_EQ(errorOf(PORTS, 2, {{4, 0, 1}}),
              "an edge between vertices 4 and 0, but there are only 4");
    EXPECT_EQ(errorOf(FLOWS, 0, {{1, 1, 1}}),
              "an edge between vertices 1 and 1, which cannot share an edge");
    EXPECT_EQ(errorOf(PORTS, 2, {{0, 1, 1}}),
              "an edge between vertices 0 and 1, which cannot share an edge");
    EXPECT_EQ(errorOf(PORTS, 2, {{2, 3, 1}}),
              "an edge between vertices 2 and 3, which cannot share an edge");
    EXPECT_EQ(errorOf(FLOWS, 0, {{0, 1, 0}}),
              "an edge between vertices 0 and 1, which share no port");
    EXPECT_EQ(errorOf(FLOWS, 0, {{0, 1, 1}, {1, 0, 2}}), "two edges between vertices 0 and 1");
}

} // namespace
} // namespace wormhole

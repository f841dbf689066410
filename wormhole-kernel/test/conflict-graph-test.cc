/*
 * SPDX-License-Identifier: MIT
 */
#include "test-graphs.h"
#include "usage-error.h"
#include "wormhole/conflict-graph.h"
#include "wormhole/error.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace wormhole
{
namespace
{

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

using EdgeList = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/** \return neighbours and labels */
EdgeList
EdgesOf(const ConflictGraph& graph, std::uint32_t vertex)
{
    EdgeList edges;
    for (const auto& edge : graph.Edges(vertex))
    {
        edges.emplace_back(edge.neighbour, edge.label);
    }
    return edges;
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

TEST(QuantiseLog, CountsPowersOfTheStep)
{
    // Powers of two are exact, so the bounds of the classes are.
    EXPECT_EQ(QuantiseLog(1, 2), 0);
    EXPECT_EQ(QuantiseLog(1.999, 2), 0);
    EXPECT_EQ(QuantiseLog(2, 2), 1);
    EXPECT_EQ(QuantiseLog(1023, 2), 9);
    EXPECT_EQ(QuantiseLog(1024, 2), 10);
    EXPECT_EQ(QuantiseLog(0.999, 2), -1);
    EXPECT_EQ(QuantiseLog(0.5, 2), -1);
    EXPECT_EQ(QuantiseLog(0.499, 2), -2);
    EXPECT_EQ(QuantiseLog(0.25, 2), -2);
    EXPECT_EQ(QuantiseLog(std::numeric_limits<double>::max(), 2), 1023);
    EXPECT_EQ(QuantiseLog(std::numeric_limits<double>::denorm_min(), 2), -1074);
    EXPECT_EQ(QuantiseLog(std::numeric_limits<double>::max(), 1e308), 1);
    EXPECT_EQ(QuantiseLog(std::numeric_limits<double>::denorm_min(), 1e308), -2);
}

TEST(QuantiseLog, IsTheSameOnEveryMachine)
{
    EXPECT_EQ(QuantiseLog(12.5e9, 1.05), 476); // ln 12.5e9 / ln 1.05 = 476.5
    EXPECT_EQ(QuantiseLog(1e-6, 1.05), -284);  // ln 1e-6 / ln 1.05 = -283.2
    EXPECT_EQ(QuantiseLog(1e300, 1.000001), 690775873);
    EXPECT_EQ(QuantiseLog(1e-320, 1.000001), -736827610);
}

TEST(QuantiseLog, HasClassesForWhatHasNoLogarithm)
{
    constexpr auto LEAST = std::numeric_limits<std::int32_t>::min();
    EXPECT_EQ(QuantiseLog(0, 1.05), LEAST);
    EXPECT_EQ(QuantiseLog(-0.0, 1.05), LEAST);
    EXPECT_EQ(QuantiseLog(-1, 1.05), LEAST);
    EXPECT_EQ(QuantiseLog(-std::numeric_limits<double>::infinity(), 1.05), LEAST);
    EXPECT_EQ(QuantiseLog(std::numeric_limits<double>::quiet_NaN(), 1.05), LEAST);
    EXPECT_EQ(QuantiseLog(std::numeric_limits<double>::infinity(), 1.05),
              std::numeric_limits<std::int32_t>::max());
}

TEST(QuantiseLog, RejectsSteps)
{
    for (const double step : {1.0, 0.5, 0.0, -2.0, 1.0000009})
    {
        EXPECT_THROW(QuantiseLog(1, step), UsageError);
    }
    EXPECT_THROW(QuantiseLog(1, std::numeric_limits<double>::infinity()), UsageError);
    EXPECT_THROW(QuantiseLog(1, std::numeric_limits<double>::quiet_NaN()), UsageError);
    EXPECT_EQ(test::UsageErrorOf([] { QuantiseLog(1, 1); }),
              "a logarithmic scale with the step 1.000000, but it must be at least 1.000001 and "
              "finite");
}

TEST(QuantiseLog, KeepsTheOrderAndTheWidthOfClasses)
{
    GraphRandom random(5);
    for (const double step : {1.0001, 1.05, 1.5, 10.0})
    {
        for (int i = 0; i < 5000; ++i)
        {
            // A value between 2^-1000 and 2^1000, the next double, and one nearly a step above.
            const double value = std::ldexp(1 + random.Below(1 << 20) / 1048576.0,
                                            static_cast<int>(random.Below(2000)) - 1000);
            const std::int32_t index = QuantiseLog(value, step);
            const std::int32_t next =
                QuantiseLog(std::nextafter(value, std::numeric_limits<double>::infinity()), step);
            const std::int32_t above = QuantiseLog(value * (1 + (step - 1) * 0.9999), step);
            EXPECT_LE(index, next);
            EXPECT_LE(next, index + 1);
            EXPECT_LE(index, above);
            EXPECT_LE(above, index + 1);
            // By the logarithm of the library, within its and our errors.
            EXPECT_NEAR(index + 0.5, std::log(value) / std::log(step), 0.5 + 1e-4);
        }
    }
}

/** At the bounds of classes, where rounding could break the order: the doubles around them. */
TEST(QuantiseLog, KeepsTheOrderAtTheBoundsOfClasses)
{
    for (const double step : {1.001, 1.05, 3.0})
    {
        for (int power = -300; power <= 300; ++power)
        {
            double value = std::pow(step, power);
            for (int i = 0; i < 20; ++i)
            {
                value = std::nextafter(value, 0);
            }
            std::int32_t last = QuantiseLog(value, step);
            EXPECT_NEAR(last, power - 0.5, 0.5);
            for (int i = 0; i < 40; ++i)
            {
                value = std::nextafter(value, std::numeric_limits<double>::infinity());
                const std::int32_t index = QuantiseLog(value, step);
                EXPECT_TRUE(index == last || index == last + 1);
                last = index;
            }
        }
    }
}

} // namespace
} // namespace wormhole

/*
 * SPDX-License-Identifier: MIT
 */
#include "graph/isomorphism-search.h"
#include "graph/test-graphs.h"
#include "graph/vertex-mapping.h"
#include "wormhole/isomorphism.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <utility>

namespace wormhole
{
namespace
{

using Outcome = Isomorphism::Outcome;
using test::GraphParts;
using test::GraphRandom;
using test::HardPair;
using test::Pairs;
using test::Traffic;

constexpr std::uint64_t ENOUGH = 1'000'000;

constexpr GraphDetail DETAILS[] = {GraphDetail::Flows, GraphDetail::Ports};

/** Expects that \p a and \p b match. */
void
ExpectMatch(const ConflictGraph& a, const ConflictGraph& b, const std::string& what = "")
{
    const Isomorphism found = FindIsomorphism(a, b, ENOUGH);
    EXPECT_EQ(a.GetSignature(), b.GetSignature()) << what;
    ASSERT_EQ(found.outcome, Outcome::Match) << what;
    EXPECT_TRUE(test::IsIsomorphism(a, b, found.vertices)) << what;
    EXPECT_LE(found.work, ENOUGH) << what;
}

void
ExpectDifferent(const ConflictGraph& a, const ConflictGraph& b, const std::string& what = "")
{
    const Isomorphism found = FindIsomorphism(a, b, ENOUGH);
    EXPECT_EQ(found.outcome, Outcome::Different) << what;
    EXPECT_TRUE(found.vertices.empty()) << what;
}

TEST(Isomorphism, OfNothing)
{
    ExpectMatch(ConflictGraph(), ConflictGraph());
    ExpectDifferent(ConflictGraph(), ConflictGraph::FromParts(GraphDetail::Ports, {}, {}, {}));
    ExpectDifferent(ConflictGraph(), ConflictGraph::FromParts(GraphDetail::Flows, {{}}, {}, {}));
}

/** The proof of a match does not rely on hashes, which would have to collide to get this far. */
TEST(Isomorphism, IsProvedByValue)
{
    FlowAttributes flow;
    PortAttributes port;
    GraphParts parts;
    parts.detail = GraphDetail::Ports;
    parts.flows = {flow, flow};
    parts.ports = {port};
    parts.edges = {{0, 2, 0}};
    const ConflictGraph graph = test::Build(parts);
    EXPECT_TRUE(IsIsomorphism(graph, graph, {0, 1, 2}));
    EXPECT_FALSE(IsIsomorphism(graph, graph, {1, 0, 2})); // edges
    EXPECT_FALSE(IsIsomorphism(graph, graph, {0, 2, 1})); // a flow is no port
    EXPECT_FALSE(IsIsomorphism(graph, graph, {2, 1, 0}));

    GraphParts changed = parts;
    changed.edges[0].label = 1;
    EXPECT_FALSE(IsIsomorphism(graph, test::Build(changed), {0, 1, 2}));
    changed = parts;
    changed.flows[1].extra = 1;
    EXPECT_FALSE(IsIsomorphism(graph, test::Build(changed), {0, 1, 2}));
    changed = parts;
    changed.ports[0].extra = 1;
    EXPECT_FALSE(IsIsomorphism(graph, test::Build(changed), {0, 1, 2}));
}

TEST(Isomorphism, OfRelabelledTraffic)
{
    GraphRandom random(1);
    for (int i = 0; i < 3000; ++i)
    {
        const Traffic traffic = test::RandomTraffic(random, 16);
        const Traffic other = test::Relabel(traffic, random);
        for (const GraphDetail detail : DETAILS)
        {
            ExpectMatch(test::Build(traffic, detail), test::Build(other, detail));
        }
    }
}

TEST(Isomorphism, OfTheSameGraphMapsEachVertexToItself)
{
    GraphRandom random(3);
    for (int i = 0; i < 300; ++i)
    {
        const Traffic traffic = test::RandomTraffic(random, 16);
        for (const GraphDetail detail : DETAILS)
        {
            const ConflictGraph graph = test::Build(traffic, detail);
            const Isomorphism found = FindIsomorphism(graph, test::Build(traffic, detail), ENOUGH);
            ASSERT_EQ(found.outcome, Outcome::Match);
            ASSERT_EQ(found.vertices.size(), graph.VertexCount());
            for (std::uint32_t vertex = 0; vertex < graph.VertexCount(); ++vertex)
            {
                EXPECT_EQ(found.vertices[vertex], vertex);
            }
            EXPECT_EQ(found.work, graph.VertexCount() + 2 * graph.EdgeCount()); // once over it
        }
    }
}

TEST(Isomorphism, NotWithOneAttributeChanged)
{
    GraphRandom random(2);
    for (int i = 0; i < 2000; ++i)
    {
        const Traffic traffic = test::RandomTraffic(random, 10);
        for (const GraphDetail detail : DETAILS)
        {
            const ConflictGraph graph = test::Build(traffic, detail);
            GraphParts changed = test::PartsOf(graph);
            // To a value that no other vertex has.
            const std::uint32_t vertex = random.Below(graph.VertexCount());
            if (vertex < graph.FlowCount())
            {
                changed.flows[vertex].bytesLeft = 1234;
            }
            else
            {
                changed.ports[vertex - graph.FlowCount()].queueClass = 55;
            }
            ExpectDifferent(graph, test::Build(test::Relabel(changed, random)));
        }
    }
}

TEST(Isomorphism, NotWithOneEdgeOrLabelChanged)
{
    GraphRandom random(3);
    for (int i = 0; i < 2000; ++i)
    {
        const Traffic traffic = test::RandomTraffic(random, 10);
        for (const GraphDetail detail : DETAILS)
        {
            const ConflictGraph graph = test::Build(traffic, detail);
            if (graph.EdgeCount() == 0)
            {
                continue;
            }
            // The number of edges, or the sum of all labels, is not the same any more.
            GraphParts without = test::PartsOf(graph);
            const std::uint32_t edge = random.Below(graph.EdgeCount());
            without.edges.erase(without.edges.begin() + edge);
            ExpectDifferent(graph, test::Build(test::Relabel(without, random)));

            GraphParts labelled = test::PartsOf(graph);
            labelled.edges[edge].label += 1;
            ExpectDifferent(graph, test::Build(test::Relabel(labelled, random)));
        }
    }
}

/** One flow shares one port more, or one fewer, with the others. */
TEST(Isomorphism, NotWithOneMultiplicityChanged)
{
    GraphRandom random(4);
    for (int i = 0; i < 2000; ++i)
    {
        Traffic traffic = test::RandomTraffic(random, 10);
        traffic.flows.resize(traffic.flows.size() + 2);
        traffic.paths.push_back({traffic.ports[0].first, PortId(500)});
        traffic.paths.push_back({traffic.ports[0].first, PortId(501)});
        traffic.ports.emplace_back(PortId(500), PortAttributes{});
        traffic.ports.emplace_back(PortId(501), PortAttributes{});
        Traffic more = traffic;
        more.paths.back()[1] = PortId(500);
        more = test::Relabel(more, random);
        for (const GraphDetail detail : DETAILS)
        {
            ExpectDifferent(test::Build(traffic, detail), test::Build(more, detail));
        }
    }
}

/** Small changes that keep all counts, and often the graph: the truth is found by trial. */
TEST(Isomorphism, IsThatOfTheTwin)
{
    GraphRandom random(5);
    int matches = 0;
    int sameSignature = 0;
    constexpr int ROUNDS = 6000;
    for (int i = 0; i < ROUNDS; ++i)
    {
        const ConflictGraph graph =
            test::Build(test::RandomTraffic(random, i % 2 == 0 ? 7 : 4), DETAILS[i % 2]);
        GraphParts changed = test::PartsOf(graph);
        for (auto changes = random.Below(6); changes > 0 && changed.edges.size() >= 2; --changes)
        {
            // Two edges swap their labels, or one moves to another vertex.
            auto& first = changed.edges[random.Below(changed.edges.size())];
            auto& second = changed.edges[random.Below(changed.edges.size())];
            std::swap(first.label, second.label);
            if (random.Below(2) == 0)
            {
                std::swap(first.second, second.second);
            }
        }
        ConflictGraph other;
        try
        {
            other = test::Build(test::Relabel(changed, random));
        }
        catch (const std::invalid_argument&)
        {
            continue; // not a simple graph any more
        }
        const Isomorphism found = FindIsomorphism(graph, other, ENOUGH);
        const bool isomorphic = test::AreIsomorphicByTrial(graph, other);
        ASSERT_EQ(found.outcome, isomorphic ? Outcome::Match : Outcome::Different) << i;
        EXPECT_TRUE(!isomorphic || test::IsIsomorphism(graph, other, found.vertices));
        matches += isomorphic ? 1 : 0;
        sameSignature += graph.GetSignature() == other.GetSignature() ? 1 : 0;
    }
    // Both answers occurred often.
    EXPECT_GT(matches, ROUNDS / 5);
    EXPECT_LT(matches, ROUNDS * 4 / 5);
    EXPECT_LE(matches, sameSignature);
}

/** All graphs with 5 alike flows, against each other: every one is its own class or the same. */
TEST(Isomorphism, FindsAllGraphsOfFiveFlows)
{
    std::vector<ConflictGraph> classes;
    for (std::uint32_t set = 0; set < 1024; ++set)
    {
        Pairs edges;
        std::uint32_t bit = 0;
        for (std::uint32_t i = 0; i < 5; ++i)
        {
            for (std::uint32_t j = i + 1; j < 5; ++j)
            {
                if ((set >> bit++ & 1) == 1)
                {
                    edges.emplace_back(i, j);
                }
            }
        }
        const ConflictGraph graph = test::Build(test::FlowsFor(5, edges));
        bool known = false;
        for (const ConflictGraph& other : classes)
        {
            const Isomorphism found = FindIsomorphism(graph, other, ENOUGH);
            ASSERT_NE(found.outcome, Outcome::GaveUp);
            known = known || found.outcome == Outcome::Match;
        }
        if (!known)
        {
            classes.push_back(graph);
        }
    }
    EXPECT_EQ(classes.size(), 34U); // graphs on 5 vertices (OEIS A000088)
}

TEST(Isomorphism, TellsHardPairsApart)
{
    GraphRandom random(6);
    for (const HardPair& pair : test::HardPairs())
    {
        using Make = GraphParts (*)(std::uint32_t, const Pairs&);
        for (const Make make : {Make{test::FlowsFor}, Make{test::PortsFor}})
        {
            const GraphParts first = make(pair.vertices, pair.first);
            const GraphParts second = make(pair.vertices, pair.second);
            const ConflictGraph a = test::Build(first);
            const ConflictGraph b = test::Build(second);
            const ConflictGraph c = test::Build(test::Relabel(second, random));
            EXPECT_EQ(a.GetSignature(), b.GetSignature()) << pair.name;
            ExpectDifferent(a, b, pair.name);
            ExpectDifferent(a, c, pair.name);
            ExpectDifferent(c, a, pair.name);
            ExpectMatch(a, test::Build(test::Relabel(first, random)), pair.name);
            ExpectMatch(b, c, pair.name);
        }
    }
}

/** The search that follows a guess, without it. */
TEST(Isomorphism, SearchesWithoutAGuess)
{
    GraphRandom random(11);
    for (int i = 0; i < 300; ++i)
    {
        const Traffic traffic = test::RandomTraffic(random, 10);
        const ConflictGraph a = test::Build(traffic, DETAILS[i % 2]);
        const ConflictGraph b = test::Build(test::Relabel(traffic, random), DETAILS[i % 2]);
        Isomorphism found;
        SearchByRefinement(a, b, ENOUGH, found);
        ASSERT_EQ(found.outcome, Outcome::Match);
        EXPECT_TRUE(test::IsIsomorphism(a, b, found.vertices));
    }
    for (const HardPair& pair : test::HardPairs())
    {
        const ConflictGraph a = test::Build(test::FlowsFor(pair.vertices, pair.first));
        const ConflictGraph b = test::Build(test::FlowsFor(pair.vertices, pair.second));
        Isomorphism found;
        SearchByRefinement(a, b, ENOUGH, found);
        EXPECT_EQ(found.outcome, Outcome::Different) << pair.name;
        found = Isomorphism{};
        SearchByRefinement(a, b, 1, found);
        EXPECT_EQ(found.outcome, Outcome::GaveUp) << pair.name;
    }
}

TEST(Isomorphism, SearchByRefinementGoesDownSoFar)
{
    // Of 70 alike flows, 69 must be told apart one by one; it does that with 64.
    const ConflictGraph alike = test::Build(test::FlowsFor(70, {}));
    Isomorphism found;
    SearchByRefinement(alike, alike, ENOUGH, found);
    EXPECT_EQ(found.outcome, Outcome::GaveUp);
    EXPECT_LT(found.work, ENOUGH);
    EXPECT_EQ(FindIsomorphism(alike, alike, ENOUGH).outcome, Outcome::Match); // by a guess
}

/** Every flow of the complete graph of 8 has 4 edges of label 1 and 3 of label 2: those of label 2
 * make a cubic graph, and all that tells it is which pairs have which label. */
TEST(Isomorphism, ComparesLabels)
{
    GraphRandom random(12);
    const auto complete = [](const Pairs& cubic) {
        GraphParts parts = test::FlowsFor(8, {});
        for (std::uint32_t i = 0; i < 8; ++i)
        {
            for (std::uint32_t j = i + 1; j < 8; ++j)
            {
                const bool in = std::count(cubic.begin(), cubic.end(), std::pair(i, j)) +
                                    std::count(cubic.begin(), cubic.end(), std::pair(j, i)) >
                                0;
                parts.edges.push_back({i, j, in ? 2U : 1U});
            }
        }
        return parts;
    };
    for (const HardPair& pair : test::HardPairs())
    {
        if (pair.vertices == 8)
        {
            const ConflictGraph a = test::Build(complete(pair.first));
            const ConflictGraph b = test::Build(complete(pair.second));
            EXPECT_EQ(a.GetSignature(), b.GetSignature()) << pair.name;
            ExpectDifferent(a, b, pair.name);
            ExpectMatch(a, test::Build(test::Relabel(complete(pair.first), random)), pair.name);
        }
    }
}

TEST(Isomorphism, GivesUpAtTheLimit)
{
    GraphRandom random(7);
    for (const HardPair& pair : test::HardPairs())
    {
        const GraphParts first = test::FlowsFor(pair.vertices, pair.first);
        const ConflictGraph a = test::Build(first);
        const ConflictGraph b = test::Build(test::FlowsFor(pair.vertices, pair.second));
        const ConflictGraph copy = test::Build(test::Relabel(first, random));
        EXPECT_EQ(FindIsomorphism(a, b, 1).outcome, Outcome::GaveUp) << pair.name;
        // Never a wrong answer, whatever the limit, and always the same.
        for (std::uint64_t limit = 1; limit < 100'000; limit = limit * 3 / 2 + 1)
        {
            const Isomorphism different = FindIsomorphism(a, b, limit);
            EXPECT_NE(different.outcome, Outcome::Match) << pair.name;
            EXPECT_TRUE(different.vertices.empty()) << pair.name;
            const Isomorphism same = FindIsomorphism(a, copy, limit);
            EXPECT_NE(same.outcome, Outcome::Different) << pair.name;
            EXPECT_EQ(same.work, FindIsomorphism(a, copy, limit).work) << pair.name;
        }
    }
}

TEST(Isomorphism, MatchesWhatIsTooHardToTellApart)
{
    GraphRandom random(10);
    for (const HardPair& pair : test::HarderPairs())
    {
        const GraphParts first = test::FlowsFor(pair.vertices, pair.first);
        const GraphParts second = test::FlowsFor(pair.vertices, pair.second);
        const ConflictGraph a = test::Build(first);
        const ConflictGraph b = test::Build(second);
        const Isomorphism different = FindIsomorphism(a, b, ENOUGH);
        EXPECT_EQ(different.outcome, Outcome::GaveUp) << pair.name;
        EXPECT_GT(different.work, ENOUGH) << pair.name;
        EXPECT_LT(different.work, ENOUGH * 11 / 10) << pair.name;
        for (int i = 0; i < 5; ++i)
        {
            ExpectMatch(a, test::Build(test::Relabel(first, random)), pair.name);
            ExpectMatch(b, test::Build(test::Relabel(second, random)), pair.name);
        }
    }
}

/** \p hosts hosts in racks of 8 under as many spines, each sending to each other. */
Traffic
AllToAll(std::uint32_t hosts)
{
    Traffic traffic;
    for (std::uint32_t i = 0; i < hosts; ++i)
    {
        for (std::uint32_t j = 0; j < hosts; ++j)
        {
            if (i == j)
            {
                continue;
            }
            // Ports: of host i; of its rack to spine j % 8; of that spine to the rack of j; to j.
            std::vector<PortId> path{PortId(i)};
            if (i / 8 != j / 8)
            {
                path.emplace_back(1000 + i / 8 * 8 + j % 8);
                path.emplace_back(2000 + j / 8 * 8 + j % 8);
            }
            path.emplace_back(3000 + j);
            traffic.flows.emplace_back();
            traffic.paths.push_back(path);
        }
    }
    for (const std::uint32_t base : {0U, 1000U, 2000U, 3000U})
    {
        for (std::uint32_t port = 0; port < hosts; ++port)
        {
            traffic.ports.emplace_back(PortId(base + port), PortAttributes{});
        }
    }
    return traffic;
}

/** \p count flows on \p ports ports, the path of flow i as \p path says. */
template <class PathOf>
Traffic
Uniform(std::uint32_t count, std::uint32_t ports, PathOf&& path)
{
    Traffic traffic;
    traffic.flows.resize(count);
    for (std::uint32_t i = 0; i < count; ++i)
    {
        traffic.paths.push_back(path(i));
    }
    for (std::uint32_t port = 0; port < ports; ++port)
    {
        traffic.ports.emplace_back(PortId(port), PortAttributes{});
    }
    return traffic;
}

TEST(Isomorphism, OfSymmetricTraffic)
{
    using Path = std::vector<PortId>;
    const std::pair<const char*, Traffic> cases[] = {
        {"ring",
         Uniform(64,
                 64,
                 [](auto i) {
                     return Path{PortId(i), PortId((i + 1) % 64)};
                 })},
        {"chain",
         Uniform(200,
                 201,
                 [](auto i) {
                     return Path{PortId(i), PortId(i + 1)};
                 })},
        {"incast",
         Uniform(64,
                 65,
                 [](auto i) {
                     return Path{PortId(i), PortId(64)};
                 })},
        {"all on all ports",
         Uniform(64,
                 16,
                 [](auto) {
                     Path path;
                     for (std::uint32_t port = 0; port < 16; ++port)
                     {
                         path.emplace_back(port);
                     }
                     return path;
                 })},
        {"copies of a chain of three",
         Uniform(60,
                 80,
                 [](auto i) {
                     const std::uint32_t port = i / 3 * 4 + i % 3;
                     return Path{PortId(port), PortId(port + 1)};
                 })},
        {"all-to-all of 16", AllToAll(16)},
    };
    GraphRandom random(8);
    for (const auto& [name, traffic] : cases)
    {
        for (const GraphDetail detail : DETAILS)
        {
            const ConflictGraph graph = test::Build(traffic, detail);
            ExpectMatch(graph, test::Build(test::Relabel(traffic, random), detail), name);
        }
    }
}

/** Too large for the simple check of the mapping, but the guess must do, and no search. */
TEST(Isomorphism, OfAllToAllOf64)
{
    GraphRandom random(9);
    const Traffic traffic = AllToAll(64);
    EXPECT_EQ(traffic.flows.size(), 4032U);
    for (const GraphDetail detail : DETAILS)
    {
        const ConflictGraph graph = test::Build(traffic, detail);
        const ConflictGraph other = test::Build(test::Relabel(traffic, random), detail);
        const Isomorphism found = FindIsomorphism(graph, other, 0);
        EXPECT_EQ(found.outcome, Outcome::Match);
        EXPECT_LT(found.work, 30 * (graph.VertexCount() + graph.EdgeCount()));
    }
}

} // namespace
} // namespace wormhole

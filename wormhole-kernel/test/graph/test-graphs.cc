/*
 * SPDX-License-Identifier: MIT
 */
#include "graph/test-graphs.h"

#include <algorithm>
#include <numeric>

namespace wormhole::test
{
namespace
{

using Label = std::int64_t;

/** \return the label of each pair of vertices; -1 where there is no edge */
std::vector<std::vector<Label>>
Matrix(const ConflictGraph& graph)
{
    const std::size_t count = graph.VertexCount();
    std::vector<std::vector<Label>> matrix(count, std::vector<Label>(count, -1));
    for (std::uint32_t vertex = 0; vertex < count; ++vertex)
    {
        for (const auto& edge : graph.Edges(vertex))
        {
            matrix[vertex][edge.neighbour] = edge.label;
        }
    }
    return matrix;
}

bool
HaveEqualAttributes(const ConflictGraph& a,
                    std::uint32_t v,
                    const ConflictGraph& b,
                    std::uint32_t w)
{
    if (v < a.FlowCount())
    {
        return w < b.FlowCount() && a.Flow(v) == b.Flow(w);
    }
    return w >= b.FlowCount() && a.Port(v) == b.Port(w);
}

/** Edges of the circulant graph: i and i + each of \p steps. */
Pairs
Circulant(std::uint32_t count, const std::vector<std::uint32_t>& steps)
{
    Pairs edges;
    for (std::uint32_t i = 0; i < count; ++i)
    {
        for (const std::uint32_t step : steps)
        {
            const std::uint32_t j = (i + step) % count;
            // The step of half the circle would come twice.
            if (2 * step != count || i < j)
            {
                edges.emplace_back(i, j);
            }
        }
    }
    return edges;
}

/** \p count copies of a graph with \p vertices vertices, side by side. */
Pairs
Copies(std::uint32_t count, std::uint32_t vertices, const Pairs& edges)
{
    Pairs all;
    for (std::uint32_t copy = 0; copy < count; ++copy)
    {
        for (const auto& [i, j] : edges)
        {
            all.emplace_back(copy * vertices + i, copy * vertices + j);
        }
    }
    return all;
}

/** Pairs of places on a 4 by 4 torus that differ by one of \p steps, or lie in line. */
Pairs
OnTorus(const std::function<bool(std::uint32_t, std::uint32_t)>& joined)
{
    Pairs edges;
    for (std::uint32_t i = 0; i < 16; ++i)
    {
        for (std::uint32_t j = i + 1; j < 16; ++j)
        {
            if (joined((j / 4 - i / 4) % 4, (j % 4 - i % 4 + 4U) % 4))
            {
                edges.emplace_back(i, j);
            }
        }
    }
    return edges;
}

const Pairs CUBE = {{0, 1},
                    {1, 3},
                    {3, 2},
                    {2, 0},
                    {4, 5},
                    {5, 7},
                    {7, 6},
                    {6, 4},
                    {0, 4},
                    {1, 5},
                    {2, 6},
                    {3, 7}};
const Pairs K4 = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
const Pairs PETERSEN = {{0, 1},
                        {1, 2},
                        {2, 3},
                        {3, 4},
                        {4, 0},
                        {0, 5},
                        {1, 6},
                        {2, 7},
                        {3, 8},
                        {4, 9},
                        {5, 7},
                        {7, 9},
                        {9, 6},
                        {6, 8},
                        {8, 5}};

} // namespace

GraphRandom::GraphRandom(std::uint64_t seed)
    : m_generator(seed)
{
}

std::uint32_t
GraphRandom::Below(std::size_t bound)
{
    return static_cast<std::uint32_t>(m_generator() % bound);
}

std::vector<std::uint32_t>
GraphRandom::Permutation(std::size_t count)
{
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0U);
    for (std::size_t i = count; i > 1; --i)
    {
        std::swap(numbers[i - 1], numbers[Below(i)]);
    }
    return numbers;
}

ConflictGraph
Build(const Traffic& traffic, GraphDetail detail)
{
    ConflictGraph::Builder builder(detail);
    for (std::size_t flow = 0; flow < traffic.flows.size(); ++flow)
    {
        builder.AddFlow(traffic.flows[flow], traffic.paths[flow]);
    }
    for (const auto& [port, attributes] : traffic.ports)
    {
        builder.AddPort(port, attributes);
    }
    return builder.Build();
}

ConflictGraph
Build(const GraphParts& parts)
{
    return ConflictGraph::FromParts(parts.detail, parts.flows, parts.ports, parts.edges);
}

GraphParts
PartsOf(const ConflictGraph& graph)
{
    GraphParts parts;
    parts.detail = graph.Detail();
    for (std::uint32_t vertex = 0; vertex < graph.VertexCount(); ++vertex)
    {
        if (vertex < graph.FlowCount())
        {
            parts.flows.push_back(graph.Flow(vertex));
        }
        else
        {
            parts.ports.push_back(graph.Port(vertex));
        }
        for (const auto& edge : graph.Edges(vertex))
        {
            if (vertex < edge.neighbour)
            {
                parts.edges.push_back({vertex, edge.neighbour, edge.label});
            }
        }
    }
    return parts;
}

Traffic
RandomTraffic(GraphRandom& random, std::size_t maxFlows)
{
    Traffic traffic;
    const std::size_t flowCount = 1 + random.Below(maxFlows);
    const std::size_t portCount = 1 + random.Below(flowCount + 2);
    const std::size_t kinds = 1 + random.Below(3);
    for (std::uint32_t port = 0; port < portCount; ++port)
    {
        PortAttributes attributes;
        attributes.rate = 100 + random.Below(kinds);
        traffic.ports.emplace_back(PortId(port), attributes);
    }
    for (std::size_t flow = 0; flow < flowCount; ++flow)
    {
        FlowAttributes attributes;
        attributes.startRateClass = static_cast<std::int32_t>(random.Below(kinds));
        traffic.flows.push_back(attributes);
        std::vector<PortId> path;
        for (std::size_t hops = random.Below(5); hops > 0; --hops)
        {
            path.emplace_back(random.Below(portCount));
        }
        traffic.paths.push_back(path);
    }
    return traffic;
}

Traffic
Relabel(const Traffic& traffic, GraphRandom& random)
{
    Traffic other;
    const auto newPort = random.Permutation(4000);
    for (const std::uint32_t flow : random.Permutation(traffic.flows.size()))
    {
        other.flows.push_back(traffic.flows[flow]);
        std::vector<PortId> path;
        for (const PortId port : traffic.paths[flow])
        {
            path.emplace_back(newPort[port.Value()]);
        }
        other.paths.push_back(path);
    }
    for (const std::uint32_t port : random.Permutation(traffic.ports.size()))
    {
        other.ports.emplace_back(newPort[traffic.ports[port].first.Value()],
                                 traffic.ports[port].second);
    }
    return other;
}

GraphParts
Relabel(const GraphParts& parts, GraphRandom& random)
{
    const auto flowCount = static_cast<std::uint32_t>(parts.flows.size());
    GraphParts other = parts;
    std::vector<std::uint32_t> newNumber = random.Permutation(flowCount);
    for (const std::uint32_t port : random.Permutation(parts.ports.size()))
    {
        newNumber.push_back(flowCount + port);
    }
    for (std::uint32_t flow = 0; flow < flowCount; ++flow)
    {
        other.flows[newNumber[flow]] = parts.flows[flow];
    }
    for (std::size_t port = 0; port < parts.ports.size(); ++port)
    {
        other.ports[newNumber[flowCount + port] - flowCount] = parts.ports[port];
    }
    other.edges.clear();
    for (const std::uint32_t i : random.Permutation(parts.edges.size()))
    {
        const auto& edge = parts.edges[i];
        std::uint32_t first = newNumber[edge.first];
        std::uint32_t second = newNumber[edge.second];
        if (random.Below(2) == 0)
        {
            std::swap(first, second);
        }
        other.edges.push_back({first, second, edge.label});
    }
    return other;
}

GraphParts
FlowsFor(std::uint32_t vertices, const Pairs& edges)
{
    GraphParts parts;
    parts.flows.resize(vertices);
    for (const auto& [i, j] : edges)
    {
        parts.edges.push_back({i, j, 1});
    }
    return parts;
}

GraphParts
PortsFor(std::uint32_t vertices, const Pairs& edges)
{
    GraphParts parts;
    parts.detail = GraphDetail::Ports;
    parts.flows.resize(vertices);
    for (const auto& [i, j] : edges)
    {
        const auto port = static_cast<std::uint32_t>(vertices + parts.ports.size());
        parts.ports.emplace_back();
        parts.edges.push_back({i, port, 0});
        parts.edges.push_back({j, port, 0});
    }
    return parts;
}

bool
IsIsomorphism(const ConflictGraph& a,
              const ConflictGraph& b,
              const std::vector<std::uint32_t>& vertices)
{
    std::vector<std::uint32_t> images = vertices;
    std::sort(images.begin(), images.end());
    std::vector<std::uint32_t> all(b.VertexCount());
    std::iota(all.begin(), all.end(), 0U);
    if (a.Detail() != b.Detail() || a.VertexCount() != b.VertexCount() || images != all)
    {
        return false;
    }
    const auto matrixOfA = Matrix(a);
    const auto matrixOfB = Matrix(b);
    for (std::uint32_t v = 0; v < a.VertexCount(); ++v)
    {
        if (!HaveEqualAttributes(a, v, b, vertices[v]))
        {
            return false;
        }
        for (std::uint32_t w = 0; w < a.VertexCount(); ++w)
        {
            if (matrixOfA[v][w] != matrixOfB[vertices[v]][vertices[w]])
            {
                return false;
            }
        }
    }
    return true;
}

bool
AreIsomorphicByTrial(const ConflictGraph& a, const ConflictGraph& b)
{
    if (a.Detail() != b.Detail() || a.VertexCount() != b.VertexCount())
    {
        return false;
    }
    const std::uint32_t count = a.VertexCount();
    const auto matrixOfA = Matrix(a);
    const auto matrixOfB = Matrix(b);
    std::vector<std::uint32_t> image;
    std::vector<bool> used(count, false);
    const std::function<bool()> extend = [&] {
        const auto v = static_cast<std::uint32_t>(image.size());
        if (v == count)
        {
            return true;
        }
        for (std::uint32_t w = 0; w < count; ++w)
        {
            bool fits = !used[w] && HaveEqualAttributes(a, v, b, w);
            for (std::uint32_t u = 0; fits && u < v; ++u)
            {
                fits = matrixOfA[v][u] == matrixOfB[w][image[u]];
            }
            if (fits)
            {
                used[w] = true;
                image.push_back(w);
                if (extend())
                {
                    return true;
                }
                image.pop_back();
                used[w] = false;
            }
        }
        return false;
    };
    return extend();
}

HardPair
CfiPair(const char* name, const Pairs& cubic)
{
    // For each vertex of the cubic graph, one vertex for each even set of its edges; sets of two
    // neighbours are joined if both or neither hold the edge between them. In the second graph one
    // edge is twisted: they are joined if just one of them holds it.
    std::vector<std::vector<std::uint32_t>> edgesAt;
    for (std::uint32_t e = 0; e < cubic.size(); ++e)
    {
        const auto [i, j] = cubic[e];
        edgesAt.resize(std::max<std::size_t>({edgesAt.size(), i + 1U, j + 1U}));
        edgesAt[i].push_back(e);
        edgesAt[j].push_back(e);
    }
    const auto holds = [&](std::uint32_t vertex, std::uint32_t set, std::uint32_t e) {
        static constexpr std::uint32_t EVEN[] = {0b000, 0b011, 0b101, 0b110};
        const auto& edges = edgesAt[vertex];
        const auto place = std::find(edges.begin(), edges.end(), e) - edges.begin();
        return (EVEN[set] >> place & 1) == 1;
    };
    const auto make = [&](bool twisted) {
        Pairs edges;
        for (std::uint32_t e = 0; e < cubic.size(); ++e)
        {
            for (std::uint32_t pair = 0; pair < 16; ++pair)
            {
                const auto [i, j] = cubic[e];
                const bool same = holds(i, pair / 4, e) == holds(j, pair % 4, e);
                if (same != (twisted && e == 0))
                {
                    edges.emplace_back(4 * i + pair / 4, 4 * j + pair % 4);
                }
            }
        }
        return edges;
    };
    return {name, static_cast<std::uint32_t>(4 * edgesAt.size()), make(false), make(true)};
}

std::vector<HardPair>
HardPairs()
{
    const Pairs moebius = Circulant(8, {1, 4});
    const Pairs rook = OnTorus([](auto rows, auto columns) { return rows == 0 || columns == 0; });
    const Pairs shrikhande = OnTorus([](auto rows, auto columns) {
        const auto isStep = [](auto step) { return step == 1 || step == 3; };
        return (rows == 0 && isStep(columns)) || (columns == 0 && isStep(rows)) ||
               (rows == columns && isStep(rows));
    });
    return {
        {"a 6-cycle and two triangles", 6, Circulant(6, {1}), Copies(2, 3, Circulant(3, {1}))},
        {"the cube and the Moebius ladder", 8, CUBE, moebius},
        {"the cube and two tetrahedra", 8, CUBE, Copies(2, 4, K4)},
        {"the Moebius ladder and two tetrahedra", 8, moebius, Copies(2, 4, K4)},
        {"the Petersen graph and the prism of pentagons",
         10,
         PETERSEN,
         {{0, 1},
          {1, 2},
          {2, 3},
          {3, 4},
          {4, 0},
          {0, 5},
          {1, 6},
          {2, 7},
          {3, 8},
          {4, 9},
          {5, 6},
          {6, 7},
          {7, 8},
          {8, 9},
          {9, 5}}},
        {"the rook's graph and the Shrikhande graph", 16, rook, shrikhande},
        {"rings of 64 with different chords", 64, Circulant(64, {1, 5}), Circulant(64, {1, 7})},
        CfiPair("Cai, Fuerer and Immerman's over K4", K4),
    };
}

std::vector<HardPair>
HarderPairs()
{
    return {CfiPair("Cai, Fuerer and Immerman's over the cube", CUBE),
            CfiPair("Cai, Fuerer and Immerman's over the Petersen graph", PETERSEN)};
}

} // namespace wormhole::test

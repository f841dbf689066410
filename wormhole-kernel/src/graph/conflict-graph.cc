/*
 * SPDX-License-Identifier: MIT
 */
#include "wormhole/conflict-graph.h"

#include "graph/colour-refinement.h"
#include "wormhole/error.h"

#include <algorithm>
#include <string>
#include <utility>

namespace wormhole
{
namespace
{

/** \return two classes as one word */
std::uint64_t
Pack(std::int32_t high, std::int32_t low)
{
    return std::uint64_t{static_cast<std::uint32_t>(high)} << 32 | static_cast<std::uint32_t>(low);
}

Signature
Fingerprint(const FlowAttributes& flow)
{
    SignatureBuilder builder;
    builder.Add(flow.control)
        .Add(flow.lineRate)
        .Add(Pack(flow.baseRttClass, flow.startRateClass))
        .Add(Pack(0, flow.inFlightClass))
        .Add(flow.extra);
    if (flow.bytesLeft)
    {
        builder.Add(*flow.bytesLeft);
    }
    return builder.Add(flow.bytesLeft ? 2U : 1U).Get();
}

Signature
Fingerprint(const PortAttributes& port)
{
    SignatureBuilder builder;
    return builder.Add(port.rate)
        .Add(Pack(port.delayClass, port.queueClass))
        .Add(Pack(0, port.backgroundClass))
        .Add(port.extra)
        .Add(std::uint64_t{3})
        .Get();
}

/** Appends the fingerprints of \p vertices to \p colours. Neighbours in the list are often alike.
 */
template <class Attributes>
void
AppendFingerprints(const std::vector<Attributes>& vertices, std::vector<Signature>& colours)
{
    for (std::size_t i = 0; i < vertices.size(); ++i)
    {
        const bool known = i > 0 && vertices[i] == vertices[i - 1];
        colours.push_back(known ? colours.back() : Fingerprint(vertices[i]));
    }
}

} // namespace

ConflictGraph::ConflictGraph()
    : ConflictGraph(GraphDetail::Flows, {}, {}, {})
{
}

ConflictGraph::ConflictGraph(GraphDetail detail,
                             std::vector<FlowAttributes> flows,
                             std::vector<PortAttributes> ports,
                             const std::vector<FullEdge>& edges)
    : m_detail(detail),
      m_flows(std::move(flows)),
      m_ports(std::move(ports))
{
    PlaceEdges(edges);

    std::vector<Signature> colours;
    colours.reserve(VertexCount());
    AppendFingerprints(m_flows, colours);
    AppendFingerprints(m_ports, colours);
    ColourRefinement refinement(*this);
    refinement.Start(colours);
    const Signature cells = refinement.Sign(colours);
    m_signature = SignatureBuilder()
                      .Add(static_cast<std::uint64_t>(m_detail))
                      .Add(FlowCount())
                      .Add(PortCount())
                      .Add(EdgeCount())
                      .Add(cells.high)
                      .Add(cells.low)
                      .Get();
    m_colours = refinement.TakeColours();
}

void
ConflictGraph::PlaceEdges(const std::vector<FullEdge>& edges)
{
    // Counted one place further on; then the ends of each vertex's edges so far stand where its
    // begin will be read.
    m_offsets.assign(VertexCount() + std::size_t{2}, 0);
    for (const FullEdge& edge : edges)
    {
        ++m_offsets[edge.first + std::size_t{2}];
        ++m_offsets[edge.second + std::size_t{2}];
    }
    for (std::size_t i = 2; i < m_offsets.size(); ++i)
    {
        m_offsets[i] += m_offsets[i - 1];
    }
    m_edges.resize(2 * edges.size());
    for (const FullEdge& edge : edges)
    {
        m_edges[m_offsets[edge.first + std::size_t{1}]++] = {edge.second, edge.label};
        m_edges[m_offsets[edge.second + std::size_t{1}]++] = {edge.first, edge.label};
    }
    m_offsets.pop_back();

    const auto before = [](const Edge& a, const Edge& b) { return a.neighbour < b.neighbour; };
    for (std::uint32_t vertex = 0; vertex < VertexCount(); ++vertex)
    {
        const auto begin = m_edges.begin() + static_cast<std::ptrdiff_t>(m_offsets[vertex]);
        const auto end = m_edges.begin() + static_cast<std::ptrdiff_t>(m_offsets[vertex + 1]);
        if (!std::is_sorted(begin, end, before))
        {
            std::sort(begin, end, before);
        }
    }
}

ConflictGraph
ConflictGraph::FromParts(GraphDetail detail,
                         std::vector<FlowAttributes> flows,
                         std::vector<PortAttributes> ports,
                         const std::vector<FullEdge>& edges)
{
    if (detail == GraphDetail::Flows && !ports.empty())
    {
        throw UsageError("a conflict graph of flows alone, with " + std::to_string(ports.size()) +
                         " ports");
    }
    const std::size_t count = flows.size() + ports.size();
    for (const FullEdge& edge : edges)
    {
        const auto text = [&] {
            return "an edge between vertices " + std::to_string(edge.first) + " and " +
                   std::to_string(edge.second);
        };
        if (edge.first >= count || edge.second >= count)
        {
            throw UsageError(text() + ", but there are only " + std::to_string(count));
        }
        const bool isFlow[] = {edge.first < flows.size(), edge.second < flows.size()};
        if (edge.first == edge.second || (isFlow[0] == isFlow[1]) != (detail == GraphDetail::Flows))
        {
            throw UsageError(text() + ", which cannot share an edge");
        }
        if (detail == GraphDetail::Flows && edge.label == 0)
        {
            throw UsageError(text() + ", which share no port");
        }
    }

    ConflictGraph graph(detail, std::move(flows), std::move(ports), edges);
    for (std::uint32_t vertex = 0; vertex < count; ++vertex)
    {
        const EdgeRange range = graph.Edges(vertex);
        const auto sameEnd = [](const Edge& a, const Edge& b) {
            return a.neighbour == b.neighbour;
        };
        const auto* twice = std::adjacent_find(range.begin(), range.end(), sameEnd);
        if (twice != range.end())
        {
            throw UsageError("two edges between vertices " + std::to_string(vertex) + " and " +
                             std::to_string(twice->neighbour));
        }
    }
    return graph;
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: MIT
 */
#include "wormhole/isomorphism.h"

#include "colour-refinement.h"
#include "vertex-matching.h"

#include <algorithm>
#include <utility>

namespace wormhole
{
namespace
{

bool
HaveSameAttributes(const ConflictGraph& a,
                   const ConflictGraph& b,
                   const std::vector<std::uint32_t>& vertices)
{
    for (std::uint32_t vertex = 0; vertex < a.VertexCount(); ++vertex)
    {
        const std::uint32_t image = vertices[vertex];
        const bool isFlow = vertex < a.FlowCount();
        if (isFlow != (image < b.FlowCount()) ||
            !(isFlow ? a.Flow(vertex) == b.Flow(image) : a.Port(vertex) == b.Port(image)))
        {
            return false;
        }
    }
    return true;
}

bool
HaveSameEdges(const ConflictGraph& a,
              const ConflictGraph& b,
              const std::vector<std::uint32_t>& vertices)
{
    // Labels of the edges of the current vertex of b, plus one, by neighbour.
    std::vector<std::uint64_t> labels(b.VertexCount(), 0);
    for (std::uint32_t vertex = 0; vertex < a.VertexCount(); ++vertex)
    {
        const auto edges = a.Edges(vertex);
        const auto images = b.Edges(vertices[vertex]);
        if (edges.size() != images.size())
        {
            return false;
        }
        for (const auto& image : images)
        {
            labels[image.neighbour] = image.label + std::uint64_t{1};
        }
        const bool same = std::all_of(edges.begin(), edges.end(), [&](const auto& edge) {
            return labels[vertices[edge.neighbour]] == edge.label + std::uint64_t{1};
        });
        if (!same)
        {
            return false;
        }
        for (const auto& image : images)
        {
            labels[image.neighbour] = 0;
        }
    }
    return true;
}

/** Refines the stable colours of \p graph until each vertex has its own, by choices that do not
 * depend on the numbering but for which of the vertices of the same colour is taken. */
ColourRefinement
MakeDiscrete(const ConflictGraph& graph)
{
    ColourRefinement cells(graph);
    cells.StartStable();
    while (!cells.IsDiscrete())
    {
        cells.Individualise(cells.Order()[cells.SmallestOpenCell()]);
    }
    return cells;
}

} // namespace

Isomorphism
FindIsomorphism(const ConflictGraph& a, const ConflictGraph& b, std::uint64_t workLimit)
{
    Isomorphism result;
    if (a.GetSignature() != b.GetSignature() || a.Detail() != b.Detail() ||
        a.FlowCount() != b.FlowCount() || a.PortCount() != b.PortCount() ||
        a.EdgeCount() != b.EdgeCount())
    {
        result.work = 1;
        return result;
    }

    const ColourRefinement cellsOfA = MakeDiscrete(a);
    const ColourRefinement cellsOfB = MakeDiscrete(b);
    result.vertices.resize(a.VertexCount());
    for (std::uint32_t place = 0; place < a.VertexCount(); ++place)
    {
        result.vertices[cellsOfA.Order()[place]] = cellsOfB.Order()[place];
    }
    result.work = cellsOfA.Work() + cellsOfB.Work() + a.VertexCount() + 2 * a.EdgeCount();
    if (HaveSameAttributes(a, b, result.vertices) && HaveSameEdges(a, b, result.vertices))
    {
        result.outcome = Isomorphism::Outcome::Match;
        return result;
    }
    result.vertices.clear();
    SearchIsomorphism(a, b, workLimit, result);
    return result;
}

} // namespace wormhole

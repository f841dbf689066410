/*
 * SPDX-License-Identifier: MIT
 */
#include "wormhole/isomorphism.h"

#include "graph/colour-refinement.h"
#include "graph/isomorphism-search.h"
#include "graph/vertex-mapping.h"

#include <numeric>
#include <utility>

namespace wormhole
{
namespace
{

/** Refines the stable colours of \p graph until each vertex has its own, by choices that do not
 * depend on the numbering but for which of the vertices of the same colour is taken. */
ColourRefinement
MakeDiscrete(const ConflictGraph& graph)
{
    ColourRefinement cells(graph);
    cells.StartStable();
    while (!cells.IsDiscrete())
    {
        cells.Individualise(cells.Order()[cells.SmallOpenCell()]);
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

    if (a == b)
    {
        // Both would be refined in the same way.
        result.work = a.VertexCount() + 2 * a.EdgeCount();
        result.vertices.resize(a.VertexCount());
        std::iota(result.vertices.begin(), result.vertices.end(), 0U);
        result.outcome = Isomorphism::Outcome::Match;
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
    if (IsIsomorphism(a, b, result.vertices))
    {
        result.outcome = Isomorphism::Outcome::Match;
        return result;
    }
    result.vertices.clear();
    if (result.work < workLimit)
    {
        SearchByRefinement(a, b, workLimit, result);
    }
    else
    {
        result.outcome = Isomorphism::Outcome::GaveUp;
    }
    return result;
}

} // namespace wormhole

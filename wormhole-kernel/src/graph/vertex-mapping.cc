/*
 * SPDX-License-Identifier: MIT
 */
#include "graph/vertex-mapping.h"

#include <algorithm>

namespace wormhole
{

bool
AreAlike(const ConflictGraph& a, std::uint32_t vertex, const ConflictGraph& b, std::uint32_t image)
{
    if (vertex < a.FlowCount())
    {
        return image < b.FlowCount() && a.Flow(vertex) == b.Flow(image);
    }
    return image >= b.FlowCount() && a.Port(vertex) == b.Port(image);
}

bool
IsIsomorphism(const ConflictGraph& a,
              const ConflictGraph& b,
              const std::vector<std::uint32_t>& vertices)
{
    // Labels of the edges of the current image, plus one, by neighbour.
    std::vector<std::uint64_t> labels(b.VertexCount(), 0);
    for (std::uint32_t vertex = 0; vertex < a.VertexCount(); ++vertex)
    {
        const auto edges = a.Edges(vertex);
        const auto images = b.Edges(vertices[vertex]);
        if (!AreAlike(a, vertex, b, vertices[vertex]) || edges.size() != images.size())
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

} // namespace wormhole

/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_VERTEX_MAPPING_H
#define WORMHOLE_VERTEX_MAPPING_H

#include "wormhole/conflict-graph.h"

#include <cstdint>
#include <vector>

namespace wormhole
{

/** \return whether \p vertex of \p a and \p image of \p b are both flows, or both ports, with equal
 *          attributes */
bool AreAlike(const ConflictGraph& a,
              std::uint32_t vertex,
              const ConflictGraph& b,
              std::uint32_t image);

/**
 * \brief The proof of a match, by value: no hash is trusted.
 * \param a first graph
 * \param b second graph, with as many vertices and edges
 * \param vertices for each vertex of \p a, another one of \p b
 * \return whether attributes, edges and labels are kept
 *
 * Cost: O(vertices + edges).
 */
bool IsIsomorphism(const ConflictGraph& a,
                   const ConflictGraph& b,
                   const std::vector<std::uint32_t>& vertices);

} // namespace wormhole

#endif // WORMHOLE_VERTEX_MAPPING_H

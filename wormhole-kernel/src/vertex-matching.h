/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_VERTEX_MATCHING_H
#define WORMHOLE_VERTEX_MATCHING_H

#include "wormhole/isomorphism.h"

#include <cstdint>

namespace wormhole
{

/**
 * \brief Searches all mappings of \p a to \p b, with Boost.Graph's VF2.
 * \param a first graph
 * \param b second graph, with the same signature
 * \param workLimit bound of \p result's work
 * \param result what was found; its work so far is counted on from
 */
void SearchIsomorphism(const ConflictGraph& a,
                       const ConflictGraph& b,
                       std::uint64_t workLimit,
                       Isomorphism& result);

} // namespace wormhole

#endif // WORMHOLE_VERTEX_MATCHING_H

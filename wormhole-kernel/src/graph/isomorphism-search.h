/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_ISOMORPHISM_SEARCH_H
#define WORMHOLE_ISOMORPHISM_SEARCH_H

#include "wormhole/isomorphism.h"

#include <cstdint>

namespace wormhole
{

/**
 * \brief Searches by individualisation and refinement.
 *
 * A vertex of \p a is given a colour of its own; so is, in turn, each vertex of \p b that had the
 * same colour; where the colours that follow agree, this goes on. Few levels suffice for most
 * graphs that colour refinement alone leaves open.
 *
 * \param a first graph
 * \param b second graph, with the same signature
 * \param workLimit bound of \p result's work, but for the last step
 * \param result what was found; its work so far is counted on from. GaveUp also where more levels
 *               are needed than the search goes down.
 */
void SearchByRefinement(const ConflictGraph& a,
                        const ConflictGraph& b,
                        std::uint64_t workLimit,
                        Isomorphism& result);

} // namespace wormhole

#endif // WORMHOLE_ISOMORPHISM_SEARCH_H

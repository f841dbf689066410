/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_ISOMORPHISM_H
#define WORMHOLE_ISOMORPHISM_H

#include "wormhole/conflict-graph.h"

#include <cstdint>
#include <vector>

namespace wormhole
{

/** Whether two graphs are the same but for the numbering, and how. */
struct Isomorphism
{
    enum class Outcome
    {
        Match,     //!< #vertices is a proof of it
        Different, //!< there is no isomorphism
        GaveUp,    //!< the work allowed did not suffice to tell
    };

    Outcome outcome{Outcome::Different};
    std::vector<std::uint32_t>
        vertices;          //!< Match: for each vertex of the first graph, that of the second
    std::uint64_t work{0}; //!< steps taken, in the unit of the limit
};

/**
 * \brief Looks for a mapping of vertices to vertices under which \p a becomes \p b.
 *
 * (The lookup of Wormhole, NSDI 2026, section 5.) A match keeps the kind of graph, the attributes,
 * and the edges with their labels; it maps flows to flows and ports to ports, and is verified by
 * value: no hash is trusted.
 *
 * Graphs with different signatures are different. Otherwise two ways are tried, in this order:
 *
 * 1. A guess. As long as some vertices have the same colour, one of them is given a colour of its
 *    own, in each graph, and colours are refined; then vertices of the same colour are mapped to
 *    each other. If the graphs are isomorphic and vertices of the same colour are equivalent, as in
 *    all usual traffic, this is a match.
 * 2. A search that does the same, but tries each choice in \p b.
 *
 * The search can take time exponential in the size of the graphs, if they have many symmetries
 * and are not isomorphic, though colours cannot tell; that is what the limit is for.
 *
 * \param a first graph
 * \param b second graph
 * \param workLimit bound of Isomorphism::work for the search: about the number of vertices and
 *                  edges looked at; 100,000 of them take about a millisecond. The guess is made in
 *                  any case, at a cost of O((vertices + edges) log vertices), and counts; the
 * search may exceed the limit by one step of that order.
 * \return the outcome, which is the same on every machine
 *
 * Thread safety: reads \p a and \p b only.
 */
Isomorphism FindIsomorphism(const ConflictGraph& a,
                            const ConflictGraph& b,
                            std::uint64_t workLimit);

} // namespace wormhole

#endif // WORMHOLE_ISOMORPHISM_H

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
 * It keeps the kind of graph, the attributes (compared by value, hashes are not trusted), and the
 * edges with their labels; flows are mapped to flows, ports to ports.
 *
 * Graphs with different signatures are different. Otherwise, a mapping is guessed: as long as
 * some vertices have the same colour, one of them is given a colour of its own, in both graphs, and
 * colours are refined; then vertices of the same colour are mapped to each other. A guess that is
 * verified is a match. It always is if the graphs are isomorphic and vertices of the same colour
 * are equivalent, as in all the graphs of usual traffic. If it is not, a search over all mappings
 * decides (VF2, Boost.Graph; Cordella et al., 2004), which can take time exponential in the size.
 *
 * \param a first graph
 * \param b second graph
 * \param workLimit bound of Isomorphism::work: about the number of vertices, edges and pairs of
 *                  vertices looked at. The guess costs O((vertices + edges) log vertices), the
 *                  search gives up when the limit is reached. 100,000 is about a millisecond.
 * \return the outcome, which is the same on every machine
 *
 * Thread safety: reads \p a and \p b only.
 */
Isomorphism FindIsomorphism(const ConflictGraph& a,
                            const ConflictGraph& b,
                            std::uint64_t workLimit);

} // namespace wormhole

#endif // WORMHOLE_ISOMORPHISM_H

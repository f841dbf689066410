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

Isomorphism FindIsomorphism(const ConflictGraph& a,
                            const ConflictGraph& b,
                            std::uint64_t workLimit);

} // namespace wormhole

#endif // WORMHOLE_ISOMORPHISM_H

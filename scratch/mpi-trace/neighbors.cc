/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Collectives over the neighbors of a topology, blocking and non-blocking.
 */

#include "collective.h"
#include "neighborhood.h"

using namespace mpitrace;

namespace
{

void
PutNeighbors(Call& call, const std::vector<std::pair<int, uint64_t>>& neighbors)
{
    call.Put(neighbors.size());
    for (const auto& [rank, bytes] : neighbors)
    {
        call.Put(static_cast<uint64_t>(rank));
        call.Put(bytes);
    }
}

void
Write(Call& call, MPI_Comm comm, const Neighborhood& what, uint32_t request)
{
    call.Begin(Kind::NEIGHBORS, {NumberOf(call, comm), request});
    PutNeighbors(call, what.sends);
    PutNeighbors(call, what.receives);
}

} // namespace

#include "neighbor-calls.h"

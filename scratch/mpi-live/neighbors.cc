/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Collectives over the neighbors of a topology.
 */

#include "live-collective-calls.h"
#include "neighborhood.h"

using namespace mpilive;
using namespace mpitrace;

namespace
{

/** \return false: what lists of neighbors say cannot be refused */
bool
IsRefused(const Neighborhood&, MPI_Comm)
{
    return false;
}

/** \return false: neighbors are told of empty blocks, too */
bool
MovesNothing(Function, const Neighborhood&)
{
    return false;
}

/** Begins the member's part in the simulation. */
void
BeginCollective(Request& request,
                Function function,
                MPI_Comm handle,
                const Neighborhood& what,
                std::function<int()> finish)
{
    Process& process = Process::Get();
    request.function = function;
    request.number = process.NextRequest();
    request.active = true;
    request.finish = [finish = std::move(finish)](Request&) { return finish(); };
    process.Begin(WORMHOLE_LIVE_NEIGHBORS, function, {Find(handle)->number, request.number});
    for (const auto* neighbors : {&what.sends, &what.receives})
    {
        process.Put(neighbors->size());
        for (const auto& [rank, bytes] : *neighbors)
        {
            process.Put(static_cast<uint64_t>(rank));
            process.Put(bytes);
        }
    }
}

} // namespace

#include "neighbor-calls.h"

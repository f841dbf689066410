/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Collectives, blocking and non-blocking.
 */

#include "collective.h"

using namespace mpitrace;

namespace
{

void
PutList(Call& call, const std::vector<uint64_t>& list)
{
    call.Put(list.size());
    for (const uint64_t bytes : list)
    {
        call.Put(bytes);
    }
}

void
Write(Call& call, MPI_Comm comm, const Collective& what, uint32_t request)
{
    call.Begin(Kind::COLLECTIVE,
               {NumberOf(call, comm),
                // a root of two groups' collectives is MPI_ROOT or MPI_PROC_NULL
                what.root < 0 ? 0 : static_cast<uint64_t>(what.root),
                what.bytes,
                what.element,
                what.commutative ? 0 : static_cast<uint64_t>(ns3::WORKLOAD_MPI_IN_ORDER),
                request});
    PutList(call, what.sends);
    PutList(call, what.receives);
}

} // namespace

#define COLLECTIVE_OF_SOME COLLECTIVE
#define COLLECTIVE_OF_BLOCKS COLLECTIVE

#include "collective-calls.h"

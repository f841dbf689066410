/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Collectives. The simulation says when a member's part is over; its data move like this:
 *
 * - Where nobody can leave before all have entered, the MPI library's non-blocking function begins
 *   with the member's part, and is waited for at the end.
 * - Otherwise (COLLECTIVE_OF_SOME) that could wait for somebody who does not come before the
 *   simulation goes on. So each member sends copies of what others need of it as it enters, and
 *   receives what it needs at its end. Collectives of blocks (COLLECTIVE_OF_BLOCKS) do so if some
 *   are empty.
 * - Where there is nothing to move, the blocking function looks at the arguments, and returns.
 */

#include "block-movers.h"
#include "collective-bytes.h"
#include "live-collective-calls.h"
#include "mover.h"

#include <algorithm>
#include <utility>

using namespace mpilive;
using namespace mpitrace;

namespace
{

Finish
BcastData(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    const Mover mover(comm);
    const Part part{buffer, count, type};
    if (mover.Rank() != root)
    {
        return [=] { return mover.Receive(root, part); };
    }
    const auto copy = std::make_shared<Copy>(buffer, count, type);
    for (int member = 0; member < mover.Size(); ++member)
    {
        if (member != root)
        {
            mover.Send(member, part, copy);
        }
    }
    return {};
}

Finish
ReduceData(const void* sent,
           void* received,
           int count,
           MPI_Datatype type,
           MPI_Op op,
           int root,
           MPI_Comm comm)
{
    const Mover mover(comm);
    if (mover.Rank() != root)
    {
        mover.Send(root, {const_cast<void*>(sent), count, type});
        return {};
    }
    const auto own = std::make_shared<Copy>(sent == MPI_IN_PLACE ? received : sent, count, type);
    return [=] {
        return ReduceParts(mover, 0, mover.Size() - 1, own, {received, count, type}, op);
    };
}

/** \param with whether a member's own part is among those that it reduces */
Finish
PrefixData(const void* sent,
           void* received,
           int count,
           MPI_Datatype type,
           MPI_Op op,
           MPI_Comm comm,
           bool with)
{
    const Mover mover(comm);
    const auto own = std::make_shared<Copy>(sent == MPI_IN_PLACE ? received : sent, count, type);
    for (int member = mover.Rank() + 1; member < mover.Size(); ++member)
    {
        mover.Send(member, {nullptr, count, type}, own);
    }
    const int last = mover.Rank() - (with ? 0 : 1);
    if (last < 0)
    {
        return {};
    }
    return [=] { return ReduceParts(mover, 0, last, own, {received, count, type}, op); };
}

Finish
ScanData(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return PrefixData(sent, received, count, type, op, comm, true);
}

Finish
ExscanData(const void* sent, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return PrefixData(sent, received, count, type, op, comm, false);
}

/** \param blockOf the root's block of a member */
template <typename BlockOfMember>
Finish
ToRoot(const Mover& mover, int root, const Part& own, const BlockOfMember& blockOf)
{
    if (own.buffer != MPI_IN_PLACE)
    {
        mover.Send(root, own);
    }
    if (mover.Rank() != root)
    {
        return {};
    }
    return [=, inPlace = own.buffer == MPI_IN_PLACE] {
        for (int member = 0; member < mover.Size(); ++member)
        {
            const int error =
                inPlace && member == root ? 0 : mover.Receive(member, blockOf(member));
            if (error != MPI_SUCCESS)
            {
                return error;
            }
        }
        return MPI_SUCCESS;
    };
}

template <typename BlockOfMember>
Finish
FromRoot(const Mover& mover, int root, const Part& own, const BlockOfMember& blockOf)
{
    const bool inPlace = own.buffer == MPI_IN_PLACE;
    for (int member = 0; mover.Rank() == root && member < mover.Size(); ++member)
    {
        if (member != root || !inPlace)
        {
            mover.Send(member, blockOf(member));
        }
    }
    if (inPlace)
    {
        return {};
    }
    return [=] { return mover.Receive(root, own); };
}

Finish
GatherData(const void* sent,
           int sendCount,
           MPI_Datatype sendType,
           void* received,
           int receiveCount,
           MPI_Datatype receiveType,
           int root,
           MPI_Comm comm)
{
    return ToRoot(
        Mover(comm),
        root,
        {const_cast<void*>(sent), sendCount, sendType},
        [=](int member) { return BlockOf(received, member, receiveCount, nullptr, receiveType); });
}

Finish
GathervData(const void* sent,
            int sendCount,
            MPI_Datatype sendType,
            void* received,
            const int counts[],
            const int places[],
            MPI_Datatype receiveType,
            int root,
            MPI_Comm comm)
{
    return ToRoot(
        Mover(comm),
        root,
        {const_cast<void*>(sent), sendCount, sendType},
        [=](int member) { return BlockOf(received, member, counts[member], places, receiveType); });
}

Finish
ScatterData(const void* sent,
            int sendCount,
            MPI_Datatype sendType,
            void* received,
            int receiveCount,
            MPI_Datatype receiveType,
            int root,
            MPI_Comm comm)
{
    return FromRoot(Mover(comm), root, {received, receiveCount, receiveType}, [=](int member) {
        return BlockOf(sent, member, sendCount, nullptr, sendType);
    });
}

Finish
ScattervData(const void* sent,
             const int counts[],
             const int places[],
             MPI_Datatype sendType,
             void* received,
             int receiveCount,
             MPI_Datatype receiveType,
             int root,
             MPI_Comm comm)
{
    return FromRoot(Mover(comm), root, {received, receiveCount, receiveType}, [=](int member) {
        return BlockOf(sent, member, counts[member], places, sendType);
    });
}

/** \return whether the MPI library refuses a collective: it is left to it */
bool
IsRefused(const Collective& what, MPI_Comm comm)
{
    // a negative count of elements is a large one of bytes
    return IsRootRefused(what.root, comm) || what.bytes > INT64_MAX;
}

bool
IsEmptyBlock(uint64_t bytes)
{
    return bytes == 0;
}

/** \return whether members of some blocks need not wait for all others */
bool
HasEmptyBlocks(const Collective& what)
{
    return std::any_of(what.receives.begin(), what.receives.end(), IsEmptyBlock);
}

/** \return whether members of a collective return at once, as AddWorkloadOpenMpiCollective() has
 * it: all of its blocks are empty */
bool
MovesNothing(Function function, const Collective& what)
{
    switch (function)
    {
    case Function::Barrier:
    case Function::Gatherv:
    case Function::Scatterv:
    case Function::Alltoallv:
    case Function::Alltoallw:
        return false;
    case Function::Allgatherv:
    case Function::Reduce_scatter:
        return std::all_of(what.receives.begin(), what.receives.end(), IsEmptyBlock);
    default:
        return what.bytes == 0;
    }
}

/** Begins the member's part in the simulation. */
void
BeginCollective(Request& request,
                Function function,
                MPI_Comm handle,
                const Collective& what,
                Finish finish)
{
    Process& process = Process::Get();
    request.function = function;
    request.number = process.NextRequest();
    request.active = true;
    if (finish)
    {
        request.finish = [finish = std::move(finish)](Request&) { return finish(); };
    }
    process.Begin(WORMHOLE_LIVE_COLLECTIVE,
                  function,
                  {Find(handle)->number,
                   static_cast<uint64_t>(what.root),
                   what.bytes,
                   what.element,
                   what.commutative ? 0 : static_cast<uint64_t>(ns3::WORKLOAD_MPI_IN_ORDER),
                   request.number});
    for (const auto* list : {&what.sends, &what.receives})
    {
        process.Put(list->size());
        for (const uint64_t bytes : *list)
        {
            process.Put(bytes);
        }
    }
}

} // namespace

#include "collective-calls.h"

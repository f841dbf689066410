/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mover.h"

namespace mpilive
{

namespace
{

/** Copies data within this process. */
int
Move(const Part& from, const Part& to)
{
    return mpitrace::SendAndReceive(from, 0, 0, to, {0, 0, MPI_COMM_SELF}, MPI_STATUS_IGNORE);
}

} // namespace

Part
BlockOf(const void* buffer, int index, int count, const int* places, MPI_Datatype type)
{
    MPI_Aint bound = 0;
    MPI_Aint extent = 0;
    PMPI_Type_get_extent(type, &bound, &extent);
    const MPI_Aint place = places ? places[index] : MPI_Aint(index) * count;
    return {static_cast<char*>(const_cast<void*>(buffer)) + place * extent, count, type};
}

int
ReduceParts(const Mover& mover,
            int first,
            int last,
            const std::shared_ptr<Copy>& own,
            const Part& result,
            MPI_Op op)
{
    // MPI_Reduce_local has its first operand on the left, and leaves the result in the second
    Copy sum(result.buffer, result.count, result.type);
    for (int member = last; member >= first; --member)
    {
        Copy other(result.buffer, result.count, result.type);
        void* const left = member == last ? sum.Address() : other.Address();
        if (member == mover.Rank())
        {
            Move({own->Address(), result.count, result.type}, {left, result.count, result.type});
        }
        else if (const int error = mover.Receive(member, {left, result.count, result.type}))
        {
            return error;
        }
        if (member != last)
        {
            PMPI_Reduce_local(left, sum.Address(), result.count, result.type, op);
        }
    }
    return Move({sum.Address(), result.count, result.type}, result);
}

} // namespace mpilive

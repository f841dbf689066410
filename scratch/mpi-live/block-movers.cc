/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "block-movers.h"

#include "collective-bytes.h"
#include "mover.h"

#include <numeric>
#include <utility>

using namespace mpitrace;

namespace mpilive
{

namespace
{

/** Sends each member its block, and receives one of each, without empty ones. */
template <typename BlockOfMember>
Finish
AmongAll(const Mover& mover, const BlockOfMember& sentTo, const BlockOfMember& gotFrom)
{
    const auto isEmpty = [](const Part& part) {
        return Bytes(static_cast<uint64_t>(part.count), part.type) == 0;
    };
    for (int member = 0; member < mover.Size(); ++member)
    {
        if (!isEmpty(sentTo(member)))
        {
            mover.Send(member, sentTo(member));
        }
    }
    // the program's lists of counts need not be there any more
    std::vector<std::pair<int, Part>> parts;
    for (int member = 0; member < mover.Size(); ++member)
    {
        if (!isEmpty(gotFrom(member)))
        {
            parts.emplace_back(member, gotFrom(member));
        }
    }
    return [mover, parts] {
        int result = MPI_SUCCESS;
        for (const auto& [member, part] : parts)
        {
            const int error = mover.Receive(member, part);
            result = error == MPI_SUCCESS ? result : error;
        }
        return result;
    };
}

} // namespace

Finish
AllgathervData(const void* sent,
               int sendCount,
               MPI_Datatype sendType,
               void* received,
               const int counts[],
               const int places[],
               MPI_Datatype receiveType,
               MPI_Comm comm)
{
    const Mover mover(comm);
    const std::function<Part(int)> got = [=](int member) {
        return BlockOf(received, member, counts[member], places, receiveType);
    };
    const Part own = sent == MPI_IN_PLACE ? got(mover.Rank())
                                          : Part{const_cast<void*>(sent), sendCount, sendType};
    return AmongAll(mover, std::function<Part(int)>([own](int) { return own; }), got);
}

Finish
Reduce_scatterData(const void* sent,
                   void* received,
                   const int counts[],
                   MPI_Datatype type,
                   MPI_Op op,
                   MPI_Comm comm)
{
    const Mover mover(comm);
    std::vector<int> places(static_cast<size_t>(mover.Size()), 0);
    std::partial_sum(counts, counts + mover.Size() - 1, places.begin() + 1);
    const void* const all = sent == MPI_IN_PLACE ? received : sent;
    for (int member = 0; member < mover.Size(); ++member)
    {
        if (member != mover.Rank() && counts[member] > 0)
        {
            mover.Send(member, BlockOf(all, member, counts[member], places.data(), type));
        }
    }
    const Part result{received, counts[mover.Rank()], type};
    if (result.count == 0)
    {
        return {};
    }
    const Part own = BlockOf(all, mover.Rank(), result.count, places.data(), type);
    const auto copy = std::make_shared<Copy>(own.buffer, own.count, type);
    return [=] { return ReduceParts(mover, 0, mover.Size() - 1, copy, result, op); };
}

Finish
AlltoallvData(const void* sent,
              const int sendCounts[],
              const int sendPlaces[],
              MPI_Datatype sendType,
              void* received,
              const int receiveCounts[],
              const int receivePlaces[],
              MPI_Datatype receiveType,
              MPI_Comm comm)
{
    const std::function<Part(int)> got = [=](int member) {
        return BlockOf(received, member, receiveCounts[member], receivePlaces, receiveType);
    };
    const std::function<Part(int)> put = [=](int member) {
        return BlockOf(sent, member, sendCounts[member], sendPlaces, sendType);
    };
    return AmongAll(Mover(comm), sent == MPI_IN_PLACE ? got : put, got);
}

Finish
AlltoallwData(const void* sent,
              const int sendCounts[],
              const int sendPlaces[],
              const MPI_Datatype sendTypes[],
              void* received,
              const int receiveCounts[],
              const int receivePlaces[],
              const MPI_Datatype receiveTypes[],
              MPI_Comm comm)
{
    // here places are bytes
    const auto at = [](const void* buffer, int place) {
        return static_cast<char*>(const_cast<void*>(buffer)) + place;
    };
    const std::function<Part(int)> got = [=](int member) {
        return Part{at(received, receivePlaces[member]),
                    receiveCounts[member],
                    receiveTypes[member]};
    };
    const std::function<Part(int)> put = [=](int member) {
        return Part{at(sent, sendPlaces[member]), sendCounts[member], sendTypes[member]};
    };
    return AmongAll(Mover(comm), sent == MPI_IN_PLACE ? got : put, got);
}

} // namespace mpilive

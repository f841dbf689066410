/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_SLICE_H
#define RDMA_SLICE_H

#include "ns3/rdma-places.h"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{

/** \ingroup rdma The records of a window that one thread ranks (RdmaProcesses): from a time to
 * another. */
struct RdmaSlice
{
    static constexpr uint32_t NO_TIED = std::numeric_limits<uint32_t>::max();
    /** Key of what was scheduled in the window, before the slice, with the time when. It is behind
     * what was scheduled before the window, whose key is the place, and before END_PLACES. */
    static constexpr uint64_t EARLIER = uint64_t{1} << 61;

    /** An event that took places in this window. */
    struct Record
    {
        static constexpr uint32_t CHAINED = uint32_t{1} << 31;
        static constexpr uint32_t LANE_SHIFT = 22;
        static constexpr uint32_t MOST = (uint32_t{1} << LANE_SHIFT) - 1; //!< places
        static_assert(RdmaPlaces::MOST_THREADS << LANE_SHIFT < CHAINED);

        uint64_t place; //!< of the event
        uint32_t time;  //!< since the window began
        uint32_t first; //!< place that it took, since the window began
        /** How many places it took, its lane, and CHAINED, in one word: parts that were written
         * apart could not be read as a whole soon. */
        uint32_t taken;
        uint32_t takenAt; //!< if fresh and there are slices: when its own place was taken

        uint32_t GetCount() const
        {
            return taken & MOST;
        }

        uint32_t GetLane() const
        {
            return (taken & ~CHAINED) >> LANE_SHIFT;
        }

        /** \return whether its own place was taken in this window, and is provisional */
        bool IsFresh() const
        {
            return place & RdmaPlaces::PROVISIONAL;
        }

        /** \return whether its own place was taken at its very time */
        bool IsChained() const
        {
            return taken & CHAINED;
        }
    };

    /** Records in the order of time. */
    struct Sorted
    {
        const Record* begin;
        const Record* end;
    };

    /** A record, and at the same time there is another one. */
    struct TiedRecord
    {
        uint64_t key; //!< RankKey
        const Record* record;
    };

    /** A tied record, and what is compared in its place. */
    struct Taken
    {
        uint64_t key;
        const Record* taker; //!< of its place, or of that one's place, and so on
        const Record* record;
    };

    /** What a tied record scheduled for its very time. */
    struct TiedChain
    {
        uint32_t caused{NO_TIED};  //!< the first tied record whose place this one took
        uint32_t sibling{NO_TIED}; //!< the next one whose place the same record took
    };

    static const Record& At(const Record* at)
    {
        return *at;
    }

    static const Record& At(const Record* const* at)
    {
        return **at;
    }

    /** \return the records of all lanes in the order of time; those of one time in that of lanes */
    const std::vector<const Record*>& MergeLanes();

    std::vector<Sorted> lanes;                        //!< of each
    std::array<std::vector<const Record*>, 2> merged; //!< of all lanes, and on the way there
    std::vector<TiedRecord> tied;                     //!< of one time, the first tiedCount of them
    uint32_t tiedCount{0};
    std::vector<TiedRecord> scattered; //!< scratch: of \c tied, by buckets
    std::vector<uint32_t> buckets;     //!< scratch: their ends
    std::vector<Taken> taken;          //!< scratch: those of \c tied that have one key
    std::vector<TiedChain> chains;     //!< of each of \c tied
    std::vector<uint32_t> due;         //!< those of \c tied that were due when the time came
    std::vector<uint32_t> queue;       //!< indices in \c tied, in the order of one queue
    uint64_t next{0};                  //!< place in the final order
    uint32_t begin{0};                 //!< no record is earlier; time
};

} // namespace ns3

#endif // RDMA_SLICE_H

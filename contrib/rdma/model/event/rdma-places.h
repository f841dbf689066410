/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_PLACES_H
#define RDMA_PLACES_H

#include "ns3/rdma-memory.h"

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief What the bits of a place in the order of scheduling mean.
 *
 * Mostly a place is the number of those taken before. While a process runs (RdmaProcesses), it is
 * provisional: PROVISIONAL, the number of the thread that took it, and its NUMBER there.
 */
struct RdmaPlaces
{
    static constexpr uint64_t PASSED = 1; ///< before all: of what no event was scheduled for
    static constexpr uint64_t PROVISIONAL = uint64_t{1} << 61;
    static constexpr uint64_t END_PLACES = uint64_t{1} << 62;  ///< RdmaEventQueue::TakeEndPlace
    static constexpr uint64_t LAST_PLACES = uint64_t{1} << 63; ///< RdmaEventQueue::TakeLastPlace
    static constexpr uint32_t THREAD_BITS = 53;                ///< bits below those of the thread
    static constexpr uint64_t MOST_THREADS = 255;
    static constexpr uint64_t NUMBER = (uint64_t{1} << THREAD_BITS) - 1;

    /** By how much the final place of a provisional one is greater; a ring for each thread. */
    struct Moves
    {
        uint64_t Of(uint64_t place) const
        {
            return static_cast<uint64_t>(static_cast<int64_t>(At(place)));
        }

        int32_t& At(uint64_t place) const
        {
            return Of((place >> THREAD_BITS) & MOST_THREADS, place);
        }

        int32_t& Of(uint64_t thread, uint64_t place) const
        {
            return moves[thread * (mask + 1) + (place & mask)];
        }

        int32_t* moves{nullptr};
        uint64_t mask{0}; ///< size of a ring less 1, a power of 2 less 1; less than NUMBER
    };

    /** That of Moves. What was never written is not known, and mostly no memory yet: threads write
     * far apart, each only a part of its ring. */
    class Memory
    {
      public:
        Memory() = default;

        /** \param size of a ring \param rings at least 1 */
        Memory(uint64_t size, uint64_t rings)
            : m_moves(static_cast<int32_t*>(RdmaTakeBlock(size * rings * sizeof(int32_t)))),
              m_size(size),
              m_rings(rings)
        {
        }

        uint64_t GetSize() const
        {
            return m_size;
        }

        uint64_t GetRings() const
        {
            return m_rings;
        }

        Moves Get() const
        {
            return {m_moves.get(), m_size - 1};
        }

      private:
        struct Free
        {
            void operator()(int32_t* memory) const
            {
                std::free(memory);
            }
        };

        std::unique_ptr<int32_t[], Free> m_moves;
        uint64_t m_size{0};
        uint64_t m_rings{0};
    };
};

} // namespace ns3

#endif // RDMA_PLACES_H

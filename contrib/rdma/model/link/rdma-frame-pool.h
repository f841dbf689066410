/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_FRAME_POOL_H
#define RDMA_FRAME_POOL_H

#include "rdma-frame.h"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Frames to take and to give back; memory grows to the most that were ever out at once.
 *
 * Several threads have a pool each. Frames may be given to another pool than they were taken from:
 * what a pool has too many of goes to the others by way of the first.
 */
class RdmaFramePool
{
  public:
    RdmaFramePool() = default;

    /** \param first that the memory is of, and that outlives the frames */
    explicit RdmaFramePool(RdmaFramePool& first)
        : m_store(first.m_store)
    {
    }

    RdmaFramePool(const RdmaFramePool&) = delete;
    RdmaFramePool& operator=(const RdmaFramePool&) = delete;

    /** \return a frame with undefined content */
    RdmaFrame* Take()
    {
        if (!m_free)
        {
            Grow();
        }
        RdmaFrame* frame = m_free;
        m_free = frame->next;
        --m_freeCount;
        ++m_out;
        return frame;
    }

    /** \param frame of this pool or one that shares its memory, in no FIFO; an ordinary packet's
     * reference is the caller's to drop */
    void Give(RdmaFrame* frame)
    {
        --m_out;
        Keep(frame);
    }

    /** \return frames taken and not given back */
    uint64_t GetOut() const
    {
        return m_out;
    }

    /** Lets others that share the memory have what is free here beyond some; any thread. */
    void ShareSurplus();

    /** Takes all that is free in \p other. */
    void TakeFree(RdmaFramePool& other);

    /** Counts the frames that are out by \p other as out by this pool, and frees them here. */
    void Adopt(RdmaFramePool& other)
    {
        m_out += std::exchange(other.m_out, 0);
    }

    /** \return frames there is memory for */
    uint64_t GetCapacity() const
    {
        return m_store->capacity;
    }

  private:
    static constexpr uint64_t FIRST_FRAMES = 1024;
    static constexpr uint64_t SHARE = 256; //!< frames that are handed over together

    /** Memory, and what no pool has. */
    struct Store
    {
        std::mutex mutex;
        std::vector<std::unique_ptr<void, void (*)(void*)>> blocks;
        uint64_t capacity{0};
        std::vector<RdmaFrame*> shares; //!< the first of each SHARE frames
    };

    void Grow();

    /** Puts \p frame with those that are free. */
    void Keep(RdmaFrame* frame)
    {
        if (m_freeCount == SHARE)
        {
            m_shares.push_back(m_free);
            m_free = nullptr;
            m_freeCount = 0;
        }
        frame->next = m_free;
        m_free = frame;
        ++m_freeCount;
    }

    std::shared_ptr<Store> m_store{std::make_shared<Store>()};
    RdmaFrame* m_free{nullptr};
    uint64_t m_freeCount{0};          //!< of m_free: SHARE at most
    std::vector<RdmaFrame*> m_shares; //!< besides, the first of each SHARE frames
    uint64_t m_out{0};                //!< less those given that were taken elsewhere, modulo 2^64
};

} // namespace ns3

#endif // RDMA_FRAME_POOL_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_FRAME_POOL_H
#define RDMA_FRAME_POOL_H

#include "rdma-frame.h"

#include <memory>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Frames to take and to give back; memory grows to the most that were ever out at once.
 */
class RdmaFramePool
{
  public:
    RdmaFramePool() = default;
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
        ++m_out;
        return frame;
    }

    /** \param frame of this pool, in no FIFO; an ordinary packet's reference is the caller's to
     * drop */
    void Give(RdmaFrame* frame)
    {
        frame->next = m_free;
        m_free = frame;
        --m_out;
    }

    /** \return frames taken and not given back */
    uint64_t GetOut() const
    {
        return m_out;
    }

    /** \return frames there is memory for */
    uint64_t GetCapacity() const
    {
        return m_capacity;
    }

  private:
    static constexpr uint64_t FIRST_FRAMES = 1024;

    void Grow();

    std::vector<std::unique_ptr<void, void (*)(void*)>> m_blocks;
    uint64_t m_capacity{0};
    RdmaFrame* m_free{nullptr};
    uint64_t m_out{0};
};

} // namespace ns3

#endif // RDMA_FRAME_POOL_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-frame-pool.h"

#include "ns3/rdma-memory.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace ns3
{

void
RdmaFramePool::Grow()
{
    const std::lock_guard<std::mutex> lock(m_store->mutex);
    if (!m_store->shares.empty())
    {
        m_free = m_store->shares.back();
        m_store->shares.pop_back();
        m_held += SHARE;
        return;
    }
    // an eighth of what there is, so that small networks stay small and large ones get huge pages
    const uint64_t frames = std::clamp<uint64_t>(m_store->capacity / 8,
                                                 FIRST_FRAMES,
                                                 RDMA_HUGE_PAGE / sizeof(RdmaFrame));
    m_store->blocks.emplace_back(RdmaTakeBlock(frames * sizeof(RdmaFrame)), &std::free);
    auto* const block = static_cast<RdmaFrame*>(m_store->blocks.back().get());
    for (size_t i = frames; i-- > 0;) // lowest address first out
    {
        RdmaFrame* const frame = new (block + i) RdmaFrame;
        frame->next = m_free;
        m_free = frame;
    }
    m_store->capacity += frames;
    m_held += frames;
}

void
RdmaFramePool::TakeFree(RdmaFramePool& other)
{
    m_held += other.m_held - other.m_out;
    other.m_held = other.m_out;
    while (RdmaFrame* const frame = other.m_free)
    {
        other.m_free = frame->next;
        frame->next = m_free;
        m_free = frame;
    }
}

void
RdmaFramePool::ShareSurplus()
{
    while (m_held - m_out > 3 * SHARE)
    {
        RdmaFrame* const share = m_free;
        RdmaFrame* last = share;
        for (uint64_t i = 1; i < SHARE; ++i)
        {
            last = last->next;
        }
        m_free = last->next;
        last->next = nullptr;
        m_held -= SHARE;
        const std::lock_guard<std::mutex> lock(m_store->mutex);
        m_store->shares.push_back(share);
    }
}

} // namespace ns3

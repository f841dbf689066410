/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-frame-pool.h"

#include "ns3/rdma-memory.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace ns3
{

/** Gets free frames, of which there are none here in m_free. */
void
RdmaFramePool::Grow()
{
    const auto take = [this](std::vector<RdmaFrame*>& shares) {
        m_free = shares.back();
        m_freeCount = SHARE;
        shares.pop_back();
    };
    if (!m_shares.empty())
    {
        take(m_shares);
        return;
    }
    const std::lock_guard<std::mutex> lock(m_store->mutex);
    if (!m_store->shares.empty())
    {
        take(m_store->shares);
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
        Keep(new (block + i) RdmaFrame);
    }
    m_store->capacity += frames;
}

void
RdmaFramePool::TakeFree(RdmaFramePool& other)
{
    m_shares.insert(m_shares.end(), other.m_shares.begin(), other.m_shares.end());
    other.m_shares.clear();
    while (RdmaFrame* const frame = other.m_free)
    {
        other.m_free = frame->next;
        Keep(frame);
    }
    other.m_freeCount = 0;
}

void
RdmaFramePool::ShareSurplus()
{
    constexpr ptrdiff_t KEPT = 2; // those that were in use last
    if (m_shares.size() <= KEPT || m_store.use_count() == 1)
    {
        return;
    }
    const auto kept = m_shares.end() - KEPT;
    const std::lock_guard<std::mutex> lock(m_store->mutex);
    m_store->shares.insert(m_store->shares.end(), m_shares.begin(), kept);
    m_shares.erase(m_shares.begin(), kept);
}

} // namespace ns3

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
    // an eighth of what there is, so that small networks stay small and large ones get huge pages
    const uint64_t frames =
        std::clamp<uint64_t>(m_capacity / 8, FIRST_FRAMES, RDMA_HUGE_PAGE / sizeof(RdmaFrame));
    m_blocks.emplace_back(RdmaTakeBlock(frames * sizeof(RdmaFrame)), &std::free);
    auto* const block = static_cast<RdmaFrame*>(m_blocks.back().get());
    for (size_t i = frames; i-- > 0;) // lowest address first out
    {
        RdmaFrame* const frame = new (block + i) RdmaFrame;
        frame->next = m_free;
        m_free = frame;
    }
    m_capacity += frames;
}

} // namespace ns3

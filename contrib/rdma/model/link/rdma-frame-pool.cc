/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-frame-pool.h"

namespace ns3
{

uint64_t
RdmaFramePool::GetCapacity() const
{
    return m_blocks.size() * BLOCK_FRAMES;
}

void
RdmaFramePool::Grow()
{
    m_blocks.push_back(std::make_unique<RdmaFrame[]>(BLOCK_FRAMES));
    RdmaFrame* block = m_blocks.back().get();
    for (size_t i = BLOCK_FRAMES; i-- > 0;) // lowest address first out
    {
        block[i].next = m_free;
        m_free = &block[i];
    }
}

} // namespace ns3

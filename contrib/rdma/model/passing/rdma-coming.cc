/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-coming.h"

#include <algorithm>

namespace ns3
{

void
RdmaComing::Grow()
{
    const std::size_t size = m_frames.size();
    std::vector<Frame> frames(std::max<std::size_t>(2 * size, 8));
    for (std::size_t i = 0; i < size; ++i)
    {
        frames[i] = At(m_first + static_cast<uint32_t>(i));
    }
    m_frames.swap(frames);
    m_first = 0;
    m_end = static_cast<uint32_t>(size);
}

} // namespace ns3

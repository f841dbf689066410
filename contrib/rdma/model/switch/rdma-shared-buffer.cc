/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-shared-buffer.h"

#include <algorithm>

namespace ns3
{

void
RdmaSharedBuffer::Configure(uint32_t ports, uint64_t bytes, uint32_t reserve, uint32_t resumeOffset)
{
    m_ports = decltype(m_ports)(ports);
    m_bytes = bytes;
    m_reserve = reserve;
    m_resumeOffset = resumeOffset;
    m_sharedUsed = 0;
    m_free = static_cast<int64_t>(bytes) - static_cast<int64_t>(m_reserve) * ports;
}

void
RdmaSharedBuffer::ConfigurePort(uint32_t port, uint64_t headroom, uint32_t shift)
{
    constexpr uint64_t MOST = (uint64_t{1} << 56) - 1; // more than any memory
    Port& p = m_ports[port];
    m_free += static_cast<int64_t>(p.headroom);
    p.headroom = std::min(headroom, MOST);
    p.shift = static_cast<uint8_t>(shift);
    m_free -= static_cast<int64_t>(p.headroom);
}

uint64_t
RdmaSharedBuffer::GetShortage() const
{
    const int64_t unused = m_free + static_cast<int64_t>(m_sharedUsed);
    return unused < 0 ? static_cast<uint64_t>(-unused) : 0;
}

} // namespace ns3

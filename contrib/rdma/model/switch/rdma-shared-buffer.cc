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

void
RdmaSharedBuffer::Share(int64_t bytes)
{
    m_sharedUsed += static_cast<uint64_t>(bytes);
    m_free -= bytes;
}

void
RdmaSharedBuffer::Enter(uint32_t port, uint32_t queue, uint32_t size)
{
    Usage& u = Of(port, queue);
    const uint64_t after = u.ingress + size;
    if (after <= m_reserve)
    {
        u.ingress = after;
    }
    else if (after - m_reserve > GetThreshold(port))
    {
        u.headroom += size;
    }
    else
    {
        u.ingress = after;
        Share(static_cast<int64_t>(std::min<uint64_t>(size, after - m_reserve)));
    }
}

void
RdmaSharedBuffer::Leave(uint32_t port, uint32_t queue, uint32_t size)
{
    Usage& u = Of(port, queue);
    const uint64_t fromHeadroom = std::min<uint64_t>(u.headroom, size);
    const uint64_t rest = size - fromHeadroom;
    Share(-static_cast<int64_t>(std::min(rest, GetShared(port, queue))));
    u.headroom -= fromHeadroom;
    u.ingress -= rest;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_ROCEV2_ICRC_H
#define RDMA_ROCEV2_ICRC_H

#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * \ingroup rdma
 * The invariant CRC of a RoCEv2 packet: CRC-32 with the fields that may change on the way replaced
 * by ones (InfiniBand Architecture Specification 1.4 volume 1, annex A17.3.3).
 * \param ip the packet from its IPv4 header (20 bytes) up to, not including, the ICRC
 * \param size in bytes, at least 40 (IPv4, UDP and BTH)
 * \return the ICRC; on the wire its least significant byte comes first
 */
uint32_t RdmaRocev2Icrc(const uint8_t* ip, std::size_t size);

} // namespace ns3

#endif // RDMA_ROCEV2_ICRC_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_ETHERNET_H
#define RDMA_ETHERNET_H

#include "rdma-frame.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

class RdmaPort;

/** \ingroup rdma Appends numbers to bytes, in network order. */
class RdmaByteWriter
{
  public:
    /** \param bytes to append to; must outlive the writer */
    explicit RdmaByteWriter(std::vector<uint8_t>& bytes)
        : m_bytes(bytes)
    {
    }

    /** \param value its last \p size bytes \param size at most 8 */
    void Put(uint64_t value, std::size_t size)
    {
        for (std::size_t i = size; i-- > 0;)
        {
            m_bytes.push_back(static_cast<uint8_t>(value >> 8 * i));
        }
    }

    /** \param size bytes of 0 */
    void PutZeros(std::size_t size)
    {
        m_bytes.resize(m_bytes.size() + size);
    }

  private:
    std::vector<uint8_t>& m_bytes;
};

/** \ingroup rdma Sizes and numbers of Ethernet and IPv4. */
struct RdmaEthernet
{
    static constexpr std::size_t HEADER_BYTES = 14;
    static constexpr std::size_t MIN_BYTES = 60; ///< without the frame check sequence
    static constexpr uint16_t TYPE_IPV4 = 0x0800;
    static constexpr uint16_t TYPE_MAC_CONTROL = 0x8808;
    static constexpr std::size_t IP_BYTES = 20;      ///< of a header without options
    static constexpr std::size_t IP_TOS_AT = 1;      ///< in the IPv4 header
    static constexpr std::size_t IP_FRAGMENT_AT = 6; ///< 3 bits, and the offset's 13
    static constexpr std::size_t IP_TTL_AT = 8;
    static constexpr std::size_t IP_PROTOCOL_AT = 9;
    static constexpr std::size_t IP_CHECKSUM_AT = 10;
    static constexpr std::size_t IP_SOURCE_AT = 12;
    static constexpr std::size_t IP_DESTINATION_AT = 16;
    static constexpr uint8_t ECN_ECT0 = 2;
    static constexpr uint8_t ECN_CE = 3;
};

/** \return the MAC address of a port, 02:nn:nn:nn:ii:ii: number of its node, and its interface from
 * 1 */
uint64_t RdmaMacOf(const RdmaPort& port);

/** Appends an Ethernet header. \param to MAC address \param from sender \param type EtherType */
void PutRdmaEthernet(RdmaByteWriter& out, uint64_t to, const RdmaPort& from, uint16_t type);

/**
 * Writes the header checksum of IPv4 (RFC 1071).
 * \param header its checksum field may hold anything
 * \param size of the header in bytes, even
 */
void SetRdmaIpChecksum(uint8_t* header, std::size_t size);

/**
 * Marks an IPv4 packet congestion experienced, if it is of an ECN-capable transport.
 * \param ip its header; a checksum, if there is one, follows
 * \param size bytes that are there
 * \return whether it is marked
 */
bool MarkRdmaIp(uint8_t* ip, std::size_t size);

/**
 * Appends a MAC control frame of priority-based flow control (IEEE 802.3 annex 31D). Pause times
 * count in the time that 512 bits take at the rate of \p from; they are rounded up, so that none
 * becomes the 0 that means resume, and limited to 65535.
 */
void WriteRdmaPfc(const RdmaPfc& pfc, const RdmaPort& from, std::vector<uint8_t>& bytes);

/**
 * Appends an ordinary packet behind an Ethernet header. The simulation keeps a congestion mark in
 * the frame until the packet is delivered; here it goes where a wire has it.
 */
void WriteNonRdmaPacket(const RdmaFrame& frame, const RdmaPort& from, std::vector<uint8_t>& bytes);

} // namespace ns3

#endif // RDMA_ETHERNET_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-rocev2-icrc.h"

#include "rdma-ethernet.h"

#include <algorithm>
#include <array>

namespace ns3
{

namespace
{

constexpr std::array<uint32_t, 256>
MakeCrcTable()
{
    std::array<uint32_t, 256> table{};
    for (uint32_t i = 0; i < table.size(); ++i)
    {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit)
        {
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
        }
        table[i] = crc;
    }
    return table;
}

constexpr std::array<uint32_t, 256> CRC_TABLE = MakeCrcTable();

uint32_t
Crc(uint32_t crc, const uint8_t* bytes, std::size_t size)
{
    for (std::size_t i = 0; i < size; ++i)
    {
        crc = crc >> 8 ^ CRC_TABLE[(crc ^ bytes[i]) & 0xff];
    }
    return crc;
}

} // namespace

uint32_t
RdmaRocev2Icrc(const uint8_t* ip, std::size_t size)
{
    constexpr std::size_t UDP_BYTES = 8;
    constexpr std::size_t BTH_BYTES = 12;
    constexpr std::size_t HEADERS = RdmaEthernet::IP_BYTES + UDP_BYTES + BTH_BYTES;
    constexpr std::size_t LRH_BYTES = 8; // InfiniBand's local route header, which RoCE lacks
    constexpr std::size_t UDP_CHECKSUM_AT = RdmaEthernet::IP_BYTES + 6;
    constexpr std::size_t BTH_CONGESTION_AT = RdmaEthernet::IP_BYTES + UDP_BYTES + 4;
    std::array<uint8_t, LRH_BYTES + HEADERS> masked;
    masked.fill(0xff);
    uint8_t* const headers = masked.data() + LRH_BYTES;
    std::copy_n(ip, HEADERS, headers);
    for (std::size_t at : {RdmaEthernet::IP_TOS_AT,
                           RdmaEthernet::IP_TTL_AT,
                           RdmaEthernet::IP_CHECKSUM_AT,
                           RdmaEthernet::IP_CHECKSUM_AT + 1,
                           UDP_CHECKSUM_AT,
                           UDP_CHECKSUM_AT + 1,
                           BTH_CONGESTION_AT})
    {
        headers[at] = 0xff;
    }
    return ~Crc(Crc(0xffffffff, masked.data(), masked.size()), ip + HEADERS, size - HEADERS);
}

} // namespace ns3

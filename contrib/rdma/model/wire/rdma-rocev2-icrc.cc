/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-rocev2-icrc.h"

#include "ns3/rdma-ethernet.h"

#include <algorithm>
#include <array>

namespace ns3
{

namespace
{

constexpr std::size_t SLICES = 8;
using CrcTables = std::array<std::array<uint32_t, 256>, SLICES>;

/** \return for each byte, what it adds to the CRC with 0 to 7 bytes behind it */
constexpr CrcTables
MakeCrcTables()
{
    CrcTables tables{};
    for (uint32_t i = 0; i < 256; ++i)
    {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit)
        {
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
        }
        tables[0][i] = crc;
    }
    for (std::size_t slice = 1; slice < SLICES; ++slice)
    {
        for (uint32_t i = 0; i < 256; ++i)
        {
            const uint32_t crc = tables[slice - 1][i];
            tables[slice][i] = crc >> 8 ^ tables[0][crc & 0xff];
        }
    }
    return tables;
}

constexpr CrcTables CRC_TABLES = MakeCrcTables();

/** CRC-32 of Ethernet, eight bytes at a time (Kounavis and Berry, "slicing by 8"). */
uint32_t
Crc(uint32_t crc, const uint8_t* bytes, std::size_t size)
{
    for (; size >= SLICES; size -= SLICES, bytes += SLICES)
    {
        uint32_t next = 0;
        for (std::size_t i = 0; i < SLICES; ++i)
        {
            const uint8_t mixed = i < 4 ? bytes[i] ^ (crc >> 8 * i & 0xff) : bytes[i];
            next ^= CRC_TABLES[SLICES - 1 - i][mixed];
        }
        crc = next;
    }
    for (; size > 0; --size, ++bytes)
    {
        crc = crc >> 8 ^ CRC_TABLES[0][(crc ^ *bytes) & 0xff];
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

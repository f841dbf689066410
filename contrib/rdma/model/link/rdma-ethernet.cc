/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-ethernet.h"

#include "rdma-port.h"

#include "ns3/packet.h"
#include "ns3/rdma-node.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr uint64_t PFC_ADDRESS = 0x0180c2000001;
constexpr uint16_t PFC_OPCODE = 0x0101;
constexpr double BITS_PER_QUANTUM = 512;
constexpr double US_PER_SECOND = 1e6;
constexpr double MAX_QUANTA = 65535;
constexpr uint64_t LOCAL_ADDRESS = 0x020000000000; // locally administered
constexpr uint32_t NODE_MASK = 0xffffff;

/** The Internet checksum (RFC 1071) of an IPv4 header whose own field is 0. */
uint16_t
IpChecksum(const uint8_t* header, std::size_t size)
{
    uint32_t sum = 0;
    for (std::size_t i = 0; i + 1 < size; i += 2)
    {
        sum += header[i] << 8 | header[i + 1];
    }
    while (sum >> 16)
    {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return static_cast<uint16_t>(~sum);
}

} // namespace

uint64_t
RdmaMacOf(const RdmaPort& port)
{
    const uint64_t node = port.GetOwner().GetRdmaId() & NODE_MASK;
    return LOCAL_ADDRESS | node << 16 | static_cast<uint16_t>(port.GetIndex() + 1);
}

void
PutRdmaEthernet(RdmaByteWriter& out, uint64_t to, const RdmaPort& from, uint16_t type)
{
    out.Put(to, 6);
    out.Put(RdmaMacOf(from), 6);
    out.Put(type, 2);
}

void
SetRdmaIpChecksum(uint8_t* header, std::size_t size)
{
    header[RdmaEthernet::IP_CHECKSUM_AT] = header[RdmaEthernet::IP_CHECKSUM_AT + 1] = 0;
    const uint16_t checksum = IpChecksum(header, size);
    header[RdmaEthernet::IP_CHECKSUM_AT] = static_cast<uint8_t>(checksum >> 8);
    header[RdmaEthernet::IP_CHECKSUM_AT + 1] = static_cast<uint8_t>(checksum);
}

bool
MarkRdmaIp(uint8_t* ip, std::size_t size)
{
    if (size < RdmaEthernet::IP_BYTES || !(ip[RdmaEthernet::IP_TOS_AT] & RdmaEthernet::ECN_CE))
    {
        return false;
    }
    ip[RdmaEthernet::IP_TOS_AT] |= RdmaEthernet::ECN_CE;
    const uint8_t* checksum = ip + RdmaEthernet::IP_CHECKSUM_AT;
    if (checksum[0] || checksum[1]) // ns-3 computes none unless told to
    {
        const std::size_t header = std::size_t{4} * (ip[0] & 0x0f);
        SetRdmaIpChecksum(ip, std::min(header, size));
    }
    return true;
}

void
WriteRdmaPfc(const RdmaPfc& pfc, const RdmaPort& from, std::vector<uint8_t>& bytes)
{
    RdmaByteWriter out(bytes);
    PutRdmaEthernet(out, PFC_ADDRESS, from, RdmaEthernet::TYPE_MAC_CONTROL);
    out.Put(PFC_OPCODE, 2);
    out.Put(1U << pfc.queue, 2);
    const double quanta =
        std::ceil(static_cast<double>(pfc.pauseTime) * static_cast<double>(from.GetRate()) /
                  (US_PER_SECOND * BITS_PER_QUANTUM));
    const auto pause = static_cast<uint16_t>(std::min(quanta, MAX_QUANTA));
    for (uint32_t queue = 0; queue < RdmaEgressQueues::COUNT; ++queue)
    {
        out.Put(queue == pfc.queue ? pause : 0, 2);
    }
    out.PutZeros(RdmaEthernet::MIN_BYTES - bytes.size());
}

void
WriteNonRdmaPacket(const RdmaFrame& frame, const RdmaPort& from, std::vector<uint8_t>& bytes)
{
    const NonRdmaPacket& nonRdma = frame.nonRdma;
    RdmaByteWriter out(bytes);
    PutRdmaEthernet(out, RdmaMacOf(from.GetPeer()), from, nonRdma.protocol);
    const uint32_t size = nonRdma.packet->GetSize();
    out.PutZeros(size);
    uint8_t* ip = bytes.data() + RdmaEthernet::HEADER_BYTES;
    nonRdma.packet->CopyData(ip, size);
    if (frame.ce && nonRdma.protocol == RdmaEthernet::TYPE_IPV4)
    {
        MarkRdmaIp(ip, size);
    }
}

} // namespace ns3

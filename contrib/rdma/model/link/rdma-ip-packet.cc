/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-ip-packet.h"

#include "rdma-ethernet.h"

#include "ns3/header.h"
#include "ns3/packet.h"

#include <ostream>
#include <vector>

// What ordinary packets have in their bytes that switches look at.

namespace ns3
{

namespace
{

constexpr uint8_t PROTOCOL_TCP = 6;
constexpr uint8_t PROTOCOL_UDP = 17;
constexpr uint8_t IP_VERSION = 4;

/**
 * The bytes of an IPv4 header. It goes by the name of ns-3's own, for packets know the types of
 * their headers; but programs that have no Internet stack need not load that for it.
 */
class RdmaIpv4Header : public Header
{
  public:
    TypeId GetInstanceTypeId() const override
    {
        TypeId type;
        return TypeId::LookupByNameFailSafe("ns3::Ipv4Header", &type) ? type : Header::GetTypeId();
    }

    uint32_t GetSerializedSize() const override
    {
        return static_cast<uint32_t>(m_bytes.size());
    }

    void Serialize(Buffer::Iterator start) const override
    {
        start.Write(m_bytes.data(), GetSerializedSize());
    }

    /** \return 0 if there is no IPv4 header */
    uint32_t Deserialize(Buffer::Iterator start) override
    {
        m_bytes.clear();
        const uint32_t size = start.GetRemainingSize();
        const uint8_t first = size > 0 ? start.PeekU8() : 0;
        const uint32_t header = 4U * (first & 0x0f);
        if (first >> 4 == IP_VERSION && header >= RdmaEthernet::IP_BYTES && header <= size)
        {
            m_bytes.resize(header);
            start.Read(m_bytes.data(), header);
        }
        return GetSerializedSize();
    }

    void Print(std::ostream& os) const override
    {
        os << "IPv4, " << m_bytes.size() << " bytes";
    }

    /** \return the number of \p size bytes at \p at */
    uint32_t Get(std::size_t at, std::size_t size) const
    {
        uint32_t value = 0;
        for (std::size_t i = at; i < at + size; ++i)
        {
            value = value << 8 | m_bytes[i];
        }
        return value;
    }

    /** \return whether it is marked congestion experienced, which it may not be able to be */
    bool Mark()
    {
        return MarkRdmaIp(m_bytes.data(), m_bytes.size());
    }

  private:
    std::vector<uint8_t> m_bytes;
};

} // namespace

void
ReadRdmaAddresses(Ptr<const Packet> packet, NonRdmaPacket& nonRdma)
{
    nonRdma.source = nonRdma.destination = nonRdma.ports = 0;
    RdmaIpv4Header ip;
    if (nonRdma.protocol != RdmaEthernet::TYPE_IPV4 || !packet->PeekHeader(ip))
    {
        return;
    }
    nonRdma.source = ip.Get(RdmaEthernet::IP_SOURCE_AT, 4);
    nonRdma.destination = ip.Get(RdmaEthernet::IP_DESTINATION_AT, 4);
    uint8_t bytes[64];
    const uint32_t begin = ip.GetSerializedSize();
    const uint32_t protocol = ip.Get(RdmaEthernet::IP_PROTOCOL_AT, 1);
    const bool hasPorts = protocol == PROTOCOL_TCP || protocol == PROTOCOL_UDP;
    const bool isFirst = (ip.Get(RdmaEthernet::IP_FRAGMENT_AT, 2) & 0x1fff) == 0;
    if (hasPorts && isFirst && packet->CopyData(bytes, begin + 4) == begin + 4)
    {
        const uint32_t sport = bytes[begin] << 8 | bytes[begin + 1];
        const uint32_t dport = bytes[begin + 2] << 8 | bytes[begin + 3];
        nonRdma.ports = sport | dport << 16;
    }
}

void
MarkRdmaPacket(Ptr<Packet> packet)
{
    RdmaIpv4Header ip;
    if (packet->PeekHeader(ip) && ip.Mark())
    {
        RdmaIpv4Header unmarked;
        packet->RemoveHeader(unmarked);
        packet->AddHeader(ip);
    }
}

} // namespace ns3

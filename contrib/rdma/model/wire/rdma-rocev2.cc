/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-rocev2.h"

#include "rdma-rocev2-icrc.h"

#include "ns3/rdma-congestion-control.h"
#include "ns3/rdma-ethernet.h"
#include "ns3/rdma-port.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/rdma-routing.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr std::size_t UDP_BYTES = 8;
constexpr std::size_t BTH_BYTES = 12;
constexpr std::size_t ICRC_BYTES = 4;
constexpr std::size_t MAX_IP_BYTES = 65535;
/** More payload than that has no room in an IPv4 packet; a multiple of 4. */
constexpr std::size_t MAX_IP_PAYLOAD =
    (MAX_IP_BYTES - RdmaEthernet::IP_BYTES - UDP_BYTES - BTH_BYTES - ICRC_BYTES) / 4 * 4;

constexpr uint8_t VERSION_4_WITHOUT_OPTIONS = 0x45;
constexpr uint8_t TTL = 64;
constexpr uint8_t IP_PROTOCOL_UDP = 17;
constexpr uint16_t ROCE_PORT = 4791;
constexpr uint16_t DO_NOT_FRAGMENT = 0x4000;

constexpr uint8_t SEND_FIRST = 0x00;
constexpr uint8_t SEND_MIDDLE = 0x01;
constexpr uint8_t SEND_LAST = 0x02;
constexpr uint8_t SEND_ONLY = 0x04;
constexpr uint8_t ACKNOWLEDGE = 0x11;
constexpr uint8_t CNP_OPCODE = 0x81;
constexpr uint8_t BTH_MIGRATED = 0x40;
constexpr uint8_t BTH_BECN = 0x40;
constexpr uint32_t BTH_ACK_REQUEST = 0x80000000;
constexpr uint16_t DEFAULT_PKEY = 0xffff;
constexpr uint32_t MASK_24 = 0xffffff;
constexpr uint8_t AETH_ACK = 0x1f; // no end-to-end flow control
constexpr uint8_t AETH_NAK_SEQUENCE = 0x60;
constexpr std::size_t CNP_RESERVED_BYTES = 16;

/** What a flow's telemetry would put at the start of the payload. */
void
PutTelemetry(RdmaByteWriter& out,
             RdmaTelemetry telemetry,
             const RdmaFrame& frame,
             const RdmaPort& from)
{
    if (telemetry == RdmaTelemetry::TIMESTAMP)
    {
        const int64_t steps = from.GetContext().clock.StepsPerNs();
        out.Put(static_cast<uint64_t>(frame.timestamp / steps), 8);
    }
    else if (telemetry == RdmaTelemetry::INT)
    {
        const RdmaIntHeader& header = frame.intHeader;
        for (uint32_t i = 0; i < RdmaIntHeader::MAX_HOPS; ++i)
        {
            uint64_t record = 0;
            if (i < header.hopCount)
            {
                const RdmaIntHeader::Hop& hop = header.hops[i];
                record = header.rateIndex[i] & 7;
                record = record << RdmaIntHeader::TIME_BITS | hop.time;
                record = record << RdmaIntHeader::TX_BITS | hop.tx;
                record = record << RdmaIntHeader::QLEN_BITS | hop.qlen;
            }
            out.Put(record, 8);
        }
        out.Put(header.hopCount, 2);
    }
    else if (telemetry == RdmaTelemetry::PINT)
    {
        out.Put(frame.intHeader.code, from.GetContext().wire.pintBytes);
    }
}

/** The fields of a base transport header that vary. */
struct Bth
{
    uint8_t opcode{SEND_ONLY};
    uint8_t flags{BTH_MIGRATED};
    uint8_t congestion{0};
    uint32_t queuePair{0};
    uint32_t psn{0};
    bool ackRequest{false};
};

Bth
DataBth(const RdmaFrame& frame, std::size_t pad)
{
    const RdmaQueuePair& qp = *frame.qp;
    const bool first = frame.seq == 0;
    const bool last = frame.seq + frame.payloadBytes >= qp.GetFlow().bytes;
    Bth bth;
    bth.opcode = first ? (last ? SEND_ONLY : SEND_FIRST) : (last ? SEND_LAST : SEND_MIDDLE);
    bth.flags |= static_cast<uint8_t>(pad << 4);
    bth.queuePair = RdmaRocev2QueuePair(qp.GetId(), true);
    bth.psn = static_cast<uint32_t>(frame.seq / qp.GetPayloadSize());
    bth.ackRequest = last || frame.ackNow;
    return bth;
}

Bth
ReplyBth(const RdmaFrame& frame)
{
    const RdmaQueuePair& qp = *frame.qp;
    Bth bth;
    bth.queuePair = RdmaRocev2QueuePair(qp.GetId(), false);
    if (frame.kind == RdmaFrameKind::CNP)
    {
        bth.opcode = CNP_OPCODE;
        bth.flags = 0;
        bth.congestion = BTH_BECN;
        return bth;
    }
    bth.opcode = ACKNOWLEDGE;
    bth.congestion = frame.echo ? BTH_BECN : 0;
    // a NAK names the frame that is missing, an ACK the last one that it acknowledges
    const uint64_t payload = qp.GetPayloadSize();
    bth.psn = static_cast<uint32_t>(frame.kind == RdmaFrameKind::NACK
                                        ? frame.seq / payload
                                        : (frame.seq + payload - 1) / payload - 1);
    return bth;
}

void
PutBth(RdmaByteWriter& out, const Bth& bth)
{
    out.Put(bth.opcode, 1);
    out.Put(bth.flags, 1);
    out.Put(DEFAULT_PKEY, 2);
    out.Put(bth.congestion, 1);
    out.Put(bth.queuePair, 3);
    out.Put((bth.ackRequest ? BTH_ACK_REQUEST : 0) | (bth.psn & MASK_24), 4);
}

/** IPv4 and UDP; FinishIp adds what depends on the rest. */
void
PutIpAndUdp(RdmaByteWriter& out, const RdmaFrame& frame)
{
    const RdmaQueuePair& qp = *frame.qp;
    const bool data = frame.kind == RdmaFrameKind::DATA;
    const uint8_t unmarked = data ? RdmaEthernet::ECN_ECT0 : 0;
    const RdmaTuple tuple = RdmaRouting::TupleOf(qp, !data);
    out.Put(VERSION_4_WITHOUT_OPTIONS, 1);
    out.Put(frame.priority << 5 | (frame.ce ? RdmaEthernet::ECN_CE : unmarked), 1);
    out.PutZeros(2); // length
    out.Put(frame.serial, 2);
    out.Put(DO_NOT_FRAGMENT, 2);
    out.Put(TTL, 1);
    out.Put(IP_PROTOCOL_UDP, 1);
    out.PutZeros(2); // checksum
    out.Put(tuple.source, 4);
    out.Put(tuple.destination, 4);
    out.Put(data && qp.HasEntropy() ? frame.entropy : qp.GetSourcePort(), 2);
    out.Put(ROCE_PORT, 2);
    out.PutZeros(4); // length, and no checksum
}

/** Lengths, the header's checksum, and the ICRC behind the packet. */
void
FinishIp(std::vector<uint8_t>& bytes)
{
    const std::size_t size = bytes.size() - RdmaEthernet::HEADER_BYTES;
    const std::size_t total = size + ICRC_BYTES;
    uint8_t* ip = bytes.data() + RdmaEthernet::HEADER_BYTES;
    uint8_t* udp = ip + RdmaEthernet::IP_BYTES;
    ip[2] = static_cast<uint8_t>(total >> 8);
    ip[3] = static_cast<uint8_t>(total);
    udp[4] = static_cast<uint8_t>((total - RdmaEthernet::IP_BYTES) >> 8);
    udp[5] = static_cast<uint8_t>(total - RdmaEthernet::IP_BYTES);
    SetRdmaIpChecksum(ip, RdmaEthernet::IP_BYTES);
    const uint32_t icrc = RdmaRocev2Icrc(ip, size);
    for (std::size_t i = 0; i < ICRC_BYTES; ++i)
    {
        bytes.push_back(static_cast<uint8_t>(icrc >> 8 * i));
    }
}

void
PutData(RdmaByteWriter& out, const RdmaFrame& frame, const RdmaPort& from)
{
    const RdmaQueuePair& qp = *frame.qp;
    const RdmaCongestionControl* control = qp.GetCongestionControl();
    const RdmaTelemetry telemetry = control ? control->GetTelemetry() : RdmaTelemetry::NONE;
    const std::size_t telemetryBytes =
        RdmaTelemetryBytes(telemetry, from.GetContext().wire.pintBytes);
    const std::size_t wanted = telemetryBytes + (qp.GetFlow().bytes ? frame.payloadBytes : 0);
    const std::size_t payload = std::min(wanted, MAX_IP_PAYLOAD);
    const std::size_t pad = -payload % 4;
    PutBth(out, DataBth(frame, pad));
    PutTelemetry(out, telemetry, frame, from);
    out.PutZeros(payload - telemetryBytes + pad);
}

void
PutReply(RdmaByteWriter& out, const RdmaFrame& frame)
{
    PutBth(out, ReplyBth(frame));
    if (frame.kind == RdmaFrameKind::CNP)
    {
        out.PutZeros(CNP_RESERVED_BYTES);
        return;
    }
    const bool complete = frame.seq >= std::max<uint64_t>(frame.qp->GetFlow().bytes, 1);
    out.Put(frame.kind == RdmaFrameKind::NACK ? AETH_NAK_SEQUENCE : AETH_ACK, 1);
    out.Put(complete, 3); // messages completed
}

void
WriteRoce(const RdmaFrame& frame, const RdmaPort& from, std::vector<uint8_t>& bytes)
{
    RdmaByteWriter out(bytes);
    PutRdmaEthernet(out, RdmaMacOf(from.GetPeer()), from, RdmaEthernet::TYPE_IPV4);
    PutIpAndUdp(out, frame);
    if (frame.kind == RdmaFrameKind::DATA)
    {
        PutData(out, frame, from);
    }
    else
    {
        PutReply(out, frame);
    }
    FinishIp(bytes);
}

} // namespace

void
WriteRdmaRocev2(const RdmaFrame& frame, const RdmaPort& from, std::vector<uint8_t>& bytes)
{
    bytes.clear();
    switch (frame.kind)
    {
    case RdmaFrameKind::PFC:
        WriteRdmaPfc(frame.pfc, from, bytes);
        break;
    case RdmaFrameKind::PACKET:
        WriteNonRdmaPacket(frame, from, bytes);
        break;
    default:
        WriteRoce(frame, from, bytes);
        break;
    }
}

uint32_t
RdmaRocev2QueuePair(uint64_t flow, bool receiver)
{
    constexpr uint32_t RESERVED = 16;
    constexpr uint32_t RECEIVER = 1U << 23;
    const auto number = static_cast<uint32_t>(flow % (RECEIVER - RESERVED)) + RESERVED;
    return receiver ? number | RECEIVER : number;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/ipv4-header.h"
#include "ns3/packet.h"
#include "ns3/rdma-ethernet.h"
#include "ns3/rdma-hpcc.h"
#include "ns3/rdma-rocev2-icrc.h"
#include "ns3/rdma-rocev2.h"
#include "ns3/rdma-timely.h"

#include <cstring>
#include <iomanip>
#include <sstream>

using namespace ns3;

namespace
{

constexpr std::size_t ICRC_BYTES = 4;

std::string
ToHex(const std::vector<uint8_t>& bytes, std::size_t from = 0, std::size_t to = SIZE_MAX)
{
    std::ostringstream text;
    text << std::hex << std::setfill('0');
    for (std::size_t i = from; i < std::min(to, bytes.size()); ++i)
    {
        text << std::setw(2) << +bytes[i];
    }
    return text.str();
}

/** \return \p text without its blanks */
std::string
Hex(const std::string& text)
{
    std::string digits;
    for (char c : text)
    {
        if (c != ' ')
        {
            digits += c;
        }
    }
    return digits;
}

/** Hosts 0 and 1 on switch 2, and flow 0 of 2500 bytes from 0 to 1: frames of 1000, 1000, 500. */
struct Wire
{
    explicit Wire(uint64_t bytes = 2500, const std::string& control = "")
        : net(RdmaTestStar(2),
              [&control](RdmaHelper& helper) { helper.SetCongestionControl(control); }),
          qp(net.Flow(0, 1, bytes))
    {
    }

    RdmaFrame Frame(RdmaFrameKind kind, uint64_t seq, uint32_t payload, uint32_t serial)
    {
        RdmaFrame frame{};
        frame.qp = &qp;
        frame.kind = kind;
        frame.priority = 3;
        frame.seq = seq;
        frame.payloadBytes = payload;
        frame.serial = serial;
        return frame;
    }

    std::vector<uint8_t> Bytes(const RdmaFrame& frame, const RdmaPort& from)
    {
        std::vector<uint8_t> bytes;
        WriteRdmaRocev2(frame, from, bytes);
        return bytes;
    }

    /** \return whether the last four bytes are the ICRC of what is before them */
    static bool HasIcrc(const std::vector<uint8_t>& bytes)
    {
        const std::size_t at = bytes.size() - ICRC_BYTES;
        const uint32_t icrc = RdmaRocev2Icrc(bytes.data() + RdmaEthernet::HEADER_BYTES,
                                             at - RdmaEthernet::HEADER_BYTES);
        return bytes[at] == (icrc & 0xff) && bytes[at + 1] == (icrc >> 8 & 0xff) &&
               bytes[at + 2] == (icrc >> 16 & 0xff) && bytes[at + 3] == icrc >> 24;
    }

    RdmaTestNetwork net;
    RdmaQueuePair& qp;
};

RDMA_TEST(RdmaRocev2NicIcrc, "the ICRC that a NIC computed")
{
    // A CNP that a ConnectX-4 Lx sent, IPv4 to BTH and the 16 reserved bytes; from the tests of
    // Scapy's RoCE layer (test/contrib/roce.uts). Its last bytes were 82 fd 00 2a.
    const uint8_t packet[] = {
        0x45, 0xc2, 0x00, 0x3c, 0x71, 0x8c, 0x40, 0x00, 0x40, 0x11, 0x91, 0x61, 0x0a, 0x00,
        0x11, 0x01, 0x0a, 0x00, 0x12, 0x01, 0x00, 0x00, 0x12, 0xb7, 0x00, 0x28, 0x00, 0x00,
        0x81, 0x00, 0xff, 0xff, 0x40, 0x00, 0x01, 0x18, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};
    NS_TEST_EXPECT_MSG_EQ(RdmaRocev2Icrc(packet, sizeof(packet)),
                          0x2a00fd82U,
                          "least significant byte first on the wire");
}

RDMA_TEST(RdmaRocev2Data, "data: Ethernet, IPv4, UDP, BTH, payload, ICRC")
{
    Wire wire;
    RdmaFrame frame = wire.Frame(RdmaFrameKind::DATA, 0, 1000, 7);
    const std::vector<uint8_t> first = wire.Bytes(frame, wire.net.Port(0));
    // IP bytes 20 + 8 + 12 + 1000 + 4 = 1044 = 0x0414, UDP bytes 1024 = 0x0400.
    // TOS: priority 3 << 5 | ECT(0) = 0x62. Addresses 11.0.0.1 and 11.0.1.1. Sum of the header's
    // words: 4562 + 0414 + 0007 + 4000 + 4011 + 0b00 + 0001 + 0b00 + 0101 = e090, its complement
    // is 1f6f.
    NS_TEST_EXPECT_MSG_EQ(first.size(), 14U + 1044U, "frame");
    NS_TEST_EXPECT_MSG_EQ(ToHex(first, 0, 54),
                          Hex("020000020001 020000000001 0800 "
                              "45 62 0414 0007 4000 40 11 1f6f 0b000001 0b000101 "
                              "2710 12b7 0400 0000 "
                              "00 40 ffff 00 800010 00000000"),
                          "first of three");
    NS_TEST_EXPECT_MSG_EQ(ToHex(first, 54, 1054), std::string(2000, '0'), "payload");
    NS_TEST_EXPECT_MSG_EQ(Wire::HasIcrc(first), true, "ICRC");

    frame = wire.Frame(RdmaFrameKind::DATA, 1000, 1000, 8);
    frame.ce = true;
    frame.ackNow = true;
    const std::vector<uint8_t> middle = wire.Bytes(frame, wire.net.Port(2, 1));
    // from the switch's interface 2 to host 1; CE: TOS 0x63; serial 8: sum e092, complement 1f6d
    NS_TEST_EXPECT_MSG_EQ(ToHex(middle, 0, 54),
                          Hex("020000010001 020000020002 0800 "
                              "45 63 0414 0008 4000 40 11 1f6d 0b000001 0b000101 "
                              "2710 12b7 0400 0000 "
                              "01 40 ffff 00 800010 80000001"),
                          "a marked frame that was sent again after a time-out");
    const std::vector<uint8_t> last =
        wire.Bytes(wire.Frame(RdmaFrameKind::DATA, 2000, 500, 9), wire.net.Port(0));
    NS_TEST_EXPECT_MSG_EQ(last.size(), 14U + 20 + 8 + 12 + 500 + 4, "last frame");
    NS_TEST_EXPECT_MSG_EQ(ToHex(last, 42, 54),
                          Hex("02 40 ffff 00 800010 80000002"),
                          "the last frame asks for an acknowledgement");
}

RDMA_TEST(RdmaRocev2Sizes, "messages of one frame, none, and more than IPv4 holds")
{
    {
        Wire wire(10);
        const std::vector<uint8_t> bytes =
            wire.Bytes(wire.Frame(RdmaFrameKind::DATA, 0, 10, 0), wire.net.Port(0));
        // 10 bytes and 2 of padding: PadCnt is bits 4 and 5 of the BTH's second byte
        NS_TEST_EXPECT_MSG_EQ(bytes.size(), 14U + 20 + 8 + 12 + 12 + 4, "padded");
        NS_TEST_EXPECT_MSG_EQ(ToHex(bytes, 42, 54), Hex("04 60 ffff 00 800010 80000000"), "only");
    }
    UseSimulator("ns3::DefaultSimulatorImpl");
    {
        Wire wire(0);
        const std::vector<uint8_t> bytes =
            wire.Bytes(wire.Frame(RdmaFrameKind::DATA, 0, 1, 0), wire.net.Port(0));
        NS_TEST_EXPECT_MSG_EQ(bytes.size(), 14U + 20 + 8 + 12 + 4, "an empty message");
        NS_TEST_EXPECT_MSG_EQ(ToHex(bytes, 42, 46), Hex("04 40 ffff"), "only");
    }
    UseSimulator("ns3::DefaultSimulatorImpl");
    {
        Wire wire(1000000);
        const std::vector<uint8_t> bytes =
            wire.Bytes(wire.Frame(RdmaFrameKind::DATA, 0, 100000, 0), wire.net.Port(0));
        // 65535 - 20 - 8 - 12 - 4 = 65491 bytes are left for payload, 65488 in whole words
        NS_TEST_EXPECT_MSG_EQ(ToHex(bytes, 16, 18), Hex("fffc"), "44 + 65488 = 65532");
        NS_TEST_EXPECT_MSG_EQ(bytes.size(), 14U + 65532, "the rest is left out");
    }
}

RDMA_TEST(RdmaRocev2Replies, "ACK, NACK and CNP")
{
    Wire wire;
    RdmaFrame frame = wire.Frame(RdmaFrameKind::ACK, 2000, 0, 1);
    frame.echo = true;
    const std::vector<uint8_t> ack = wire.Bytes(frame, wire.net.Port(1));
    // IP bytes 20 + 8 + 12 + 4 + 4 = 48 = 0x30, UDP bytes 0x1c, not ECN-capable: TOS 0x60.
    // 4560 + 0030 + 0001 + 4000 + 4011 + 0b00 + 0101 + 0b00 + 0001 = dca4, complement 235b.
    // Bytes up to 2000 came in frames 0 and 1, so it acknowledges PSN 1; BECN echoes the mark.
    NS_TEST_EXPECT_MSG_EQ(ToHex(ack, 0, 58),
                          Hex("020000020002 020000010001 0800 "
                              "45 60 0030 0001 4000 40 11 235b 0b000101 0b000001 "
                              "2710 12b7 001c 0000 "
                              "11 40 ffff 40 000010 00000001 1f 000000"),
                          "ACK with an echo");
    NS_TEST_EXPECT_MSG_EQ(ack.size(), 14U + 48, "ACK");
    NS_TEST_EXPECT_MSG_EQ(Wire::HasIcrc(ack), true, "ICRC of the ACK");

    const std::vector<uint8_t> last =
        wire.Bytes(wire.Frame(RdmaFrameKind::ACK, 2500, 0, 2), wire.net.Port(1));
    NS_TEST_EXPECT_MSG_EQ(ToHex(last, 42, 58),
                          Hex("11 40 ffff 00 000010 00000002 1f 000001"),
                          "the message is complete: MSN 1");

    const std::vector<uint8_t> nack =
        wire.Bytes(wire.Frame(RdmaFrameKind::NACK, 1000, 0, 3), wire.net.Port(1));
    NS_TEST_EXPECT_MSG_EQ(ToHex(nack, 42, 58),
                          Hex("11 40 ffff 00 000010 00000001 60 000000"),
                          "PSN sequence error: 1 is expected");

    const std::vector<uint8_t> cnp =
        wire.Bytes(wire.Frame(RdmaFrameKind::CNP, 2000, 0, 4), wire.net.Port(1));
    // IP bytes 20 + 8 + 12 + 16 + 4 = 60 = 0x3c
    NS_TEST_EXPECT_MSG_EQ(ToHex(cnp, 16, 18), Hex("003c"), "CNP");
    NS_TEST_EXPECT_MSG_EQ(ToHex(cnp, 42, 70),
                          Hex("81 00 ffff 40 000010 00000000") + std::string(32, '0'),
                          "CNP with 16 reserved bytes");
    NS_TEST_EXPECT_MSG_EQ(Wire::HasIcrc(cnp), true, "ICRC of the CNP");
}

RDMA_TEST(RdmaRocev2Pfc, "PFC as a MAC control frame")
{
    Wire wire;
    RdmaFrame frame{};
    frame.kind = RdmaFrameKind::PFC;
    frame.pfc = {5, 0, 3};
    const std::vector<uint8_t> pause = wire.Bytes(frame, wire.net.Port(2));
    // 5 us at 100 Gb/s are 500,000 bits, 976.6 times 512: 977 = 0x03d1. Class 3 is bit 3.
    NS_TEST_EXPECT_MSG_EQ(ToHex(pause),
                          Hex("0180c2000001 020000020001 8808 0101 0008 "
                              "0000 0000 0000 03d1 0000 0000 0000 0000") +
                              std::string(52, '0'),
                          "pause, padded to 60 bytes");
    frame.pfc = {0, 0, 7};
    NS_TEST_EXPECT_MSG_EQ(ToHex(wire.Bytes(frame, wire.net.Port(2)), 14, 34),
                          Hex("0101 0080 0000 0000 0000 0000 0000 0000 0000 0000"),
                          "resume of class 7");
    frame.pfc = {1000, 0, 0};
    // 1 ms at 100 Gb/s are 195,312.5 times 512 bits
    NS_TEST_EXPECT_MSG_EQ(ToHex(wire.Bytes(frame, wire.net.Port(2)), 16, 20),
                          Hex("0001 ffff"),
                          "the longest pause there is");
}

RDMA_TEST(RdmaRocev2Telemetry, "telemetry at the start of the payload")
{
    {
        Wire wire(2500, "ns3::RdmaTimely");
        RdmaFrame frame = wire.Frame(RdmaFrameKind::DATA, 0, 1000, 0);
        frame.timestamp = 0x1234;
        const std::vector<uint8_t> bytes = wire.Bytes(frame, wire.net.Port(0));
        NS_TEST_EXPECT_MSG_EQ(bytes.size(), 14U + 20 + 8 + 12 + 8 + 1000 + 4, "8 bytes more");
        NS_TEST_EXPECT_MSG_EQ(ToHex(bytes, 54, 64), Hex("0000000000001234 0000"), "ns");
    }
    UseSimulator("ns3::DefaultSimulatorImpl");
    {
        Wire wire(2500, "ns3::RdmaHpcc");
        RdmaFrame frame = wire.Frame(RdmaFrameKind::DATA, 0, 1000, 0);
        frame.telemetry = true;
        frame.intHeader.hopCount = 1;
        frame.intHeader.hops[0].time = 0x0abcde;
        frame.intHeader.hops[0].tx = 0x12345;
        frame.intHeader.hops[0].qlen = 0x00fed;
        frame.intHeader.rateIndex[0] = 2;
        const std::vector<uint8_t> bytes = wire.Bytes(frame, wire.net.Port(0));
        // 42 bytes of INT and 1000 of payload make 1042: 2 bytes of padding
        NS_TEST_EXPECT_MSG_EQ(bytes.size(), 14U + 20 + 8 + 12 + 1044 + 4, "42 bytes more");
        // 3 bits rate, 24 time, 20 tx, 17 queue:
        // 010 000010101011110011011110 00010010001101000101 00000111111101101, as hexadecimal
        // 0100 0001 0101 0111 1001 1011 1100 0010 0100 0110 1000 1010 0000 1111 1110 1101
        NS_TEST_EXPECT_MSG_EQ(ToHex(bytes, 54, 62), Hex("41579bc2468a0fed"), "first hop");
        NS_TEST_EXPECT_MSG_EQ(ToHex(bytes, 62, 96), std::string(64, '0') + "0001", "one hop");
    }
    UseSimulator("ns3::DefaultSimulatorImpl");
    {
        Wire wire(2500, "ns3::RdmaHpccPint");
        RdmaFrame frame = wire.Frame(RdmaFrameKind::DATA, 0, 1000, 0);
        frame.intHeader.code = 0xab;
        const std::vector<uint8_t> bytes = wire.Bytes(frame, wire.net.Port(0));
        // 1 byte of code and 1000 of payload make 1001: 3 bytes of padding
        NS_TEST_EXPECT_MSG_EQ(bytes.size(), 14U + 20 + 8 + 12 + 1004 + 4, "1 byte more");
        NS_TEST_EXPECT_MSG_EQ(ToHex(bytes, 54, 56), Hex("ab00"), "the code");
    }
}

RDMA_TEST(RdmaRocev2NonRdma, "ordinary packets keep their bytes, and show a mark")
{
    Wire wire;
    Ptr<Packet> packet = Create<Packet>(reinterpret_cast<const uint8_t*>("abc"), 3);
    RdmaFrame frame{};
    frame.kind = RdmaFrameKind::PACKET;
    frame.nonRdma.packet = PeekPointer(packet);
    frame.nonRdma.protocol = 0x88b5;
    NS_TEST_EXPECT_MSG_EQ(ToHex(wire.Bytes(frame, wire.net.Port(0))),
                          Hex("020000020001 020000000001 88b5 616263"),
                          "no IPv4");

    Ipv4Header ip;
    ip.EnableChecksum();
    ip.SetEcn(Ipv4Header::ECN_ECT0);
    ip.SetPayloadSize(packet->GetSize());
    packet->AddHeader(ip);
    frame.nonRdma.packet = PeekPointer(packet);
    frame.nonRdma.protocol = RdmaEthernet::TYPE_IPV4;
    frame.ce = true;
    const std::vector<uint8_t> bytes = wire.Bytes(frame, wire.net.Port(0));
    Ipv4Header marked;
    marked.EnableChecksum();
    Create<Packet>(bytes.data() + 14, bytes.size() - 14)->RemoveHeader(marked);
    NS_TEST_EXPECT_MSG_EQ(marked.GetEcn(), Ipv4Header::ECN_CE, "marked");
    NS_TEST_EXPECT_MSG_EQ(marked.IsChecksumOk(), true, "its checksum follows");
}

RDMA_TEST(RdmaRocev2QueuePairs, "numbers of queue pairs")
{
    NS_TEST_EXPECT_MSG_EQ(RdmaRocev2QueuePair(0, false), 16U, "0 to 15 are left alone");
    NS_TEST_EXPECT_MSG_EQ(RdmaRocev2QueuePair(5, true), 0x800015U, "the receiver's");
    NS_TEST_EXPECT_MSG_EQ(RdmaRocev2QueuePair((1 << 23) - 17, false), 0x7fffffU, "the last");
    NS_TEST_EXPECT_MSG_EQ(RdmaRocev2QueuePair((1 << 23) - 16, false), 16U, "and round again");
}

RdmaTestSuite<RdmaRocev2NicIcrc,
              RdmaRocev2Data,
              RdmaRocev2Sizes,
              RdmaRocev2Replies,
              RdmaRocev2Pfc,
              RdmaRocev2Telemetry,
              RdmaRocev2NonRdma,
              RdmaRocev2QueuePairs>
    g_rdmaRocev2TestSuite("rdma-rocev2");

} // namespace

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/application-container.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/nstime.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/rdma-internet.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/udp-echo-helper.h"
#include "ns3/uinteger.h"

using namespace ns3;

namespace
{

Ipv4Address
AddressOf(uint32_t host)
{
    return Ipv4Address(RdmaRouting::AddressOf(host));
}

/** Sockets of ns-3's Internet stack on some hosts of a network. */
class Sockets
{
  public:
    explicit Sockets(RdmaTestNetwork& n)
        : net(n)
    {
        InstallRdmaInternet(net.network);
    }

    /** \p count requests and replies of \p bytes, one per 10 us. */
    void Echo(uint32_t from, uint32_t to, uint32_t count, uint32_t bytes)
    {
        UdpEchoServerHelper(9).Install(net.network->GetNode(to));
        UdpEchoClientHelper client(AddressOf(to), 9);
        client.SetAttribute("MaxPackets", UintegerValue(count));
        client.SetAttribute("Interval", TimeValue(MicroSeconds(10)));
        client.SetAttribute("PacketSize", UintegerValue(bytes));
        auto app = client.Install(net.network->GetNode(from)).Get(0);
        app->TraceConnectWithoutContext("Rx", MakeCallback(&Sockets::CountReply, this));
        app->TraceConnectWithoutContext("Tx", MakeCallback(&Sockets::NoteRequest, this));
    }

    /** A TCP transfer. */
    void Bulk(uint32_t from, uint32_t to, uint64_t bytes)
    {
        const std::string tcp = "ns3::TcpSocketFactory";
        PacketSinkHelper sink(tcp, InetSocketAddress(Ipv4Address::GetAny(), 50000));
        m_sink = DynamicCast<PacketSink>(sink.Install(net.network->GetNode(to)).Get(0));
        BulkSendHelper source(tcp, InetSocketAddress(AddressOf(to), 50000));
        source.SetAttribute("MaxBytes", UintegerValue(bytes));
        source.Install(net.network->GetNode(from));
    }

    uint64_t GetReceived() const
    {
        return m_sink->GetTotalRx();
    }

    RdmaTestNetwork& net;
    uint32_t replies{0};
    Time firstReply;

  private:
    void NoteRequest(Ptr<const Packet>)
    {
        if (m_firstRequest.IsZero())
        {
            m_firstRequest = Simulator::Now();
        }
    }

    void CountReply(Ptr<const Packet>)
    {
        if (++replies == 1)
        {
            firstReply = Simulator::Now() - m_firstRequest;
        }
    }

    Ptr<PacketSink> m_sink;
    Time m_firstRequest;
};

RDMA_TEST(RdmaVanillaEcho, "an echo over an idle network takes as long as its bytes")
{
    // 100 B + 8 (UDP) + 20 (IP) + 14 = 142 B: 11.36, so 11 ns at 100 Gb/s. Over a switch and back
    // that is 4 * (11
    // + 1000), to the nanosecond: no neighbour is asked for its address.
    for (const char* simulator : {"ns3::DefaultSimulatorImpl", "ns3::RdmaSimulatorImpl"})
    {
        UseSimulator(simulator);
        RdmaTestNetwork net(RdmaTestStar(2));
        Sockets sockets(net);
        sockets.Echo(0, 1, 20, 100);
        net.Run();
        NS_TEST_EXPECT_MSG_EQ(sockets.replies, 20, simulator);
        NS_TEST_EXPECT_MSG_EQ(sockets.firstReply.GetNanoSeconds(), 4044, simulator);
        NS_TEST_EXPECT_MSG_EQ(net.network->GetContext().frames.GetOut(), 0, "no frame is left");
    }
}

RDMA_TEST(RdmaVanillaBeside, "echo and TCP complete while RDMA flows use the same devices")
{
    for (const char* simulator : {"ns3::DefaultSimulatorImpl", "ns3::RdmaSimulatorImpl"})
    {
        UseSimulator(simulator);
        RdmaTestNetwork net(
            GenerateRdmaTopology("leaf-spine:leaves=2,hosts-per-leaf=2,spines=2"),
            [](RdmaHelper& helper) { helper.SetCongestionControl("ns3::RdmaHpcc"); });
        Sockets sockets(net);
        sockets.Echo(0, 3, 20, 1000);
        sockets.Bulk(1, 2, 2000000);
        for (uint32_t host = 0; host < 4; ++host)
        {
            net.Flow(host, (host + 2) % 4, 5000000, 104000);
        }
        net.Run(3000000000);
        NS_TEST_EXPECT_MSG_EQ(sockets.replies, 20, "echo under " << simulator);
        NS_TEST_EXPECT_MSG_EQ(sockets.GetReceived(), 2000000, "TCP under " << simulator);
        NS_TEST_EXPECT_MSG_EQ(net.ends.size(), 4, "RDMA under " << simulator);
        for (const RdmaTestEnd& end : net.ends)
        {
            // at worst two of the flows and TCP share a link: 5000 frames at a third of its rate
            NS_TEST_EXPECT_MSG_LT(end.fct, 3 * 5000 * 87, "RDMA is not starved");
            NS_TEST_EXPECT_MSG_EQ(end.resent, 0, "nor loses anything");
        }
        NS_TEST_EXPECT_MSG_EQ(net.network->GetContext().frames.GetOut(), 0, "no frame is left");
    }
}

RDMA_TEST(RdmaVanillaPlanes, "with several NICs a host has one address and sends by any of them")
{
    RdmaTopology topology;
    topology.nodes = {RdmaNodeKind::HOST,
                      RdmaNodeKind::HOST,
                      RdmaNodeKind::SWITCH,
                      RdmaNodeKind::SWITCH};
    topology.links = {RdmaTestLink(0, 2),
                      RdmaTestLink(0, 3),
                      RdmaTestLink(1, 2),
                      RdmaTestLink(1, 3)};
    RdmaTestNetwork net(topology);
    Sockets sockets(net);
    sockets.Bulk(0, 1, 1000000);
    net.network->SetLinkUp(0, false); // the first NIC has no link
    net.Run(3000000000);
    NS_TEST_EXPECT_MSG_EQ(sockets.GetReceived(), 1000000, "by the second one");
    NS_TEST_EXPECT_MSG_GT(net.Port(0, 1).GetTxBytes(), 1000000, "by the second one");
}

/** What a host hears of a packet. */
struct Heard
{
    uint32_t bytes{0};
    Ipv4Header ip;
};

/** \return what host 1 hears of an IPv4 packet with \p ecn that came to it marked */
Heard
HearMarked(Ipv4Header::EcnType ecn)
{
    RdmaTestNetwork net(RdmaTestStar(2));
    Ipv4Header ip;
    ip.EnableChecksum();
    ip.SetEcn(ecn);
    Ptr<Packet> packet = Create<Packet>(100);
    packet->AddHeader(ip);
    RdmaFrame* frame = net.network->GetContext().frames.Take();
    *frame = {};
    frame->ce = true;
    frame->nonRdma.packet = GetPointer(packet);
    frame->nonRdma.protocol = 0x0800;
    Heard heard;
    heard.ip.EnableChecksum();
    auto& device = static_cast<RdmaNetDevice&>(net.Port(1));
    device.SetReceiveCallback(
        [&](Ptr<NetDevice>, Ptr<const Packet> arrived, uint16_t, const Address&) {
            heard.bytes = arrived->GetSize();
            arrived->PeekHeader(heard.ip);
            return true;
        });
    device.DeliverNonRdma(frame);
    net.Run();
    return heard;
}

RDMA_TEST(RdmaVanillaMark, "the Internet stack finds marks in the header, whose checksum follows")
{
    const auto notCapable = Ipv4Header::ECN_NotECT;
    for (const auto ecn : {notCapable, Ipv4Header::ECN_ECT0, Ipv4Header::ECN_ECT1})
    {
        const Heard heard = HearMarked(ecn);
        NS_TEST_EXPECT_MSG_EQ(heard.bytes, 20 + 100, "all of it");
        const auto expected = ecn == notCapable ? notCapable : Ipv4Header::ECN_CE;
        NS_TEST_EXPECT_MSG_EQ((heard.ip.GetEcn() == expected), true, "marked, if it knows marks");
        NS_TEST_EXPECT_MSG_EQ(heard.ip.IsChecksumOk(), true, "its checksum follows");
    }
}

RdmaTestSuite<RdmaVanillaEcho, RdmaVanillaBeside, RdmaVanillaPlanes, RdmaVanillaMark>
    g_rdmaVanillaSuite("rdma-vanilla");

} // namespace

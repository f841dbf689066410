/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/queue-item.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"

using namespace ns3;

namespace
{

constexpr uint32_t PAIRS = 4;
constexpr uint16_t PORT = 5000;

/** \return the address of the right host \p i, whose links have the networks after the left ones'
 * (1 to PAIRS) */
Ipv4Address
RightAddress(uint32_t i)
{
    return Ipv4Address(("10.1." + std::to_string(PAIRS + 1 + i) + ".2").c_str());
}

} // namespace

Dumbbell::Dumbbell(const Ptr<Record>& record)
    : m_record(record),
      m_left(PAIRS),
      m_right(PAIRS),
      m_routers(2)
{
    BuildLinks();
    InstallFlows();
    ConnectTraces();
}

void
Dumbbell::BuildLinks()
{
    InternetStackHelper internet;
    internet.Install(NodeContainer(m_left, m_right, m_routers));
    PointToPointHelper access;
    access.SetDeviceAttribute("DataRate", StringValue("20Mbps"));
    access.SetChannelAttribute("Delay", StringValue("1ms"));
    PointToPointHelper bottleneck;
    bottleneck.SetDeviceAttribute("DataRate", StringValue("5Mbps"));
    bottleneck.SetChannelAttribute("Delay", StringValue("5ms"));
    bottleneck.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("5p"));

    const NetDeviceContainer middle = bottleneck.Install(m_routers);
    TrafficControlHelper red;
    red.SetRootQueueDisc("ns3::RedQueueDisc",
                         "MaxSize",
                         StringValue("30p"),
                         "MinTh",
                         StringValue("5"),
                         "MaxTh",
                         StringValue("15"),
                         "LinkBandwidth",
                         StringValue("5Mbps"),
                         "LinkDelay",
                         StringValue("5ms"));
    red.Install(middle);

    Ipv4AddressHelper address("10.1.1.0", "255.255.255.0");
    for (const auto& [hosts, router] : {std::pair(m_left, 0), std::pair(m_right, 1)})
    {
        for (uint32_t i = 0; i < PAIRS; ++i)
        {
            address.Assign(access.Install(m_routers.Get(router), hosts.Get(i)));
            address.NewNetwork();
        }
    }
    address.Assign(middle);
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
}

void
Dumbbell::InstallFlows()
{
    for (uint32_t i = 0; i < PAIRS; ++i)
    {
        const bool udp = i == PAIRS - 1;
        const std::string protocol = udp ? "ns3::UdpSocketFactory" : "ns3::TcpSocketFactory";
        const InetSocketAddress to(RightAddress(i), PORT);
        PacketSinkHelper sink(protocol, InetSocketAddress(Ipv4Address::GetAny(), PORT));
        m_sinks.Add(sink.Install(m_right.Get(i)));
        ApplicationContainer source;
        if (udp)
        {
            OnOffHelper onOff(protocol, to);
            onOff.SetAttribute("DataRate", StringValue("3Mbps"));
            onOff.SetAttribute("OnTime", StringValue("ns3::ExponentialRandomVariable[Mean=0.05]"));
            onOff.SetAttribute("OffTime", StringValue("ns3::ExponentialRandomVariable[Mean=0.05]"));
            source = onOff.Install(m_left.Get(i));
        }
        else
        {
            source = BulkSendHelper(protocol, to).Install(m_left.Get(i));
        }
        source.Start((i / 2) * MilliSeconds(10)); // two at a time
    }
}

void
Dumbbell::ConnectTraces()
{
    const std::string devices = "/NodeList/*/DeviceList/*/$ns3::PointToPointNetDevice/";
    m_record->Packets(devices,
                      {"MacTx",
                       "MacTxDrop",
                       "MacPromiscRx",
                       "MacRx",
                       "PhyTxBegin",
                       "PhyTxEnd",
                       "PhyTxDrop",
                       "PhyRxEnd",
                       "PhyRxDrop",
                       "Sniffer",
                       "PromiscSniffer"});
    m_record->Packets(devices + "TxQueue/", {"Enqueue", "Dequeue", "Drop"});
    using Item = Ptr<const QueueDiscItem>;
    const std::string discs = "/NodeList/*/$ns3::TrafficControlLayer/RootQueueDiscList/*/";
    for (const std::string source : {"Enqueue", "Dequeue", "Requeue", "Drop"})
    {
        ConnectTrace<Item>(discs + source, [this](const std::string& context, const Item& item) {
            m_record->Note(context, item->GetPacket()->GetUid(), item->GetSize());
        });
    }
    for (const std::string source : {"DropBeforeEnqueue", "Mark"})
    {
        ConnectTrace<Item, const char*>(
            discs + source,
            [this](const std::string& context, const Item& item, const char* reason) {
                m_record->Note(context, item->GetPacket()->GetUid(), reason);
            });
    }
    // sockets exist once their applications have started
    Simulator::Schedule(MilliSeconds(15), &Dumbbell::ConnectSockets, this);
}

void
Dumbbell::ConnectSockets()
{
    const std::string sockets = "/NodeList/*/$ns3::TcpL4Protocol/SocketList/*/";
    ConnectTrace<uint32_t, uint32_t>(
        sockets + "CongestionWindow",
        [this](const std::string& context, uint32_t before, uint32_t after) {
            m_record->Note(context, before, after);
        });
    for (const std::string source : {"RTT", "RTO"})
    {
        ConnectTrace<Time, Time>(
            sockets + source,
            [this](const std::string& context, const Time& before, const Time& after) {
                m_record->Note(context, before.GetTimeStep(), after.GetTimeStep());
            });
    }
}

void
Dumbbell::NoteEnd()
{
    for (uint32_t i = 0; i < m_sinks.GetN(); ++i)
    {
        m_record->Note("received", DynamicCast<PacketSink>(m_sinks.Get(i))->GetTotalRx());
    }
}

void
RunDumbbell(const Ptr<Record>& record)
{
    Dumbbell dumbbell(record);
    Simulator::Stop(MilliSeconds(500));
    Simulator::Run();
    dumbbell.NoteEnd();
    record->Note("events", Simulator::GetEventCount());
    Simulator::Destroy();
}

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios.h"

#include "ns3/csma-helper.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/string.h"
#include "ns3/udp-echo-helper.h"
#include "ns3/uinteger.h"

using namespace ns3;

namespace
{

constexpr uint32_t NODES = 6;

void
InstallEchoes(const NodeContainer& nodes, const Ipv4InterfaceContainer& interfaces)
{
    UdpEchoServerHelper(9).Install(nodes.Get(0)).Start(Seconds(0));
    for (uint32_t i = 1; i < NODES; ++i)
    {
        UdpEchoClientHelper client(interfaces.GetAddress(0), 9);
        client.SetAttribute("MaxPackets", UintegerValue(50));
        client.SetAttribute("Interval", TimeValue(MilliSeconds(4)));
        client.SetAttribute("PacketSize", UintegerValue(1024));
        // all at once: the bus is busy for all but the first
        client.Install(nodes.Get(i)).Start(MilliSeconds(10));
    }
}

} // namespace

void
RunCsma(const Ptr<Record>& record)
{
    NodeContainer nodes(NODES);
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("20Mbps"));
    csma.SetChannelAttribute("Delay", StringValue("2us"));
    const NetDeviceContainer devices = csma.Install(nodes);
    InternetStackHelper().Install(nodes);
    InstallEchoes(nodes, Ipv4AddressHelper("10.1.1.0", "255.255.255.0").Assign(devices));

    const std::string sources = "/NodeList/*/DeviceList/*/$ns3::CsmaNetDevice/";
    record->Packets(sources,
                    {"MacTx",
                     "MacTxDrop",
                     "MacPromiscRx",
                     "MacRx",
                     "MacTxBackoff",
                     "PhyTxBegin",
                     "PhyTxEnd",
                     "PhyTxDrop",
                     "PhyRxEnd",
                     "PhyRxDrop",
                     "Sniffer",
                     "PromiscSniffer"});
    record->Packets(sources + "TxQueue/", {"Enqueue", "Dequeue", "Drop"});
    record->Packets("/NodeList/*/$ns3::ArpL3Protocol/", {"Drop"});
    record->Packets("/NodeList/*/ApplicationList/*/$ns3::UdpEchoClient/", {"Tx", "Rx"});
    Simulator::Run(); // until nothing is left to do
    record->Note("events", Simulator::GetEventCount());
    Simulator::Destroy();
}

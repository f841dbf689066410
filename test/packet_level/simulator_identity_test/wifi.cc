/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios.h"

#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/mobility-helper.h"
#include "ns3/mobility-model.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/ssid.h"
#include "ns3/string.h"
#include "ns3/wifi-helper.h"
#include "ns3/wifi-mac-helper.h"
#include "ns3/yans-wifi-helper.h"

using namespace ns3;

namespace
{

constexpr uint32_t STATIONS = 4;
constexpr uint16_t PORT = 5000;

/** \return the devices of the stations, then that of the access point */
NetDeviceContainer
InstallWifi(const NodeContainer& stations, const NodeContainer& accessPoint)
{
    YansWifiPhyHelper phy;
    phy.SetChannel(YansWifiChannelHelper::Default().Create());
    WifiHelper wifi;
    wifi.SetStandard(WIFI_STANDARD_80211a);
    wifi.SetRemoteStationManager("ns3::AarfWifiManager");
    WifiMacHelper mac;
    const Ssid ssid("identity");
    mac.SetType("ns3::StaWifiMac", "Ssid", SsidValue(ssid));
    NetDeviceContainer devices = wifi.Install(phy, mac, stations);
    mac.SetType("ns3::ApWifiMac", "Ssid", SsidValue(ssid));
    devices.Add(wifi.Install(phy, mac, accessPoint));
    return devices;
}

void
InstallMobility(const NodeContainer& stations, const NodeContainer& accessPoint)
{
    MobilityHelper mobility;
    mobility.SetPositionAllocator("ns3::RandomRectanglePositionAllocator",
                                  "X",
                                  StringValue("ns3::UniformRandomVariable[Min=-40|Max=40]"),
                                  "Y",
                                  StringValue("ns3::UniformRandomVariable[Min=-40|Max=40]"));
    mobility.SetMobilityModel("ns3::RandomWalk2dMobilityModel",
                              "Bounds",
                              StringValue("-50|50|-50|50"),
                              "Mode",
                              StringValue("Time"),
                              "Time",
                              StringValue("50ms"),
                              "Speed",
                              StringValue("ns3::UniformRandomVariable[Min=20|Max=90]"));
    mobility.Install(stations);
    mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel");
    mobility.Install(accessPoint);
}

void
InstallSource(const Ptr<Node>& from, const Ipv4Address& to, const std::string& rate)
{
    OnOffHelper source("ns3::UdpSocketFactory", InetSocketAddress(to, PORT));
    source.SetAttribute("DataRate", StringValue(rate));
    source.SetAttribute("OffTime", StringValue("ns3::ExponentialRandomVariable[Mean=0.02]"));
    source.SetAttribute("OnTime", StringValue("ns3::ExponentialRandomVariable[Mean=0.1]"));
    source.Install(from).Start(MilliSeconds(100));
}

void
ConnectTraces(const Ptr<Record>& record)
{
    const std::string device = "/NodeList/*/DeviceList/*/$ns3::WifiNetDevice/";
    record->Packets(device + "Mac/", {"MacTx", "MacTxDrop", "MacRx", "MacRxDrop", "MacPromiscRx"});
    record->Packets(device + "Phy/", {"PhyTxEnd", "PhyTxDrop", "PhyRxEnd"});
    ConnectTrace<Ptr<const Packet>, double>(
        device + "Phy/PhyTxBegin",
        [record](const std::string& context, const Ptr<const Packet>& packet, double watts) {
            record->Note(context, packet->GetUid(), packet->GetSize(), watts);
        });
    ConnectTrace<Ptr<const MobilityModel>>(
        "/NodeList/*/$ns3::MobilityModel/CourseChange",
        [record](const std::string& context, const Ptr<const MobilityModel>& model) {
            record->Note(context, model->GetPosition(), model->GetVelocity());
        });
}

} // namespace

void
RunWifi(const Ptr<Record>& record)
{
    NodeContainer stations(STATIONS);
    NodeContainer accessPoint(1);
    const NodeContainer all(stations, accessPoint);
    const NetDeviceContainer devices = InstallWifi(stations, accessPoint);
    InstallMobility(stations, accessPoint);
    InternetStackHelper().Install(all);
    const Ipv4InterfaceContainer interfaces =
        Ipv4AddressHelper("10.1.3.0", "255.255.255.0").Assign(devices);
    PacketSinkHelper("ns3::UdpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), PORT))
        .Install(all);
    for (uint32_t i = 0; i < STATIONS; ++i)
    {
        InstallSource(stations.Get(i), interfaces.GetAddress(STATIONS), "2Mbps");
    }
    InstallSource(accessPoint.Get(0), interfaces.GetAddress(0), "1Mbps");
    ConnectTraces(record);
    Simulator::Stop(MilliSeconds(400));
    Simulator::Run();
    record->Note("events", Simulator::GetEventCount());
    Simulator::Destroy();
}

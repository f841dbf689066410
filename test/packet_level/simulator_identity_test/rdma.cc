/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios.h"

#include "ns3/bulk-send-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-internet.h"
#include "ns3/rdma-network.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/string.h"
#include "ns3/udp-echo-helper.h"
#include "ns3/uinteger.h"

#include <functional>

using namespace ns3;

namespace
{

constexpr uint32_t HOSTS = 4;
constexpr uint16_t PORT = 50000;

template <typename... Args, typename Sink>
void
Listen(RdmaTrace<Args...>& trace, Sink sink)
{
    trace.ConnectWithoutContext(Callback<void, Args...>(std::function<void(Args...)>(sink)));
}

/** A leaf-spine network on which two flows at a time cross to the other leaf. */
class Network
{
  public:
    explicit Network(const Ptr<Record>& record)
        : m_record(record)
    {
        RdmaHelper helper;
        helper.SetCongestionControl("ns3::RdmaHpcc");
        m_network =
            helper.Install(GenerateRdmaTopology("leaf-spine:leaves=2,hosts-per-leaf=2,spines=2"));
        for (uint32_t node = 0; node < m_network->GetNodeCount(); ++node)
        {
            for (RdmaPort* port : m_network->GetRdmaNode(node).GetPorts())
            {
                Record* to = GetPointer(m_record);
                Listen(port->txBeginTrace, [to, node](const RdmaFrame& frame) {
                    to->Note("tx", node, frame.wireBytes, frame.serial);
                });
                Listen(port->rxTrace, [to, node](const RdmaFrame& frame) {
                    to->Note("rx", node, frame.wireBytes, frame.serial);
                });
            }
        }
        for (uint32_t i = 0; i < 8; ++i)
        {
            Simulator::Schedule((i / 2) * PicoSeconds(15000017), &Network::Start, this, i);
        }
    }

    const Ptr<RdmaNetwork>& Get() const
    {
        return m_network;
    }

  private:
    void Start(uint32_t i)
    {
        RdmaFlow flow;
        flow.src = i % HOSTS;
        flow.dst = (i + 2) % HOSTS;
        flow.bytes = 200000 + 1000 * i;
        flow.onDelivered = [this](const RdmaQueuePair& qp) {
            m_record->Note("delivered", qp.GetId(), qp.GetDeliveryTime());
        };
        flow.onEnd = [this](const RdmaQueuePair& qp) {
            m_record->Note("end", qp.GetId(), qp.GetEndTime(), qp.GetRetransmittedBytes());
        };
        m_network->StartFlow(flow);
    }

    Ptr<Record> m_record;
    Ptr<RdmaNetwork> m_network;
};

/** TCP from host 1 to 2, and echoes from host 0 by 3, both on the network's devices. */
void
InstallSockets(const Ptr<RdmaNetwork>& network)
{
    InstallRdmaInternet(network);
    const auto address = [](uint32_t host) { return Ipv4Address(RdmaRouting::AddressOf(host)); };
    const std::string tcp = "ns3::TcpSocketFactory";
    PacketSinkHelper sink(tcp, InetSocketAddress(Ipv4Address::GetAny(), PORT));
    sink.Install(network->GetNode(2));
    BulkSendHelper source(tcp, InetSocketAddress(address(2), PORT));
    source.SetAttribute("MaxBytes", UintegerValue(300000));
    source.Install(network->GetNode(1));
    UdpEchoServerHelper(9).Install(network->GetNode(3));
    UdpEchoClientHelper client(address(3), 9);
    client.SetAttribute("MaxPackets", UintegerValue(20));
    client.SetAttribute("Interval", TimeValue(PicoSeconds(7000031)));
    client.SetAttribute("PacketSize", UintegerValue(700));
    client.Install(network->GetNode(0)).Start(PicoSeconds(13));
}

} // namespace

void
RunBeside(const Ptr<Record>& rdma, const Ptr<Record>& dumbbell)
{
    {
        Network network(rdma);
        Dumbbell other(dumbbell);
        Simulator::Stop(MilliSeconds(300));
        Simulator::Run();
        other.NoteEnd();
    }
    Simulator::Destroy();
}

void
RunThrough(const Ptr<Record>& rdma, const Ptr<Record>& internet)
{
    {
        // Under DefaultSimulatorImpl all that happens to a network at one instant happens together,
        // before or after what ns-3's events do then. So there must be no such instant:
        // transmission takes multiples of 80 ps, and what ns-3's events start is no such multiple.
        Time::SetResolution(Time::PS);
        Network network(rdma);
        InstallSockets(network.Get());
        internet->Packets("/NodeList/*/ApplicationList/*/$ns3::UdpEchoClient/", {"Tx", "Rx"});
        internet->Packets("/NodeList/*/ApplicationList/*/$ns3::BulkSendApplication/", {"Tx"});
        Simulator::Stop(MilliSeconds(300));
        Simulator::Run();
    }
    Simulator::Destroy();
}

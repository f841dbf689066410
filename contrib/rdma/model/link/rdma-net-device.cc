/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-net-device.h"

#include "rdma-ethernet.h"
#include "rdma-ip-packet.h"

#include "ns3/abort.h"
#include "ns3/packet.h"
#include "ns3/rdma-host.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaNetDevice);
NS_OBJECT_ENSURE_REGISTERED(RdmaChannel);

TypeId
RdmaNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("Rdma")
            .AddConstructor<RdmaNetDevice>()
            .AddAttribute(
                "Mtu",
                "Largest ordinary packet; RDMA frames have RdmaHost's PayloadSize instead. [B]",
                UintegerValue(1500),
                MakeUintegerAccessor(&RdmaNetDevice::SetMtu, &RdmaNetDevice::GetMtu),
                MakeUintegerChecker<uint16_t>())
            .AddTraceSource("PhyTxBegin",
                            "Transmission of a frame begins.",
                            MakeTraceSourceAccessor(&RdmaNetDevice::txBeginTrace),
                            "ns3::RdmaNetDevice::FrameTracedCallback")
            .AddTraceSource(
                "PhyRxEnd",
                "The last bit of a frame is there, before anything is done with the frame.",
                MakeTraceSourceAccessor(&RdmaNetDevice::rxTrace),
                "ns3::RdmaNetDevice::FrameTracedCallback")
            .AddTraceSource("Enqueue",
                            "A frame has entered an egress queue.",
                            MakeTraceSourceAccessor(&RdmaNetDevice::enqueueTrace),
                            "ns3::RdmaNetDevice::QueueTracedCallback")
            .AddTraceSource("Dequeue",
                            "A frame has left an egress queue, or a queue pair at its host (queue: "
                            "its priority).",
                            MakeTraceSourceAccessor(&RdmaNetDevice::dequeueTrace),
                            "ns3::RdmaNetDevice::QueueTracedCallback")
            .AddTraceSource("Drop",
                            "A frame is lost here: no room, corrupted (at the sending end), link "
                            "down, no route.",
                            MakeTraceSourceAccessor(&RdmaNetDevice::dropTrace),
                            "ns3::RdmaNetDevice::DropTracedCallback")
            .AddTraceSource("QueueBytes",
                            "The length of a switch's egress queue changed, bytes.",
                            MakeTraceSourceAccessor(&RdmaNetDevice::queueBytesTrace),
                            "ns3::RdmaNetDevice::QueueBytesTracedCallback")
            .AddTraceSource("Pfc",
                            "A PFC frame was received: pause or resume of a queue.",
                            MakeTraceSourceAccessor(&RdmaNetDevice::pfcTrace),
                            "ns3::RdmaNetDevice::PfcTracedCallback")
            .AddTraceSource("EcnMark",
                            "A frame was marked congestion experienced.",
                            MakeTraceSourceAccessor(&RdmaNetDevice::markTrace),
                            "ns3::RdmaNetDevice::FrameTracedCallback");
    return tid;
}

RdmaNetDevice::RdmaNetDevice() = default;
RdmaNetDevice::~RdmaNetDevice() = default;

void
RdmaNetDevice::DoDispose()
{
    m_node = nullptr;
    m_channel = nullptr;
    m_receive =
        MakeNullCallback<bool, Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&>();
    m_promiscReceive = PromiscReceiveCallback();
    NetDevice::DoDispose();
}

void
RdmaNetDevice::SetChannel(Ptr<RdmaChannel> channel)
{
    m_channel = channel;
}

void
RdmaNetDevice::NotifyLinkChange()
{
    m_linkChange();
}

bool
RdmaNetDevice::Send(Ptr<Packet> packet, const Address&, uint16_t protocolNumber)
{
    NS_ABORT_MSG_IF(!IsInstalled(),
                    "RdmaNetDevice::Send: the device belongs to no RdmaNetwork, whose Connect "
                    "makes devices");
    if (GetOwner().IsTransit() || packet->GetSize() > m_mtu)
    {
        return false;
    }
    RdmaContext& context = GetContext();
    context.eventQueue->Sync(); // the stack sends from within its own events
    RdmaFrame* frame = context.frames.Take();
    frame->qp = nullptr;
    frame->kind = RdmaFrameKind::PACKET;
    frame->priority = RdmaHost::NON_RDMA_QUEUE;
    frame->seq = 0;
    frame->payloadBytes = packet->GetSize();
    frame->wireBytes = packet->GetSize() + context.wire.l2Bytes;
    frame->serial = NextSerial();
    frame->ce = frame->echo = frame->ackNow = frame->telemetry = frame->last = false;
    frame->route = nullptr;
    frame->nonRdma.packet = GetPointer(packet->Copy());
    frame->nonRdma.protocol = protocolNumber;
    ReadRdmaAddresses(packet, frame->nonRdma);
    return static_cast<RdmaHost&>(GetOwner()).SendNonRdma(*this, frame);
}

void
RdmaNetDevice::DeliverNonRdma(RdmaFrame* frame)
{
    Ptr<Packet> packet(frame->nonRdma.packet, false); // takes the frame's reference
    const uint16_t protocol = frame->nonRdma.protocol;
    const bool ce = frame->ce;
    GetContext().frames.Give(frame);
    if (ce && protocol == RdmaEthernet::TYPE_IPV4)
    {
        MarkRdmaPacket(packet);
    }
    const Address from = static_cast<RdmaNetDevice&>(GetPeer()).GetAddress();
    // ns-3's nodes insist on a context of their own
    Simulator::ScheduleWithContext(m_node->GetId(),
                                   Time(0),
                                   &RdmaNetDevice::HandUp,
                                   Ptr<RdmaNetDevice>(this),
                                   packet,
                                   protocol,
                                   from);
}

void
RdmaNetDevice::HandUp(const Ptr<Packet>& packet, uint16_t protocol, const Address& from)
{
    if (!m_promiscReceive.IsNull())
    {
        m_promiscReceive(this, packet, protocol, from, m_address, NetDevice::PACKET_HOST);
    }
    m_receive(this, packet, protocol, from);
}

bool
RdmaNetDevice::SendFrom(Ptr<Packet>, const Address&, const Address&, uint16_t)
{
    return false;
}

void
RdmaNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
RdmaNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
RdmaNetDevice::GetChannel() const
{
    return m_channel;
}

void
RdmaNetDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
RdmaNetDevice::GetAddress() const
{
    return m_address;
}

bool
RdmaNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
RdmaNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
RdmaNetDevice::IsLinkUp() const
{
    return RdmaPort::IsLinkUp();
}

void
RdmaNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChange.ConnectWithoutContext(callback);
}

bool
RdmaNetDevice::IsBroadcast() const
{
    return true;
}

Address
RdmaNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
RdmaNetDevice::IsMulticast() const
{
    return true;
}

Address
RdmaNetDevice::GetMulticast(Ipv4Address) const
{
    return Mac48Address::GetBroadcast();
}

Address
RdmaNetDevice::GetMulticast(Ipv6Address) const
{
    return Mac48Address::GetBroadcast();
}

bool
RdmaNetDevice::IsBridge() const
{
    return false;
}

bool
RdmaNetDevice::IsPointToPoint() const
{
    return true;
}

Ptr<Node>
RdmaNetDevice::GetNode() const
{
    return m_node;
}

void
RdmaNetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
RdmaNetDevice::NeedsArp() const
{
    return false;
}

void
RdmaNetDevice::SetReceiveCallback(ReceiveCallback cb)
{
    // a node gives each of its devices one of their own, all alike: they share the first one's
    const Ptr<NetDevice> first = m_node && m_node->GetNDevices() ? m_node->GetDevice(0) : nullptr;
    const auto* const other = dynamic_cast<const RdmaNetDevice*>(PeekPointer(first));
    const bool alike = other && !other->m_receive.IsNull() && other->m_receive.IsEqual(cb);
    m_receive = alike ? other->m_receive : cb;
}

void
RdmaNetDevice::SetPromiscReceiveCallback(PromiscReceiveCallback cb)
{
    m_promiscReceive = cb;
}

bool
RdmaNetDevice::SupportsSendFrom() const
{
    return false;
}

TypeId
RdmaChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaChannel")
            .SetParent<Channel>()
            .SetGroupName("Rdma")
            .AddConstructor<RdmaChannel>()
            .AddAttribute("Delay",
                          "One-way delay of the link; read only: it is an argument of "
                          "RdmaNetwork::Connect.",
                          TypeId::ATTR_GET,
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RdmaChannel::GetDelay),
                          MakeTimeChecker(Time(0)));
    return tid;
}

void
RdmaChannel::Attach(Ptr<RdmaNetDevice> a, Ptr<RdmaNetDevice> b)
{
    m_ends[0] = a;
    m_ends[1] = b;
}

Time
RdmaChannel::GetDelay() const
{
    return TimeStep(m_ends[0] ? static_cast<uint64_t>(m_ends[0]->RdmaPort::GetDelay()) : 0);
}

std::size_t
RdmaChannel::GetNDevices() const
{
    return 2;
}

Ptr<NetDevice>
RdmaChannel::GetDevice(std::size_t i) const
{
    return m_ends[i];
}

} // namespace ns3

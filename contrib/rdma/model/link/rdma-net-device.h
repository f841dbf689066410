/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_NET_DEVICE_H
#define RDMA_NET_DEVICE_H

#include "rdma-port.h"

#include "ns3/channel.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

namespace ns3
{

class RdmaChannel;

/**
 * \ingroup rdma
 * \brief A port as an ns-3 device: its trace sources, and a way through for ordinary packets.
 *
 * Ordinary packets (IPv4) enter and leave at hosts only; switches forward them by destination
 * address like RDMA frames, in queue 1.
 */
class RdmaNetDevice : public RdmaPort, public NetDevice
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    RdmaNetDevice();
    ~RdmaNetDevice() override;

    /** \param channel that it is attached to */
    void SetChannel(Ptr<RdmaChannel> channel);

    /** Hands an ordinary packet that arrived at this port to the layers above; the frame is given
     * back. */
    void DeliverNonRdma(RdmaFrame* frame);

    /** Tells whoever asked that the link went down or up. */
    void NotifyLinkChange();

    // NetDevice
    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(ReceiveCallback cb) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback cb) override;
    bool SupportsSendFrom() const override;

    /** Signature of trace sources that show a frame. */
    typedef void (*FrameTracedCallback)(const RdmaFrame& frame);
    /** Signature of trace sources that show a frame and its queue. */
    typedef void (*QueueTracedCallback)(const RdmaFrame& frame, uint32_t queue);
    /** Signature of the trace source Drop. */
    typedef void (*DropTracedCallback)(const RdmaFrame& frame, RdmaDropReason reason);
    /** Signature of the trace source QueueBytes: queue, bytes before and after. */
    typedef void (*QueueBytesTracedCallback)(uint32_t queue, uint64_t before, uint64_t after);
    /** Signature of the trace source Pfc: queue, true for a pause. */
    typedef void (*PfcTracedCallback)(uint32_t queue, bool pause);

  protected:
    void DoDispose() override;

  private:
    void HandUp(const Ptr<Packet>& packet, uint16_t protocol, const Address& from);

    Ptr<Node> m_node;
    Ptr<RdmaChannel> m_channel;
    uint32_t m_ifIndex{0};
    uint16_t m_mtu{1500};
    Mac48Address m_address;
    ReceiveCallback m_receive;
    PromiscReceiveCallback m_promiscReceive;
    TracedCallback<> m_linkChange;
};

/** \ingroup rdma The link between two devices, for those who ask a device for its channel. */
class RdmaChannel : public Channel
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /** \param a one end \param b the other */
    void Attach(Ptr<RdmaNetDevice> a, Ptr<RdmaNetDevice> b);

    /** \return one-way delay; 0 before the ends are connected */
    Time GetDelay() const;

    // Channel
    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  private:
    Ptr<RdmaNetDevice> m_ends[2];
};

} // namespace ns3

#endif // RDMA_NET_DEVICE_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-network.h"

#include "ns3/abort.h"
#include "ns3/channel-list.h"
#include "ns3/node-list.h"
#include "ns3/rdma-cut.h"
#include "ns3/rdma-simulator-impl.h"

#include <type_traits>

// The nodes and links of a network, here and elsewhere.

namespace ns3
{

namespace
{

/** From ns-3.41 on, ns3::ChannelList has channels initialized, as ns3::Node has its devices. */
constexpr bool CHANNELS_ARE_INITIALIZED = !std::is_void_v<RdmaSimulatorImpl::StopResult>;

} // namespace

void
RdmaNetwork::Expect(const std::vector<bool>& hosts, const std::vector<RdmaCutLink>& links)
{
    NS_ABORT_MSG_IF(!m_nodes.empty(), "RdmaNetwork: Expect comes before nodes are added");
    Prepare();
    m_elsewhere = m_simulator ? m_simulator->ListElsewhere(hosts, links) : std::vector<bool>();
    if (!m_elsewhere.empty())
    {
        // these lists take a place when they are first used; a rank may have no link of its own
        static_cast<void>(NodeList::GetNNodes());
        static_cast<void>(ChannelList::GetNChannels());
    }
}

uint32_t
RdmaNetwork::AddNode(Ptr<Node> node, Ptr<RdmaNode> rdma, bool nvSwitch)
{
    NS_ABORT_MSG_IF(m_started, "RdmaNetwork: nodes are added before Start");
    NS_ABORT_MSG_IF(!rdma,
                    "RdmaNetwork: node " << m_nodes.size() << " is added without its "
                                         << "RdmaHost or RdmaSwitch; create one");
    Prepare();
    const auto id = static_cast<uint32_t>(m_nodes.size());
    const bool elsewhere = IsExpectedElsewhere(id);
    NS_ABORT_MSG_IF(elsewhere != !node,
                    "RdmaNetwork: node " << id << " must be null if it is expected elsewhere, and "
                                         << "only then");
    rdma->Install(m_context, m_routing, id);
    rdma->SetElsewhere(elsewhere);
    if (elsewhere)
    {
        m_simulator->CountElsewhere(); // ns3::Node has itself initialized
    }
    else
    {
        node->AggregateObject(rdma);
    }
    m_nodes.push_back(node);
    m_rdmaNodes.push_back(rdma);
    m_nvSwitches.push_back(nvSwitch);
    return id;
}

uint32_t
RdmaNetwork::AddHost(Ptr<Node> node, Ptr<RdmaHost> host)
{
    const uint32_t id = AddNode(node, host, false);
    host->SetNetwork(*this);
    return id;
}

uint32_t
RdmaNetwork::AddSwitch(Ptr<Node> node, Ptr<RdmaSwitch> sw, bool nvSwitch)
{
    return AddNode(node, sw, nvSwitch);
}

uint32_t
RdmaNetwork::Connect(uint32_t a, uint32_t b, uint64_t rate, int64_t delay, double errorRate)
{
    NS_ABORT_MSG_IF(m_started, "RdmaNetwork: links are added before Start");
    NS_ABORT_MSG_IF(a >= m_nodes.size() || b >= m_nodes.size() || a == b,
                    "RdmaNetwork::Connect: node " << a << " to node " << b
                                                  << ", but a link joins two different ones of "
                                                  << m_nodes.size() << ", from 0");
    const auto link = static_cast<uint32_t>(m_links.size());
    RdmaPort& portA = AddPort(a, 2 * link);
    RdmaPort& portB = AddPort(b, 2 * link + 1);
    if (!IsExpectedElsewhere(a) && !IsExpectedElsewhere(b))
    {
        const auto channel = CreateObject<RdmaChannel>();
        const Ptr<RdmaNetDevice> deviceA(static_cast<RdmaNetDevice*>(&portA));
        const Ptr<RdmaNetDevice> deviceB(static_cast<RdmaNetDevice*>(&portB));
        channel->Attach(deviceA, deviceB);
        deviceA->SetChannel(channel);
        deviceB->SetChannel(channel);
    }
    else if (CHANNELS_ARE_INITIALIZED)
    {
        m_simulator->CountElsewhere();
    }
    portA.Connect(portB, rate, delay, errorRate);
    portB.Connect(portA, rate, delay, errorRate);
    m_links.emplace_back(&portA, &portB);
    return link;
}

/** \return the next port of \p node, which is a device if it is here */
RdmaPort&
RdmaNetwork::AddPort(uint32_t node, uint32_t portId)
{
    NS_ABORT_MSG_IF(m_rdmaNodes[node]->GetPorts().size() == RdmaNode::MOST_PORTS,
                    "RdmaNetwork::Connect: node " << node << " has " << RdmaNode::MOST_PORTS
                                                  << " links already, the most");
    const Mac48Address address = Mac48Address::Allocate(); // the same wherever the node is
    if (IsExpectedElsewhere(node))
    {
        m_portsElsewhere.push_back(std::make_unique<RdmaPort>());
        m_simulator->CountElsewhere(); // ns3::Node has its devices initialized
        m_rdmaNodes[node]->AddPort(*m_portsElsewhere.back(), portId);
        return *m_portsElsewhere.back();
    }
    const auto device = CreateObject<RdmaNetDevice>();
    device->SetAddress(address);
    m_nodes[node]->AddDevice(device);
    m_rdmaNodes[node]->AddPort(*device, portId);
    m_devices.push_back(device);
    return *device;
}

std::pair<RdmaPort*, RdmaPort*>
RdmaNetwork::GetLink(uint32_t link) const
{
    NS_ABORT_MSG_IF(link >= m_links.size(),
                    "RdmaNetwork::GetLink: link " << link << ", but there are " << m_links.size()
                                                  << ", from 0");
    return m_links[link];
}

uint32_t
RdmaNetwork::GetNodeCount() const
{
    return static_cast<uint32_t>(m_nodes.size());
}

uint32_t
RdmaNetwork::GetLinkCount() const
{
    return static_cast<uint32_t>(m_links.size());
}

RdmaNode&
RdmaNetwork::GetRdmaNode(uint32_t node) const
{
    NS_ABORT_MSG_IF(node >= m_nodes.size(),
                    "RdmaNetwork::GetRdmaNode: node " << node << ", but there are "
                                                      << m_nodes.size() << ", from 0");
    return *m_rdmaNodes[node];
}

Ptr<Node>
RdmaNetwork::GetNode(uint32_t node) const
{
    NS_ABORT_MSG_IF(node >= m_nodes.size(),
                    "RdmaNetwork::GetNode: node " << node << ", but there are " << m_nodes.size()
                                                  << ", from 0");
    return m_nodes[node];
}

RdmaHost*
RdmaNetwork::GetHost(uint32_t node) const
{
    return node < m_rdmaNodes.size() && !m_rdmaNodes[node]->IsTransit()
               ? static_cast<RdmaHost*>(PeekPointer(m_rdmaNodes[node]))
               : nullptr;
}

} // namespace ns3

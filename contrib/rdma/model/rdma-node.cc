/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-node.h"

#include "ns3/boolean.h"
#include "ns3/rdma-port.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaNode);

TypeId
RdmaNode::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RdmaNode").SetParent<Object>().SetGroupName("Rdma");
    return tid;
}

void
RdmaNode::Install(RdmaContext& context, RdmaRouting& routing, uint32_t id)
{
    m_context = &context;
    m_routing = &routing;
    m_id = id;
}

void
RdmaNode::AddPort(RdmaPort& port, uint32_t portId)
{
    port.Install(*m_context, *this, static_cast<uint16_t>(m_ports.size()), portId);
    m_ports.push_back(&port);
}

void
RdmaNode::Start()
{
}

void
RdmaNode::CancelEvents()
{
    for (RdmaPort* port : m_ports)
    {
        port->CancelEvents();
    }
}

void
RdmaNode::SetProcess(uint32_t process, bool)
{
    for (RdmaPort* port : m_ports)
    {
        port->SetProcess(process);
    }
}

void
RdmaNode::SetContext(RdmaContext& context)
{
    m_context = &context;
    for (RdmaPort* port : m_ports)
    {
        port->SetContext(context);
    }
}

void
RdmaNode::FetchReceipt(const RdmaPort&, const RdmaFrame&, uint32_t) const
{
}

void
RdmaNode::FetchSending(const RdmaPort&, uint32_t) const
{
}

bool
RdmaNode::HasAckHighPriority() const
{
    BooleanValue value;
    GetAttribute("AckHighPriority", value);
    return value.Get();
}

} // namespace ns3

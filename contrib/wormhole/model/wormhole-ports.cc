/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wormhole-ports.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

using wormhole::PortId;

namespace
{

/** \return a number for two ports that frames cross one after the other, both of switches; 0 if the
 * first one is a host's */
uint64_t
InRow(const RdmaPort& first, const RdmaPort& second)
{
    return first.GetOwner().IsTransit()
               ? (uint64_t{first.GetPortId()} << 32 | second.GetPortId()) + 1
               : 0;
}

} // namespace

WormholePorts::WormholePorts(const RdmaNetwork& network, WormholeFingerprint& fingerprint)
    : m_network(network),
      m_loads(2 * static_cast<std::size_t>(network.GetLinkCount()))
{
    for (uint32_t link = 0; link < network.GetLinkCount(); ++link)
    {
        for (RdmaPort* port : {network.GetLink(link).first, network.GetLink(link).second})
        {
            wormhole::PortAttributes attributes;
            attributes.rate = port->GetRate();
            attributes.delayClass = WormholeFingerprint::ClassOf(port->GetDelay());
            attributes.extra = fingerprint.OfPort(*port);
            m_attributes.push_back(attributes);
            m_ports.push_back(port);
        }
    }
    m_users.resize(m_ports.size());
    m_senders.resize(m_ports.size());
    m_disturbed.resize(m_ports.size(), -1);
    m_lost.resize(m_ports.size(), -1);
}

PortId
WormholePorts::GetShared(const RdmaNode* node)
{
    const PortId number{static_cast<uint32_t>(m_users.size())};
    const auto [it, isNew] = m_shared.emplace(node, number);
    if (isNew)
    {
        m_users.push_back(0);
        m_attributes.emplace_back();
    }
    return it->second;
}

void
WormholePorts::Use(const PortIds& ports, std::size_t data)
{
    for (const PortId port : ports)
    {
        ++m_users[port.Value()];
    }
    for (std::size_t i = 0; i < data; ++i)
    {
        ++m_senders[ports[i].Value()];
    }
    CountInRow(ports, data, 1);
}

void
WormholePorts::CountInRow(const PortIds& ports, std::size_t data, int32_t flows)
{
    for (std::size_t i = 0; i + 1 < data; ++i)
    {
        if (const uint64_t row = InRow(*Get(ports[i]), *Get(ports[i + 1])))
        {
            const auto place = m_inRow.try_emplace(row, 0).first;
            place->second += static_cast<uint32_t>(flows);
            if (place->second == 0)
            {
                m_inRow.erase(place);
            }
        }
    }
}

bool
WormholePorts::GoesAlong(const std::vector<RdmaPort*>& route) const
{
    for (std::size_t i = 0; i + 1 < route.size(); ++i)
    {
        const uint64_t row = InRow(*route[i], *route[i + 1]);
        if (row && m_inRow.count(row) > 0)
        {
            return true;
        }
    }
    return false;
}

bool
WormholePorts::MeetsQueues(const std::vector<RdmaPort*>& route) const
{
    return std::any_of(route.begin(), route.end(), [this](const RdmaPort* port) {
        const RdmaNode& owner = port->GetOwner();
        return owner.IsTransit() && !owner.HasAckHighPriority() &&
               m_senders[port->GetPortId()] >= 2;
    });
}

std::vector<RdmaPort*>
WormholePorts::Leave(const PortIds& ports, std::size_t data)
{
    for (std::size_t i = 0; i < data; ++i)
    {
        --m_senders[ports[i].Value()];
    }
    CountInRow(ports, data, -1);
    std::vector<RdmaPort*> free;
    for (const PortId port : ports)
    {
        if (--m_users[port.Value()] == 0 && Get(port))
        {
            free.push_back(Get(port));
        }
    }
    return free;
}

bool
WormholePorts::SharesNothing(const RdmaPort& port)
{
    return port.GetOwner().IsTransit() &&
           static_cast<const RdmaSwitch&>(port.GetOwner()).GetBuffer().GetShortage() > 0;
}

uint32_t
WormholePorts::GetMostSenders(const PortIds& ports, std::size_t data) const
{
    uint32_t senders = 1;
    for (std::size_t i = 0; i < data; ++i)
    {
        senders = std::max(senders, m_senders[ports[i].Value()]);
    }
    return senders;
}

double
WormholePorts::GetLeastShare(const PortIds& ports) const
{
    double share = std::numeric_limits<double>::infinity();
    for (const PortId id : ports)
    {
        if (const RdmaPort* port = Get(id))
        {
            const auto users = static_cast<double>(std::max(m_users[id.Value()], 1U));
            share = std::min(share, static_cast<double>(port->GetRate()) / users);
        }
    }
    return share;
}

wormhole::PortAttributes
WormholePorts::Describe(PortId port, double tolerance) const
{
    wormhole::PortAttributes attributes = m_attributes[port.Value()];
    if (const RdmaPort* p = Get(port))
    {
        const double share =
            static_cast<double>(m_loads.Get(port)) / static_cast<double>(p->GetRate());
        attributes.backgroundClass = static_cast<std::int32_t>(std::lround(share / tolerance));
    }
    return attributes;
}

void
WormholePorts::NoteDisturbance(const RdmaPort& port)
{
    m_disturbed[port.GetPortId()] = m_network.GetContext().eventQueue->Now();
}

void
WormholePorts::NoteLoss(const PortIds& ports)
{
    for (const PortId port : ports)
    {
        if (Get(port))
        {
            m_lost[port.Value()] = m_network.GetContext().eventQueue->Now();
        }
    }
}

bool
WormholePorts::HasJustLost(PortId port) const
{
    return m_lost[port.Value()] == m_network.GetContext().eventQueue->Now();
}

bool
WormholePorts::IsCalm(const RdmaPort& port, int64_t memory, int64_t now) const
{
    const int64_t last = m_disturbed[port.GetPortId()];
    return last < 0 || now - last > memory;
}

} // namespace ns3

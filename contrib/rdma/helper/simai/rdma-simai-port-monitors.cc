/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-simai-port-monitors.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

/** \return "time, node, interface, " */
std::string
Prefix(int64_t timeNs, const RdmaPort& port)
{
    return std::to_string(timeNs) + ", " + std::to_string(port.GetOwner().GetRdmaId()) + ", " +
           std::to_string(port.GetIndex() + 1) + ", ";
}

/** Sorts by node and interface. */
template <typename T>
void
SortByPlace(std::vector<T*>& ports)
{
    std::sort(ports.begin(), ports.end(), [](const T* a, const T* b) {
        const uint32_t nodeA = a->port.GetOwner().GetRdmaId();
        const uint32_t nodeB = b->port.GetOwner().GetRdmaId();
        return nodeA != nodeB ? nodeA < nodeB : a->port.GetIndex() < b->port.GetIndex();
    });
}

} // namespace

RdmaQueueLengthMonitor::RdmaQueueLengthMonitor(RdmaNetwork& network,
                                               const std::string& file,
                                               const RdmaSamplingTimes& times)
    : RdmaSimAiMonitor(file, "time, sw_id, port_id, q_id, q_len, port_len", times)
{
    for (uint32_t node = 0; node < network.GetNodeCount(); ++node)
    {
        const RdmaNode& rdma = network.GetRdmaNode(node);
        for (RdmaPort* port : rdma.GetPorts())
        {
            if (rdma.IsTransit())
            {
                m_ports.push_back(Port{*this, *port});
                port->queueBytesTrace.ConnectWithoutContext(
                    MakeCallback(&Port::Change, &m_ports.back()));
            }
        }
    }
}

void
RdmaQueueLengthMonitor::Port::Change(uint32_t queue, uint64_t before, uint64_t after)
{
    if (!monitor.AdvanceTo(port.GetContext().NowNs()))
    {
        return;
    }
    bytes[queue] += after - before;
    if (!changed)
    {
        changed = true;
        monitor.m_changed.push_back(this);
    }
}

bool
RdmaQueueLengthMonitor::Sample(int64_t timeNs)
{
    SortByPlace(m_changed);
    for (Port* port : m_changed)
    {
        const uint64_t all =
            std::accumulate(std::begin(port->bytes), std::end(port->bytes), uint64_t{0});
        for (uint32_t queue = 0; queue < RdmaEgressQueues::COUNT; ++queue)
        {
            if (port->bytes[queue] != port->written[queue])
            {
                port->written[queue] = port->bytes[queue];
                WriteLine(Prefix(timeNs, port->port) + std::to_string(queue) + ", " +
                          std::to_string(port->bytes[queue]) + ", " + std::to_string(all));
            }
        }
        port->changed = false;
    }
    m_changed.clear();
    return false;
}

RdmaBandwidthMonitor::RdmaBandwidthMonitor(RdmaNetwork& network,
                                           const std::string& file,
                                           const RdmaSamplingTimes& times)
    : RdmaSimAiMonitor(file, "time, node_id, port_id, bandwidth", times)
{
    for (uint32_t node = 0; node < network.GetNodeCount(); ++node)
    {
        for (RdmaPort* port : network.GetRdmaNode(node).GetPorts())
        {
            m_ports.push_back(Port{*this, *port});
            port->txBeginTrace.ConnectWithoutContext(
                MakeCallback(&Port::Transmit, &m_ports.back()));
        }
    }
}

void
RdmaBandwidthMonitor::Port::Transmit(const RdmaFrame& frame)
{
    if (!monitor.AdvanceTo(port.GetContext().NowNs()))
    {
        return;
    }
    bytes += frame.wireBytes;
    if (!active)
    {
        active = true;
        monitor.m_active.push_back(this);
    }
}

bool
RdmaBandwidthMonitor::Sample(int64_t timeNs)
{
    SortByPlace(m_active);
    for (Port* port : m_active)
    {
        if (timeNs > m_times.startNs && port->bytes != port->written)
        {
            port->written = port->bytes;
            const double gbps =
                static_cast<double>(port->bytes * 8) / static_cast<double>(m_times.intervalNs);
            WriteLine(Prefix(timeNs, port->port) + std::to_string(gbps));
        }
        port->bytes = 0;
        port->active = port->written != 0;
    }
    m_active.erase(std::remove_if(m_active.begin(),
                                  m_active.end(),
                                  [](const Port* port) { return !port->active; }),
                   m_active.end());
    return !m_active.empty();
}

} // namespace ns3

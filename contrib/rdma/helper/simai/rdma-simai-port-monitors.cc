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

} // namespace

RdmaPortMonitor::RdmaPortMonitor(const std::string& file,
                                 const std::string& header,
                                 const RdmaSamplingTimes& times,
                                 bool counts)
    : RdmaSimAiMonitor(file, header, times),
      m_counts(counts),
      m_firstChanges([this](Port* port) { Note(*port); })
{
}

/** The port is about to change for the first time since a sample. */
void
RdmaPortMonitor::Keep(Port& port, int64_t nowNs)
{
    port.seen.emplace_back(port.nextNs, port.bytes);
    port.nextNs = NextSampleNs(nowNs);
    if (m_counts)
    {
        port.bytes.fill(0);
    }
    m_firstChanges.Pass(port.port.GetContext(), &port);
}

/** The same, in the order of all ports. */
void
RdmaPortMonitor::Note(Port& port)
{
    if (AdvanceTo(port.port.GetContext().NowNs()) && !port.changed)
    {
        port.changed = true;
        m_changed.push_back(&port);
    }
}

RdmaPortMonitor::Bytes
RdmaPortMonitor::SeenAt(Port& port, int64_t timeNs) const
{
    auto& seen = port.seen;
    if (port.nextNs <= timeNs)
    {
        seen.clear();
        return m_counts && port.nextNs < timeNs ? Bytes{} : port.bytes;
    }
    while (seen.size() > 1 && seen[1].first <= timeNs)
    {
        seen.erase(seen.begin());
    }
    return m_counts && seen.front().first < timeNs ? Bytes{} : seen.front().second;
}

void
RdmaPortMonitor::Port::Queue(uint32_t queue, uint64_t /* before */, uint64_t after)
{
    monitor.WillChange(*this);
    bytes[queue] = after;
}

void
RdmaPortMonitor::Port::Transmit(const RdmaFrame& frame)
{
    monitor.WillChange(*this);
    bytes[0] += frame.wireBytes;
}

void
RdmaPortMonitor::SortChanged()
{
    std::sort(m_changed.begin(), m_changed.end(), [](const Port* a, const Port* b) {
        const uint32_t nodeA = a->port.GetOwner().GetRdmaId();
        const uint32_t nodeB = b->port.GetOwner().GetRdmaId();
        return nodeA != nodeB ? nodeA < nodeB : a->port.GetIndex() < b->port.GetIndex();
    });
}

RdmaQueueLengthMonitor::RdmaQueueLengthMonitor(RdmaNetwork& network,
                                               const std::string& file,
                                               const RdmaSamplingTimes& times)
    : RdmaPortMonitor(file, "time, sw_id, port_id, q_id, q_len, port_len", times, false)
{
    for (uint32_t node = 0; node < network.GetNodeCount(); ++node)
    {
        const RdmaNode& rdma = network.GetRdmaNode(node);
        for (RdmaPort* port : rdma.GetPorts())
        {
            if (rdma.IsTransit())
            {
                m_ports.push_back(Port{*this, *port});
                port->queueBytesTrace.LookOn(MakeCallback(&Port::Queue, &m_ports.back()));
            }
        }
    }
}

void
RdmaQueueLengthMonitor::StopListening()
{
    for (Port& port : m_ports)
    {
        port.port.queueBytesTrace.StopLookingOn(MakeCallback(&Port::Queue, &port));
    }
}

bool
RdmaQueueLengthMonitor::Sample(int64_t timeNs)
{
    SortChanged();
    for (Port* port : m_changed)
    {
        const Bytes bytes = SeenAt(*port, timeNs);
        const uint64_t all = std::accumulate(bytes.begin(), bytes.end(), uint64_t{0});
        for (uint32_t queue = 0; queue < RdmaEgressQueues::COUNT; ++queue)
        {
            if (bytes[queue] != port->written[queue])
            {
                port->written[queue] = bytes[queue];
                WriteLine(Prefix(timeNs, port->port) + std::to_string(queue) + ", " +
                          std::to_string(bytes[queue]) + ", " + std::to_string(all));
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
    : RdmaPortMonitor(file, "time, node_id, port_id, bandwidth", times, true)
{
    for (uint32_t node = 0; node < network.GetNodeCount(); ++node)
    {
        for (RdmaPort* port : network.GetRdmaNode(node).GetPorts())
        {
            m_ports.push_back(Port{*this, *port});
            port->txBeginTrace.LookOn(MakeCallback(&Port::Transmit, &m_ports.back()));
        }
    }
}

void
RdmaBandwidthMonitor::StopListening()
{
    for (Port& port : m_ports)
    {
        port.port.txBeginTrace.StopLookingOn(MakeCallback(&Port::Transmit, &port));
    }
}

bool
RdmaBandwidthMonitor::Sample(int64_t timeNs)
{
    SortChanged();
    for (Port* port : m_changed)
    {
        const uint64_t sent = SeenAt(*port, timeNs)[0];
        if (timeNs > m_times.startNs && sent != port->written[0])
        {
            port->written[0] = sent;
            const double gbps =
                static_cast<double>(sent * 8) / static_cast<double>(m_times.intervalNs);
            WriteLine(Prefix(timeNs, port->port) + std::to_string(gbps));
        }
        port->changed = port->written[0] != 0;
    }
    m_changed.erase(std::remove_if(m_changed.begin(),
                                   m_changed.end(),
                                   [](const Port* port) { return !port->changed; }),
                    m_changed.end());
    return !m_changed.empty();
}

} // namespace ns3

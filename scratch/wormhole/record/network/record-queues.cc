/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record-queues.h"

#include <algorithm>

namespace wormhole
{

RecordedQueues::RecordedQueues(const RecordPlan& plan,
                               const ns3::RdmaNetwork& network,
                               const RecordedNodes& nodes)
    : m_nodes(nodes),
      m_file(plan.PathOf("queues.csv"))
{
    for (uint32_t node = 0; node < network.GetNodeCount(); ++node)
    {
        const ns3::RdmaNode& owner = network.GetRdmaNode(node);
        for (const ns3::RdmaPort* port : owner.GetPorts())
        {
            if (owner.IsTransit())
            {
                m_ports.emplace_back();
                m_ports.back().port = port;
            }
        }
    }
}

void
RecordedQueues::Sample(int64_t number)
{
    for (Port& port : m_ports)
    {
        const auto bytes = static_cast<uint32_t>(port.port->queues.GetBytes());
        port.peak = std::max(port.peak, bytes);
        if (port.series || (bytes > 0 && MakeSeries(port, bytes)))
        {
            port.series->Add(number, bytes);
        }
    }
}

/** \return whether \p port, which holds \p bytes, is kept from now on */
bool
RecordedQueues::MakeSeries(Port& port, uint32_t bytes)
{
    if (m_kept < MOST_KEPT)
    {
        ++m_kept;
        port.series = std::make_unique<RecordSeries<uint32_t>>();
        return true;
    }
    if (bytes <= m_leastPeak)
    {
        return false;
    }
    Port* least = nullptr;
    for (Port& other : m_ports)
    {
        least = other.series && (!least || other.peak < least->peak) ? &other : least;
    }
    m_leastPeak = least->peak;
    if (bytes <= m_leastPeak)
    {
        return false;
    }
    least->series.reset();
    port.series = std::make_unique<RecordSeries<uint32_t>>();
    return true;
}

void
RecordedQueues::Thin()
{
    for (Port& port : m_ports)
    {
        if (port.series)
        {
            port.series->Thin();
        }
    }
}

void
RecordedQueues::End(const RecordTimes& times, int64_t ns)
{
    for (Port& port : m_ports)
    {
        if (port.series)
        {
            port.series->End(times, ns, static_cast<uint32_t>(port.port->queues.GetBytes()));
        }
    }
}

/** \return those with the highest peaks, the highest first */
std::vector<const RecordedQueues::Port*>
RecordedQueues::FindLongest() const
{
    std::vector<const Port*> longest;
    for (const Port& port : m_ports)
    {
        if (port.series)
        {
            longest.push_back(&port);
        }
    }
    std::stable_sort(longest.begin(), longest.end(), [](const Port* a, const Port* b) {
        return a->peak > b->peak;
    });
    longest.resize(std::min(longest.size(), MOST_WRITTEN));
    return longest;
}

void
RecordedQueues::Finish(const RecordTimes& times)
{
    m_file.Write("time_ns,node,port,peer,bytes\n");
    for (const Port* port : FindLongest())
    {
        const ns3::RdmaPort& p = *port->port;
        const uint32_t node = m_nodes(p.GetOwner().GetRdmaId());
        const uint32_t peer = m_nodes(p.GetPeer().GetOwner().GetRdmaId());
        port->series->ForEachLine(times, false, [&](int64_t ns, uint32_t bytes) {
            m_file.Write(CsvLine(ns, node, p.GetIndex(), peer, bytes));
        });
    }
    m_file.Close();
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record-over-time.h"

#include "result/statistics.h"

#include "ns3/input-number.h"

#include <algorithm>

namespace wormhole
{

RecordedOverTime::RecordedOverTime(const RecordPlan& plan, const ns3::RdmaNetwork& network)
    : m_network(network),
      m_file(plan.PathOf("over-time.csv"))
{
    for (uint32_t node = 0; node < network.GetNodeCount(); ++node)
    {
        for (const ns3::RdmaPort* port : network.GetRdmaNode(node).GetPorts())
        {
            m_ports.resize(std::max<size_t>(m_ports.size(), port->GetPortId() + 1));
            m_ports[port->GetPortId()] = port;
        }
    }
    m_carried.resize(m_ports.size());
    m_sent.resize(m_ports.size());
    m_file.Write("begin_ns,end_ns,flows,jain,utilisation_mean,utilisation_max,paused_ports\n");
}

/** Counts what \p flow has delivered up to now, on its path. \return bytes in this interval */
uint64_t
RecordedOverTime::Move(UnderWay& flow, uint64_t bytes)
{
    const uint64_t moved = bytes > flow.bytes ? bytes - flow.bytes : 0; // estimates may be too high
    flow.bytes += moved;
    for (const ns3::RdmaPort* port : flow.qp->GetDataRoute())
    {
        m_carried[port->GetPortId()] += moved;
    }
    return moved;
}

void
RecordedOverTime::FlowEnded(const ns3::RdmaQueuePair& qp, uint64_t bytes)
{
    const auto found = m_underWay.find(qp.GetId());
    if (found != m_underWay.end())
    {
        Move(found->second, bytes);
        m_underWay.erase(found);
    }
}

void
RecordedOverTime::EndInterval(int64_t ns, const RecordedPauses& pauses, const Delivered& delivered)
{
    std::vector<double> moved; // by the flows that were there all the time
    for (auto& [number, flow] : m_underWay)
    {
        const uint64_t bytes = Move(flow, delivered(*flow.qp));
        if (flow.whole)
        {
            moved.push_back(static_cast<double>(bytes));
        }
        flow.whole = true;
    }
    if (m_network.GetContext().balances)
    {
        CountFrames();
    }
    const int64_t pausedNs = pauses.GetPausedNs(ns);
    if (ns > m_beginNs)
    {
        WriteLine(ns, moved, pausedNs);
    }
    m_beginNs = ns;
    m_pausedNs = pausedNs;
    std::fill(m_carried.begin(), m_carried.end(), 0);
}

/** Packets of a flow take several ways, so what links carried is what their ports have sent. */
void
RecordedOverTime::CountFrames()
{
    for (size_t port = 0; port < m_ports.size(); ++port)
    {
        const uint64_t sent = m_ports[port]->GetTxBytes();
        m_carried[port] = sent - m_sent[port];
        m_sent[port] = sent;
    }
}

void
RecordedOverTime::WriteLine(int64_t ns, const std::vector<double>& moved, int64_t pausedNs)
{
    constexpr double BIT_PS_PER_BYTE_NS = 8e9;
    const auto lengthNs = static_cast<double>(ns - m_beginNs);
    double sum = 0;
    double most = 0;
    for (size_t port = 0; port < m_carried.size(); ++port)
    {
        const double share = static_cast<double>(m_carried[port]) * BIT_PS_PER_BYTE_NS / lengthNs /
                             static_cast<double>(m_ports[port]->GetRate());
        sum += share;
        most = std::max(most, share);
    }
    const bool any = std::any_of(moved.begin(), moved.end(), [](double b) { return b > 0; });
    m_file.Write(CsvLine(m_beginNs,
                         ns,
                         moved.size(),
                         moved.size() > 1 && any ? ns3::NumberText(JainIndex(moved)) : "",
                         ns3::NumberText(sum / static_cast<double>(m_carried.size())),
                         ns3::NumberText(most),
                         ns3::NumberText(static_cast<double>(pausedNs - m_pausedNs) / lengthNs)));
}

void
RecordedOverTime::Finish()
{
    m_file.Close();
}

} // namespace wormhole

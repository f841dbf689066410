/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record-pauses.h"

#include "ns3/callback.h"

#include <numeric>

namespace wormhole
{

RecordedPauses::RecordedPauses(const RecordPlan& plan,
                               ns3::RdmaNetwork& network,
                               const RecordedNodes& nodes)
    : m_network(network),
      m_nodes(nodes),
      m_file(plan.PathOf("pauses.csv"))
{
    network.GetPfcTrace().ConnectWithoutContext(ns3::MakeCallback(&RecordedPauses::Received, this));
}

void
RecordedPauses::Received(const ns3::RdmaPort& port, uint32_t queue, bool pause)
{
    const int64_t ns = m_network.GetContext().NowNs();
    Heard& heard = m_heard[{port.GetOwner().GetRdmaId(), port.GetIndex()}];
    heard.port = &port;
    const uint32_t bit = 1U << queue;
    if (pause)
    {
        heard.sinceNs = heard.queues == 0 ? ns : heard.sinceNs;
        heard.queues |= bit;
        ++heard.pauses;
        return;
    }
    if (heard.queues == bit)
    {
        Resume(heard, ns);
    }
    heard.queues &= ~bit;
}

void
RecordedPauses::Resume(Heard& heard, int64_t ns)
{
    heard.pausedNs += ns - heard.sinceNs;
    heard.queues = 0;
}

void
RecordedPauses::Sample(int64_t ns)
{
    for (auto& [place, heard] : m_heard)
    {
        if (heard.queues != 0 && !heard.port->IsLinkUp())
        {
            Resume(heard, ns);
        }
    }
}

int64_t
RecordedPauses::GetPausedNs(int64_t ns) const
{
    return std::accumulate(m_heard.begin(),
                           m_heard.end(),
                           int64_t{0},
                           [ns](int64_t sum, const auto& entry) {
                               const Heard& heard = entry.second;
                               const int64_t now = heard.queues != 0 ? ns - heard.sinceNs : 0;
                               return sum + heard.pausedNs + now;
                           });
}

void
RecordedPauses::Finish(int64_t ns)
{
    m_file.Write("node,port,peer,pauses,paused_ns\n");
    for (auto& [place, heard] : m_heard)
    {
        if (heard.queues != 0)
        {
            Resume(heard, ns);
        }
        const uint32_t peer = heard.port->GetPeer().GetOwner().GetRdmaId();
        m_file.Write(CsvLine(m_nodes(place.first),
                             place.second,
                             m_nodes(peer),
                             heard.pauses,
                             heard.pausedNs));
    }
    m_file.Close();
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/analytical_transport.h"

#include "ns3/rdma-arithmetic.h"
#include "ns3/workload-units.h"

#include <algorithm>

namespace harness
{

namespace
{

constexpr int64_t PS_PER_NS = 1000;

} // namespace

AnalyticalTransport::AnalyticalTransport(uint32_t hosts, double gibps, int64_t latencyNs)
    : WorkloadTransport(hosts, hosts),
      m_bytesPerNs(gibps * 1024 * 1024 * 1024 / 1e9),
      m_latencyNs(latencyNs)
{
}

void
AnalyticalTransport::SetJitter(uint64_t seed, uint64_t mostNs)
{
    m_random = seed;
    m_jitterNs = mostNs;
}

void
AnalyticalTransport::Start(const ns3::WorkloadTransfer& transfer, uint64_t id)
{
    m_bytes += transfer.bytes;
    ++m_messages;
    int64_t& busyUntil = m_busyUntilNs[{transfer.src, transfer.dst}];
    const auto time = static_cast<int64_t>(static_cast<double>(transfer.bytes) / m_bytesPerNs);
    busyUntil = std::max(busyUntil, m_nowPs / PS_PER_NS) + time;
    int64_t arrival = busyUntil + m_latencyNs;
    if (m_jitterNs > 0)
    {
        m_random = m_random * 6364136223846793005ULL + 1442695040888963407ULL;
        arrival += static_cast<int64_t>((m_random >> 33) % (m_jitterNs + 1));
    }
    m_events[{arrival * PS_PER_NS, m_scheduled++}] = {false, id};
}

void
AnalyticalTransport::Schedule(int64_t delayPs, uint64_t timer)
{
    const int64_t time = ns3::RdmaLater(m_nowPs, delayPs);
    if (time >= ns3::RDMA_END_OF_TIME)
    {
        ns3::FailWorkloadLate(m_client->DescribeTimer(timer));
    }
    m_events[{time, m_scheduled++}] = {true, timer};
}

int64_t
AnalyticalTransport::Now() const
{
    return m_nowPs;
}

void
AnalyticalTransport::Run()
{
    m_stopped = false;
    while (!m_stopped && !m_events.empty())
    {
        const auto first = m_events.begin();
        m_nowPs = first->first.first;
        const Event event = first->second;
        m_events.erase(first);
        ++m_run;
        if (event.timer)
        {
            m_client->Due(event.id);
        }
        else
        {
            m_client->Delivered(event.id);
            m_client->Acknowledged(event.id);
        }
    }
}

void
AnalyticalTransport::Stop()
{
    m_stopped = true;
}

uint64_t
AnalyticalTransport::GetEventCount() const
{
    return m_run;
}

std::string
AnalyticalTransport::Explain(uint64_t) const
{
    return "under way";
}

} // namespace harness

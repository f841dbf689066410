/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/ideal-transport.h"

#include <algorithm>

namespace harness
{

namespace
{

constexpr int64_t PS_PER_NS = 1000;

} // namespace

IdealTransport::IdealTransport(uint32_t hosts, double gibps, int64_t latencyNs)
    : m_hosts(hosts),
      m_bytesPerNs(gibps * 1024 * 1024 * 1024 / 1e9),
      m_latencyNs(latencyNs)
{
}

void
IdealTransport::SetJitter(uint64_t seed, uint64_t mostNs)
{
    m_random = seed;
    m_jitterNs = mostNs;
}

void
IdealTransport::SetClient(Client& client)
{
    m_client = &client;
}

void
IdealTransport::SetRecorder(Recorder*)
{
}

uint32_t
IdealTransport::GetHostCount() const
{
    return m_hosts;
}

uint32_t
IdealTransport::GetEndpointCount() const
{
    return m_hosts;
}

void
IdealTransport::Start(const ns3::WorkloadTransfer& transfer, uint64_t id)
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
IdealTransport::Schedule(int64_t delayPs, uint64_t timer)
{
    m_events[{m_nowPs + delayPs, m_scheduled++}] = {true, timer};
}

int64_t
IdealTransport::Now() const
{
    return m_nowPs;
}

void
IdealTransport::Run()
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
IdealTransport::Stop()
{
    m_stopped = true;
}

void
IdealTransport::SetPulse(std::function<void()>)
{
}

uint64_t
IdealTransport::GetEventCount() const
{
    return m_run;
}

std::string
IdealTransport::Explain(uint64_t) const
{
    return "under way";
}

} // namespace harness

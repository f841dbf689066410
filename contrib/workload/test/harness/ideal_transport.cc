/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ideal_transport.h"

#include <cmath>

namespace harness
{

IdealTransport::IdealTransport(const Options& options)
    : WorkloadTransport(options.hosts, options.hosts + options.switches),
      m_options(options)
{
}

int64_t
IdealTransport::PortTime(uint64_t bytes, uint64_t bps)
{
    constexpr uint64_t payload = 9000;
    constexpr uint64_t headers = 52;
    constexpr uint64_t bitsPerByteNs = 8'000'000'000;
    const uint64_t last = bytes % payload;
    const uint64_t full = (payload + headers) * bitsPerByteNs / bps;
    const uint64_t rest = last == 0 ? 0 : (last + headers) * bitsPerByteNs / bps;
    return int64_t(bytes / payload * full + rest) * 1000;
}

void
IdealTransport::Start(const ns3::WorkloadTransfer& transfer, uint64_t id)
{
    Flow flow;
    flow.transfer = transfer;
    flow.start = m_now;
    const bool switched = transfer.src >= m_options.hosts || transfer.dst >= m_options.hosts;
    const bool inside = switched || transfer.src / m_options.hostsPerServer ==
                                        transfer.dst / m_options.hostsPerServer;
    flow.port = uint64_t(transfer.src) << 33 | (inside ? 1 : 0) |
                (transfer.src >= m_options.hosts ? uint64_t(transfer.dst) << 1 : 0);
    m_flows[id] = flow;
    if (m_options.loseFirst && m_starts++ == 0)
    {
        Push(m_now, What::FAILED, id);
        return;
    }
    Port& port = m_ports[flow.port];
    Settle(port);
    const int64_t time =
        PortTime(transfer.bytes, inside ? m_options.insideBps : m_options.outsideBps);
    port.leaves.emplace(port.service + double(time), id);
    Plan(flow.port);
}

void
IdealTransport::Settle(Port& port) const
{
    if (!port.leaves.empty())
    {
        port.service += double(m_now - port.settled) / double(port.leaves.size());
    }
    port.settled = m_now;
}

void
IdealTransport::Plan(uint64_t number)
{
    Port& port = m_ports[number];
    ++port.round;
    if (!port.leaves.empty())
    {
        const double wait =
            (port.leaves.begin()->first - port.service) * double(port.leaves.size());
        Push(m_now + std::max<int64_t>(0, std::llround(wait)), What::LEFT, number, port.round);
    }
}

void
IdealTransport::Leave(uint64_t number, uint64_t round)
{
    Port& port = m_ports[number];
    if (port.round != round)
    {
        return;
    }
    Settle(port);
    const double service = port.leaves.begin()->first;
    while (!port.leaves.empty() && port.leaves.begin()->first <= service + 1)
    {
        Push(m_now + m_options.onewayPs, What::DELIVERED, port.leaves.begin()->second);
        port.leaves.erase(port.leaves.begin());
    }
    Plan(number);
}

void
IdealTransport::Deliver(uint64_t id)
{
    Push(m_now + m_options.backPs, What::ACKNOWLEDGED, id);
    if (m_recorder)
    {
        m_recorder->Record({m_flows[id].transfer, m_flows[id].start, m_now});
    }
    m_client->Delivered(id);
}

void
IdealTransport::Push(int64_t time, What what, uint64_t id, uint64_t round)
{
    m_events.push({time, m_places++, what, id, round});
}

void
IdealTransport::Schedule(int64_t delayPs, uint64_t timer)
{
    Push(m_now + delayPs, What::TIMER, timer);
}

int64_t
IdealTransport::Now() const
{
    return m_now;
}

void
IdealTransport::Run()
{
    for (m_stop = false; !m_stop && !m_events.empty(); ++m_count)
    {
        const Event event = m_events.top();
        m_events.pop();
        m_now = event.time;
        switch (event.what)
        {
        case What::TIMER:
            m_client->Due(event.id);
            break;
        case What::LEFT:
            Leave(event.id, event.round);
            break;
        case What::DELIVERED:
            Deliver(event.id);
            break;
        case What::ACKNOWLEDGED:
            m_flows.erase(event.id);
            m_client->Acknowledged(event.id);
            break;
        case What::FAILED:
            m_client->Failed(event.id, "lost on purpose");
            break;
        }
    }
}

void
IdealTransport::Stop()
{
    m_stop = true;
}

uint64_t
IdealTransport::GetEventCount() const
{
    return m_count;
}

std::string
IdealTransport::Explain(uint64_t id) const
{
    return m_flows.count(id) != 0 ? "on its way" : "not started";
}

} // namespace harness

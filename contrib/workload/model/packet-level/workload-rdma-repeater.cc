/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-rdma-repeater.h"

#include "ns3/rdma-flow-observer.h"
#include "ns3/rdma-host.h"
#include "ns3/rdma-packet-state.h"
#include "ns3/rdma-port.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

WorkloadRdmaRepeater::WorkloadRdmaRepeater(WorkloadRdmaTransport& transport,
                                           KindOf kindOf,
                                           OnSaved onSaved,
                                           const Options& options)
    : WorkloadRepeater(options),
      m_transport(transport),
      m_kindOf(std::move(kindOf)),
      m_onSaved(std::move(onSaved))
{
}

const WorkloadRdmaRepeater::Way&
WorkloadRdmaRepeater::Find(uint32_t src, uint32_t dst)
{
    const auto [it, isNew] = m_ways.try_emplace(uint64_t{src} << 32 | dst);
    Way& way = it->second;
    if (isNew)
    {
        RdmaRouting& routing = m_transport.GetNetwork().GetRouting();
        const uint32_t from = m_transport.GetNode(src);
        const uint32_t to = m_transport.GetNode(dst);
        way.only = routing.FindPorts(from, to, way.data);
        way.only = routing.FindPorts(to, from, way.acks) && way.only;
        for (const auto* ports : {&way.data, &way.acks})
        {
            way.only = way.only && std::all_of(ports->begin(), ports->end(), [](const auto* port) {
                           return port->GetErrorRate() <= 0;
                       });
        }
    }
    return way;
}

bool
WorkloadRdmaRepeater::FindHops(uint32_t src, uint32_t dst, std::vector<WorkloadHop>& hops)
{
    const Way& way = Find(src, dst);
    for (const auto* ports : {&way.data, &way.acks})
    {
        for (const RdmaPort* port : *ports)
        {
            const auto [kind, isNew] = m_kinds.try_emplace(port);
            if (isNew)
            {
                kind->second = m_kindOf(*port);
                m_ports.resize(std::max<size_t>(m_ports.size(), port->GetPortId() + size_t{1}));
                m_ports[port->GetPortId()] = port;
            }
            hops.push_back({port->GetPortId(), kind->second});
        }
    }
    return way.only;
}

bool
WorkloadRdmaRepeater::AreIdle(const std::vector<uint32_t>& ports)
{
    const RdmaContext& context = m_transport.GetNetwork().GetContext();
    const int64_t now = context.eventQueue->Now();
    return std::all_of(ports.begin(), ports.end(), [this, &context, now](uint32_t number) {
        const RdmaPort& port = *m_ports[number];
        return RdmaPacketState::IsIdleSince(port, now) &&
               !(context.observer && context.observer->KnowsTight(port, now));
    });
}

void
WorkloadRdmaRepeater::Repeat(const std::vector<WorkloadRepeatedTransfer>& transfers)
{
    std::vector<uint32_t> starts(transfers.size());
    std::iota(starts.begin(), starts.end(), 0);
    std::sort(starts.begin(), starts.end(), [&transfers](uint32_t a, uint32_t b) {
        return transfers[a].order < transfers[b].order;
    });
    std::vector<uint16_t> ports(transfers.size());
    for (const uint32_t i : starts)
    {
        ports[i] = m_transport.TakeSourcePort(transfers[i].transfer);
    }
    uint64_t hops = 0;
    for (size_t i = 0; i < transfers.size(); ++i)
    {
        hops += CountHops(transfers[i].transfer);
        const WorkloadTransfer& transfer = transfers[i].transfer;
        m_transport.Repeat(transfers[i], Find(transfer.src, transfer.dst).data, ports[i]);
    }
    GetStatistics().transfers += transfers.size();
    GetStatistics().hops += hops;
    m_onSaved(hops);
}

uint64_t
WorkloadRdmaRepeater::CountFrames(const WorkloadTransfer& transfer)
{
    const RdmaNetwork& network = m_transport.GetNetwork();
    const uint64_t payload = network.GetHost(m_transport.GetNode(transfer.src))->GetPayloadSize();
    return (transfer.bytes + payload - 1) / payload;
}

uint64_t
WorkloadRdmaRepeater::CountHops(const WorkloadTransfer& transfer)
{
    const Way& way = Find(transfer.src, transfer.dst);
    return CountFrames(transfer) * (way.data.size() + way.acks.size());
}

uint64_t
WorkloadRdmaRepeater::GetHops() const
{
    return m_transport.GetNetwork().GetContext().counters.GetHops();
}

uint64_t
WorkloadRdmaRepeater::CountTroubles() const
{
    const RdmaCounters& c = m_transport.GetNetwork().GetContext().counters;
    return c.bufferDrops + c.linkErrors + c.linkDownDrops + c.routeDrops + c.pauses + c.nacks +
           c.timeouts + c.draws;
}

} // namespace ns3

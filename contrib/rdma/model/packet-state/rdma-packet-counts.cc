/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-packet-ack-way.h"

#include "ns3/rdma-network.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <vector>

// How RdmaPacketState keeps what ports count, of which telemetry tells: as if all had been sent.

namespace ns3
{

void
RdmaPacketState::CountUnseen(const RdmaQueuePair& qp, uint64_t bytes)
{
    const uint64_t end = qp.m_expected + bytes;
    const uint64_t last = end == qp.m_size ? qp.PacketsIn(end) : end / qp.m_payloadSize;
    const auto frames = static_cast<int64_t>(last - qp.m_expected / qp.m_payloadSize);
    const int64_t wireBytes = static_cast<int64_t>(bytes) + frames * qp.m_dataHeader;
    for (RdmaPort* port : qp.m_dataRoute)
    {
        qp.m_paused->evicted ? port->PassUnseen(wireBytes) : port->PassCredited(wireBytes);
    }
    const int64_t acks = frames - (end == qp.m_size && !qp.m_piped ? 1 : 0); // see PassLast
    for (RdmaPort* port : qp.m_ackRoute)
    {
        port->PassUnseen(acks * qp.m_ackBytes);
    }
}

void
RdmaPacketState::CountCredited(const Ports& ports)
{
    // What most have not counted can wait: the fewer ports seem to carry something else, the
    // better.
    std::vector<int64_t> credited;
    for (const RdmaPort* port : ports)
    {
        if (port->m_frozen && port->GetOwner().IsTransit())
        {
            credited.push_back(port->GetCredited());
        }
    }
    std::sort(credited.begin(), credited.end());
    int64_t some = 0;
    for (std::size_t begin = 0, most = 0; begin < credited.size();)
    {
        const auto first = credited.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto alike =
            static_cast<std::size_t>(std::upper_bound(first, credited.end(), *first) - first);
        some = alike > most ? *first : some;
        most = std::max(most, alike);
        begin += alike;
    }
    for (RdmaPort* port : ports)
    {
        if (port->m_frozen)
        {
            port->CountCredited(some);
        }
    }
}

void
RdmaPacketState::CountAgain(const RdmaFrame& frame, bool queued, int64_t sign) const
{
    const RdmaQueuePair& qp = *frame.qp;
    if (frame.routeVersion != m_network.m_context.routeVersion)
    {
        return;
    }
    const bool data = frame.kind == RdmaFrameKind::DATA;
    const auto& route = data ? qp.m_dataRoute : qp.m_ackRoute;
    const auto passed = route.begin() + (frame.route - route.data()) - (queued ? 1 : 0);
    const int64_t bytes = (data ? -sign : sign) * frame.wireBytes;
    std::for_each(data ? route.begin() : passed,
                  data ? passed : route.end(),
                  [bytes](RdmaPort* port) { port->PassUnseen(bytes); });
}

std::vector<uint64_t>
RdmaPacketState::GetBytesToCome(const Ports& ports) const
{
    std::vector<uint64_t> bytes(ports.size());
    if (m_delivered.empty())
    {
        return bytes;
    }
    EventQueue().Gather(); // all frames are at their ports

    /** One of the ports, and which one on the way of acknowledgements it is. */
    struct Crossing
    {
        size_t port;
        size_t hop;
    };

    std::unordered_map<const RdmaQueuePair*, std::vector<Crossing>> crossings;
    std::unordered_set<const RdmaPort*> ways;
    for (const RdmaQueuePair* qp : m_delivered)
    {
        const AckWay way(*qp);
        for (size_t port = 0; port < ports.size(); ++port)
        {
            const size_t hop = way.Find(*ports[port]);
            if (hop < way.GetHops())
            {
                crossings[qp].push_back({port, hop});
                const auto begin = qp->m_ackRoute.begin();
                ways.insert(begin, begin + static_cast<std::ptrdiff_t>(hop) + 1);
            }
        }
    }
    // Each port is looked through once for all of them: long links hold thousands of frames.
    for (const RdmaPort* port : ways)
    {
        m_frames->ForEach(*port, [&](const FrameAt& at) {
            const auto found = at.frame->kind == RdmaFrameKind::ACK ? crossings.find(at.frame->qp)
                                                                    : crossings.end();
            if (found == crossings.end())
            {
                return;
            }
            const size_t hop = AckWay(*found->first).Find(*port);
            for (const Crossing& crossing : found->second)
            {
                const bool passed = hop == crossing.hop && at.queue == RdmaSavedFrame::FLYING;
                bytes[crossing.port] += hop <= crossing.hop && !passed ? at.frame->wireBytes : 0;
            }
        });
    }
    return bytes;
}

double
RdmaPacketState::GetTelemetryExcess(const RdmaQueuePair& qp, const Ports& alone) const
{
    if (alone.size() < 2)
    {
        return 0;
    }
    const int64_t unit = alone.front()->GetTelemetryUnit();
    const auto frame = int64_t{qp.m_payloadSize} + qp.m_dataHeader;
    // A unit more of one that is faster says no more than a unit less of the slowest.
    const double more = 1 + static_cast<double>(unit) / static_cast<double>(frame);
    uint64_t slowest = qp.m_maxRate;
    for (const RdmaPort* port : qp.m_dataRoute)
    {
        slowest = std::min(slowest, port->GetRate());
    }
    Ports slow;
    for (RdmaPort* port : alone)
    {
        if (port->GetOwner().IsTransit() &&
            static_cast<double>(port->GetRate()) < more * static_cast<double>(slowest))
        {
            slow.push_back(port);
        }
    }
    if (slow.size() < 2)
    {
        return 0;
    }
    const std::vector<uint64_t> toCome = GetBytesToCome(slow);
    std::vector<int64_t> counts;
    for (size_t i = 0; i < slow.size(); ++i)
    {
        const uint64_t count =
            slow[i]->GetTxBytes() + static_cast<uint64_t>(slow[i]->GetUnseen()) + toCome[i];
        counts.push_back(static_cast<int64_t>(count % static_cast<uint64_t>(unit)));
    }
    // Of all places in a unit at which frames end, a port completes one more with those that are
    // within the rest of its count. What is within the rest of any is as long as the gaps in
    // between, where these are shorter.
    std::sort(counts.begin(), counts.end());
    const int64_t rest = frame % unit;
    int64_t all = std::min(counts.front() + unit - counts.back(), rest);
    for (std::size_t i = 1; i < counts.size(); ++i)
    {
        all += std::min(counts[i] - counts[i - 1], rest);
    }
    return static_cast<double>(all - rest) / static_cast<double>(frame);
}

} // namespace ns3

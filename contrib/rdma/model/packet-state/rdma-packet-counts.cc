/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-packet-ack-way.h"

#include "ns3/rdma-network.h"

#include <algorithm>

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
    for (RdmaPort* port : qp.m_ackRoute)
    {
        port->PassUnseen(frames * qp.m_ackBytes);
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

uint64_t
RdmaPacketState::GetBytesToCome(const RdmaPort& port) const
{
    uint64_t bytes = 0;
    if (!m_delivered.empty())
    {
        EventQueue().Gather(); // all frames are at their ports
    }
    for (const RdmaQueuePair* qp : m_delivered)
    {
        const AckWay way(*qp);
        const size_t here = way.Find(port);
        const auto count = [&bytes, qp](const RdmaFrame* frame) {
            for (; frame; frame = frame->next)
            {
                bytes +=
                    frame->qp == qp && frame->kind == RdmaFrameKind::ACK ? frame->wireBytes : 0;
            }
        };
        for (size_t hop = 0; here < way.GetHops() && hop <= here; ++hop)
        {
            const RdmaPort& at = *qp->m_ackRoute[hop];
            count(hop == here ? nullptr : at.m_wire.Front());
            count(hop == here ? nullptr : at.GetFirstBy());
            for (uint32_t queue = 0; queue < RdmaEgressQueues::COUNT; ++queue)
            {
                count(at.queues.Front(queue));
            }
        }
    }
    return bytes;
}

double
RdmaPacketState::GetTelemetryExcess(const RdmaQueuePair& qp, const Ports& alone) const
{
    const auto frame = int64_t{qp.m_payloadSize} + qp.m_dataHeader;
    uint64_t slowest = qp.m_maxRate;
    for (const RdmaPort* port : qp.m_dataRoute)
    {
        slowest = std::min(slowest, port->GetRate());
    }
    std::vector<int64_t> counts;
    int64_t unit = 0;
    for (const RdmaPort* port : alone)
    {
        unit = port->GetTelemetryUnit();
        // A unit more of one that is faster says no more than a unit less of the slowest.
        const double more = 1 + static_cast<double>(unit) / static_cast<double>(frame);
        if (port->GetOwner().IsTransit() &&
            static_cast<double>(port->GetRate()) < more * static_cast<double>(slowest))
        {
            const uint64_t count = port->GetTxBytes() + static_cast<uint64_t>(port->GetUnseen()) +
                                   GetBytesToCome(*port);
            counts.push_back(static_cast<int64_t>(count % static_cast<uint64_t>(unit)));
        }
    }
    if (counts.size() < 2)
    {
        return 0;
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

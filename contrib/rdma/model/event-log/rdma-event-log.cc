/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-event-log.h"

#include "ns3/rdma-network.h"
#include "ns3/rdma-random.h"

#include <utility>

namespace ns3
{

namespace
{

/** \return \p digest with \p value added */
uint64_t
Digest(uint64_t digest, uint64_t value)
{
    return RdmaMix(digest ^ value);
}

/** \return a digest of all that a frame carries, but its kind and number */
uint64_t
DigestOf(const RdmaFrame& frame)
{
    uint64_t digest = Digest(frame.wireBytes, frame.priority);
    if (frame.kind == RdmaFrameKind::PFC)
    {
        const RdmaPfc& pfc = frame.pfc;
        return Digest(Digest(digest, pfc.pauseTime), uint64_t{pfc.queueBytes} << 8 | pfc.queue);
    }
    if (frame.kind == RdmaFrameKind::CREDIT)
    {
        return Digest(digest, uint64_t{frame.credit.bytes} << 8 | frame.credit.queue);
    }
    if (!frame.qp)
    {
        return digest;
    }
    const uint64_t flags = frame.ce | frame.echo << 1 | frame.ackNow << 2 | frame.last << 3;
    digest = Digest(Digest(digest, frame.payloadBytes), flags);
    digest = Digest(Digest(digest, frame.serial), static_cast<uint64_t>(frame.timestamp));
    if (frame.kind == RdmaFrameKind::DATA && frame.qp->HasEntropy())
    {
        digest = Digest(digest, frame.entropy);
    }
    const uint32_t hops = frame.telemetry ? frame.intHeader.GetRecords() : 0;
    for (uint32_t i = 0; i < hops; ++i)
    {
        const RdmaIntHeader::Hop& hop = frame.intHeader.hops[i];
        digest = Digest(Digest(digest, hop.time), uint64_t{hop.tx} << 32 | hop.qlen);
    }
    return digest;
}

} // namespace

RdmaEventLog::RdmaEventLog(RdmaNetwork& network, Take take)
    : m_network(network),
      m_take(std::move(take)),
      m_records([this](const RdmaEventRecord& record) { m_take(record); }),
      m_counts(network.GetNodeCount())
{
    for (uint32_t node = 0; node < network.GetNodeCount(); ++node)
    {
        for (RdmaPort* port : network.GetRdmaNode(node).GetPorts())
        {
            m_ports.push_back({*this, *port});
            PortSink* const sink = &m_ports.back();
            port->rxTrace.LookOn(MakeCallback(&PortSink::Receive, sink));
            port->txBeginTrace.LookOn(MakeCallback(&PortSink::Send, sink));
            port->dropTrace.LookOn(MakeCallback(&PortSink::Lose, sink));
        }
        if (RdmaHost* host = network.GetHost(node))
        {
            const auto listen = [this, host](const char* source,
                                             void (RdmaEventLog::*sink)(const RdmaQueuePair&)) {
                host->TraceConnectWithoutContext(source, MakeCallback(sink, this));
            };
            listen("FlowStart", &RdmaEventLog::FlowStarted);
            listen("FlowDelivered", &RdmaEventLog::FlowDelivered);
            listen("FlowEnd", &RdmaEventLog::FlowEnded);
        }
    }
}

void
RdmaEventLog::PortSink::Receive(const RdmaFrame& frame)
{
    log.Add(port, RdmaEventRecord::What::RECEIVED, frame, 0);
}

void
RdmaEventLog::PortSink::Send(const RdmaFrame& frame)
{
    uint64_t state = port.queues.GetBytes();
    if (frame.kind == RdmaFrameKind::DATA && !port.GetOwner().IsTransit())
    {
        state = Digest(Digest(state, frame.qp->GetRate()), frame.qp->GetWindow());
    }
    log.Add(port, RdmaEventRecord::What::SENT, frame, state);
}

void
RdmaEventLog::PortSink::Lose(const RdmaFrame& frame, RdmaDropReason reason)
{
    // what the link corrupts is lost where it would have come in
    RdmaPort& at = reason == RdmaDropReason::LINK_ERROR ? port.GetPeer() : port;
    log.Add(at, RdmaEventRecord::What::LOST, frame, static_cast<uint64_t>(reason));
}

/** \param state besides what the frame carries */
void
RdmaEventLog::Add(RdmaPort& at, RdmaEventRecord::What what, const RdmaFrame& frame, uint64_t state)
{
    RdmaEventRecord record;
    record.time = at.GetContext().eventQueue->Now();
    record.node = at.GetOwner().GetRdmaId();
    record.number = ++m_counts[record.node];
    record.flow = frame.qp ? frame.qp->GetId() + 1 : 0;
    record.seq = frame.qp ? frame.seq : 0;
    record.digest = Digest(DigestOf(frame), state);
    record.port = static_cast<uint16_t>(at.GetIndex() + 1);
    record.what = what;
    record.kind = frame.kind;
    m_records.Pass(at.GetContext(), record);
}

void
RdmaEventLog::AddFlow(uint32_t node, RdmaEventRecord::What what, const RdmaQueuePair& qp)
{
    RdmaEventRecord record;
    record.time = m_network.GetContext().eventQueue->Now();
    record.node = node;
    record.flow = qp.GetId() + 1;
    record.what = what;
    m_take(record);
}

void
RdmaEventLog::FlowStarted(const RdmaQueuePair& qp)
{
    AddFlow(qp.GetFlow().src, RdmaEventRecord::What::STARTED, qp);
}

void
RdmaEventLog::FlowDelivered(const RdmaQueuePair& qp)
{
    AddFlow(qp.GetFlow().dst, RdmaEventRecord::What::DELIVERED, qp);
}

void
RdmaEventLog::FlowEnded(const RdmaQueuePair& qp)
{
    AddFlow(qp.GetFlow().src, RdmaEventRecord::What::ENDED, qp);
}

} // namespace ns3

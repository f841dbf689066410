/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-binary-trace.h"

#include "ns3/input-error.h"
#include "ns3/packet.h"

#include <algorithm>
#include <limits>
#include <set>

namespace ns3
{

namespace
{

constexpr uint32_t BROADCAST = 0xffffffff;
constexpr uint8_t CE = 3;
constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;
constexpr uint32_t IP_PROTOCOL_AT = 9;

void
SetFlow(RdmaTraceRecord& record, const RdmaFrame& frame, const RdmaPort& port)
{
    const bool data = frame.kind == RdmaFrameKind::DATA;
    const RdmaTuple tuple = RdmaRouting::TupleOf(*frame.qp, !data);
    record.source = tuple.source;
    record.destination = tuple.destination;
    record.ports = {static_cast<uint16_t>(tuple.ports), static_cast<uint16_t>(tuple.ports >> 16)};
    const int64_t steps = port.GetContext().clock.StepsPerNs();
    const auto timestamp = static_cast<uint64_t>(frame.timestamp / steps);
    switch (frame.kind)
    {
    case RdmaFrameKind::DATA:
        record.protocol = RdmaTraceRecord::DATA;
        record.data.seq = static_cast<uint32_t>(frame.seq);
        record.data.timestamp = timestamp;
        record.data.priority = frame.priority;
        record.data.payload =
            frame.qp->GetFlow().bytes ? static_cast<uint16_t>(frame.payloadBytes) : 0;
        break;
    case RdmaFrameKind::CNP:
        record.protocol = RdmaTraceRecord::CNP;
        break;
    default:
        record.protocol =
            frame.kind == RdmaFrameKind::ACK ? RdmaTraceRecord::ACK : RdmaTraceRecord::NACK;
        record.ack.flags = frame.echo;
        record.ack.priority = frame.priority;
        record.ack.seq = static_cast<uint32_t>(frame.seq);
        record.ack.timestamp = timestamp;
        break;
    }
}

void
SetNonRdma(RdmaTraceRecord& record, const NonRdmaPacket& nonRdma)
{
    record.source = nonRdma.source;
    record.destination = nonRdma.destination;
    record.ports = {static_cast<uint16_t>(nonRdma.ports),
                    static_cast<uint16_t>(nonRdma.ports >> 16)};
    uint8_t start[IP_PROTOCOL_AT + 1];
    if (nonRdma.protocol == ETHERTYPE_IPV4 &&
        nonRdma.packet->CopyData(start, sizeof(start)) == sizeof(start))
    {
        record.protocol = start[IP_PROTOCOL_AT];
    }
}

/** \param sender node whose port sent a PFC frame */
RdmaTraceRecord
MakeRecord(const RdmaFrame& frame, const RdmaPort& port, const RdmaNode& sender)
{
    RdmaTraceRecord record{};
    record.time = static_cast<uint64_t>(port.GetContext().NowNs());
    record.node = static_cast<uint16_t>(port.GetOwner().GetRdmaId());
    record.interface = static_cast<uint8_t>(port.GetIndex() + 1);
    record.wireBytes = static_cast<uint16_t>(frame.wireBytes);
    record.ecn = frame.ce ? CE : 0;
    record.isSwitch = port.GetOwner().IsTransit();
    switch (frame.kind)
    {
    case RdmaFrameKind::PFC:
        record.protocol = RdmaTraceRecord::PFC;
        record.source = RdmaRouting::AddressOf(sender.GetRdmaId());
        record.destination = BROADCAST;
        record.pfc = {frame.pfc.pauseTime, frame.pfc.queueBytes, frame.pfc.queue};
        break;
    case RdmaFrameKind::PACKET:
        SetNonRdma(record, frame.nonRdma);
        break;
    default:
        SetFlow(record, frame, port);
        break;
    }
    return record;
}

template <typename T>
void
Append(std::string& bytes, T value)
{
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

std::string
MakeHeader(RdmaNetwork& network)
{
    std::string ports;
    uint32_t count = 0;
    for (uint32_t node = 0; node < network.GetNodeCount(); ++node)
    {
        for (const RdmaPort* port : network.GetRdmaNode(node).GetPorts())
        {
            const uint32_t interface = port->GetIndex() + 1;
            if (node > std::numeric_limits<uint16_t>::max() ||
                interface > std::numeric_limits<uint8_t>::max())
            {
                throw InputError("the packet trace has no room for node " + std::to_string(node) +
                                 ", interface " + std::to_string(interface) +
                                 ": it holds nodes up to 65535 and interfaces up to 255; "
                                 "set ENABLE_TRACE 0, or capture as pcap");
            }
            Append(ports, static_cast<uint16_t>(node));
            Append(ports, static_cast<uint8_t>(interface));
            Append(ports, port->GetRate());
            ++count;
        }
    }
    int64_t rttNs;
    uint64_t bdp;
    network.GetRouting().GetLargest(rttNs, bdp);
    std::string header;
    Append(header, count);
    header += ports;
    Append(header, static_cast<uint32_t>(std::min<uint64_t>(bdp, BROADCAST)));
    return header;
}

} // namespace

/** One port of a traced node. */
class RdmaBinaryTrace::PortSink
{
  public:
    PortSink(RdmaBinaryTrace& trace, RdmaPort& port)
        : m_trace(trace),
          m_port(port)
    {
        port.rxTrace.LookOn(MakeCallback(&PortSink::Receive, this));
        port.enqueueTrace.LookOn(MakeCallback(&PortSink::Enqueue, this));
        port.dequeueTrace.LookOn(MakeCallback(&PortSink::Dequeue, this));
        const auto drop = MakeCallback(&PortSink::Drop, this);
        if (port.GetContext().anyLoses)
        {
            // a link loses frames at its far end, where the queues at this one are not known
            port.dropTrace.ConnectWithoutContext(drop);
            return;
        }
        port.dropTrace.LookOn(drop);
    }

    PortSink(const PortSink&) = delete;
    PortSink& operator=(const PortSink&) = delete;

  private:
    void Receive(const RdmaFrame& frame)
    {
        Write(frame, m_port.GetPeer().GetOwner(), RdmaTraceEvent::RECEIVE, 0);
    }

    void Enqueue(const RdmaFrame& frame, uint32_t queue)
    {
        Write(frame, m_port.GetOwner(), RdmaTraceEvent::ENQUEUE, queue);
    }

    void Dequeue(const RdmaFrame& frame, uint32_t queue)
    {
        Write(frame, m_port.GetOwner(), RdmaTraceEvent::DEQUEUE, queue);
    }

    void Drop(const RdmaFrame& frame, RdmaDropReason)
    {
        Write(frame, m_port.GetOwner(), RdmaTraceEvent::DROP, frame.priority);
    }

    void Write(const RdmaFrame& frame, const RdmaNode& sender, RdmaTraceEvent event, uint32_t queue)
    {
        if (frame.kind == RdmaFrameKind::CREDIT)
        {
            return; // HPCC's format has none
        }
        RdmaTraceRecord record = MakeRecord(frame, m_port, sender);
        record.event = event;
        record.queue = static_cast<uint8_t>(queue);
        record.queueBytes = static_cast<uint32_t>(m_port.queues.GetBytes(queue));
        m_trace.m_records.Pass(m_port.GetContext(), record);
    }

    RdmaBinaryTrace& m_trace;
    RdmaPort& m_port;
};

RdmaBinaryTrace::RdmaBinaryTrace(Ptr<RdmaNetwork> network,
                                 const std::string& file,
                                 const std::vector<uint32_t>& nodes)
    : m_file(file),
      m_records([this](const RdmaTraceRecord& record) { Write(record); })
{
    m_file.Write(MakeHeader(*network));
    for (uint32_t node : std::set<uint32_t>(nodes.begin(), nodes.end()))
    {
        if (node >= network->GetNodeCount())
        {
            break; // as HPCC's driver
        }
        for (RdmaPort* port : network->GetRdmaNode(node).GetPorts())
        {
            m_sinks.push_back(std::make_unique<PortSink>(*this, *port));
        }
    }
}

RdmaBinaryTrace::~RdmaBinaryTrace() = default;

void
RdmaBinaryTrace::Write(const RdmaTraceRecord& record)
{
    if (!m_finished)
    {
        ++m_count;
        m_file.Write({reinterpret_cast<const char*>(&record), sizeof(record)});
    }
}

void
RdmaBinaryTrace::Finish()
{
    m_finished = true;
    m_file.Close();
}

} // namespace ns3

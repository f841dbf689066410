/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rtt-recorder.h"

#include "ns3/rdma-frame.h"

#include <algorithm>

namespace wormhole
{

RttRecorder::RttRecorder(ns3::Ptr<ns3::RdmaNetwork> network, const std::string& path)
    : m_network(network),
      m_file(path)
{
    m_file.Write("time_ns,seq,rtt_ns\n");
    for (uint32_t node = 0; node < network->GetNodeCount(); ++node)
    {
        if (ns3::RdmaHost* host = network->GetHost(node))
        {
            host->TraceConnectWithoutContext("FlowStart",
                                             ns3::MakeCallback(&RttRecorder::FlowStarted, this));
        }
    }
}

void
RttRecorder::FlowStarted(const ns3::RdmaQueuePair& qp)
{
    if (qp.GetId() != 0)
    {
        return;
    }
    // of all ports: routes may change
    for (ns3::RdmaPort* port : m_network->GetHost(qp.GetFlow().src)->GetPorts())
    {
        m_port = port;
        port->rxTrace.LookOn(ns3::MakeCallback(&RttRecorder::FrameReceived, this));
    }
}

void
RttRecorder::FrameReceived(const ns3::RdmaFrame& frame)
{
    if (frame.kind != ns3::RdmaFrameKind::ACK || frame.qp->GetId() != 0)
    {
        return;
    }
    const ns3::RdmaContext& context = m_port->GetContext();
    const int64_t steps = std::max<int64_t>(context.clock.StepsPerNs(), 1);
    const int64_t rtt = (context.eventQueue->Now() - frame.timestamp) / steps;
    m_file.Write(std::to_string(context.NowNs()) + ',' + std::to_string(frame.seq) + ',' +
                 std::to_string(rtt) + '\n');
}

void
RttRecorder::Finish()
{
    m_file.Close();
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-flow-source.h"

#include "ns3/input-error.h"
#include "ns3/rdma-topology.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** \return \p network, which is none that is null */
RdmaNetwork&
Known(const Ptr<RdmaNetwork>& network)
{
    NS_ABORT_MSG_IF(!network, "RdmaFlowSource: its network is null; install one first");
    return *network;
}

} // namespace

RdmaFlowSource::RdmaFlowSource(Ptr<RdmaNetwork> network,
                               std::vector<RdmaFlowSpec> flows,
                               const RdmaFlowOptions& options)
    : m_network(network),
      m_flows(std::move(flows)),
      m_windows(options, Known(network).GetRouting()),
      m_due(this),
      m_start(this)
{
    std::stable_sort(
        m_flows.begin(),
        m_flows.end(),
        [](const RdmaFlowSpec& a, const RdmaFlowSpec& b) { return a.start < b.start; });
    NS_ABORT_MSG_IF(!m_flows.empty() && m_flows.front().start.IsStrictlyNegative(),
                    "RdmaFlowSource: a flow starts at " << m_flows.front().start.As(Time::S)
                                                        << ", before the simulation");
    if (m_windows.NeedPaths())
    {
        for (const RdmaFlowSpec& flow : m_flows)
        {
            m_properties.push_back(m_network->GetRouting().GetPathProperties(flow.src, flow.dst));
        }
    }
}

void
RdmaFlowSource::SetEndCallback(std::function<void(const RdmaQueuePair&)> onEnd)
{
    m_onEnd = std::move(onEnd);
}

int64_t
RdmaFlowSource::TimeOf(size_t flow) const
{
    return m_network->GetContext().clock.Duration(m_flows[flow].start, Time::S);
}

void
RdmaFlowSource::Start()
{
    m_network->Sync();
    ScheduleNext();
}

void
RdmaFlowSource::ScheduleNext()
{
    if (m_next < m_flows.size())
    {
        RdmaEventQueue& eventQueue = *m_network->GetContext().eventQueue;
        eventQueue.Schedule(m_due, std::max(TimeOf(m_next), eventQueue.Now()));
    }
}

void
RdmaFlowSource::WaitForRest()
{
    // HPCC's driver starts a flow by an event of its own, so after all that was scheduled for this
    // time
    RdmaEventQueue& eventQueue = *m_network->GetContext().eventQueue;
    eventQueue.Schedule(m_start, eventQueue.Now());
}

void
RdmaFlowSource::StartDue()
{
    const int64_t now = m_network->GetContext().eventQueue->Now();
    for (; m_next < m_flows.size() && TimeOf(m_next) <= now; ++m_next)
    {
        const RdmaFlowSpec& spec = m_flows[m_next];
        RdmaFlow flow;
        flow.src = spec.src;
        flow.dst = spec.dst;
        flow.bytes = spec.bytes;
        flow.priority = spec.priority;
        flow.dport = spec.dport;
        flow.onEnd = m_onEnd;
        m_windows.Set(flow, m_windows.NeedPaths() ? m_properties[m_next] : RdmaPathProperties());
        m_network->StartFlow(flow);
    }
    ScheduleNext();
}

void
RdmaFlowSource::Check(const std::vector<RdmaFlowSpec>& flows,
                      const RdmaTopology& topology,
                      const std::string& name)
{
    for (size_t i = 0; i < flows.size(); ++i)
    {
        const RdmaFlowSpec& flow = flows[i];
        for (uint32_t node : {flow.src, flow.dst})
        {
            if (node >= topology.nodes.size() || topology.nodes[node] != RdmaNodeKind::HOST)
            {
                throw InputError(name,
                                 flow.line,
                                 "node " + std::to_string(node) + " is no host of " +
                                     topology.origin + " (it has " +
                                     std::to_string(topology.Count(RdmaNodeKind::HOST)) +
                                     " hosts); correct the flow or the topology");
            }
        }
        if (flow.src == flow.dst)
        {
            throw InputError(name,
                             flow.line,
                             "a flow from node " + std::to_string(flow.src) +
                                 " to itself crosses no network; remove it");
        }
    }
}

} // namespace ns3

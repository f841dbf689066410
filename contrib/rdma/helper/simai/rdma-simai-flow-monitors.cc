/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-simai-flow-monitors.h"

#include <algorithm>

namespace ns3
{

RdmaFlowValueMonitor::RdmaFlowValueMonitor(const std::string& file,
                                           const std::string& column,
                                           const RdmaSamplingTimes& times)
    : RdmaSimAiMonitor(file, "time, src, dst, sport, dport, size, " + column, times)
{
}

std::vector<RdmaHost*>
RdmaFlowValueMonitor::GetHosts(RdmaNetwork& network)
{
    std::vector<RdmaHost*> hosts;
    for (uint32_t node = 0; node < network.GetNodeCount(); ++node)
    {
        if (RdmaHost* host = network.GetHost(node))
        {
            hosts.push_back(host);
        }
    }
    return hosts;
}

void
RdmaFlowValueMonitor::Listen(RdmaNetwork& network,
                             const std::string& source,
                             const CallbackBase& sink)
{
    for (RdmaHost* host : GetHosts(network))
    {
        host->TraceConnectWithoutContext(source, sink);
        m_stops.emplace_back(
            [host, source, sink]() { host->TraceDisconnectWithoutContext(source, sink); });
    }
}

void
RdmaFlowValueMonitor::StopListening()
{
    for (const std::function<void()>& stop : m_stops)
    {
        stop();
    }
    m_stops.clear();
}

RdmaFlowValueMonitor::Flow*
RdmaFlowValueMonitor::Touch(const RdmaQueuePair& qp)
{
    if (!AdvanceTo(qp.GetNowNs()))
    {
        return nullptr;
    }
    Flow& flow = m_flows[qp.GetId()];
    if (!flow.changed)
    {
        flow.changed = true;
        m_changed.push_back(qp.GetId());
    }
    if (flow.description.empty())
    {
        const RdmaFlow& f = qp.GetFlow();
        for (uint64_t field : {static_cast<uint64_t>(f.src),
                               static_cast<uint64_t>(f.dst),
                               static_cast<uint64_t>(qp.GetSourcePort()),
                               static_cast<uint64_t>(f.dport),
                               f.bytes})
        {
            flow.description += std::to_string(field) + ", ";
        }
    }
    return &flow;
}

void
RdmaFlowValueMonitor::Forget(const RdmaQueuePair& qp)
{
    AdvanceTo(qp.GetNowNs());
    m_flows.erase(qp.GetId());
}

bool
RdmaFlowValueMonitor::Sample(int64_t timeNs)
{
    std::sort(m_changed.begin(), m_changed.end());
    for (uint64_t id : m_changed)
    {
        const auto it = m_flows.find(id);
        if (it == m_flows.end())
        {
            continue;
        }
        Flow& flow = it->second;
        if (flow.value != flow.written)
        {
            flow.written = flow.value;
            WriteLine(std::to_string(timeNs) + ", " + flow.description +
                      std::to_string(flow.value));
        }
        flow.changed = false;
        if (flow.ended)
        {
            m_flows.erase(it);
        }
    }
    m_changed.clear();
    return false;
}

RdmaRateMonitor::RdmaRateMonitor(RdmaNetwork& network,
                                 const std::string& file,
                                 const RdmaSamplingTimes& times)
    : RdmaFlowValueMonitor(file, "curr_rate", times),
      m_changes([this](const Change& change) {
          if (Flow* flow = Touch(*change.qp))
          {
              flow->value = change.rate;
          }
      })
{
    Listen(network, "FlowStart", MakeCallback(&RdmaRateMonitor::StartFlow, this));
    LookOn(network, &RdmaHost::GetRateTrace, MakeCallback(&RdmaRateMonitor::ChangeRate, this));
    Listen(network, "FlowEnd", MakeCallback(&RdmaRateMonitor::EndFlow, this));
}

void
RdmaRateMonitor::StartFlow(const RdmaQueuePair& qp)
{
    ChangeRate(qp, 0);
}

void
RdmaRateMonitor::ChangeRate(const RdmaQueuePair& qp, uint64_t)
{
    if (qp.GetState() != RdmaFlowState::ACTIVE)
    {
        return; // ended, but its last acknowledgement still reaches the control
    }
    m_changes.Pass(qp.GetSender().GetPorts().front()->GetContext(), {&qp, qp.GetRate()});
}

void
RdmaRateMonitor::EndFlow(const RdmaQueuePair& qp)
{
    Forget(qp);
}

RdmaCnpMonitor::RdmaCnpMonitor(RdmaNetwork& network,
                               const std::string& file,
                               const RdmaSamplingTimes& times)
    : RdmaFlowValueMonitor(file, "cnp_number", times),
      m_notifications([this](const RdmaQueuePair* qp) {
          if (Flow* flow = Touch(*qp))
          {
              ++flow->value;
          }
      })
{
    LookOn(network, &RdmaHost::GetCnpTrace, MakeCallback(&RdmaCnpMonitor::Notify, this));
    Listen(network, "FlowEnd", MakeCallback(&RdmaCnpMonitor::EndFlow, this));
}

void
RdmaCnpMonitor::Notify(const RdmaQueuePair& qp)
{
    m_notifications.Pass(qp.GetSender().GetPorts().front()->GetContext(), &qp);
}

void
RdmaCnpMonitor::EndFlow(const RdmaQueuePair& qp)
{
    if (Flow* flow = Touch(qp))
    {
        flow->ended = true;
    }
}

} // namespace ns3

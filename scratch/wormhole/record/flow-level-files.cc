/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-level-files.h"

#include "ns3/rdma-fct-writer.h"
#include "ns3/rdma-standalone.h"

#include <algorithm>
#include <cmath>

namespace wormhole
{

FlowLevelFiles::FlowLevelFiles(const RunPlan& plan,
                               ns3::WorkloadFlowTransport& transport,
                               uint32_t payload,
                               OnEnd onEnd)
    : m_topology(plan.topology),
      m_payload(payload),
      m_onEnd(std::move(onEnd)),
      m_fct(plan.outputs.fct),
      m_links(MakeLinkLoads(plan.topology, plan.outputs.links))
{
    if (plan.record.IsOn())
    {
        m_record = std::make_unique<RecordedFlowLevel>(plan, transport);
    }
    transport.SetEndCallback([this](const ns3::WorkloadFlowEnd& end) { Ended(end); });
}

/** \return the last column of fct.txt: HPCC's formula for the route that the flow has taken */
uint64_t
FlowLevelFiles::HpccStandaloneNs(const ns3::WorkloadFlowEnd& end) const
{
    ns3::Time delay;
    ns3::RdmaPathProperties facts;
    facts.rate = UINT64_MAX;
    for (const uint32_t directed : end.links)
    {
        if (directed / 2 >= m_topology.links.size())
        {
            continue; // hangs on an NVSwitch, and stands for nothing
        }
        const ns3::RdmaLinkSpec& link = m_topology.links[directed / 2];
        const uint64_t rate = link.rate.GetBitRate();
        delay += link.delay;
        facts.txDelayNs += static_cast<int64_t>(uint64_t{m_payload} * 8000000000 / rate);
        facts.rate = std::min(facts.rate, rate);
    }
    facts.delayNs = std::llround(ns3::RdmaTimeIn(delay, ns3::Time::NS));
    return ns3::RdmaHpccStandaloneNs(facts, end.transfer.bytes, m_payload);
}

void
FlowLevelFiles::Ended(const ns3::WorkloadFlowEnd& end)
{
    m_fct.Write(ns3::RdmaFctLine({end.from,
                                  end.to,
                                  end.sport,
                                  end.dport,
                                  end.transfer.bytes,
                                  static_cast<uint64_t>(end.startPs / 1000),
                                  static_cast<uint64_t>((end.endPs - end.startPs) / 1000),
                                  HpccStandaloneNs(end)}));
    if (m_onEnd)
    {
        m_onEnd(end);
    }
    if (m_record)
    {
        m_record->FlowEnded(end);
    }
    for (const uint32_t link : m_links ? end.links : std::vector<uint32_t>())
    {
        m_links->Add(link,
                     end.transfer.bytes,
                     static_cast<double>(end.startPs) / 1000,
                     static_cast<double>(end.endPs) / 1000);
    }
}

std::vector<std::string>
FlowLevelFiles::Flush()
{
    if (m_fct.Flush() || m_warned)
    {
        return {};
    }
    m_warned = true;
    return {CannotWriteText(m_fct)};
}

void
FlowLevelFiles::Finish()
{
    FinishEach({[this]() { m_fct.Close(); },
                [this]() { m_links ? m_links->Finish() : void(); },
                [this]() { m_record ? m_record->Finish() : void(); }});
}

ns3::WorkloadFlowOptions
FlowLevelOptions(const RunPlan& plan, const RunOptions& options)
{
    ns3::WorkloadFlowOptions flow;
    flow.payloadBytes = options.payload ? *options.payload
                        : plan.config   ? plan.config->packetPayloadSize
                                        : flow.payloadBytes;
    return flow;
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-level-files.h"

#include "ns3/rdma-fct-writer.h"

namespace wormhole
{

FlowLevelFiles::FlowLevelFiles(const RunPlan& plan, ns3::WorkloadFlowTransport& transport)
    : m_fct(plan.outputs.fct),
      m_links(MakeLinkLoads(plan.topology, plan.outputs.links))
{
    if (plan.record.IsOn())
    {
        m_record = std::make_unique<RecordedFlowLevel>(plan, transport);
    }
    transport.SetEndCallback([this](const ns3::WorkloadFlowEnd& end) { Ended(end); });
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
                                  static_cast<uint64_t>(end.alonePs / 1000)}));
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

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fabric.h"
#include "flow-list.h"
#include "record/record-files.h"
#include "record/record-flow-level.h"
#include "result/link-loads.h"
#include "terminal/units.h"

#include "ns3/input-line-file.h"
#include "ns3/rdma-fct-writer.h"
#include "ns3/rdma-standalone.h"
#include "ns3/workload-flow-transport.h"

#include <algorithm>
#include <cmath>

namespace wormhole
{

namespace
{

ns3::WorkloadFlowOptions
TransportOptions(const RunPlan& plan, const RunOptions& options)
{
    ns3::WorkloadFlowOptions flow = ns3::WorkloadFlowOptionsFrom(plan.helper);
    flow.nvSwitches = UsesNvSwitches(plan);
    flow.connections = ConnectionsOf(plan, options);
    return flow;
}

/** Writes what it knows of each flow in the files that packet level writes. */
class FlowFabric final : public Fabric
{
  public:
    FlowFabric(const RunPlan& plan, const RunOptions& options)
        : m_plan(plan),
          m_payload(plan.helper.GetPacketCosts().payloadBytes),
          m_transport(plan.topology, TransportOptions(plan, options)),
          m_fct(plan.outputs.fct),
          m_links(MakeLinkLoads(plan.topology, plan.outputs.links))
    {
        if (plan.record.IsOn())
        {
            m_record = std::make_unique<RecordedFlowLevel>(plan, m_transport);
        }
        m_transport.SetEndCallback([this](const ns3::WorkloadFlowEnd& end) { Ended(end); });
    }

    std::unique_ptr<Program> MakeFlowList() override
    {
        return MakeFluidFlowList(m_plan, m_transport, m_onEnd);
    }

    ns3::WorkloadTransport& GetTransport() override
    {
        return m_transport;
    }

    void SetLabels(std::vector<std::string> labels) override
    {
        if (m_record)
        {
            m_record->SetKinds(std::move(labels));
        }
    }

    std::vector<std::string> Flush() override
    {
        if (m_fct.Flush() || m_warned)
        {
            return {};
        }
        m_warned = true;
        return {CannotWriteText(m_fct)};
    }

    void AddProgress(ProgressState& state) const override
    {
        state.delivered = m_bytesEnded;
    }

    void FinishFiles() override
    {
        FinishEach({[this]() { m_fct.Close(); },
                    [this]() { m_links ? m_links->Finish() : void(); },
                    [this]() { m_record ? m_record->Finish() : void(); }});
    }

    void Describe(RunResult& result) const override
    {
        if (m_record)
        {
            result.record = m_record->End();
        }
    }

  private:
    void Ended(const ns3::WorkloadFlowEnd& end)
    {
        m_bytesEnded += static_cast<double>(end.transfer.bytes);
        m_fct.Write(ns3::RdmaFctLine({end.from,
                                      end.to,
                                      end.sport,
                                      end.dport,
                                      end.transfer.bytes,
                                      static_cast<uint64_t>(end.startPs / PS_PER_NS),
                                      static_cast<uint64_t>((end.endPs - end.startPs) / PS_PER_NS),
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
                         static_cast<double>(end.startPs) / PS_PER_NS,
                         static_cast<double>(end.endPs) / PS_PER_NS);
        }
    }

    /** \return the last column of fct.txt: HPCC's formula for the route that the flow has taken */
    uint64_t HpccStandaloneNs(const ns3::WorkloadFlowEnd& end) const
    {
        ns3::Time delay;
        ns3::RdmaPathProperties facts;
        facts.rate = UINT64_MAX;
        for (const uint32_t directed : end.links)
        {
            if (directed / 2 >= m_plan.topology.links.size())
            {
                continue; // hangs on an NVSwitch, and stands for nothing
            }
            const ns3::RdmaLinkSpec& link = m_plan.topology.links[directed / 2];
            const uint64_t rate = link.rate.GetBitRate();
            delay += link.delay;
            facts.txDelayNs += static_cast<int64_t>(uint64_t{m_payload} * 8000000000 / rate);
            facts.rate = std::min(facts.rate, rate);
        }
        facts.delayNs = std::llround(ns3::RdmaTimeIn(delay, ns3::Time::NS));
        return ns3::RdmaHpccStandaloneNs(facts, end.transfer.bytes, m_payload);
    }

    const RunPlan& m_plan;
    uint32_t m_payload; //!< of a full packet, bytes
    ns3::WorkloadFlowTransport m_transport;
    ns3::LineFile m_fct;
    std::unique_ptr<LinkLoads> m_links;
    std::unique_ptr<RecordedFlowLevel> m_record; //!< null without --record
    std::function<void(const ns3::WorkloadFlowEnd&)> m_onEnd;
    double m_bytesEnded{0}; //!< of transfers that have ended
    bool m_warned{false};
};

} // namespace

std::unique_ptr<Fabric>
MakeFlowFabric(const RunPlan& plan, const RunOptions& options)
{
    return std::make_unique<FlowFabric>(plan, options);
}

} // namespace wormhole

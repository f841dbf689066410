/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record-flow-level.h"

#include "terminal/units.h"

#include <algorithm>
#include <cmath>

namespace wormhole
{

RecordedFlowLevel::RecordedFlowLevel(const RunPlan& plan, ns3::WorkloadFlowTransport& transport)
    : m_folder(plan.record.shown),
      m_transport(transport),
      m_nodes(plan.topology),
      m_topology(plan.record, plan.topology),
      m_flows(plan.record),
      m_rates(plan.record)
{
    transport.SetWatch([this](int64_t ps) { return TimePasses(ps); });
}

void
RecordedFlowLevel::FlowEnded(const ns3::WorkloadFlowEnd& end)
{
    const uint32_t src = m_nodes(end.from);
    const uint32_t dst = m_nodes(end.to);
    if (const auto pair = m_rates.Find(src, dst))
    {
        m_rates.Ended(*pair, end.transfer.bytes);
    }
    m_flows.Add({end.transfer.label,
                 src,
                 dst,
                 end.transfer.bytes,
                 end.startPs / PS_PER_NS,
                 static_cast<uint64_t>((end.endPs - end.startPs) / PS_PER_NS),
                 static_cast<uint64_t>(end.alonePs / PS_PER_NS)});
}

int64_t
RecordedFlowLevel::TimePasses(int64_t ps)
{
    if (!m_times.HasStarted())
    {
        if (m_transport.GetStarted() == 0)
        {
            return ps + 1;
        }
        m_times.Start(m_transport.Now() / PS_PER_NS);
    }
    TakeSamples(ps / PS_PER_NS);
    return m_times.GetNextNs() * PS_PER_NS;
}

void
RecordedFlowLevel::TakeSamples(int64_t ns)
{
    std::vector<ns3::WorkloadFlowProgress> flows;
    m_times.TakeUpTo(
        ns,
        [this]() { m_rates.Thin(); },
        [&](int64_t number, bool first) {
            if (first)
            {
                flows = ListFlows();
            }
            m_rates.Sample(number, GetDelivered(flows, m_times.TimeOf(number) * PS_PER_NS));
        });
}

/** \return flows under way between recorded pairs */
std::vector<ns3::WorkloadFlowProgress>
RecordedFlowLevel::ListFlows()
{
    std::vector<ns3::WorkloadFlowProgress> flows = m_transport.GetProgress();
    const auto isNot = [this](ns3::WorkloadFlowProgress& flow) {
        flow.from = m_nodes(flow.from);
        flow.to = m_nodes(flow.to);
        return !m_rates.Find(flow.from, flow.to);
    };
    flows.erase(std::remove_if(flows.begin(), flows.end(), isNot), flows.end());
    return flows;
}

/** \return bytes delivered, by pair, at \p ps */
std::vector<uint64_t>
RecordedFlowLevel::GetDelivered(const std::vector<ns3::WorkloadFlowProgress>& flows, int64_t ps)
{
    std::vector<uint64_t> bytes = m_rates.GetEnded();
    for (const ns3::WorkloadFlowProgress& flow : flows)
    {
        // the first sample may be before flows that start now
        const auto passed = static_cast<double>(std::max<int64_t>(ps - m_transport.Now(), 0));
        bytes[*m_rates.Find(flow.from, flow.to)] +=
            static_cast<uint64_t>(std::llround(flow.bytes + flow.rate * passed));
    }
    return bytes;
}

nlohmann::ordered_json
RecordedFlowLevel::End()
{
    const int64_t ps = m_transport.Now();
    if (m_times.HasStarted())
    {
        TakeSamples(ps / PS_PER_NS);
        m_rates.End(m_times, ps / PS_PER_NS, GetDelivered(ListFlows(), ps));
    }
    nlohmann::ordered_json summary{{"folder", m_folder},
                                   {"origin_ns", m_times.GetOriginNs()},
                                   {"period_ns", m_times.GetPeriodNs()},
                                   {"pairs", m_rates.GetPairs().ToJson()}};
    m_flows.Describe(summary);
    return summary;
}

void
RecordedFlowLevel::Finish()
{
    FinishEach({[this]() { m_topology.Finish(); },
                [this]() { m_flows.Finish(); },
                [this]() { m_rates.Finish(m_times); }});
}

} // namespace wormhole

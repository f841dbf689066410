/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record-network.h"

#include "record/record-fast.h"

#include "ns3/rdma-fct-writer.h"
#include "ns3/rdma-packet-state.h"
#include "ns3/rdma-standalone.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-helper.h"

#include <algorithm>

namespace wormhole
{

RecordedNetwork::RecordedNetwork(const RunPlan& plan, ns3::Ptr<ns3::RdmaNetwork> network)
    : m_folder(plan.record.shown),
      m_network(network),
      m_stepsPerNs(std::max<int64_t>(network->GetContext().clock.StepsPerNs(), 1)),
      m_nodes(plan.topology),
      m_topology(plan.record, plan.topology),
      m_flows(plan.record),
      m_rates(plan.record),
      m_queues(plan.record, *network, m_nodes),
      m_pauses(plan.record, *network, m_nodes),
      m_overTime(plan.record, *network),
      m_eventsFile(plan.record.PathOf("events.csv")),
      m_decisions(RecordedDecisions::Make(plan.record, *network, m_underWay))
{
    for (uint32_t node = 0; node < network->GetNodeCount(); ++node)
    {
        if (ns3::RdmaHost* host = network->GetHost(node))
        {
            host->TraceConnectWithoutContext(
                "FlowStart",
                ns3::MakeCallback(&RecordedNetwork::FlowStarted, this));
        }
    }
}

RecordedNetwork::~RecordedNetwork() = default;

void
RecordedNetwork::FlowStarted(const ns3::RdmaQueuePair& qp)
{
    ns3::RdmaContext& context = m_network->GetContext();
    if (!m_times.HasStarted())
    {
        m_times.Start(context.NowNs());
        m_overTime.Start(context.NowNs());
        TakeSamples(context.NowNs());
        context.eventQueue->SetWatch(this, m_times.GetNextNs() * m_stepsPerNs);
    }
    m_overTime.FlowStarted(qp, context.NowNs());
    const ns3::RdmaFlow& flow = qp.GetFlow();
    if (const auto pair = m_rates.Find(m_nodes(flow.src), m_nodes(flow.dst)))
    {
        m_underWay.push_back({&qp, *pair});
    }
}

void
RecordedNetwork::FlowEnded(const ns3::RdmaQueuePair& qp, uint32_t kind)
{
    const ns3::RdmaFlow& flow = qp.GetFlow();
    const auto found = std::find_if(m_underWay.begin(), m_underWay.end(), [&qp](const auto& f) {
        return f.qp == &qp;
    });
    const uint64_t delivered = DeliveredOf(qp, m_network->GetContext().eventQueue->Now());
    m_overTime.FlowEnded(qp, delivered);
    if (found != m_underWay.end())
    {
        m_rates.Ended(found->pair, delivered);
        m_underWay.erase(found);
    }
    if (qp.GetState() == ns3::RdmaFlowState::COMPLETED)
    {
        m_flows.Add({kind,
                     m_nodes(flow.src),
                     m_nodes(flow.dst),
                     flow.bytes,
                     qp.GetStartTime() / m_stepsPerNs,
                     ns3::RdmaFctNs(*m_network, qp),
                     ns3::RdmaStandaloneNs(qp)});
    }
}

int64_t
RecordedNetwork::TimePasses(int64_t time)
{
    TakeSamples(time / m_stepsPerNs);
    return m_times.GetNextNs() * m_stepsPerNs;
}

void
RecordedNetwork::TakeSamples(int64_t ns)
{
    m_times.TakeUpTo(
        ns,
        [this]() {
            m_rates.Thin();
            m_queues.Thin();
            m_events.Thin();
            if (m_decisions)
            {
                m_decisions->Thin();
            }
        },
        [this](int64_t number, bool first) {
            if (first)
            {
                m_queues.Sample(number);
                m_events.Add(number, CountEvents());
                m_decisions ? m_decisions->Sample(number) : void();
            }
            // what is skipped or replayed moves on without events
            if (first || m_decisions)
            {
                m_rates.Sample(number, GetDelivered(m_times.TimeOf(number) * m_stepsPerNs));
            }
            m_pauses.Sample(m_times.TimeOf(number));
            if (m_overTime.IsDue(m_times.TimeOf(number), m_times.GetPeriodNs()))
            {
                EndInterval(m_times.TimeOf(number));
            }
        });
}

void
RecordedNetwork::EndInterval(int64_t ns)
{
    m_overTime.EndInterval(ns, m_pauses, [this, ns](const ns3::RdmaQueuePair& qp) {
        return DeliveredOf(qp, ns * m_stepsPerNs);
    });
}

/** \return bytes delivered, by pair, at \p time (time steps) */
std::vector<uint64_t>
RecordedNetwork::GetDelivered(int64_t time)
{
    std::vector<uint64_t> bytes = m_rates.GetEnded();
    for (const RecordedFlowUnderWay& flow : m_underWay)
    {
        bytes[flow.pair] += DeliveredOf(*flow.qp, time);
    }
    return bytes;
}

uint64_t
RecordedNetwork::DeliveredOf(const ns3::RdmaQueuePair& qp, int64_t time) const
{
    const uint64_t delivered =
        m_decisions ? m_decisions->GetDelivered(qp, time) : ns3::RdmaPacketState::GetDelivered(qp);
    return std::min(delivered, qp.GetFlow().bytes); // an empty message stands for a byte
}

RecordedNetwork::Events
RecordedNetwork::CountEvents() const
{
    const ns3::WormholePacketHops left = ns3::WormholeHelper::CountPacketHops(); // 0 without it
    return {m_network->GetContext().counters.GetHops(),
            static_cast<uint64_t>(left.skipped),
            left.replayed};
}

nlohmann::ordered_json
RecordedNetwork::End()
{
    ns3::RdmaContext& context = m_network->GetContext();
    context.eventQueue->SetWatch(nullptr, 0);
    // Under other simulators the queue knows of its own events alone, not of the stop.
    const int64_t now = std::max(context.eventQueue->Now(), ns3::Simulator::Now().GetTimeStep());
    const int64_t ns = now / m_stepsPerNs;
    if (m_times.HasStarted())
    {
        TakeSamples(ns);
        m_rates.End(m_times, ns, GetDelivered(now));
        m_queues.End(m_times, ns);
        m_events.End(m_times, ns, CountEvents());
        EndInterval(ns);
    }
    m_endNs = ns;
    nlohmann::ordered_json summary{{"folder", m_folder},
                                   {"origin_ns", m_times.GetOriginNs()},
                                   {"period_ns", m_times.GetPeriodNs()},
                                   {"pairs", m_rates.GetPairs().ToJson()}};
    m_flows.Describe(summary);
    if (m_decisions)
    {
        m_decisions->End(m_times, ns);
        m_decisions->Describe(summary);
    }
    return summary;
}

void
RecordedNetwork::WriteEvents()
{
    m_eventsFile.Write("time_ns,run,skipped,replayed\n");
    m_events.ForEachLine(m_times, true, [this](int64_t ns, const Events& events) {
        m_eventsFile.Write(CsvLine(ns, events.run, events.skipped, events.replayed));
    });
    m_eventsFile.Close();
}

void
RecordedNetwork::Finish()
{
    FinishEach(
        {[this]() { m_topology.Finish(); },
         [this]() { m_flows.Finish(); },
         [this]() { m_rates.Finish(m_times); },
         [this]() { m_queues.Finish(m_times); },
         [this]() { WriteEvents(); },
         [this]() { m_pauses.Finish(m_endNs); },
         [this]() { m_overTime.Finish(); },
         [this]() { m_decisions ? m_decisions->Finish(m_times, m_rates.GetPairs()) : void(); }});
}

} // namespace wormhole

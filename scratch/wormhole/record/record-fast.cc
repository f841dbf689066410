/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record-fast.h"

#include "ns3/rdma-packet-state.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-simulator-impl.h"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace wormhole
{

namespace
{

/** \return a name such as FlowStarted as flow-started */
std::string
Hyphenated(const std::string& name)
{
    std::string text;
    for (const char c : name)
    {
        const bool capital = std::isupper(static_cast<unsigned char>(c));
        text += capital && !text.empty() ? "-" : "";
        text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return text;
}

/** \return the higher, the less is simulated */
int
RankOf(PartitionState state)
{
    return state == PartitionState::Skipping    ? 3
           : state == PartitionState::Replaying ? 2
           : state == PartitionState::Following ? 1
                                                : 0;
}

} // namespace

std::unique_ptr<RecordedDecisions>
RecordedDecisions::Make(const RecordPlan& plan,
                        const ns3::RdmaNetwork& network,
                        const std::vector<RecordedFlowUnderWay>& underWay)
{
    const auto simulator =
        ns3::DynamicCast<ns3::WormholeSimulatorImpl>(ns3::Simulator::GetImplementation());
    if (!simulator)
    {
        return nullptr;
    }
    auto decisions =
        std::make_unique<RecordedDecisions>(plan, network, simulator->Find(network), underWay);
    simulator->TraceConnectWithoutContext(
        "Decision",
        ns3::MakeCallback(&RecordedDecisions::Decided, decisions.get()));
    return decisions;
}

RecordedDecisions::RecordedDecisions(const RecordPlan& plan,
                                     const ns3::RdmaNetwork& network,
                                     const ns3::WormholeNetwork* fast,
                                     const std::vector<RecordedFlowUnderWay>& underWay)
    : m_fast(fast),
      m_underWay(underWay),
      m_context(network.GetContext()),
      m_stepsPerNs(std::max<int64_t>(m_context.clock.StepsPerNs(), 1)),
      m_decisionsFile(plan.PathOf("decisions.csv")),
      m_partitionsFile(plan.PathOf("partitions.csv")),
      m_stretchesFile(plan.PathOf("stretches.csv"))
{
    for (uint32_t node = 0; m_fast && node < network.GetNodeCount(); ++node)
    {
        if (ns3::RdmaHost* host = network.GetHost(node))
        {
            host->TraceConnectWithoutContext(
                "FlowDelivered",
                ns3::MakeCallback(&RecordedDecisions::FlowDelivered, this));
        }
    }
}

uint64_t
RecordedDecisions::GetDelivered(const ns3::RdmaQueuePair& qp, int64_t time) const
{
    return m_fast ? m_fast->GetDelivered(qp, time) : ns3::RdmaPacketState::GetDelivered(qp);
}

void
RecordedDecisions::Decided(const ns3::WormholeNetwork& network, const Decision& decision)
{
    if (&network != m_fast || m_over)
    {
        return;
    }
    m_decisions.Add(decision);
    const PartitionMap& partitions = m_fast->GetController().Partitions();
    for (const RecordedFlowUnderWay& flow : m_underWay)
    {
        const FlowId id{flow.qp->GetId()};
        if (partitions.Contains(id) && partitions.PartitionOf(id) == decision.partition)
        {
            Update(flow.pair, decision.time.time_since_epoch().count() / m_stepsPerNs);
        }
    }
}

void
RecordedDecisions::FlowDelivered(const ns3::RdmaQueuePair& qp)
{
    for (const RecordedFlowUnderWay& flow : m_underWay)
    {
        if (flow.qp == &qp)
        {
            Update(flow.pair, m_context.NowNs());
        }
    }
}

/** Something has happened to a flow of \p pair. */
void
RecordedDecisions::Update(size_t pair, int64_t ns)
{
    if (m_over)
    {
        return;
    }
    m_stretches.resize(std::max(m_stretches.size(), pair + 1));
    Stretches& stretches = m_stretches[pair];
    const PartitionState state = StateOf(pair);
    if (state == stretches.state)
    {
        return;
    }
    if (RankOf(stretches.state) > 0)
    {
        stretches.list.Add(stretches.sinceNs, ns, static_cast<uint8_t>(stretches.state));
    }
    stretches.state = state;
    stretches.sinceNs = std::max(stretches.sinceNs, ns);
}

/** \return of the flows of \p pair, that of the one of which least is simulated; Running if all are
 */
PartitionState
RecordedDecisions::StateOf(size_t pair) const
{
    PartitionState state = PartitionState::Running;
    const Controller& controller = m_fast->GetController();
    for (const RecordedFlowUnderWay& flow : m_underWay)
    {
        const FlowId id{flow.qp->GetId()};
        if (flow.pair == pair && controller.Partitions().Contains(id))
        {
            const PartitionState its = controller.StateOf(controller.Partitions().PartitionOf(id));
            state = RankOf(its) > RankOf(state) ? its : state;
        }
    }
    return state;
}

std::array<RecordedDecisions::Census, RecordedDecisions::STATES>
RecordedDecisions::TakeCensus() const
{
    std::array<Census, STATES> census{};
    if (!m_fast)
    {
        return census;
    }
    const StateCounts counts = m_fast->GetController().CountStates();
    for (size_t state = 0; state < PARTITION_STATES; ++state)
    {
        census[state] = {static_cast<uint32_t>(counts.partitions[state]),
                         static_cast<uint32_t>(counts.flows[state])};
    }
    if (m_fast->GetController().IsSuspended())
    {
        census.back().flows = static_cast<uint32_t>(m_fast->GetFlowCount());
    }
    return census;
}

void
RecordedDecisions::Sample(int64_t number)
{
    const auto census = TakeCensus();
    for (size_t state = 0; state < STATES; ++state)
    {
        m_partitions[state].Add(number, census[state]);
    }
}

void
RecordedDecisions::Thin()
{
    for (RecordSeries<Census>& series : m_partitions)
    {
        series.Thin();
    }
}

void
RecordedDecisions::End(const RecordTimes& times, int64_t ns)
{
    const auto census = TakeCensus();
    for (size_t state = 0; times.HasStarted() && state < STATES; ++state)
    {
        m_partitions[state].End(times, ns, census[state]);
    }
    for (size_t pair = 0; pair < m_stretches.size(); ++pair)
    {
        Update(pair, ns);
    }
    m_over = true;
}

void
RecordedDecisions::Describe(nlohmann::ordered_json& summary) const
{
    summary["decisions"] = m_decisions.GetCount();
    summary["decisions_sampled_every"] = m_decisions.GetEvery();
    int64_t resolution = 0;
    for (const Stretches& stretches : m_stretches)
    {
        resolution = std::max(resolution, stretches.list.GetResolutionNs());
    }
    summary["stretches_resolution_ns"] = resolution;
}

void
RecordedDecisions::WriteDecisions()
{
    m_decisionsFile.Write("time_ns,partition,from,to,reason,flows,span_ns\n");
    for (const Decision& decision : m_decisions.GetItems())
    {
        m_decisionsFile.Write(CsvLine(decision.time.time_since_epoch().count() / m_stepsPerNs,
                                      decision.partition.Value(),
                                      Hyphenated(ToString(decision.from)),
                                      Hyphenated(ToString(decision.to)),
                                      Hyphenated(ToString(decision.reason)),
                                      decision.flows,
                                      decision.span.count() / m_stepsPerNs));
    }
    m_decisionsFile.Close();
}

void
RecordedDecisions::WritePartitions(const RecordTimes& times)
{
    std::vector<std::tuple<int64_t, size_t, Census>> lines;
    for (size_t state = 0; state < STATES; ++state)
    {
        m_partitions[state].ForEachLine(times, false, [&](int64_t ns, const Census& census) {
            lines.emplace_back(ns, state, census);
        });
    }
    std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
        return std::get<0>(a) < std::get<0>(b);
    });
    m_partitionsFile.Write("time_ns,state,partitions,flows\n");
    for (const auto& [ns, state, census] : lines)
    {
        const std::string name = state < PARTITION_STATES
                                     ? Hyphenated(ToString(static_cast<PartitionState>(state)))
                                     : "suspended";
        m_partitionsFile.Write(CsvLine(ns, name, census.partitions, census.flows));
    }
    m_partitionsFile.Close();
}

void
RecordedDecisions::WriteStretches(const RecordedPairs& pairs)
{
    m_stretchesFile.Write("src,dst,begin_ns,end_ns,state\n");
    for (size_t pair = 0; pair < m_stretches.size(); ++pair)
    {
        if (!pairs.IsWritten(pair))
        {
            continue;
        }
        for (const RecordIntervals::Interval& stretch : m_stretches[pair].list.Get())
        {
            m_stretchesFile.Write(
                CsvLine(pairs.Get()[pair].src,
                        pairs.Get()[pair].dst,
                        stretch.begin,
                        stretch.end,
                        Hyphenated(ToString(static_cast<PartitionState>(stretch.kind)))));
        }
    }
    m_stretchesFile.Close();
}

void
RecordedDecisions::Finish(const RecordTimes& times, const RecordedPairs& pairs)
{
    FinishEach({[this]() { WriteDecisions(); },
                [&]() { WritePartitions(times); },
                [&]() { WriteStretches(pairs); }});
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-flow-transport.h"

#include "ns3/assert.h"
#include "ns3/rdma-arithmetic.h"
#include "ns3/workload-units.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr uint64_t EVENTS_PER_PULSE = 4096;

} // namespace

WorkloadFlowTransport::WorkloadFlowTransport(const RdmaTopology& topology,
                                             const WorkloadFlowOptions& options)
    : WorkloadFlowTransport(MakeWorkloadEndpoints(topology, options.nvSwitches), options)
{
}

WorkloadFlowTransport::WorkloadFlowTransport(const WorkloadEndpoints& ends,
                                             const WorkloadFlowOptions& options)
    : WorkloadTransport(ends.hosts, ends.nodes.size()),
      m_nodes(ends.nodes),
      m_paths(ends.topology, options),
      m_rates(m_paths.GetCapacities())
{
}

WorkloadFlowTransport::~WorkloadFlowTransport() = default;

int64_t
WorkloadFlowTransport::Now() const
{
    return m_now;
}

void
WorkloadFlowTransport::Stop()
{
    m_stop = true;
}

uint64_t
WorkloadFlowTransport::GetEventCount() const
{
    return m_eventCount;
}

void
WorkloadFlowTransport::Push(int64_t time, EventKind kind, uint64_t item)
{
    m_events.push({time, m_places++, item, kind});
}

void
WorkloadFlowTransport::Schedule(int64_t delayPs, uint64_t timer)
{
    NS_ASSERT_MSG(delayPs >= 0, "a timer in the past");
    Push(RdmaLater(m_now, delayPs), EventKind::TIMER, timer);
}

uint32_t
WorkloadFlowTransport::TakeFlow()
{
    if (m_free.empty())
    {
        m_flows.emplace_back();
        return static_cast<uint32_t>(m_flows.size() - 1);
    }
    const uint32_t index = m_free.back();
    m_free.pop_back();
    return index;
}

void
WorkloadFlowTransport::SetEndCallback(std::function<void(const WorkloadFlowEnd&)> onEnd)
{
    m_onEnd = std::move(onEnd);
}

void
WorkloadFlowTransport::SetWatch(std::function<int64_t(int64_t)> watch)
{
    m_watch = std::move(watch);
    m_watchPs = m_watch ? 0 : INT64_MAX;
}

std::vector<WorkloadFlowProgress>
WorkloadFlowTransport::GetProgress() const
{
    std::vector<WorkloadFlowProgress> list;
    for (const Flow& flow : m_flows)
    {
        if (flow.state == State::FREE || flow.state == State::FAILED)
        {
            continue;
        }
        const auto bytes = static_cast<double>(flow.transfer.bytes);
        WorkloadFlowProgress progress{m_nodes[flow.transfer.src],
                                      m_nodes[flow.transfer.dst],
                                      bytes,
                                      0};
        if (flow.state == State::SENDING)
        {
            const double share = bytes / flow.whole;
            const double left = flow.left - flow.rate * static_cast<double>(m_now - flow.settledPs);
            progress.bytes = std::max(bytes - left * share, 0.0);
            progress.rate = flow.rate * share;
        }
        list.push_back(progress);
    }
    return list;
}

void
WorkloadFlowTransport::TellEnd(const Flow& flow) const
{
    if (m_onEnd)
    {
        m_onEnd({flow.transfer,
                 flow.links,
                 m_nodes[flow.transfer.src],
                 m_nodes[flow.transfer.dst],
                 flow.sport,
                 m_paths.DportOf(flow.transfer),
                 flow.startPs,
                 m_now,
                 std::min(flow.alonePs, m_now - flow.startPs)}); // times are rounded
    }
}

void
WorkloadFlowTransport::Start(const WorkloadTransfer& transfer, uint64_t id)
{
    NS_ASSERT_MSG(transfer.src < m_nodes.size() && transfer.dst < m_nodes.size() &&
                      transfer.src != transfer.dst,
                  "a transfer joins two different end points");
    const uint32_t index = TakeFlow();
    Flow& flow = m_flows[index];
    flow = {};
    flow.id = id;
    flow.number = m_numbers++;
    flow.transfer = transfer;
    flow.startPs = flow.settledPs = m_now;
    flow.sport = m_paths.Find(m_nodes[transfer.src], m_nodes[transfer.dst], transfer);
    if (m_paths.Links().empty())
    {
        flow.state = State::FAILED;
        Push(m_now, EventKind::FAILED, index);
        return;
    }
    flow.times = m_paths.TimesOf(transfer);
    const double bytes = m_paths.WireBytes(transfer);
    if (m_onEnd)
    {
        flow.links = m_paths.Links();
        flow.alonePs =
            RdmaLater(RdmaSteps(bytes / m_paths.Slowest()), flow.times.pathPs + flow.times.ackPs);
    }
    flow.left = flow.whole = bytes - m_paths.FirstWindow(bytes, flow.times);
    flow.state = State::SENDING;
    flow.fluid = m_rates.Add(m_paths.Links(), m_paths.AckShares(transfer, flow.times));
    m_flowOf.resize(std::max<size_t>(m_flowOf.size(), flow.fluid + 1));
    m_flowOf[flow.fluid] = index;
}

void
WorkloadFlowTransport::UpdateRates()
{
    for (const uint32_t fluid : m_rates.Solve())
    {
        const uint32_t index = m_flowOf[fluid];
        Flow& flow = m_flows[index];
        flow.left -= flow.rate * static_cast<double>(m_now - flow.settledPs);
        flow.left = std::max(flow.left, 0.0);
        flow.settledPs = m_now;
        flow.rate = m_rates.GetRate(fluid);
        flow.finishPs = RdmaLater(m_now, RdmaSteps(flow.left / flow.rate));
        m_finishes.push({flow.finishPs, flow.number, index});
    }
    if (m_finishes.size() > 2 * m_flows.size())
    {
        std::vector<Finish> valid;
        for (uint32_t index = 0; index < m_flows.size(); ++index)
        {
            const Flow& flow = m_flows[index];
            if (flow.state == State::SENDING)
            {
                valid.push_back({flow.finishPs, flow.number, index});
            }
        }
        m_finishes = decltype(m_finishes)(std::greater<>(), std::move(valid));
    }
}

/** The last bytes of one flow or several leave now. */
void
WorkloadFlowTransport::FinishDue()
{
    m_due.clear();
    for (; !m_finishes.empty() && m_finishes.top().time == m_now; m_finishes.pop())
    {
        if (!IsStale(m_finishes.top()))
        {
            m_due.push_back(m_finishes.top().index);
            m_flows[m_due.back()].state = State::ON_ITS_WAY; // and so, not twice
        }
    }
    if (m_due.size() > 1)
    {
        TakeTurns();
    }
    for (const uint32_t index : m_due)
    {
        const Flow& flow = m_flows[index];
        m_rates.Remove(flow.fluid);
        Push(RdmaLater(m_now, flow.times.pathPs), EventKind::DELIVERED, index);
    }
    m_eventCount += m_due.size() - 1; // one has been counted
}

/** Flows that end together have taken turns until then, and their last packets follow each other:
 * on average, that of a flow leaves earlier by half of what the others' take. Only as much of that
 * counts as packets take at other links: the last of many short flows must not end much too early.
 */
void
WorkloadFlowTransport::TakeTurns()
{
    m_turnsPs.resize(m_paths.CountLinks());
    for (const uint32_t index : m_due)
    {
        const uint32_t link = m_rates.GetBottleneck(m_flows[index].fluid);
        m_turnsPs[link] += m_paths.LastPacketPs(m_flows[index].transfer, link);
    }
    for (const uint32_t index : m_due)
    {
        Flow& flow = m_flows[index];
        const uint32_t link = m_rates.GetBottleneck(flow.fluid);
        const int64_t others = m_turnsPs[link] - m_paths.LastPacketPs(flow.transfer, link);
        flow.times.pathPs -= std::min(others / 2, flow.times.packetsPs);
    }
    for (const uint32_t index : m_due)
    {
        m_turnsPs[m_rates.GetBottleneck(m_flows[index].fluid)] = 0;
    }
}

void
WorkloadFlowTransport::RunEvent(const Event& event)
{
    if (event.kind == EventKind::TIMER)
    {
        m_client->Due(event.item);
        return;
    }
    const auto index = static_cast<uint32_t>(event.item);
    const uint64_t id = m_flows[index].id; // the client may start others, which moves the flows
    if (event.kind == EventKind::DELIVERED)
    {
        Flow& flow = m_flows[index];
        flow.state = State::DELIVERED;
        Push(RdmaLater(m_now, flow.times.ackPs), EventKind::ACKNOWLEDGED, index);
        if (m_recorder)
        {
            m_recorder->Record({flow.transfer, flow.startPs, m_now});
        }
        m_client->Delivered(id);
        return;
    }
    const WorkloadTransfer transfer = m_flows[index].transfer;
    if (event.kind == EventKind::ACKNOWLEDGED)
    {
        TellEnd(m_flows[index]);
    }
    m_flows[index].state = State::FREE;
    m_free.push_back(index);
    if (event.kind == EventKind::ACKNOWLEDGED)
    {
        m_client->Acknowledged(id);
        return;
    }
    m_client->Failed(id,
                     "no route from node " + std::to_string(m_nodes[transfer.src]) + " to node " +
                         std::to_string(m_nodes[transfer.dst]));
}

/** \param event whether an event comes first, not the end of a flow's sending */
void
WorkloadFlowTransport::FailLate(bool event) const
{
    if (event && m_events.top().kind == EventKind::TIMER)
    {
        FailWorkloadLate(m_client->DescribeTimer(m_events.top().item));
    }
    const uint64_t flow = event ? m_events.top().item : m_finishes.top().index;
    FailWorkloadLate(m_client->DescribeTransfer(m_flows[flow].id));
}

void
WorkloadFlowTransport::Run()
{
    m_stop = false;
    while (!m_stop)
    {
        while (!m_finishes.empty() && IsStale(m_finishes.top()))
        {
            m_finishes.pop();
        }
        const bool any = !m_events.empty() || !m_finishes.empty();
        const int64_t finish = m_finishes.empty() ? INT64_MAX : m_finishes.top().time;
        const bool eventFirst =
            !m_events.empty() && (m_finishes.empty() || m_events.top().time < finish);
        const int64_t next = eventFirst ? m_events.top().time : finish;
        // all that happens now has happened: one change of rates for all of it
        if (next > m_now && m_rates.IsDirty())
        {
            UpdateRates();
            if (m_pulse) // of many flows, that takes as long as a thousand events
            {
                m_pulse();
            }
            continue;
        }
        if (!any)
        {
            break;
        }
        if (next >= RDMA_END_OF_TIME)
        {
            FailLate(eventFirst);
        }
        if (next >= m_watchPs)
        {
            m_watchPs = m_watch(next);
        }
        m_now = next;
        if (++m_eventCount % EVENTS_PER_PULSE == 0 && m_pulse)
        {
            m_pulse();
        }
        if (eventFirst)
        {
            const Event event = m_events.top();
            m_events.pop();
            RunEvent(event);
        }
        else
        {
            FinishDue();
        }
    }
}

std::string
WorkloadFlowTransport::Explain(uint64_t id) const
{
    if (m_indicesAt != m_eventCount) // who asks for one asks for others
    {
        m_indicesAt = m_eventCount;
        m_indices.clear();
        for (uint32_t index = 0; index < m_flows.size(); ++index)
        {
            if (m_flows[index].state != State::FREE)
            {
                m_indices[m_flows[index].id] = index;
            }
        }
    }
    const auto place = m_indices.find(id);
    if (place == m_indices.end())
    {
        return "not under way";
    }
    const Flow& flow = m_flows[place->second];
    if (flow.state != State::SENDING)
    {
        return "on its way when the simulation ended";
    }
    const double left = flow.left - flow.rate * static_cast<double>(m_now - flow.settledPs);
    return std::to_string(std::llround(left)) +
           " bytes, headers included, still to send when the simulation ended";
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-flow-transport.h"

#include "ns3/assert.h"
#include "ns3/input-error.h"
#include "ns3/rdma-arithmetic.h"
#include "ns3/workload-units.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr uint64_t EVENTS_PER_PULSE = 4096;

/** \return bytes per ps of each directed link */
std::vector<double>
CapacitiesOf(const RdmaTopology& topology)
{
    std::vector<double> capacities;
    for (const RdmaLinkSpec& link : topology.links)
    {
        capacities.insert(capacities.end(), 2, static_cast<double>(link.rate.GetBitRate()) / 8e12);
    }
    return capacities;
}

} // namespace

WorkloadFlowTransport::WorkloadFlowTransport(const RdmaTopology& topology,
                                             const WorkloadFlowOptions& options)
    : WorkloadFlowTransport(MakeWorkloadEndpoints(topology, options.nvSwitches), options)
{
}

WorkloadFlowTransport::WorkloadFlowTransport(const WorkloadEndpoints& ends,
                                             const WorkloadFlowOptions& options)
    : WorkloadTransport(ends.hosts, ends.nodes.size()),
      m_options(options),
      m_nodes(ends.nodes),
      m_bytesPerPs(CapacitiesOf(ends.topology)),
      m_routes(ends.topology, options.collapseParallel),
      m_rates(m_bytesPerPs)
{
    if (options.payloadBytes == 0)
    {
        throw InputError("flow level: payload 0 bytes, but a packet carries at least 1");
    }
    for (const RdmaLinkSpec& link : ends.topology.links)
    {
        m_delayPs.insert(m_delayPs.end(), 2, link.delay.GetPicoSeconds());
    }
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
WorkloadFlowTransport::SetPathTimes(Flow& flow, const std::vector<uint32_t>& links) const
{
    const uint64_t packet =
        std::min<uint64_t>(flow.transfer.bytes, m_options.payloadBytes) + m_options.headerBytes;
    int64_t propagation = 0;
    int64_t packets = 0;
    int64_t longest = 0;
    int64_t acks = 0;
    for (const uint32_t link : links)
    {
        const int64_t time = std::llround(static_cast<double>(packet) / m_bytesPerPs[link]);
        propagation += m_delayPs[link];
        packets += time;
        longest = std::max(longest, time);
        acks += std::llround(m_options.ackBytes / m_bytesPerPs[link]);
    }
    flow.pathPs = propagation + packets - longest;
    flow.ackPs = propagation + acks;
}

uint16_t
WorkloadFlowTransport::DportOf(const WorkloadTransfer& transfer) const
{
    return transfer.dport ? transfer.dport : m_options.dport;
}

/** Sets m_path to the one that the packet level's queue pair takes. \return its source port */
uint16_t
WorkloadFlowTransport::FindPath(const WorkloadTransfer& transfer)
{
    const uint32_t from = m_nodes[transfer.src];
    const uint32_t to = m_nodes[transfer.dst];
    if (m_options.connections == WorkloadConnections::FRESH)
    {
        return m_routes.Next(from, to, DportOf(transfer), m_path);
    }
    const uint16_t port = WorkloadConnectionPort(from, to, transfer.stream);
    m_routes.Find(from, to, port, DportOf(transfer), m_path);
    return port;
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

/** \return bytes of a transfer with the headers of its packets */
double
WorkloadFlowTransport::WireBytes(const WorkloadTransfer& transfer) const
{
    const uint64_t packets =
        transfer.bytes ? (transfer.bytes - 1) / m_options.payloadBytes + 1 : 1; // one of headers
    return static_cast<double>(transfer.bytes) +
           static_cast<double>(packets) * static_cast<double>(m_options.headerBytes);
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
            const double share = bytes > 0 ? bytes / WireBytes(flow.transfer) : 0;
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
                 DportOf(flow.transfer),
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
    flow.sport = FindPath(transfer);
    if (m_path.empty())
    {
        flow.state = State::FAILED;
        Push(m_now, EventKind::FAILED, index);
        return;
    }
    SetPathTimes(flow, m_path);
    flow.left = WireBytes(transfer);
    if (m_onEnd)
    {
        double slowest = m_bytesPerPs[m_path.front()];
        for (const uint32_t link : m_path)
        {
            slowest = std::min(slowest, m_bytesPerPs[link]);
        }
        flow.links = m_path;
        flow.alonePs = RdmaLater(RdmaSteps(flow.left / slowest), flow.pathPs + flow.ackPs);
    }
    flow.state = State::SENDING;
    flow.fluid = m_rates.Add(m_path);
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

void
WorkloadFlowTransport::FinishFirst()
{
    const uint32_t index = m_finishes.top().index;
    m_finishes.pop();
    Flow& flow = m_flows[index];
    m_rates.Remove(flow.fluid);
    flow.state = State::ON_ITS_WAY;
    Push(RdmaLater(m_now, flow.pathPs), EventKind::DELIVERED, index);
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
        Push(RdmaLater(m_now, flow.ackPs), EventKind::ACKNOWLEDGED, index);
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
            FinishFirst();
        }
    }
}

std::string
WorkloadFlowTransport::Explain(uint64_t id) const
{
    for (const Flow& flow : m_flows)
    {
        if (flow.state == State::FREE || flow.id != id)
        {
            continue;
        }
        if (flow.state == State::SENDING)
        {
            const double left = flow.left - flow.rate * static_cast<double>(m_now - flow.settledPs);
            return std::to_string(std::llround(left)) +
                   " bytes, headers included, still to send when the simulation ended";
        }
        return "on its way when the simulation ended";
    }
    return "not under way";
}

} // namespace ns3

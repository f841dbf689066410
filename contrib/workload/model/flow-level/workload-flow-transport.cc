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
#include <numeric>

namespace ns3
{

namespace
{

constexpr uint64_t EVENTS_PER_PULSE = 4096;

constexpr double PS_PER_SECOND = 1e12;
constexpr int64_t PS_PER_NS = 1000;
constexpr double BITS = 8;

} // namespace

WorkloadFlowOptions
WorkloadFlowOptionsFrom(const RdmaHelper& helper)
{
    const RdmaPacketCosts packets = helper.GetPacketCosts();
    WorkloadFlowOptions options;
    options.payloadBytes = packets.payloadBytes;
    options.headerBytes = packets.headerBytes;
    options.ackBytes = packets.ackBytes;
    options.ackInterval = packets.ackInterval;
    options.chunkBytes = packets.chunkBytes;
    options.use = packets.use;
    options.timing = packets.timing;
    options.collapseParallel = packets.collapseParallel;
    return options;
}

WorkloadFlowTransport::WorkloadFlowTransport(const RdmaTopology& topology,
                                             const WorkloadFlowOptions& options)
    : WorkloadFlowTransport(MakeWorkloadEndpoints(topology, options.nvSwitches), options)
{
}

WorkloadFlowTransport::WorkloadFlowTransport(const WorkloadEndpoints& ends,
                                             const WorkloadFlowOptions& options)
    : WorkloadTransport(ends.hosts, ends.nodes.size()),
      m_options(options),
      m_clock(options.timing),
      m_nodes(ends.nodes),
      m_routes(ends.topology, options.collapseParallel),
      m_rates(AddLinks(ends.topology))
{
}

WorkloadFlowTransport::~WorkloadFlowTransport() = default;

/** \return the transmission time of a frame, ps */
int64_t
WorkloadFlowTransport::TimeOf(uint64_t bytes, uint64_t rate) const
{
    if (m_options.timing == RdmaTiming::EXACT) // whatever ns-3's resolution is
    {
        return std::llround(static_cast<double>(bytes) * BITS * PS_PER_SECOND /
                            static_cast<double>(rate));
    }
    return m_clock.TransmissionTime(static_cast<uint32_t>(bytes), rate) /
           std::max<int64_t>(m_clock.StepsPerNs(), 1) * PS_PER_NS;
}

/** Fills m_links. \return what flows may take of each */
std::vector<WorkloadLinkCapacity>
WorkloadFlowTransport::AddLinks(const RdmaTopology& topology)
{
    if (m_options.payloadBytes == 0)
    {
        throw InputError("flow level: payload 0 bytes, but a packet carries at least 1");
    }
    const uint64_t frame = uint64_t{m_options.payloadBytes} + m_options.headerBytes;
    std::vector<WorkloadLinkCapacity> capacities;
    for (const RdmaLinkSpec& spec : topology.links)
    {
        DirectedLink link{};
        link.rate = spec.rate.GetBitRate();
        const double wire = static_cast<double>(link.rate) / BITS / PS_PER_SECOND;
        const int64_t framePs = TimeOf(frame, link.rate);
        // where time is cut to whole ns, frames follow each other faster than the wire is
        link.bytesPerPs = m_options.timing == RdmaTiming::EXACT || framePs == 0
                              ? wire
                              : static_cast<double>(frame) / static_cast<double>(framePs);
        link.delayPs =
            m_options.timing == RdmaTiming::EXACT
                ? spec.delay.GetPicoSeconds()
                : spec.DelaySteps(m_clock) / std::max<int64_t>(m_clock.StepsPerNs(), 1) * PS_PER_NS;
        link.ackPs = TimeOf(m_options.ackBytes, link.rate);
        // an acknowledgement that is larger than a frame would hold its own flow back: left out
        link.ackShare =
            framePs > 0
                ? std::min(static_cast<double>(link.ackPs) / static_cast<double>(framePs), 1.0)
                : 0;
        for (const uint32_t sender : {spec.a, spec.b})
        {
            const bool all =
                m_options.use.share >= 1 || topology.nodes[sender] == RdmaNodeKind::HOST;
            const double least =
                all ? link.bytesPerPs : std::min(m_options.use.share * wire, link.bytesPerPs);
            const double each = static_cast<double>(m_options.use.increase) / BITS / PS_PER_SECOND;
            capacities.push_back({least, each, link.bytesPerPs});
            link.inUse = std::min(least + each, link.bytesPerPs);
            m_links.push_back(link);
        }
    }
    return capacities;
}

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

/** Works out what does not depend on others, from m_path and m_ackPath. */
void
WorkloadFlowTransport::SetPathTimes(Flow& flow) const
{
    const uint64_t packet =
        std::min<uint64_t>(flow.transfer.bytes, m_options.payloadBytes) + m_options.headerBytes;
    int64_t longest = 0;
    for (const uint32_t link : m_path)
    {
        const int64_t time = TimeOf(packet, m_links[link].rate);
        flow.pathPs += m_links[link].delayPs + time;
        flow.packetsPs += time;
        longest = std::max(longest, time);
    }
    flow.pathPs -= longest;
    flow.packetsPs -= longest;
    for (const uint32_t link : m_ackPath)
    {
        flow.ackPs += m_links[link].delayPs + m_links[link].ackPs;
    }
    flow.rttPs = flow.pathPs + longest + flow.ackPs;
}

uint16_t
WorkloadFlowTransport::DportOf(const WorkloadTransfer& transfer) const
{
    return transfer.dport ? transfer.dport : m_options.dport;
}

/** Sets m_path and m_ackPath to those of the packet level's queue pair. \return its source port */
uint16_t
WorkloadFlowTransport::FindPath(const WorkloadTransfer& transfer)
{
    const uint32_t from = m_nodes[transfer.src];
    const uint32_t to = m_nodes[transfer.dst];
    const uint16_t dport = DportOf(transfer);
    uint16_t port = 0;
    if (m_options.connections == WorkloadConnections::FRESH)
    {
        port = m_routes.Next(from, to, dport, m_path);
    }
    else
    {
        port = WorkloadConnectionPort(from, to, transfer.stream);
        m_routes.Find(from, to, port, dport, m_path);
    }
    m_routes.Find(to, from, dport, port, m_ackPath);
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

uint64_t
WorkloadFlowTransport::Packets(const WorkloadTransfer& transfer) const
{
    return transfer.bytes ? (transfer.bytes - 1) / m_options.payloadBytes + 1 : 1; // one of headers
}

/** \return acknowledgements of a transfer: of packets from AckInterval on, of those before that end
 * a chunk, and of the last one */
uint64_t
WorkloadFlowTransport::Acks(const WorkloadTransfer& transfer) const
{
    const uint64_t packets = Packets(transfer);
    const uint64_t early =
        std::min((m_options.ackInterval - 1) / uint64_t{m_options.payloadBytes}, packets - 1);
    const uint64_t whole =
        m_options.chunkBytes // packets to a byte where a chunk ends, too
            ? std::lcm(uint64_t{m_options.payloadBytes}, uint64_t{m_options.chunkBytes}) /
                  m_options.payloadBytes
            : packets;
    return packets - early + early / whole;
}

/** \return bytes of a transfer with the headers of its packets */
double
WorkloadFlowTransport::WireBytes(const WorkloadTransfer& transfer) const
{
    return static_cast<double>(transfer.bytes) +
           static_cast<double>(Packets(transfer)) * static_cast<double>(m_options.headerBytes);
}

/** Sets m_ackShares to what the acknowledgements of a flow take of the links of m_ackPath. They
 * begin when its first packet is delivered: what comes after its last byte, until that is, does not
 * count.
 */
void
WorkloadFlowTransport::SetAckShares(const Flow& flow)
{
    const uint64_t frame = uint64_t{m_options.payloadBytes} + m_options.headerBytes;
    const double wire = WireBytes(flow.transfer);
    const double late = SlowestOnPath() * static_cast<double>(flow.rttPs - flow.ackPs) / wire;
    // of frames that are all full, and acknowledged, as many as there are acknowledgements
    const double acked = static_cast<double>(Acks(flow.transfer)) * static_cast<double>(frame) /
                         wire * std::max(1 - late, 0.0);
    m_ackShares.clear();
    for (const uint32_t link : m_ackPath)
    {
        const double share = std::min(m_links[link].ackShare * acked, 1.0);
        if (share > 0)
        {
            m_ackShares.push_back({link, share});
        }
    }
}

/** \return bytes per ps of the slowest link of m_path */
double
WorkloadFlowTransport::SlowestOnPath() const
{
    double slowest = m_links[m_path.front()].bytesPerPs;
    for (const uint32_t link : m_path)
    {
        slowest = std::min(slowest, m_links[link].bytesPerPs);
    }
    return slowest;
}

/** \return bytes by which a control that leaves a part of m_path free is late: until the first
 * acknowledgement is back, a flow sends at its NIC's rate, and what queues up meanwhile fills the
 * slowest link */
double
WorkloadFlowTransport::FirstWindow(const Flow& flow) const
{
    const double slowest = SlowestOnPath();
    double inUse = slowest;
    for (const uint32_t link : m_path)
    {
        inUse = std::min(inUse, m_links[link].inUse);
    }
    const double sent = std::min(flow.left, slowest * static_cast<double>(flow.rttPs));
    return sent * (1 - inUse / slowest);
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
    SetPathTimes(flow);
    flow.left = WireBytes(transfer);
    if (m_onEnd)
    {
        flow.links = m_path;
        flow.alonePs = RdmaLater(RdmaSteps(flow.left / SlowestOnPath()), flow.pathPs + flow.ackPs);
    }
    flow.left -= FirstWindow(flow);
    flow.whole = flow.left;
    flow.state = State::SENDING;
    SetAckShares(flow);
    flow.fluid = m_rates.Add(m_path, m_ackShares);
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
        Push(RdmaLater(m_now, flow.pathPs), EventKind::DELIVERED, index);
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
    m_turnsPs.resize(m_links.size());
    for (const uint32_t index : m_due)
    {
        m_turnsPs[m_rates.GetBottleneck(m_flows[index].fluid)] += LastPacketPs(m_flows[index]);
    }
    for (const uint32_t index : m_due)
    {
        Flow& flow = m_flows[index];
        const int64_t all = m_turnsPs[m_rates.GetBottleneck(flow.fluid)];
        flow.pathPs -= std::min((all - LastPacketPs(flow)) / 2, flow.packetsPs);
    }
    for (const uint32_t index : m_due)
    {
        m_turnsPs[m_rates.GetBottleneck(m_flows[index].fluid)] = 0;
    }
}

/** \return how long its last packet takes at its bottleneck */
int64_t
WorkloadFlowTransport::LastPacketPs(const Flow& flow) const
{
    const uint64_t before = (Packets(flow.transfer) - 1) * m_options.payloadBytes;
    return TimeOf(flow.transfer.bytes - before + m_options.headerBytes,
                  m_links[m_rates.GetBottleneck(flow.fluid)].rate);
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
            FinishDue();
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

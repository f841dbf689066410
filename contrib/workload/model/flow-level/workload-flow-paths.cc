/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-flow-paths.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3
{

namespace
{

constexpr double PS_PER_SECOND = 1e12;
constexpr int64_t PS_PER_NS = 1000;
constexpr double BITS_PER_BYTE = 8;

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

WorkloadFlowPaths::WorkloadFlowPaths(const RdmaTopology& topology,
                                     const WorkloadFlowOptions& options)
    : m_options(options),
      m_clock(options.timing),
      m_routes(topology, options.collapseParallel)
{
    if (options.payloadBytes == 0)
    {
        throw InputError("flow level: payload 0 bytes, but a packet carries at least 1");
    }
    for (const RdmaLinkSpec& spec : topology.links)
    {
        for (const uint32_t sender : {spec.a, spec.b})
        {
            m_links.push_back(MakeLink(spec, topology.nodes[sender] == RdmaNodeKind::HOST));
        }
    }
}

/** \return the transmission time of a frame, ps */
int64_t
WorkloadFlowPaths::TimeOf(uint64_t bytes, uint64_t rate) const
{
    if (m_options.timing == RdmaTiming::EXACT) // whatever ns-3's resolution is
    {
        return std::llround(static_cast<double>(bytes) * BITS_PER_BYTE * PS_PER_SECOND /
                            static_cast<double>(rate));
    }
    return m_clock.TransmissionTime(static_cast<uint32_t>(bytes), rate) / m_clock.StepsPerNs() *
           PS_PER_NS;
}

/** \param fromHost whether a host sends over it: controls leave only switches' links free */
WorkloadFlowPaths::DirectedLink
WorkloadFlowPaths::MakeLink(const RdmaLinkSpec& spec, bool fromHost) const
{
    const uint64_t frame = uint64_t{m_options.payloadBytes} + m_options.headerBytes;
    const bool exact = m_options.timing == RdmaTiming::EXACT;
    DirectedLink link{};
    link.rate = spec.rate.GetBitRate();
    const double wire = static_cast<double>(link.rate) / BITS_PER_BYTE / PS_PER_SECOND;
    const int64_t framePs = TimeOf(frame, link.rate);
    // where time is cut to whole ns, frames follow each other faster than the wire is
    const double all =
        exact || framePs == 0 ? wire : static_cast<double>(frame) / static_cast<double>(framePs);
    const bool whole = fromHost || m_options.use.share >= 1;
    const double least = whole ? all : std::min(m_options.use.share * wire, all);
    const double each = static_cast<double>(m_options.use.increase) / BITS_PER_BYTE / PS_PER_SECOND;
    link.capacity = {least, each, all};
    link.inUse = std::min(least + each, all);
    link.delayPs = exact ? spec.delay.GetPicoSeconds()
                         : spec.DelaySteps(m_clock) / m_clock.StepsPerNs() * PS_PER_NS;
    link.ackPs = TimeOf(m_options.ackBytes, link.rate);
    // an acknowledgement that is larger than a frame would hold its own flow back: left out
    link.ackShare =
        framePs > 0 ? std::min(static_cast<double>(link.ackPs) / static_cast<double>(framePs), 1.0)
                    : 0;
    return link;
}

std::vector<WorkloadLinkCapacity>
WorkloadFlowPaths::GetCapacities() const
{
    std::vector<WorkloadLinkCapacity> capacities;
    for (const DirectedLink& link : m_links)
    {
        capacities.push_back(link.capacity);
    }
    return capacities;
}

uint16_t
WorkloadFlowPaths::DportOf(const WorkloadTransfer& transfer) const
{
    return transfer.dport ? transfer.dport : m_options.dport;
}

uint64_t
WorkloadFlowPaths::Packets(const WorkloadTransfer& transfer) const
{
    return transfer.bytes ? (transfer.bytes - 1) / m_options.payloadBytes + 1 : 1; // one of headers
}

/** \return acknowledgements of a transfer: of packets from AckInterval on, of those before that end
 * a chunk, and of the last one */
uint64_t
WorkloadFlowPaths::Acks(const WorkloadTransfer& transfer) const
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

double
WorkloadFlowPaths::WireBytes(const WorkloadTransfer& transfer) const
{
    return static_cast<double>(transfer.bytes) +
           static_cast<double>(Packets(transfer)) * static_cast<double>(m_options.headerBytes);
}

int64_t
WorkloadFlowPaths::LastPacketPs(const WorkloadTransfer& transfer, uint32_t link) const
{
    const uint64_t before = (Packets(transfer) - 1) * m_options.payloadBytes;
    return TimeOf(transfer.bytes - before + m_options.headerBytes, m_links[link].rate);
}

uint16_t
WorkloadFlowPaths::Find(uint32_t from, uint32_t to, const WorkloadTransfer& transfer)
{
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

WorkloadFlowTimes
WorkloadFlowPaths::TimesOf(const WorkloadTransfer& transfer) const
{
    const uint64_t packet =
        std::min<uint64_t>(transfer.bytes, m_options.payloadBytes) + m_options.headerBytes;
    WorkloadFlowTimes times;
    int64_t longest = 0;
    for (const uint32_t link : m_path)
    {
        const int64_t time = TimeOf(packet, m_links[link].rate);
        times.pathPs += m_links[link].delayPs + time;
        times.packetsPs += time;
        longest = std::max(longest, time);
    }
    times.pathPs -= longest;
    times.packetsPs -= longest;
    for (const uint32_t link : m_ackPath)
    {
        times.ackPs += m_links[link].delayPs + m_links[link].ackPs;
    }
    times.rttPs = times.pathPs + longest + times.ackPs;
    return times;
}

const std::vector<WorkloadAckShare>&
WorkloadFlowPaths::AckShares(const WorkloadTransfer& transfer, const WorkloadFlowTimes& times)
{
    const uint64_t frame = uint64_t{m_options.payloadBytes} + m_options.headerBytes;
    const double wire = WireBytes(transfer);
    const double late = Slowest() * static_cast<double>(times.rttPs - times.ackPs) / wire;
    // of frames that are all full, and acknowledged, as many as there are acknowledgements
    const double acked = static_cast<double>(Acks(transfer)) * static_cast<double>(frame) / wire *
                         std::max(1 - late, 0.0);
    m_ackShares.clear();
    for (const uint32_t link : m_ackPath)
    {
        const double share = std::min(m_links[link].ackShare * acked, 1.0);
        if (share > 0)
        {
            m_ackShares.push_back({link, share});
        }
    }
    return m_ackShares;
}

double
WorkloadFlowPaths::Slowest() const
{
    double slowest = m_links[m_path.front()].capacity.most;
    for (const uint32_t link : m_path)
    {
        slowest = std::min(slowest, m_links[link].capacity.most);
    }
    return slowest;
}

double
WorkloadFlowPaths::FirstWindow(double left, const WorkloadFlowTimes& times) const
{
    const double slowest = Slowest();
    double inUse = slowest;
    for (const uint32_t link : m_path)
    {
        inUse = std::min(inUse, m_links[link].inUse);
    }
    const double sent = std::min(left, slowest * static_cast<double>(times.rttPs));
    return sent * (1 - inUse / slowest);
}

} // namespace ns3

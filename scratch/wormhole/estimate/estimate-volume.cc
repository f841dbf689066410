/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "estimate-volume.h"

#include "instant-transport.h"
#include "terminal/units.h"
#include "workload/workload-program.h"
#include "workload/workload-replay.h"

#include "ns3/rdma-arithmetic.h"
#include "ns3/workload-endpoints.h"

#include <algorithm>
#include <limits>
#include <queue>

namespace wormhole
{

namespace
{

constexpr uint32_t NO_WAY = UINT32_MAX;

constexpr uint64_t TRANSFERS_PER_PROCESS = 2; // of a workload, under way at once

uint64_t
SlowestRate(const ns3::RdmaTopology& topology)
{
    uint64_t rate = UINT64_MAX;
    for (const ns3::RdmaLinkSpec& link : topology.links)
    {
        rate = std::min(rate, link.rate.GetBitRate());
    }
    return topology.links.empty() ? 1 : rate;
}

/** \return a bandwidth-delay product that is typical of the topology, bytes */
double
TypicalWindow(const ns3::RdmaTopology& topology)
{
    constexpr double LINKS_THERE_AND_BACK = 8;
    double window = 0;
    for (const ns3::RdmaLinkSpec& link : topology.links)
    {
        window = std::max(window,
                          static_cast<double>(link.rate.GetBitRate()) / BITS_PER_BYTE *
                              link.delay.GetSeconds() * LINKS_THERE_AND_BACK);
    }
    return window;
}

/** Adds up transfers between hosts. */
class VolumeSum
{
  public:
    VolumeSum(const ns3::RdmaTopology& topology, uint64_t payload)
        : m_hops(topology),
          m_payload(std::max<uint64_t>(payload, 1)),
          m_window(TypicalWindow(topology)),
          m_seen(topology.nodes.size())
    {
    }

    void Add(uint32_t from, uint32_t to, uint64_t bytes)
    {
        const uint64_t packets = std::max<uint64_t>(ns3::RdmaShare(bytes, m_payload), 1);
        ++m_volume.transfers;
        m_volume.bytes += static_cast<double>(bytes);
        m_volume.packets += static_cast<double>(packets);
        m_volume.crossings += static_cast<double>(packets) * m_hops.Between(from, to);
        AddEnd(from);
        AddEnd(to);
    }

    /** Transfers begin or end at \p host. */
    void AddEnd(uint32_t host)
    {
        const uint32_t end = m_hops.SwitchOf(host);
        if (end < m_seen.size() && !m_seen[end])
        {
            m_seen[end] = true;
            ++m_volume.ends;
        }
    }

    /** \return packets of a host that are under way at once, at most: in the network and in queues
     */
    double MostOfHost() const
    {
        constexpr double WINDOWS = 2;
        return WINDOWS * std::max(m_window / static_cast<double>(m_payload), 1.0);
    }

    /** \return packets of a transfer that are under way at once */
    double PacketsOf(double bytes) const
    {
        return std::max(std::min(bytes, m_window) / static_cast<double>(m_payload), 1.0);
    }

    TrafficVolume& Get()
    {
        return m_volume;
    }

  private:
    HopCounter m_hops;
    uint64_t m_payload;
    double m_window;
    std::vector<bool> m_seen; //!< switches that transfers begin or end at
    TrafficVolume m_volume;
};

/** When a flow begins and ends, if hosts serve theirs one after the other at line rate. */
struct Span
{
    double begin{0};
    double end{0};
    uint32_t src{0};
    double inFlight{0}; //!< packets
};

/** Packets that are under way at once: of each host at most so many, since it sends one at a time.
 */
class InFlight
{
  public:
    InFlight(size_t nodes, double mostOfHost)
        : m_ofHost(nodes),
          m_most(mostOfHost)
    {
    }

    void Add(uint32_t host, double packets)
    {
        m_all -= std::min(m_ofHost[host], m_most);
        m_ofHost[host] += packets;
        m_all += std::min(m_ofHost[host], m_most);
    }

    double GetAll() const
    {
        return m_all;
    }

  private:
    std::vector<double> m_ofHost;
    double m_most;
    double m_all{0};
};

void
CountConcurrent(const std::vector<Span>& spans, InFlight packets, TrafficVolume& volume)
{
    using End = std::pair<double, size_t>; // and which span
    std::priority_queue<End, std::vector<End>, std::greater<>> ends;
    for (size_t i = 0; i < spans.size(); ++i)
    {
        while (!ends.empty() && ends.top().first < spans[i].begin)
        {
            const Span& over = spans[ends.top().second];
            packets.Add(over.src, -over.inFlight);
            ends.pop();
        }
        ends.emplace(spans[i].end, i);
        packets.Add(spans[i].src, spans[i].inFlight);
        volume.concurrent = std::max<uint64_t>(volume.concurrent, ends.size());
        volume.inFlight = std::max(volume.inFlight, packets.GetAll());
    }
}

/** Adds a job's messages. */
void
AddSchedule(const ns3::WorkloadSchedule& schedule,
            const std::vector<uint32_t>& nodes,
            uint32_t nics,
            const std::vector<uint32_t>& hosts,
            VolumeSum& sum)
{
    for (size_t rank = 0; rank < schedule.ranks.size(); ++rank)
    {
        for (const ns3::WorkloadOperation& operation : schedule.ranks[rank].operations)
        {
            ++sum.Get().operations;
            if (operation.kind != ns3::WorkloadKind::SEND || nodes[rank] == nodes[operation.peer])
            {
                continue;
            }
            const size_t from = size_t{nodes[rank]} * nics + operation.nic;
            const size_t to = size_t{nodes[operation.peer]} * nics + operation.nic;
            if (from < hosts.size() && to < hosts.size()) // else the run says what is wrong
            {
                sum.Add(hosts[from], hosts[to], operation.size);
            }
        }
    }
}

/** Adds what a replay sends on a network that takes no time. \param topology as the user knows it
 * \param ends its end points */
void
AddReplay(const WorkloadSource& source,
          const ns3::RdmaTopology& topology,
          const ns3::WorkloadEndpoints& ends,
          VolumeSum& sum)
{
    if (!source.replay->IsRepeatable())
    {
        return;
    }
    InstantTransport transport(ends, [&](const ns3::WorkloadTransfer& transfer) {
        sum.Add(ends.nodes[transfer.src], ends.nodes[transfer.dst], transfer.bytes);
    });
    const std::unique_ptr<WorkloadProgram> program =
        source.replay->MakeProgram(source.name, topology, transport);
    program->Run({});
    sum.Get().operations = program->GetCompleted();
}

TrafficVolume
VolumeOfFlows(const RunPlan& plan, uint64_t payload)
{
    VolumeSum sum(plan.topology, payload);
    const double secondsPerByte = BITS_PER_BYTE / static_cast<double>(SlowestRate(plan.topology));
    std::vector<double> busyUntil(plan.topology.nodes.size());
    std::vector<Span> spans;
    spans.reserve(plan.flows.size());
    for (const ns3::RdmaFlowSpec& flow : plan.flows)
    {
        if (plan.stopNs > 0 && ns3::RdmaTimeIn(flow.start, ns3::Time::NS) >= plan.stopNs)
        {
            break; // they are in the order of their starts
        }
        sum.Add(flow.src, flow.dst, flow.bytes);
        const double takes = static_cast<double>(flow.bytes) * secondsPerByte;
        const double start = flow.start.GetSeconds();
        double end = start;
        for (const uint32_t host : {flow.src, flow.dst})
        {
            busyUntil[host] = std::max(busyUntil[host], start) + takes;
            end = std::max(end, busyUntil[host]);
        }
        spans.push_back({start, end, flow.src, sum.PacketsOf(static_cast<double>(flow.bytes))});
    }
    CountConcurrent(spans, {plan.topology.nodes.size(), sum.MostOfHost()}, sum.Get());
    return sum.Get();
}

TrafficVolume
VolumeOfWorkload(const RunPlan& plan, uint64_t payload)
{
    const ns3::WorkloadEndpoints ends =
        ns3::MakeWorkloadEndpoints(plan.topology, UsesNvSwitches(plan));
    VolumeSum sum(ends.topology, payload);
    uint32_t nics = 1;
    uint64_t processes = 0;
    for (const WorkloadSource& source : plan.sources)
    {
        nics = std::max<uint32_t>(nics, source.schedule.HighestNic() + 1U);
        processes += source.schedule.ranks.size();
    }
    for (size_t job = 0; job < plan.sources.size(); ++job)
    {
        const WorkloadSource& source = plan.sources[job];
        if (source.replay)
        {
            AddReplay(source, plan.topology, ends, sum);
            processes += ends.hosts;
        }
        else
        {
            AddSchedule(source.schedule, plan.nodes[job], nics, ends.nodes, sum);
        }
    }
    TrafficVolume& volume = sum.Get();
    volume.concurrent = std::min(volume.transfers, TRANSFERS_PER_PROCESS * processes);
    const double mean =
        volume.transfers > 0 ? volume.bytes / static_cast<double>(volume.transfers) : 0;
    volume.inFlight = static_cast<double>(volume.concurrent) * sum.PacketsOf(mean);
    return volume;
}

/** \return operations of a workload; nullopt if only a run tells. \param topology as the user knows
 * it
 * \param ends its end points */
std::optional<uint64_t>
OperationsOf(const WorkloadSource& source,
             const ns3::RdmaTopology& topology,
             const ns3::WorkloadEndpoints& ends)
{
    if (!source.replay)
    {
        return source.schedule.CountOperations();
    }
    if (!source.replay->IsRepeatable())
    {
        return 0;
    }
    InstantTransport transport(ends, [](const ns3::WorkloadTransfer&) {});
    const std::unique_ptr<WorkloadProgram> program =
        source.replay->MakeProgram(source.name, topology, transport);
    const uint64_t total = program->IsTotalGrowing() ? 0 : program->GetTotal();
    return total > 0 ? std::optional(total) : std::nullopt;
}

} // namespace

HopCounter::HopCounter(const ns3::RdmaTopology& topology)
    : m_switches(topology.nodes.size()),
      m_hosts(topology.nodes.size()),
      m_distances(topology.nodes.size())
{
    const auto add = [&](uint32_t from, uint32_t to) {
        const bool host = topology.nodes[to] == ns3::RdmaNodeKind::HOST;
        (host ? m_hosts : m_switches)[from].push_back(to);
    };
    for (const ns3::RdmaLinkSpec& link : topology.links)
    {
        add(link.a, link.b);
        add(link.b, link.a);
    }
}

const std::vector<uint32_t>&
HopCounter::From(uint32_t node)
{
    std::vector<uint32_t>& distance = m_distances[node];
    if (!distance.empty())
    {
        return distance;
    }
    distance.assign(m_switches.size(), NO_WAY);
    distance[node] = 0;
    std::vector<uint32_t> queue{node};
    for (size_t next = 0; next < queue.size(); ++next)
    {
        for (const uint32_t neighbour : m_switches[queue[next]])
        {
            if (distance[neighbour] == NO_WAY)
            {
                distance[neighbour] = distance[queue[next]] + 1;
                queue.push_back(neighbour);
            }
        }
    }
    return distance;
}

uint32_t
HopCounter::Between(uint32_t from, uint32_t to)
{
    if (std::find(m_hosts[from].begin(), m_hosts[from].end(), to) != m_hosts[from].end())
    {
        return 1;
    }
    uint32_t least = NO_WAY;
    for (const uint32_t first : m_switches[from])
    {
        const std::vector<uint32_t>& distance = From(first);
        for (const uint32_t last : m_switches[to])
        {
            least = std::min(least, distance[last]);
        }
    }
    return least == NO_WAY ? 0 : least + 2;
}

TrafficVolume
VolumeOf(const RunPlan& plan, uint64_t payload)
{
    return plan.IsFlowList() ? VolumeOfFlows(plan, payload) : VolumeOfWorkload(plan, payload);
}

std::optional<TrafficVolume>
MostVolumeOf(const RunPlan& plan, uint64_t payload)
{
    const ns3::WorkloadEndpoints ends =
        ns3::MakeWorkloadEndpoints(plan.topology, UsesNvSwitches(plan));
    VolumeSum sum(ends.topology, payload);
    for (const uint32_t node : ends.nodes)
    {
        sum.AddEnd(node);
    }
    TrafficVolume& volume = sum.Get();
    volume.transfers = volume.concurrent = plan.flows.size();
    for (const WorkloadSource& source : plan.sources)
    {
        const std::optional<uint64_t> operations = OperationsOf(source, plan.topology, ends);
        if (!operations)
        {
            return std::nullopt;
        }
        volume.operations += *operations;
        volume.concurrent +=
            TRANSFERS_PER_PROCESS * (source.replay ? ends.hosts : source.schedule.ranks.size());
    }
    volume.inFlight = static_cast<double>(volume.concurrent) *
                      sum.PacketsOf(std::numeric_limits<double>::infinity());
    return volume;
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-front-end.h"

#include "ns3/input-error.h"
#include "ns3/workload-units.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

/** \return the end point of each rank \throws InputError if there are too few */
std::vector<uint32_t>
HostsOf(const WorkloadFrontEndOptions& options, const WorkloadTransport& transport)
{
    std::vector<uint32_t> hosts = options.hosts;
    if (hosts.empty())
    {
        hosts.resize(options.ranks);
        std::iota(hosts.begin(), hosts.end(), 0);
    }
    if (hosts.size() != options.ranks)
    {
        throw InputError(std::to_string(hosts.size()) + " hosts are given for " +
                         std::to_string(options.ranks) + " ranks; name one per rank");
    }
    for (size_t rank = 0; rank < hosts.size(); ++rank)
    {
        if (hosts[rank] >= transport.GetEndpointCount())
        {
            throw InputError("rank " + std::to_string(rank) + " is on host " +
                             std::to_string(hosts[rank]) + ", but the topology has " +
                             std::to_string(transport.GetEndpointCount()) +
                             "; take a larger topology, or fewer ranks");
        }
    }
    return hosts;
}

} // namespace

const std::vector<std::string>&
WorkloadFrontEnd::GetCategories()
{
    static const std::vector<std::string> NAMES{"send", "receive"};
    return NAMES;
}

WorkloadFrontEnd::WorkloadFrontEnd(WorkloadTransport& transport,
                                   const WorkloadFrontEndOptions& options,
                                   WorkloadObserver* observer)
    : m_transport(transport),
      m_observer(observer),
      m_options(options),
      m_hosts(HostsOf(options, transport)),
      m_post(transport,
             m_hosts,
             false, // both ends are told here
             [this](const WorkloadPost::Owner& owner) { return DescribeOwner(owner); }),
      m_unfinished(options.ranks),
      m_finished(options.ranks),
      m_lastPs(options.ranks)
{
    WorkloadRepeater* const repeater = transport.GetRepeater();
    if (!repeater || options.leastLatencyNs <= 0)
    {
        return;
    }
    m_memory = std::make_unique<WorkloadStepMemory>(
        *repeater,
        options.leastLatencyNs * WORKLOAD_PS_PER_NS,
        WorkloadStepMemory::Calls{[this] { return NowPs(); },
                                  [this](int64_t ps, Action action) {
                                      m_post.AfterPs({0, NO_ITEM}, ps, std::move(action));
                                  },
                                  [this](uint32_t item) { Delivered(item); },
                                  [this](uint32_t item) { Acknowledged(item); }});
}

void
WorkloadFrontEnd::Schedule(uint32_t rank, int64_t ns, Action action)
{
    if (m_memory)
    {
        m_memory->WillAct(std::min(ns, INT64_MAX / 2 / WORKLOAD_PS_PER_NS) * WORKLOAD_PS_PER_NS);
    }
    m_post.After({rank, NO_ITEM}, ns, [this, action = std::move(action)] {
        if (!IsOver())
        {
            action();
        }
    });
}

void
WorkloadFrontEnd::Finish(uint32_t rank, int64_t ps)
{
    if (m_finished[rank])
    {
        return;
    }
    m_finished[rank] = true;
    m_lastPs[rank] = ps;
    --m_unfinished;
    StopIfFinished();
}

void
WorkloadFrontEnd::StopIfFinished()
{
    if (m_unfinished == 0 && m_sends.empty())
    {
        m_transport.Stop();
    }
}

void
WorkloadFrontEnd::Fail(const std::string& reason)
{
    m_post.Fail(reason);
}

void
WorkloadFrontEnd::Stop()
{
    m_over = true;
    m_transport.Stop();
}

bool
WorkloadFrontEnd::Run()
{
    if (m_post.GetFailure().empty())
    {
        m_transport.Run();
    }
    if (m_memory)
    {
        m_memory->Stop();
    }
    m_over = true;
    if (!m_post.GetFailure().empty())
    {
        throw InputError(m_post.GetFailure());
    }
    return m_unfinished == 0;
}

} // namespace ns3

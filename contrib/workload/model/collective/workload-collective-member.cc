/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-collective-member.h"

#include "workload-collective-names.h"

#include "ns3/input-error.h"
#include "ns3/rdma-arithmetic.h"

namespace ns3
{

WorkloadCollectiveLayout
WorkloadCollectiveJob::Layout(WorkloadParts parts) const
{
    return {collective.bytes,
            static_cast<uint32_t>(members.size()),
            parts,
            collective.channels,
            collective.elementBytes,
            chunking};
}

void
WorkloadCollectiveJob::ReserveTags(uint64_t perPair, uint64_t senders)
{
    constexpr uint64_t MAX_MESSAGES = 500000000;
    if (perPair != 0 && senders > MAX_MESSAGES / perPair)
    {
        throw InputError(WorkloadName(collective.kind) + ": would make more than " +
                         std::to_string(MAX_MESSAGES) + " messages (" + std::to_string(perPair) +
                         " for each of " + std::to_string(senders) +
                         " pairs of members); use larger chunks or fewer members");
    }
    tags = costOnly ? 0 : perPair;
    if (only == WORKLOAD_NONE && !costOnly)
    {
        firstTag = builder.NewTags(perPair);
    }
}

void
WorkloadCollectiveLink::Add(uint32_t operation)
{
    if (m_recent.size() < m_depth)
    {
        m_recent.push_back(operation);
    }
    else if (m_depth != 0)
    {
        m_recent[m_next] = operation;
        m_next = m_next + 1 == m_depth ? 0 : m_next + 1;
    }
}

WorkloadCollectiveMember::WorkloadCollectiveMember(WorkloadCollectiveJob& job, uint32_t index)
    : m_job(job),
      m_index(index),
      m_rank(job.members[index]),
      m_begin(job.builder.Calc(m_rank, 0, job.collective.cpu))
{
    if (!job.after.empty() && job.after[index] != WORKLOAD_NONE)
    {
        Require(m_begin, job.after[index]);
    }
    job.ends.begin[index] = m_begin;
}

void
WorkloadCollectiveMember::End()
{
    const uint32_t end = m_job.builder.Calc(m_rank, 0, m_job.collective.cpu);
    Require(end, m_begin);
    for (const uint32_t operation : m_finish)
    {
        Require(end, operation);
    }
    m_job.ends.end[m_index] = end;
}

WorkloadCollectiveLink
WorkloadCollectiveMember::Link(uint32_t peer, uint32_t depth) const
{
    return {peer, m_job.chunking.window ? m_job.chunking.window : depth};
}

bool
WorkloadCollectiveMember::IsOffNetwork(uint32_t peer) const
{
    const uint32_t server = m_job.collective.ranksPerServer;
    return !m_job.collective.nvlinkOnNetwork && m_job.members[peer] / server == m_rank / server;
}

uint32_t
WorkloadCollectiveMember::AddHalfTransfer(uint64_t wire, bool second)
{
    const auto ns = static_cast<uint64_t>(
        RdmaSteps(static_cast<double>(wire) / m_job.collective.nvlinkBytesPerNs));
    return m_job.builder.Calc(m_rank, second ? ns - ns / 2 : ns / 2, m_job.collective.cpu);
}

uint32_t
WorkloadCollectiveMember::Send(WorkloadCollectiveLink& link,
                               WorkloadRange range,
                               uint64_t tag,
                               uint32_t ready)
{
    const WorkloadCollective& collective = m_job.collective;
    uint64_t wire = WorkloadWireBytes(collective.protocol, range.Length());
    uint32_t first = WORKLOAD_NONE;
    if (IsOffNetwork(link.GetPeer()))
    {
        first = AddHalfTransfer(wire, false);
        wire = 0;
    }
    uint32_t last = first;
    if (!m_job.costOnly)
    {
        const uint32_t to = m_job.members[link.GetPeer()];
        const auto number = static_cast<uint32_t>(m_job.firstTag + tag);
        last = m_job.builder.Send(m_rank, to, wire, number, collective.cpu);
        if (first != WORKLOAD_NONE)
        {
            Require(last, first);
        }
        first = first == WORKLOAD_NONE ? last : first;
        if (m_job.trace)
        {
            m_job.trace->push_back({m_rank, last, last, range.begin, range.end, false, false});
        }
    }
    Require(first, ready);
    if (link.Oldest() != WORKLOAD_NONE)
    {
        Require(first, link.Oldest());
    }
    link.Add(last);
    Finish(last);
    return first;
}

uint32_t
WorkloadCollectiveMember::Receive(WorkloadCollectiveLink& link,
                                  WorkloadRange range,
                                  uint64_t tag,
                                  bool reduces)
{
    const WorkloadCollective& collective = m_job.collective;
    uint64_t wire = WorkloadWireBytes(collective.protocol, range.Length());
    const bool offNetwork = IsOffNetwork(link.GetPeer());
    uint32_t receive = WORKLOAD_NONE;
    uint32_t placed = WORKLOAD_NONE;
    const auto chain = [&](uint32_t operation) {
        if (placed != WORKLOAD_NONE)
        {
            Require(operation, placed);
        }
        placed = operation;
    };
    if (!m_job.costOnly)
    {
        const uint32_t from = m_job.members[link.GetPeer()];
        const auto number = static_cast<uint32_t>(m_job.firstTag + tag);
        receive = m_job.builder.Recv(m_rank, from, offNetwork ? 0 : wire, number, collective.cpu);
        chain(receive);
    }
    if (offNetwork)
    {
        chain(AddHalfTransfer(wire, true));
    }
    const uint32_t first = receive != WORKLOAD_NONE ? receive : placed;
    const double nsPerByte = reduces ? collective.reduceNsPerByte : collective.copyNsPerByte;
    if (nsPerByte > 0)
    {
        const double ns = nsPerByte * static_cast<double>(range.Length());
        chain(m_job.builder.Calc(m_rank, static_cast<uint64_t>(RdmaSteps(ns)), collective.cpu));
    }
    Require(first, link.Oldest() != WORKLOAD_NONE ? link.Oldest() : m_begin);
    link.Add(first);
    if (m_job.trace && receive != WORKLOAD_NONE)
    {
        m_job.trace->push_back({m_rank, receive, placed, range.begin, range.end, true, reduces});
    }
    return placed;
}

void
WorkloadCollectiveMember::Require(uint32_t operation, uint32_t before)
{
    m_job.builder.Require(m_rank, operation, before);
}

void
WorkloadCollectiveMember::Finish(uint32_t operation)
{
    m_finish.push_back(operation);
}

} // namespace ns3

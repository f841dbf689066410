/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-runner-rank.h"

#include "ns3/input-error.h"
#include "ns3/workload-disturbance.h"
#include "ns3/workload-simai-check.h"
#include "ns3/workload-units.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** \throws InputError at the header if its sizes of groups do not fit the hosts */
WorkloadSimAiGroups
MakeGroups(const WorkloadSimAiFile& file, uint32_t hosts)
{
    try
    {
        return {hosts, std::max(file.tp, 1U), std::max(file.ep, 1U)};
    }
    catch (const InputError& error)
    {
        throw InputError(file.origin, file.line, error.what());
    }
}

} // namespace

WorkloadSimAiRunner::WorkloadSimAiRunner(const WorkloadSimAiFile& file,
                                         const WorkloadSimAiOptions& options,
                                         WorkloadTransport& transport,
                                         WorkloadObserver* observer)
    : m_file(file),
      m_options(options),
      m_transport(transport),
      m_groups(MakeGroups(file, transport.GetHostCount())),
      m_collectives(file, m_options, m_groups, m_servers, m_program),
      m_record(file.layers.size(), transport.GetHostCount(), observer),
      m_unfinished(transport.GetHostCount())
{
    CheckWorkloadSimAiOptions(options);
    const uint32_t hosts = transport.GetHostCount();
    const uint32_t switches = transport.GetEndpointCount() - hosts;
    m_servers.gpus = std::max(options.gpusPerServer, 1U);
    const uint32_t servers = (hosts + m_servers.gpus - 1) / m_servers.gpus;
    m_servers.switches = switches % servers == 0 ? switches / servers : 0;
    m_program = MakeWorkloadSimAiProgram(file, options, m_groups);
    CheckWorkloadSimAiSizes(file, m_program, m_groups, m_servers);
    Warn();
    m_orders.resize(1 + m_groups.GetCount() / m_groups.GetSize(WorkloadSimAiGroup::DP));
    m_ranks.resize(hosts);
    if (options.disturbance > 0)
    {
        Disturb();
    }
    for (Rank& rank : m_ranks)
    {
        rank.done.resize(m_program.operations.size());
    }
    if (WorkloadRepeater* repeater = transport.GetRepeater())
    {
        WorkloadSimAiRanks& ranks = *this;
        m_memory = std::make_unique<WorkloadSimAiMemory>(m_program,
                                                         m_groups,
                                                         m_collectives,
                                                         *repeater,
                                                         ranks);
    }
}

WorkloadSimAiRunner::~WorkloadSimAiRunner() = default;

void
WorkloadSimAiRunner::Warn()
{
    const std::string nvls = WarningOfWorkloadSimAiNvls(m_options, m_program, m_groups, m_servers);
    if (!nvls.empty())
    {
        m_warnings.push_back(nvls);
    }
    if (m_file.HasParallelism() && m_file.allGpus != m_groups.GetCount())
    {
        m_warnings.push_back(m_file.origin + ": all_gpus is " + std::to_string(m_file.allGpus) +
                             ", but the topology has " + std::to_string(m_groups.GetCount()) +
                             " hosts, which the groups are made of");
    }
}

void
WorkloadSimAiRunner::Disturb()
{
    const bool computes =
        std::any_of(m_program.steps.begin(), m_program.steps.end(), [](const auto& step) {
            return step.kind == WorkloadSimAiStep::Kind::COMPUTE ||
                   step.kind == WorkloadSimAiStep::Kind::TICK;
        });
    if (!computes || m_ranks.empty())
    {
        throw InputError(m_file.origin, 0, "no rank computes, so that nothing can be disturbed");
    }
    m_disturbed = DrawWorkloadDisturbance(m_options.disturbance, m_ranks.size());
}

uint64_t
WorkloadSimAiRunner::LengthOf(uint32_t rank, size_t step) const
{
    return m_program.steps[step].ns +
           (rank == m_disturbed.which ? static_cast<uint64_t>(m_disturbed.ns) : 0);
}

bool
WorkloadSimAiRunner::Run()
{
    m_transport.SetClient(*this);
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        Advance(rank);
    }
    m_transport.Run();
    if (m_memory)
    {
        m_memory->Stop();
    }
    return m_unfinished == 0;
}

void
WorkloadSimAiRunner::Advance(uint32_t rank)
{
    Rank& state = m_ranks[rank];
    for (; state.step < m_program.steps.size(); ++state.step, ++m_completed)
    {
        const WorkloadSimAiStep& step = m_program.steps[state.step];
        state.since = m_transport.Now();
        if (step.kind == WorkloadSimAiStep::Kind::ISSUE)
        {
            Issue(rank, step.operation);
        }
        else if (step.kind != WorkloadSimAiStep::Kind::AWAIT)
        {
            Delay(rank);
            return;
        }
        else if (!state.done[step.operation])
        {
            state.awaited = step.operation;
            return;
        }
    }
    state.ended = true;
    state.since = m_transport.Now();
    m_record.Ended(rank, state.since);
    m_unfinished -= state.outstanding == 0;
}

void
WorkloadSimAiRunner::Delay(uint32_t rank)
{
    Rank& state = m_ranks[rank];
    uint64_t ns = LengthOf(rank, state.step);
    const bool ticks = m_program.steps[state.step].kind == WorkloadSimAiStep::Kind::TICK;
    if (ticks && state.step + 1 < m_program.steps.size() &&
        m_program.steps[state.step + 1].kind == WorkloadSimAiStep::Kind::COMPUTE)
    {
        state.since += int64_t(ns) * WORKLOAD_PS_PER_NS;
        ++state.step;
        ++m_completed;
        ns += LengthOf(rank, state.step);
    }
    m_transport.Schedule(int64_t(ns) * WORKLOAD_PS_PER_NS, Timer::Id(Timer::RANK, 0, rank));
}

void
WorkloadSimAiRunner::DelayOver(uint32_t rank)
{
    Rank& state = m_ranks[rank];
    const WorkloadSimAiStep& step = m_program.steps[state.step];
    if (step.kind == WorkloadSimAiStep::Kind::COMPUTE)
    {
        m_record.Computed(rank, step, state.since, m_transport.Now());
    }
    ++state.step;
    ++m_completed;
    Advance(rank);
}

void
WorkloadSimAiRunner::Due(uint64_t timer)
{
    const uint32_t high = Timer::High(timer);
    const uint32_t low = uint32_t(timer);
    switch (Timer::KindOf(timer))
    {
    case Timer::RANK:
        DelayOver(low);
        break;
    case Timer::PROCESS:
        Finished(low, high);
        break;
    case Timer::READY:
        StartFlow(high, low);
        break;
    case Timer::FLOW:
        Send(high, low);
        break;
    case Timer::MEMORY:
        m_memory->Due(high, low);
        break;
    }
}

int64_t
WorkloadSimAiRunner::BeganAt(uint32_t rank, uint32_t operation) const
{
    const auto times = m_ranks[rank].times.find(operation);
    const bool began = times != m_ranks[rank].times.end() &&
                       !m_ranks[rank].queues[m_program.operations[operation].queue].Has(operation);
    return began ? times->second.second : -1;
}

bool
WorkloadSimAiRunner::WaitsFor(uint32_t rank, uint32_t operation) const
{
    const Rank& state = m_ranks[rank];
    return state.outstanding == 1 && (state.ended || state.awaited == operation);
}

int64_t
WorkloadSimAiRunner::IdleUntil(uint32_t rank) const
{
    const Rank& state = m_ranks[rank];
    if (state.outstanding > 0)
    {
        return 0;
    }
    return state.ended ? INT64_MAX
                       : state.since + int64_t(LengthOf(rank, state.step)) * WORKLOAD_PS_PER_NS;
}

int64_t
WorkloadSimAiRunner::GetLeastLatency() const
{
    const int64_t ns =
        m_options.memoryDelayNs + int64_t(LeastWorkloadSimAiSendLatencyNs(m_options));
    return ns * WORKLOAD_PS_PER_NS;
}

void
WorkloadSimAiRunner::Schedule(int64_t delayPs, uint32_t unit, uint32_t what)
{
    m_transport.Schedule(delayPs, Timer::Id(Timer::MEMORY, unit, what));
}

void
WorkloadSimAiRunner::Failed(uint64_t id, const std::string& reason)
{
    const WorkloadTransfer transfer = m_collectives.TransferOf(Timer::High(id), uint32_t(id));
    m_failure = "the transfer from " + std::to_string(transfer.src) + " to " +
                std::to_string(transfer.dst) + " failed: " + reason;
    m_transport.Stop();
}

uint64_t
WorkloadSimAiRunner::GetTotal() const
{
    return m_program.steps.size() * m_ranks.size();
}

} // namespace ns3

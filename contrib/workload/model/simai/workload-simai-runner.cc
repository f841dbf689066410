/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-runner.h"

#include "workload-simai-check.h"

#include "ns3/input-error.h"
#include "ns3/workload-disturbance.h"
#include "ns3/workload-units.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t NOTHING = UINT32_MAX;
constexpr uint8_t QUEUES = 2;

/** What a timer is for. */
enum class Timer : uint8_t
{
    RANK,    ///< a computation is over
    READY,   ///< a flow's memory delay is over
    FLOW,    ///< a flow's send latency is over
    PROCESS, ///< a collective's process time is over
    MEMORY,  ///< something happens to what is not simulated
};

uint64_t
TimerId(Timer timer, uint32_t high, uint32_t low)
{
    return uint64_t(timer) << 61 | uint64_t(high) << 32 | low;
}

uint64_t
FlowId(uint32_t slot, uint32_t flow)
{
    return uint64_t(slot) << 32 | flow;
}

uint32_t
High(uint64_t id)
{
    return uint32_t(id >> 32) & 0x1FFFFFFF;
}

} // namespace

struct WorkloadSimAiRunner::Rank
{
    size_t step{0};            //!< in the program
    uint32_t awaited{NOTHING}; //!< operation
    int64_t since{0};          //!< when the step began
    bool ended{false};         //!< the program is done; collectives may go on
    uint32_t outstanding{0};   //!< issued and not finished
    std::vector<bool> done;    //!< by operation
    WorkloadSimAiQueue queues[QUEUES];
    std::map<uint32_t, std::pair<int64_t, int64_t>> times; //!< operation: issued, begun
};

WorkloadSimAiRunner::WorkloadSimAiRunner(const WorkloadSimAiFile& file,
                                         const WorkloadSimAiOptions& options,
                                         WorkloadTransport& transport,
                                         WorkloadObserver* observer)
    : m_file(file),
      m_options(options),
      m_transport(transport),
      m_groups(transport.GetHostCount(), std::max(file.tp, 1U), std::max(file.ep, 1U)),
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

std::string
WorkloadSimAiRunner::GetDisturbed() const
{
    return m_disturbed.ns == 0 ? ""
                               : "each computation and each change of state of rank " +
                                     std::to_string(m_disturbed.which) + " takes " +
                                     std::to_string(m_disturbed.ns) + " ns longer";
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
    m_transport.Schedule(int64_t(ns) * WORKLOAD_PS_PER_NS, TimerId(Timer::RANK, 0, rank));
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
WorkloadSimAiRunner::Issue(uint32_t rank, uint32_t operation)
{
    Rank& state = m_ranks[rank];
    ++state.outstanding;
    state.times[operation] = {m_transport.Now(), m_transport.Now()};
    const uint8_t queue = m_program.operations[operation].queue;
    state.queues[queue].Push(operation);
    TakeNext(rank, queue);
}

void
WorkloadSimAiRunner::TakeNext(uint32_t rank, uint8_t queue)
{
    // Data groups hold the expert groups of their ranks: nobody outside has to agree.
    const uint32_t order = queue == 0 ? 0
                           : m_file.HasParallelism()
                               ? 1 + m_groups.GetGroup(WorkloadSimAiGroup::DP, rank)
                               : 1;
    const uint32_t operation = m_ranks[rank].queues[queue].Take(m_orders[order]);
    if (operation != WorkloadSimAiQueue::NONE)
    {
        Begin(rank, operation);
    }
}

void
WorkloadSimAiRunner::Begin(uint32_t rank, uint32_t operation)
{
    const WorkloadSimAiGroup kind = m_program.operations[operation].group;
    m_ranks[rank].times[operation].second = m_transport.Now();
    const uint32_t slot = m_collectives.Join(operation, m_groups.GetGroup(kind, rank));
    if (m_memory)
    {
        m_memory->Joined(slot);
    }
    m_collectives.Get(slot).instance.Begin(m_groups.GetMember(kind, rank), m_ready);
    Launch(slot);
}

void
WorkloadSimAiRunner::Launch(uint32_t slot)
{
    for (const WorkloadSimAiReady& ready : m_ready)
    {
        const int64_t ns = m_options.memoryDelayNs + (ready.reduces ? m_options.reduceDelayNs : 0);
        m_transport.Schedule(ns * WORKLOAD_PS_PER_NS, TimerId(Timer::READY, slot, ready.flow));
    }
    m_ready.clear();
}

void
WorkloadSimAiRunner::StartFlow(uint32_t slot, uint32_t flow)
{
    m_collectives.Get(slot).instance.Started(flow, m_ready);
    Launch(slot);
    const int64_t latency = m_collectives.SendLatencyPs(slot, flow);
    if (m_memory)
    {
        m_memory->Waits(slot, flow, latency);
    }
    m_transport.Schedule(latency, TimerId(Timer::FLOW, slot, flow));
}

void
WorkloadSimAiRunner::Send(uint32_t slot, uint32_t flow)
{
    ++m_flows;
    if (!m_memory || !m_memory->Repeats(slot, flow))
    {
        WorkloadTransfer transfer = m_collectives.TransferOf(slot, flow);
        transfer.exact = m_memory && m_memory->IsExact(slot);
        m_transport.Start(transfer, FlowId(slot, flow));
    }
}

void
WorkloadSimAiRunner::Due(uint64_t timer)
{
    const uint32_t high = High(timer);
    const uint32_t low = uint32_t(timer);
    switch (static_cast<Timer>(timer >> 61))
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

std::string
WorkloadSimAiRunner::DescribeLayer(uint32_t layer) const
{
    return m_file.origin + ":" + std::to_string(m_file.layers[layer].line) + ": layer " +
           m_file.layers[layer].name;
}

std::string
WorkloadSimAiRunner::DescribeTransfer(uint64_t id) const
{
    const WorkloadSimAiOperation& what =
        m_program.operations[m_collectives.Get(High(id)).operation];
    return DescribeLayer(what.layer) + ", " + WorkloadSimAiKindName(what.kind) + " of " +
           std::to_string(what.bytes) + " bytes,";
}

std::string
WorkloadSimAiRunner::DescribeTimer(uint64_t timer) const
{
    const uint32_t high = High(timer);
    switch (static_cast<Timer>(timer >> 61))
    {
    case Timer::RANK: {
        const Rank& rank = m_ranks[static_cast<uint32_t>(timer)];
        return DescribeLayer(m_program.steps[rank.step].layer) + ", a computation,";
    }
    case Timer::PROCESS:
        return DescribeLayer(m_program.operations[high].layer) + ", its process time,";
    case Timer::MEMORY:
        return m_file.origin + ": a collective that goes as one did before,";
    case Timer::READY:
    case Timer::FLOW:
        break;
    }
    return DescribeTransfer(timer);
}

void
WorkloadSimAiRunner::Delivered(uint64_t id)
{
    WorkloadSimAiRunning& running = m_collectives.Get(High(id));
    if (m_memory)
    {
        m_memory->Delivered(High(id), uint32_t(id));
    }
    const bool done = running.instance.Sent(uint32_t(id), m_ready);
    Launch(High(id));
    if (done)
    {
        MemberDone(High(id), running.instance.GetSet().flows[uint32_t(id)].src);
    }
}

void
WorkloadSimAiRunner::Acknowledged(uint64_t id)
{
    const uint32_t slot = High(id);
    WorkloadSimAiRunning& running = m_collectives.Get(slot);
    if (m_memory)
    {
        m_memory->Ended(slot, uint32_t(id));
    }
    const bool done = running.instance.Arrived(uint32_t(id), m_ready);
    Launch(slot);
    if (done)
    {
        MemberDone(slot, running.instance.GetSet().flows[uint32_t(id)].dst);
    }
    if (running.instance.IsOver())
    {
        if (m_memory)
        {
            m_memory->Over(slot);
        }
        m_collectives.Remove(slot);
    }
}

void
WorkloadSimAiRunner::Sent(uint32_t slot, uint32_t flow)
{
    Delivered(FlowId(slot, flow));
}

void
WorkloadSimAiRunner::Arrived(uint32_t slot, uint32_t flow)
{
    Acknowledged(FlowId(slot, flow));
}

void
WorkloadSimAiRunner::Over(uint32_t slot)
{
    m_flows += m_collectives.Get(slot).instance.CountWaiting();
    m_collectives.Remove(slot);
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
    m_transport.Schedule(delayPs, TimerId(Timer::MEMORY, unit, what));
}

void
WorkloadSimAiRunner::Failed(uint64_t id, const std::string& reason)
{
    const WorkloadTransfer transfer = m_collectives.TransferOf(High(id), uint32_t(id));
    m_failure = "the transfer from " + std::to_string(transfer.src) + " to " +
                std::to_string(transfer.dst) + " failed: " + reason;
    m_transport.Stop();
}

void
WorkloadSimAiRunner::MemberDone(uint32_t slot, uint32_t end)
{
    if (m_memory)
    {
        m_memory->Done(slot, end);
    }
    const WorkloadSimAiRunning& running = m_collectives.Get(slot);
    const uint32_t rank = running.ends[end];
    if (rank >= m_groups.GetCount())
    {
        return; // an NVSwitch has no program
    }
    const uint32_t operation = running.operation;
    const WorkloadSimAiOperation& what = m_program.operations[operation];
    m_transport.Schedule(int64_t(m_file.layers[what.layer].processNs) * WORKLOAD_PS_PER_NS,
                         TimerId(Timer::PROCESS, operation, rank));
    m_ranks[rank].queues[what.queue].Release();
    TakeNext(rank, what.queue);
}

void
WorkloadSimAiRunner::Finished(uint32_t rank, uint32_t operation)
{
    Rank& state = m_ranks[rank];
    const WorkloadSimAiOperation& what = m_program.operations[operation];
    const int64_t now = m_transport.Now();
    const auto times = state.times.find(operation);
    const bool waits = state.awaited == operation;
    const bool last = state.ended && what.layer == 0 && what.pass == WorkloadSimAiPass::WG;
    m_record.Communicated(rank,
                          what,
                          times->second.first,
                          times->second.second,
                          now,
                          waits || last ? now - state.since : 0);
    state.times.erase(times);
    state.done[operation] = true;
    --state.outstanding;
    if (state.ended)
    {
        m_record.Waited(rank, what.group, now - GetRanks()[rank].finishPs);
        m_record.Ended(rank, now);
        m_unfinished -= state.outstanding == 0;
    }
    else if (waits)
    {
        m_record.Waited(rank, what.group, now - state.since);
        state.awaited = NOTHING;
        Advance(rank);
    }
}

uint64_t
WorkloadSimAiRunner::GetTotal() const
{
    return m_program.steps.size() * m_ranks.size();
}

std::vector<std::string>
WorkloadSimAiRunner::ExplainStall(size_t max) const
{
    std::vector<std::string> lines;
    if (!m_failure.empty() && max > 0)
    {
        lines.push_back(m_failure);
    }
    for (uint32_t rank = 0; rank < m_ranks.size() && lines.size() < max; ++rank)
    {
        if (!m_ranks[rank].ended || m_ranks[rank].outstanding > 0)
        {
            lines.push_back(ExplainRank(rank));
        }
    }
    return lines;
}

std::string
WorkloadSimAiRunner::ExplainRank(uint32_t rank) const
{
    const Rank& state = m_ranks[rank];
    const std::string who = "rank " + std::to_string(rank);
    if (state.times.empty())
    {
        return who + " computes in layer " + std::to_string(m_program.steps[state.step].layer);
    }
    const uint32_t operation =
        state.awaited != NOTHING ? state.awaited : state.times.begin()->first;
    const WorkloadSimAiOperation& what = m_program.operations[operation];
    return who + " waits for the " + WorkloadSimAiKindName(what.kind) + " (" +
           WorkloadSimAiGroupName(what.group) + ") of layer " + std::to_string(what.layer) + ", " +
           m_file.layers[what.layer].name + ExplainFlow(rank, operation);
}

std::string
WorkloadSimAiRunner::ExplainFlow(uint32_t rank, uint32_t operation) const
{
    const uint32_t group = m_groups.GetGroup(m_program.operations[operation].group, rank);
    const uint32_t slot = m_collectives.Find(operation, group);
    if (slot == WorkloadSimAiCollectives::NONE)
    {
        return ", which has not begun";
    }
    const WorkloadSimAiInstance& instance = m_collectives.Get(slot).instance;
    for (uint32_t flow = 0; flow < instance.GetSet().flows.size(); ++flow)
    {
        if (instance.IsUnderWay(flow))
        {
            const WorkloadTransfer transfer = m_collectives.TransferOf(slot, flow);
            return ", which waits for the flow from " + std::to_string(transfer.src) + " to " +
                   std::to_string(transfer.dst) + ": " + m_transport.Explain(FlowId(slot, flow));
        }
    }
    return ", for which others have not begun";
}

} // namespace ns3

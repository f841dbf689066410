/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-runner.h"

#include "ns3/rdma-input-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr uint32_t NONE = UINT32_MAX;
constexpr int64_t PS_PER_NS = 1000;
constexpr uint8_t QUEUES = 2;
constexpr int64_t MAX_LATENCY = 1'000'000'000;

/** More flows of one collective than this are not held in memory: some 3 GB. */
constexpr uint64_t MAX_FLOWS = 1U << 26;

/** What a timer is for. */
enum class Timer : uint8_t
{
    RANK,    ///< a computation is over
    FLOW,    ///< a flow's latency is over
    PROCESS, ///< a collective's process time is over
};

uint64_t
TimerId(Timer timer, uint32_t high, uint32_t low)
{
    return uint64_t(timer) << 62 | uint64_t(high) << 32 | low;
}

uint64_t
FlowId(uint32_t slot, uint32_t flow)
{
    return uint64_t(slot) << 32 | flow;
}

uint32_t
High(uint64_t id)
{
    return uint32_t(id >> 32) & 0x3FFFFFFF;
}

uint32_t
Category(const WorkloadSimAiOperation& operation)
{
    return WORKLOAD_SIMAI_PASSES + 4 * static_cast<uint32_t>(operation.group) +
           static_cast<uint32_t>(operation.kind) - 1;
}

} // namespace

struct WorkloadSimAiRunner::Rank
{
    size_t step{0};          //!< in the program
    uint32_t awaited{NONE};  //!< operation
    int64_t since{0};        //!< when the step began
    bool ended{false};       //!< the program is done; collectives may go on
    uint32_t outstanding{0}; //!< issued and not finished
    std::vector<bool> done;  //!< by operation
    WorkloadSimAiQueue queues[QUEUES];
    std::map<uint32_t, std::pair<int64_t, int64_t>> times; //!< operation: issued, begun
};

struct WorkloadSimAiRunner::Running
{
    Running(const WorkloadSimAiFlowSet& set)
        : instance(set)
    {
    }

    WorkloadSimAiInstance instance;
    uint32_t operation{0};
    uint32_t group{0};
    WorkloadSimAiChoice choice;
    std::vector<uint32_t> ends; //!< end points of members, then of NVSwitches
    uint64_t flowBytes{0};
};

WorkloadSimAiRunner::WorkloadSimAiRunner(const WorkloadSimAiFile& file,
                                         const WorkloadSimAiOptions& options,
                                         WorkloadTransport& transport,
                                         WorkloadObserver* observer)
    : m_file(file),
      m_options(options),
      m_transport(transport),
      m_observer(observer),
      m_groups(transport.GetHostCount(), std::max(file.tp, 1U), std::max(file.ep, 1U)),
      m_gpusPerServer(std::max(options.gpusPerServer, 1U)),
      m_switchesPerServer(0),
      m_layers(file.layers.size()),
      m_totals(transport.GetHostCount()),
      m_unfinished(transport.GetHostCount())
{
    CheckOptions();
    const uint32_t hosts = transport.GetHostCount();
    const uint32_t switches = transport.GetEndpointCount() - hosts;
    const uint32_t servers = (hosts + m_gpusPerServer - 1) / m_gpusPerServer;
    m_switchesPerServer = switches % servers == 0 ? switches / servers : 0;
    m_program = MakeWorkloadSimAiProgram(file, options, m_groups, switches);
    CheckSizes();
    WarnOfNvls();
    if (file.HasParallelism() && file.allGpus != hosts)
    {
        m_warnings.push_back(file.origin + ": all_gpus is " + std::to_string(file.allGpus) +
                             ", but the topology has " + std::to_string(hosts) +
                             " hosts, which the groups are made of");
    }
    m_orders.resize(1 + m_groups.GetCount() / m_groups.GetSize(WorkloadSimAiGroup::DP));
    m_ranks.resize(hosts);
    for (Rank& rank : m_ranks)
    {
        rank.done.resize(m_program.operations.size());
    }
}

WorkloadSimAiRunner::~WorkloadSimAiRunner() = default;

void
WorkloadSimAiRunner::CheckOptions() const
{
    for (const auto& [name, value] :
         {std::pair<const char*, int64_t>{"send latency", m_options.sendLatency},
          {"memory delay", m_options.memoryDelayNs},
          {"reduction delay", m_options.reduceDelayNs}})
    {
        const int64_t least = name == std::string("send latency") ? -1 : 0;
        if (value < least || value > MAX_LATENCY)
        {
            throw RdmaInputError(std::string(name) + " " + std::to_string(value) +
                                 ", but expected is 0 to " + std::to_string(MAX_LATENCY));
        }
    }
}

void
WorkloadSimAiRunner::CheckSizes() const
{
    for (const WorkloadSimAiOperation& operation : m_program.operations)
    {
        const uint64_t members = m_groups.GetSize(operation.group);
        const bool reduces = operation.kind == WorkloadSimAiKind::ALL_REDUCE;
        const bool rings = operation.kind != WorkloadSimAiKind::ALL_TO_ALL;
        const uint64_t channels =
            rings ? ShapeOf(m_groups.GetRanks(operation.group, 0)).Channels() : 1;
        const uint64_t flows = members * (members - 1) * (reduces ? 2 : 1) * channels;
        if (flows > MAX_FLOWS)
        {
            throw RdmaInputError(m_file.origin,
                                 m_file.layers[operation.layer].line,
                                 "a collective of " + std::to_string(members) + " ranks on " +
                                     std::to_string(channels) + " channels has " +
                                     std::to_string(flows) + " flows, and " +
                                     std::to_string(MAX_FLOWS) +
                                     " is the most; take a topology with fewer hosts");
        }
    }
}

void
WorkloadSimAiRunner::WarnOfNvls()
{
    bool wanted = m_options.nvls;
    for (const WorkloadSimAiOperation& operation : m_program.operations)
    {
        wanted &= ChooseWorkloadSimAi(m_options,
                                      m_options.gpuType,
                                      operation.kind,
                                      operation.group,
                                      operation.bytes,
                                      ShapeOf(m_groups.GetRanks(operation.group, 0)))
                      .algorithm != WorkloadSimAiAlgorithm::NVLS;
    }
    if (wanted)
    {
        m_warnings.push_back(
            "NVLS is asked for, but no collective can use it: it takes an all-reduce of a tensor "
            "group of 8 or more on one server with an NVSwitch, and GPUs that have it (GPU type " +
            (m_options.gpuType.empty() ? std::string("not given") : m_options.gpuType) +
            "); rings are used");
    }
}

void
WorkloadSimAiRunner::SetListener(WorkloadSimAiListener* listener)
{
    m_listener = listener;
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
    m_totals[rank].finishPs = state.since;
    m_unfinished -= state.outstanding == 0;
}

void
WorkloadSimAiRunner::Delay(uint32_t rank)
{
    Rank& state = m_ranks[rank];
    uint64_t ns = m_program.steps[state.step].ns;
    const bool ticks = m_program.steps[state.step].kind == WorkloadSimAiStep::Kind::TICK;
    if (ticks && state.step + 1 < m_program.steps.size() &&
        m_program.steps[state.step + 1].kind == WorkloadSimAiStep::Kind::COMPUTE)
    {
        state.since += int64_t(ns) * PS_PER_NS;
        ++state.step;
        ++m_completed;
        ns += m_program.steps[state.step].ns;
    }
    m_transport.Schedule(int64_t(ns) * PS_PER_NS, TimerId(Timer::RANK, 0, rank));
}

void
WorkloadSimAiRunner::DelayOver(uint32_t rank)
{
    Rank& state = m_ranks[rank];
    const WorkloadSimAiStep& step = m_program.steps[state.step];
    if (step.kind == WorkloadSimAiStep::Kind::COMPUTE)
    {
        Span(rank, static_cast<uint32_t>(step.pass), 0, state.since, step.ns);
        if (rank == 0)
        {
            m_layers[step.layer].parts[static_cast<uint32_t>(step.pass)].computeNs += step.ns;
        }
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
    const uint32_t slot = Join(operation, m_groups.GetGroup(kind, rank));
    m_running[slot]->instance.Begin(m_groups.GetMember(kind, rank), m_ready);
    Launch(slot);
}

WorkloadSimAiShape
WorkloadSimAiRunner::ShapeOf(const std::vector<uint32_t>& ranks) const
{
    return MakeWorkloadSimAiShape(ranks, m_gpusPerServer, m_switchesPerServer);
}

uint32_t
WorkloadSimAiRunner::Join(uint32_t operation, uint32_t group)
{
    const uint64_t key = FlowId(operation, group);
    const auto found = m_slots.find(key);
    if (found != m_slots.end())
    {
        return found->second;
    }
    const WorkloadSimAiOperation& what = m_program.operations[operation];
    std::vector<uint32_t> ends = m_groups.GetRanks(what.group, group);
    const WorkloadSimAiShape shape = ShapeOf(ends);
    const WorkloadSimAiChoice choice =
        ChooseWorkloadSimAi(m_options, m_options.gpuType, what.kind, what.group, what.bytes, shape);
    const WorkloadSimAiFlowSet& set = FlowsFor(what, shape, choice);
    auto running = std::make_unique<Running>(set);
    running->operation = operation;
    running->group = group;
    running->choice = choice;
    running->flowBytes = WorkloadSimAiFlowBytes(set, what.bytes);
    const uint32_t firstSwitch =
        m_groups.GetCount() + ends.front() / m_gpusPerServer * m_switchesPerServer;
    for (uint32_t i = 0; i < set.switches; ++i)
    {
        ends.push_back(firstSwitch + i);
    }
    running->ends = std::move(ends);
    if (m_listener)
    {
        m_listener->Began({m_file.layers[what.layer],
                           what,
                           choice,
                           set,
                           running->ends,
                           running->flowBytes,
                           m_flowNumbers});
    }
    m_flowNumbers += set.flows.size();
    uint32_t slot = uint32_t(m_running.size());
    if (m_freeSlots.empty())
    {
        m_running.emplace_back();
    }
    else
    {
        slot = m_freeSlots.back();
        m_freeSlots.pop_back();
    }
    m_running[slot] = std::move(running);
    m_slots.emplace(key, slot);
    return slot;
}

const WorkloadSimAiFlowSet&
WorkloadSimAiRunner::FlowsFor(const WorkloadSimAiOperation& operation,
                              const WorkloadSimAiShape& shape,
                              const WorkloadSimAiChoice& choice)
{
    const bool pxn =
        m_options.pxn && !(m_options.literal && operation.kind == WorkloadSimAiKind::ALL_GATHER);
    std::vector<uint64_t> key{static_cast<uint64_t>(operation.kind),
                              static_cast<uint64_t>(choice.algorithm),
                              shape.switches};
    for (const std::vector<uint32_t>& local : shape.servers)
    {
        key.push_back(local.size());
    }
    std::unique_ptr<WorkloadSimAiFlowSet>& set = m_sets[key];
    if (!set)
    {
        set = std::make_unique<WorkloadSimAiFlowSet>(
            MakeWorkloadSimAiFlows(operation.kind, choice.algorithm, pxn, shape));
    }
    return *set;
}

void
WorkloadSimAiRunner::Launch(uint32_t slot)
{
    for (uint32_t flow : m_ready)
    {
        m_transport.Schedule(LatencyPs(*m_running[slot], flow), TimerId(Timer::FLOW, slot, flow));
    }
    m_ready.clear();
}

int64_t
WorkloadSimAiRunner::LatencyPs(const Running& running, uint32_t flow) const
{
    const WorkloadSimAiFlow& what = running.instance.GetSet().flows[flow];
    const uint32_t hosts = m_groups.GetCount();
    const uint32_t src = running.ends[what.src];
    const uint32_t dst = running.ends[what.dst];
    const bool viaSwitch = src >= hosts || dst >= hosts;
    const bool sameServer =
        viaSwitch && !m_options.literal ? true : src / m_gpusPerServer == dst / m_gpusPerServer;
    return (m_options.memoryDelayNs + (what.reduces ? m_options.reduceDelayNs : 0) +
            int64_t(WorkloadSimAiSendLatencyNs(m_options, running.choice, sameServer))) *
           PS_PER_NS;
}

void
WorkloadSimAiRunner::Due(uint64_t timer)
{
    const uint32_t high = High(timer);
    const uint32_t low = uint32_t(timer);
    switch (static_cast<Timer>(timer >> 62))
    {
    case Timer::RANK:
        DelayOver(low);
        break;
    case Timer::PROCESS:
        Finished(low, high);
        break;
    case Timer::FLOW: {
        const Running& running = *m_running[high];
        const WorkloadSimAiFlow& flow = running.instance.GetSet().flows[low];
        WorkloadTransfer transfer;
        transfer.src = running.ends[flow.src];
        transfer.dst = running.ends[flow.dst];
        transfer.bytes = running.flowBytes;
        transfer.label = Category(m_program.operations[running.operation]);
        ++m_flows;
        m_transport.Start(transfer, FlowId(high, low));
        break;
    }
    }
}

void
WorkloadSimAiRunner::Delivered(uint64_t id)
{
    Running& running = *m_running[High(id)];
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
    Running& running = *m_running[slot];
    const bool done = running.instance.Received(uint32_t(id), m_ready);
    Launch(slot);
    if (done)
    {
        MemberDone(slot, running.instance.GetSet().flows[uint32_t(id)].dst);
    }
    if (running.instance.IsOver())
    {
        m_slots.erase(FlowId(running.operation, running.group));
        m_running[slot].reset();
        m_freeSlots.push_back(slot);
    }
}

void
WorkloadSimAiRunner::Failed(uint64_t id, const std::string& reason)
{
    const Running& running = *m_running[High(id)];
    const WorkloadSimAiFlow& flow = running.instance.GetSet().flows[uint32_t(id)];
    m_failure = "the transfer from " + std::to_string(running.ends[flow.src]) + " to " +
                std::to_string(running.ends[flow.dst]) + " failed: " + reason;
    m_transport.Stop();
}

void
WorkloadSimAiRunner::MemberDone(uint32_t slot, uint32_t end)
{
    const Running& running = *m_running[slot];
    const uint32_t rank = running.ends[end];
    if (rank >= m_groups.GetCount())
    {
        return; // an NVSwitch has no program
    }
    const uint32_t operation = running.operation;
    const WorkloadSimAiOperation& what = m_program.operations[operation];
    m_transport.Schedule(int64_t(m_file.layers[what.layer].processNs) * PS_PER_NS,
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
    Span(rank, Category(what), uint8_t(1 + what.queue), times->second.second, what.bytes);
    const bool waits = state.awaited == operation;
    const bool last = state.ended && what.layer == 0 && what.pass == WorkloadSimAiPass::WG;
    if (rank == 0)
    {
        WorkloadSimAiPartTotals& part =
            m_layers[what.layer].parts[static_cast<uint32_t>(what.pass)];
        part.totalPs += now - times->second.first;
        part.bytes = what.bytes;
        part.exposedPs += waits || last ? now - state.since : 0;
    }
    state.times.erase(times);
    state.done[operation] = true;
    --state.outstanding;
    if (state.ended)
    {
        m_totals[rank].waitPs[static_cast<uint32_t>(what.group)] += now - m_totals[rank].finishPs;
        m_totals[rank].finishPs = now;
        m_unfinished -= state.outstanding == 0;
    }
    else if (waits)
    {
        m_totals[rank].waitPs[static_cast<uint32_t>(what.group)] += now - state.since;
        state.awaited = NONE;
        Advance(rank);
    }
}

void
WorkloadSimAiRunner::Span(uint32_t rank,
                          uint32_t category,
                          uint8_t cpu,
                          int64_t beginPs,
                          uint64_t size)
{
    if (m_observer)
    {
        WorkloadSpan span;
        span.process = rank;
        span.category = category;
        span.cpu = cpu;
        span.communication = cpu > 0;
        span.beginPs = beginPs;
        span.endPs = m_transport.Now();
        span.size = size;
        m_observer->Done(span);
    }
}

uint64_t
WorkloadSimAiRunner::GetCompleted() const
{
    return m_completed;
}

uint64_t
WorkloadSimAiRunner::GetTotal() const
{
    return m_program.steps.size() * m_ranks.size();
}

uint64_t
WorkloadSimAiRunner::GetFlowCount() const
{
    return m_flows;
}

const std::vector<std::string>&
WorkloadSimAiRunner::GetWarnings() const
{
    return m_warnings;
}

const std::vector<WorkloadSimAiLayerTotals>&
WorkloadSimAiRunner::GetLayers() const
{
    return m_layers;
}

const std::vector<WorkloadSimAiRankTotals>&
WorkloadSimAiRunner::GetRanks() const
{
    return m_totals;
}

const WorkloadSimAiGroups&
WorkloadSimAiRunner::GetGroups() const
{
    return m_groups;
}

uint64_t
WorkloadSimAiRunner::GetComputeNs() const
{
    return m_program.computeNs;
}

std::vector<std::string>
WorkloadSimAiRunner::ExplainStall(size_t most) const
{
    std::vector<std::string> lines;
    if (!m_failure.empty() && most > 0)
    {
        lines.push_back(m_failure);
    }
    for (uint32_t rank = 0; rank < m_ranks.size() && lines.size() < most; ++rank)
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
    const uint32_t operation = state.awaited != NONE ? state.awaited : state.times.begin()->first;
    const WorkloadSimAiOperation& what = m_program.operations[operation];
    return who + " waits for the " + WorkloadSimAiKindName(what.kind) + " (" +
           WorkloadSimAiGroupName(what.group) + ") of layer " + std::to_string(what.layer) + ", " +
           m_file.layers[what.layer].name + ExplainFlow(rank, operation);
}

std::string
WorkloadSimAiRunner::ExplainFlow(uint32_t rank, uint32_t operation) const
{
    const uint32_t group = m_groups.GetGroup(m_program.operations[operation].group, rank);
    const auto found = m_slots.find(FlowId(operation, group));
    if (found == m_slots.end())
    {
        return ", which has not begun";
    }
    const Running& running = *m_running[found->second];
    const WorkloadSimAiFlowSet& set = running.instance.GetSet();
    for (uint32_t flow = 0; flow < set.flows.size(); ++flow)
    {
        if (running.instance.IsUnderWay(flow))
        {
            return ", which waits for the flow from " +
                   std::to_string(running.ends[set.flows[flow].src]) + " to " +
                   std::to_string(running.ends[set.flows[flow].dst]) + ": " +
                   m_transport.Explain(FlowId(found->second, flow));
        }
    }
    return ", for which others have not begun";
}

std::vector<std::string>
WorkloadSimAiRunner::GetCategories()
{
    std::vector<std::string> names{"forward computation",
                                   "input gradient computation",
                                   "weight gradient computation"};
    for (uint32_t group = 0; group <= static_cast<uint32_t>(WorkloadSimAiGroup::ALL); ++group)
    {
        for (uint32_t kind = 1; kind <= static_cast<uint32_t>(WorkloadSimAiKind::ALL_TO_ALL);
             ++kind)
        {
            names.push_back(WorkloadSimAiGroupName(static_cast<WorkloadSimAiGroup>(group)) + " " +
                            WorkloadSimAiKindName(static_cast<WorkloadSimAiKind>(kind)));
        }
    }
    return names;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-message-network.h"

#include "workload-message-report.h"

#include "ns3/input-error.h"
#include "ns3/rdma-arithmetic.h"
#include "ns3/workload-exchange-memory.h"
#include "ns3/workload-units.h"

#include <algorithm>
#include <cmath>

// Operations, timers and streams; workload-message-moves.cc has the messages.

namespace ns3
{

namespace
{

constexpr uint32_t TIMER_KIND_SHIFT = 56;
constexpr uint32_t GENERATION_SHIFT = 32;
constexpr uint32_t GENERATION_MASK = 0xffffff; ///< between item and kind
constexpr uint64_t LONGEST_NS = RDMA_END_OF_TIME / WORKLOAD_PS_PER_NS;

} // namespace

WorkloadMessageNetwork::WorkloadMessageNetwork(WorkloadTransport& transport,
                                               const WorkloadMessageOptions& options)
    : m_transport(transport),
      m_options(options)
{
    if (options.overheadPs < 0)
    {
        throw InputError("workload: overhead " + std::to_string(options.overheadPs) +
                         " ps, but must be a time from 0");
    }
    if (!(options.localBytesPerNs >= 0) || std::isinf(options.localBytesPerNs))
    {
        throw InputError("workload: local rate " + std::to_string(options.localBytesPerNs) +
                         " bytes per ns, but must be a finite number from 0");
    }
}

WorkloadMessageNetwork::~WorkloadMessageNetwork() = default;

void
WorkloadMessageNetwork::Begin(const WorkloadJobs& jobs, Listener& listener)
{
    m_jobs = &jobs;
    m_listener = &listener;
    const uint64_t hosts = static_cast<uint64_t>(jobs.GetNodeCount()) * jobs.GetNicCount();
    if (hosts > m_transport.GetHostCount())
    {
        const std::string nics = std::to_string(jobs.GetNicCount());
        throw InputError("workload: its " + std::to_string(jobs.GetNodeCount()) + " nodes" +
                         (jobs.GetNicCount() > 1 ? " with " + nics + " interfaces each" : "") +
                         " need " + std::to_string(hosts) + " hosts, but the topology has " +
                         std::to_string(m_transport.GetHostCount()) +
                         "; take a larger topology, or place the ranks on fewer nodes");
    }
    CheckDurations();
    m_matcher = std::make_unique<WorkloadMatcher>(jobs.GetProcessCount());
    m_streams = std::make_unique<WorkloadMessageStreams>(jobs);
    m_slowdown = std::make_unique<WorkloadMessageSlowdown>(jobs);
    m_finish.assign(jobs.GetProcessCount(), 0);
    m_transport.SetClient(*this);
    WorkloadRepeater* const repeater = m_transport.GetRepeater();
    if (repeater && repeater->GetOptions().late)
    {
        WorkloadTransport::Client& client = *this;
        m_memory = std::make_unique<WorkloadExchangeMemory>(m_transport, *repeater, client);
        m_transport.SetClient(*m_memory);
    }
}

void
WorkloadMessageNetwork::Run()
{
    m_transport.Run();
    if (m_memory)
    {
        m_memory->Stop();
    }
}

void
WorkloadMessageNetwork::CheckDurations() const
{
    for (uint32_t process = 0; process < m_jobs->GetProcessCount(); ++process)
    {
        for (const WorkloadOperation& operation : m_jobs->GetRank(process).operations)
        {
            if (operation.kind == WorkloadKind::CALC && operation.size >= LONGEST_NS)
            {
                FailWorkloadLate(m_jobs->Describe(operation));
            }
        }
    }
}

// Operations handed over, and timers

void
WorkloadMessageNetwork::HandOver(WorkloadStep step, int64_t ps)
{
    const int64_t now = Now();
    if (ps <= now)
    {
        m_ready.push_back(step);
        Work();
        return;
    }
    auto item = static_cast<uint32_t>(m_handed.size());
    if (m_freeHanded.empty())
    {
        m_handed.emplace_back();
    }
    else
    {
        item = m_freeHanded.back();
        m_freeHanded.pop_back();
    }
    m_handed[item] = step;
    SetTimer(ps - now, TimerKind::HANDED, item);
}

void
WorkloadMessageNetwork::Work()
{
    if (m_working)
    {
        return; // whoever works now does this next: no recursion, however long a chain
    }
    m_working = true;
    while (!m_ready.empty())
    {
        const WorkloadStep step = m_ready.front();
        m_ready.pop_front();
        Take(step);
    }
    m_working = false;
}

void
WorkloadMessageNetwork::Take(WorkloadStep step)
{
    const WorkloadOperation& operation = m_jobs->GetOperation(step);
    if (operation.kind != WorkloadKind::RECV)
    {
        Queue({step});
        return;
    }
    m_listener->Started(step, Now());
    const uint32_t source = operation.peer == WORKLOAD_ANY
                                ? WORKLOAD_ANY
                                : m_jobs->GetPeer(step.process, operation.peer);
    const uint32_t message = m_matcher->Post(step.process, source, operation.tag, step.operation);
    if (message != WorkloadMatcher::NONE)
    {
        Match(message, step.operation);
    }
}

void
WorkloadMessageNetwork::SetTimer(int64_t delayPs, TimerKind kind, uint64_t item)
{
    m_transport.Schedule(delayPs, static_cast<uint64_t>(kind) << TIMER_KIND_SHIFT | item);
}

void
WorkloadMessageNetwork::SetSlowedTimer(uint32_t process, int64_t delayPs)
{
    const uint64_t generation = m_slowdown->GetGeneration(process) & GENERATION_MASK;
    SetTimer(delayPs, TimerKind::SLOWED, generation << GENERATION_SHIFT | process);
}

WorkloadStep
WorkloadMessageNetwork::StepOf(uint64_t timer) const
{
    const auto item = static_cast<uint32_t>(timer);
    switch (static_cast<TimerKind>(timer >> TIMER_KIND_SHIFT))
    {
    case TimerKind::STREAM:
        return m_streams->First(item).step;
    case TimerKind::SLOWED:
        return m_slowdown->GetStep(item);
    case TimerKind::HANDED:
        return m_handed[item];
    case TimerKind::LOCAL:
        break;
    }
    return m_messages[item].send;
}

std::string
WorkloadMessageNetwork::DescribeTimer(uint64_t timer) const
{
    return m_jobs->Describe(StepOf(timer));
}

std::string
WorkloadMessageNetwork::DescribeTransfer(uint64_t id) const
{
    return m_jobs->Describe(m_messages[static_cast<uint32_t>(id)].send);
}

void
WorkloadMessageNetwork::Due(uint64_t timer)
{
    const auto kind = static_cast<TimerKind>(timer >> TIMER_KIND_SHIFT);
    const auto item = static_cast<uint32_t>(timer);
    m_working = true;
    if (kind == TimerKind::STREAM)
    {
        EndFirst(item);
    }
    else if (kind == TimerKind::SLOWED)
    {
        const uint64_t generation = timer >> GENERATION_SHIFT & GENERATION_MASK;
        if (generation == (m_slowdown->GetGeneration(item) & GENERATION_MASK))
        {
            m_slowdown->End(item);
            EndFirst(m_streams->StreamOf(m_slowdown->GetStep(item)));
        }
    }
    else if (kind == TimerKind::HANDED)
    {
        m_freeHanded.push_back(item);
        Take(m_handed[item]);
    }
    else
    {
        Moved(item);
    }
    m_working = false;
    Work();
}

// Streams

void
WorkloadMessageNetwork::Queue(const WorkloadTask& task)
{
    RunStream(m_streams->Push(task));
}

int64_t
WorkloadMessageNetwork::DurationOf(const WorkloadTask& task) const
{
    const WorkloadOperation& operation = m_jobs->GetOperation(task.step);
    return operation.kind == WorkloadKind::CALC ? static_cast<int64_t>(operation.size) * 1000
                                                : m_options.overheadPs;
}

void
WorkloadMessageNetwork::EndFirst(uint32_t stream)
{
    const WorkloadTask task = m_streams->Pop(stream);
    m_streams->SetBusy(stream, false);
    EndTask(task);
    RunStream(stream);
}

void
WorkloadMessageNetwork::RunStream(uint32_t stream)
{
    while (m_streams->HasNext(stream))
    {
        const WorkloadTask task = m_streams->First(stream);
        if (task.message == WorkloadMessage::NONE)
        {
            m_listener->Started(task.step, Now());
        }
        const int64_t duration = DurationOf(task);
        m_streams->SetBusy(stream, true); // at once also: a message to oneself comes back here
        if (duration > 0)
        {
            if (m_slowdown->Applies(m_jobs->GetOperation(task.step)))
            {
                SetSlowedTimer(task.step.process, m_slowdown->Begin(task.step, Now()));
            }
            else
            {
                SetTimer(duration, TimerKind::STREAM, stream);
            }
            return;
        }
        m_streams->Pop(stream);
        EndTask(task);
        m_streams->SetBusy(stream, false);
    }
}

void
WorkloadMessageNetwork::EndTask(const WorkloadTask& task)
{
    switch (m_jobs->GetOperation(task.step).kind)
    {
    case WorkloadKind::SEND:
        BeginMessage(task.step);
        break;
    case WorkloadKind::RECV:
        CompleteReceive(task);
        break;
    case WorkloadKind::CALC:
        Complete(task.step);
        break;
    }
}

void
WorkloadMessageNetwork::Complete(WorkloadStep step)
{
    const int64_t now = Now();
    m_finish[step.process] = std::max(m_finish[step.process], now);
    if (m_slowdown->Over(step, now))
    {
        SetSlowedTimer(step.process, m_slowdown->GetRest(step.process));
    }
    m_listener->Completed(step, now);
}

std::string
WorkloadMessageNetwork::Explain(WorkloadStep step) const
{
    const auto explain = [this](uint64_t id) {
        return m_memory ? m_memory->Explain(id) : m_transport.Explain(id);
    };
    std::string text =
        WorkloadMessageReport(*m_jobs, m_messages, explain, m_failures).Explain(step);
    if (!text.empty())
    {
        return text;
    }
    return !m_streams->Occupies(step)                              ? "waits for its compute stream"
           : m_jobs->GetOperation(step).kind == WorkloadKind::CALC ? "computes"
                                                                   : "prepares its message";
}

bool
WorkloadMessageNetwork::AwaitsReceive() const
{
    for (uint32_t m = 0; m < m_messages.GetSize(); ++m)
    {
        if (m_messages[m].phase == Phase::RECEIVE && !m_messages[m].handshake)
        {
            return true;
        }
    }
    return false;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-message-network.h"

#include "ns3/assert.h"
#include "ns3/rdma-input-error.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr uint32_t TIMER_KIND_SHIFT = 56;
constexpr uint64_t LONGEST_NS = 4000000000000000; // 46 days
constexpr double LONGEST_PS = 4e18;

bool
operator==(const WorkloadStep& a, const WorkloadStep& b)
{
    return a.process == b.process && a.operation == b.operation;
}

} // namespace

WorkloadMessageNetwork::WorkloadMessageNetwork(WorkloadTransport& transport,
                                               const WorkloadMessageOptions& options)
    : m_transport(transport),
      m_options(options)
{
    if (options.overheadPs < 0)
    {
        throw RdmaInputError("workload: overhead " + std::to_string(options.overheadPs) +
                             " ps, but a time from 0 is expected");
    }
    if (!(options.localBytesPerNs >= 0) || std::isinf(options.localBytesPerNs))
    {
        throw RdmaInputError("workload: local rate " + std::to_string(options.localBytesPerNs) +
                             " bytes per ns, but a finite number from 0 is expected");
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
        throw RdmaInputError("workload: its " + std::to_string(jobs.GetNodeCount()) + " nodes" +
                             (jobs.GetNicCount() > 1 ? " with " + nics + " interfaces each" : "") +
                             " need " + std::to_string(hosts) + " hosts, but the topology has " +
                             std::to_string(m_transport.GetHostCount()) +
                             "; take a larger topology, or place the ranks on fewer nodes");
    }
    CheckDurations();
    m_matcher = std::make_unique<WorkloadMatcher>(jobs.GetProcessCount());
    m_firstStream.assign(1, 0);
    for (uint32_t process = 0; process < jobs.GetProcessCount(); ++process)
    {
        uint32_t streams = 1;
        for (const WorkloadOperation& operation : jobs.GetRank(process).operations)
        {
            streams = std::max(streams, operation.cpu + 1U);
        }
        m_firstStream.push_back(m_firstStream.back() + streams);
    }
    m_streams.clear();
    m_streams.resize(m_firstStream.back());
    m_finish.assign(jobs.GetProcessCount(), 0);
    m_transport.SetClient(*this);
}

void
WorkloadMessageNetwork::CheckDurations() const
{
    for (uint32_t process = 0; process < m_jobs->GetProcessCount(); ++process)
    {
        for (const WorkloadOperation& operation : m_jobs->GetRank(process).operations)
        {
            if (operation.kind == WorkloadKind::CALC && operation.size > LONGEST_NS)
            {
                throw RdmaInputError("workload: " + m_jobs->GetProcessName(process) +
                                     " computes for " + std::to_string(operation.size) +
                                     " ns, but 46 days are the most; sizes of computations are in "
                                     "nanoseconds");
            }
        }
    }
}

int64_t
WorkloadMessageNetwork::Now() const
{
    return m_transport.Now();
}

void
WorkloadMessageNetwork::Run()
{
    m_transport.Run();
}

void
WorkloadMessageNetwork::Stop()
{
    m_transport.Stop();
}

void
WorkloadMessageNetwork::SetPulse(std::function<void()> pulse)
{
    m_transport.SetPulse(std::move(pulse));
}

int64_t
WorkloadMessageNetwork::GetFinish(uint32_t process) const
{
    return m_finish[process];
}

// Operations handed over, and timers

void
WorkloadMessageNetwork::Send(WorkloadStep step, int64_t ps)
{
    HandOver(step, ps);
}

void
WorkloadMessageNetwork::Receive(WorkloadStep step, int64_t ps)
{
    HandOver(step, ps);
}

void
WorkloadMessageNetwork::Compute(WorkloadStep step, int64_t ps)
{
    HandOver(step, ps);
}

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
        Queue(step);
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
WorkloadMessageNetwork::Due(uint64_t timer)
{
    const auto kind = static_cast<TimerKind>(timer >> TIMER_KIND_SHIFT);
    const auto item = static_cast<uint32_t>(timer);
    m_working = true;
    if (kind == TimerKind::STREAM)
    {
        const Task task = m_streams[item].tasks.front();
        m_streams[item].tasks.pop_front();
        m_streams[item].busy = false;
        EndTask(task);
        RunStream(item);
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

uint32_t
WorkloadMessageNetwork::StreamOf(WorkloadStep step) const
{
    return m_firstStream[step.process] + m_jobs->GetOperation(step).cpu;
}

void
WorkloadMessageNetwork::Queue(WorkloadStep step, uint32_t message)
{
    const uint32_t stream = StreamOf(step);
    m_streams[stream].tasks.push_back({step, message});
    RunStream(stream);
}

int64_t
WorkloadMessageNetwork::DurationOf(const Task& task) const
{
    const WorkloadOperation& operation = m_jobs->GetOperation(task.step);
    return operation.kind == WorkloadKind::CALC ? static_cast<int64_t>(operation.size) * 1000
                                                : m_options.overheadPs;
}

void
WorkloadMessageNetwork::RunStream(uint32_t stream)
{
    Stream& s = m_streams[stream];
    while (!s.busy && !s.tasks.empty())
    {
        const Task task = s.tasks.front();
        if (task.message == WorkloadMatcher::NONE)
        {
            m_listener->Started(task.step, Now());
        }
        const int64_t duration = DurationOf(task);
        if (duration > 0)
        {
            s.busy = true;
            SetTimer(duration, TimerKind::STREAM, stream);
            return;
        }
        s.tasks.pop_front();
        s.busy = true; // a message to oneself comes back here
        EndTask(task);
        s.busy = false;
    }
}

void
WorkloadMessageNetwork::EndTask(const Task& task)
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
    m_listener->Completed(step, now);
}

// Messages

uint32_t
WorkloadMessageNetwork::HostOf(uint32_t process, uint8_t nic) const
{
    return m_jobs->GetNode(process) * m_jobs->GetNicCount() + nic;
}

bool
WorkloadMessageNetwork::IsLarge(const Message& message) const
{
    return m_jobs->GetOperation(message.send).size > m_options.eagerBytes;
}

bool
WorkloadMessageNetwork::IsLocal(const Message& message) const
{
    return m_jobs->GetNode(message.send.process) == m_jobs->GetNode(message.receiver);
}

void
WorkloadMessageNetwork::BeginMessage(WorkloadStep step)
{
    auto index = static_cast<uint32_t>(m_messages.size());
    if (m_freeMessages.empty())
    {
        m_messages.emplace_back();
    }
    else
    {
        index = m_freeMessages.back();
        m_freeMessages.pop_back();
    }
    Message& message = m_messages[index];
    message.send = step;
    message.receiver = m_jobs->GetPeer(step.process, m_jobs->GetOperation(step).peer);
    message.receive = WorkloadMatcher::NONE;
    const bool large = IsLarge(message);
    message.handshake = large && m_options.handshakeBytes && !IsLocal(message);
    Move(index, message.handshake ? Phase::REQUEST : Phase::DATA);
    if (!large)
    {
        Complete(step);
    }
}

void
WorkloadMessageNetwork::Move(uint32_t index, Phase phase)
{
    Message& message = m_messages[index];
    const WorkloadOperation& operation = m_jobs->GetOperation(message.send);
    message.phase = phase;
    const uint64_t bytes =
        phase == Phase::DATA ? std::max<uint64_t>(operation.size, 1) : m_options.handshakeBytes;
    if (IsLocal(message))
    {
        const double ps = m_options.localBytesPerNs > 0
                              ? static_cast<double>(bytes) * 1000 / m_options.localBytesPerNs
                              : 0;
        SetTimer(std::llround(std::min(ps, LONGEST_PS)), TimerKind::LOCAL, index);
        return;
    }
    WorkloadTransfer transfer;
    transfer.src = HostOf(message.send.process, operation.nic);
    transfer.dst = HostOf(message.receiver, operation.nic);
    if (phase == Phase::GRANT)
    {
        std::swap(transfer.src, transfer.dst);
    }
    transfer.bytes = bytes;
    transfer.label = m_jobs->GetJob(message.send.process) << 8 | operation.category;
    ++message.serial;
    m_transport.Start(transfer, static_cast<uint64_t>(message.serial) << 32 | index);
}

void
WorkloadMessageNetwork::Delivered(uint64_t id)
{
    const auto index = static_cast<uint32_t>(id);
    NS_ASSERT_MSG(m_messages[index].serial == id >> 32, "a delivery comes before what follows it");
    m_working = true;
    Moved(index);
    m_working = false;
    Work();
}

void
WorkloadMessageNetwork::Acknowledged(uint64_t)
{
}

void
WorkloadMessageNetwork::Failed(uint64_t id, const std::string& reason)
{
    const auto index = static_cast<uint32_t>(id);
    Message& message = m_messages[index];
    const bool moving = message.phase == Phase::REQUEST || message.phase == Phase::GRANT ||
                        message.phase == Phase::DATA;
    if (message.serial != id >> 32 || !moving)
    {
        return; // it had been delivered
    }
    message.phase = Phase::FAILED;
    message.failure = static_cast<uint32_t>(m_failures.size());
    m_failures.push_back(NameOf(message) + ": " + reason);
}

void
WorkloadMessageNetwork::Moved(uint32_t index)
{
    Message& message = m_messages[index];
    if (message.phase == Phase::GRANT)
    {
        Move(index, Phase::DATA);
    }
    else if (message.phase == Phase::DATA && message.handshake)
    {
        message.phase = Phase::TAKEN;
        Queue({message.receiver, message.receive}, index);
    }
    else
    {
        MeetReceive(index);
    }
}

void
WorkloadMessageNetwork::MeetReceive(uint32_t index)
{
    Message& message = m_messages[index];
    message.phase = Phase::RECEIVE;
    const uint32_t receive = m_matcher->Arrive(message.receiver,
                                               message.send.process,
                                               m_jobs->GetOperation(message.send).tag,
                                               index);
    if (receive != WorkloadMatcher::NONE)
    {
        Match(index, receive);
    }
}

void
WorkloadMessageNetwork::Match(uint32_t index, uint32_t receive)
{
    Message& message = m_messages[index];
    message.receive = receive;
    if (message.handshake)
    {
        Move(index, Phase::GRANT);
        return;
    }
    message.phase = Phase::TAKEN;
    Queue({message.receiver, receive}, index);
}

void
WorkloadMessageNetwork::CompleteReceive(const Task& task)
{
    const bool large = IsLarge(m_messages[task.message]);
    const WorkloadStep send = m_messages[task.message].send;
    m_messages[task.message].phase = Phase::FREE;
    m_freeMessages.push_back(task.message);
    Complete(task.step);
    if (large)
    {
        Complete(send);
    }
}

// Explanations

std::string
WorkloadMessageNetwork::NameOf(const Message& message) const
{
    const WorkloadOperation& operation = m_jobs->GetOperation(message.send);
    return "message of " + std::to_string(operation.size) + " bytes, tag " +
           std::to_string(operation.tag) + ", from " +
           m_jobs->GetProcessName(message.send.process) + " to " +
           m_jobs->GetProcessName(message.receiver);
}

std::string
WorkloadMessageNetwork::ExplainMessage(uint32_t index) const
{
    const Message& message = m_messages[index];
    const uint64_t id = static_cast<uint64_t>(message.serial) << 32 | index;
    const std::string receiver = m_jobs->GetProcessName(message.receiver);
    const std::string state = IsLocal(message) ? "within the host" : m_transport.Explain(id);
    switch (message.phase)
    {
    case Phase::REQUEST:
        return "asks " + receiver + " whether it may send: " + state;
    case Phase::RECEIVE:
        return std::string(message.handshake ? "request" : "message") + " sent, waits for " +
               receiver + " to post a receive";
    case Phase::GRANT:
        return "waits for the clear-to-send of " + receiver + ": " + state;
    case Phase::DATA:
        return "message on its way: " + state;
    case Phase::TAKEN:
        return "message delivered, waits for the compute stream of " + receiver;
    case Phase::FAILED:
        return "message given up: " + m_failures[message.failure];
    case Phase::FREE:
        break;
    }
    return "done";
}

std::string
WorkloadMessageNetwork::ExplainReceive(WorkloadStep step) const
{
    const WorkloadOperation& operation = m_jobs->GetOperation(step);
    const bool anyone = operation.peer == WORKLOAD_ANY;
    const bool anything = operation.tag == WORKLOAD_ANY;
    std::string text = "waits for a message of " + std::to_string(operation.size) + " bytes, " +
                       (anything ? "any tag" : "tag " + std::to_string(operation.tag)) + ", from " +
                       (anyone ? "any rank" : "rank " + std::to_string(operation.peer));
    for (uint32_t m = 0; m < m_messages.size(); ++m)
    {
        const Message& message = m_messages[m];
        const WorkloadStep& send = message.send;
        if (message.phase == Phase::FREE || message.receiver != step.process ||
            message.receive != WorkloadMatcher::NONE)
        {
            continue;
        }
        const bool matches =
            (anyone || send.process == m_jobs->GetPeer(step.process, operation.peer)) &&
            (anything || m_jobs->GetOperation(send).tag == operation.tag);
        if (matches)
        {
            return text + "; " + ExplainMessage(m);
        }
    }
    return text;
}

std::string
WorkloadMessageNetwork::Explain(WorkloadStep step) const
{
    const WorkloadKind kind = m_jobs->GetOperation(step).kind;
    for (uint32_t m = 0; m < m_messages.size(); ++m)
    {
        const Message& message = m_messages[m];
        const WorkloadStep receive{message.receiver, message.receive};
        if (message.phase != Phase::FREE && (message.send == step || receive == step))
        {
            return ExplainMessage(m);
        }
    }
    if (kind == WorkloadKind::RECV)
    {
        return ExplainReceive(step);
    }
    const Stream& stream = m_streams[StreamOf(step)];
    const bool has = stream.busy && !stream.tasks.empty() && stream.tasks.front().step == step;
    return has ? (kind == WorkloadKind::CALC ? "computes" : "prepares its message")
               : "waits for its compute stream";
}

} // namespace ns3

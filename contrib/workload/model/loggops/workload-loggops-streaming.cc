/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-loggops-streaming.h"

#include <algorithm>

// What happens when; workload-loggops-waiting.cc has who waits for what.

namespace ns3
{

void
WorkloadLogGopsStreaming::DoBegin()
{
    const uint32_t processes = m_jobs->GetProcessCount();
    m_nics = m_jobs->GetNicCount();
    m_interfaces.resize(size_t{m_jobs->GetNodeCount()} * m_nics);
    m_finish.assign(processes, 0);
    m_wild.resize(processes);
    uint32_t streams = 0;
    for (uint32_t process = 0; process < processes; ++process)
    {
        m_firstStream.push_back(streams);
        uint8_t highest = 0;
        for (const WorkloadOperation& operation : m_jobs->GetRank(process).operations)
        {
            highest = std::max(highest, operation.cpu);
            if (WorkloadLogGopsWildcards::IsNeeded(operation))
            {
                const uint32_t receiver =
                    operation.kind == WorkloadKind::SEND ? GetPeer(process, operation) : process;
                if (!m_wild[receiver])
                {
                    m_wild[receiver] =
                        std::make_unique<WorkloadLogGopsWildcards>(*m_jobs, receiver);
                }
            }
        }
        streams += highest + 1U;
    }
    m_streams.resize(streams);
}

void
WorkloadLogGopsStreaming::HandOver(WorkloadStep step, int64_t ns)
{
    if (!m_running && ns <= m_now && m_now == 0)
    {
        RunReady(step); // before all others that can still come
        m_running = false;
    }
    else
    {
        m_queue.Push(std::max(ns, m_now), {step.process, step.operation, READY});
    }
}

int64_t
WorkloadLogGopsStreaming::GetFinish(uint32_t process) const
{
    return m_finish[process];
}

bool
WorkloadLogGopsStreaming::RunFirst()
{
    if (m_batchNext == m_batchSize)
    {
        if (m_queue.Empty())
        {
            return false;
        }
        FillBatch();
    }
    const Event event = m_batch[m_batchNext++];
    switch (event.kind)
    {
    case READY:
        RunReady({event.process, event.operation});
        break;
    case FIRST_BYTE:
        RunFirstByte({event.process, event.operation});
        break;
    case WAKE_STREAM:
        m_streams[event.process].waking = false;
        ServeStream(event.process);
        break;
    case WAKE_INTERFACE:
        m_interfaces[event.process].waking = false;
        ServeInterface(event.process);
        break;
    default: {
        const WorkloadStep send{event.process, event.operation};
        const uint32_t process = GetPeer(send.process, Operation(send));
        StartOrWait(event, StreamOf(process, Operation({process, event.kind}).cpu));
    }
    }
    return true;
}

void
WorkloadLogGopsStreaming::FillBatch()
{
    // Large runs wait for memory most of the time: look ahead as far as the order is certain.
    m_running = true;
    m_now = m_queue.FirstTime();
    m_batchNext = 0;
    m_batchSize = 0;
    do
    {
        const Event& event = m_batch[m_batchSize++] = m_queue.Pop();
        if (event.kind != WAKE_STREAM && event.kind != WAKE_INTERFACE)
        {
            const WorkloadRank& rank = m_jobs->GetRank(event.process);
            __builtin_prefetch(&rank.operations[event.operation]);
            __builtin_prefetch(&rank.firstWaiter[event.operation]);
        }
    } while (m_batchSize < BATCH && m_queue.HasMore());
    for (uint32_t i = 0; i < m_batchSize; ++i)
    {
        const Event& event = m_batch[i];
        if (event.kind == WAKE_STREAM || event.kind == WAKE_INTERFACE)
        {
            continue;
        }
        const WorkloadOperation& operation = Operation({event.process, event.operation});
        if (event.kind == FIRST_BYTE)
        {
            __builtin_prefetch(
                m_waiting[GetPeer(event.process, operation)].Place(event.process, operation.tag));
            continue;
        }
        __builtin_prefetch(m_jobs->GetRank(event.process).BeginWaiters(event.operation));
        if (event.kind != READY)
        {
            const WorkloadRank& rank = m_jobs->GetRank(GetPeer(event.process, operation));
            __builtin_prefetch(&rank.operations[event.kind]);
            __builtin_prefetch(&rank.firstWaiter[event.kind]);
        }
    }
    for (uint32_t i = 0; i < m_batchSize; ++i)
    {
        const Event& event = m_batch[i];
        if (event.kind < WAKE_INTERFACE)
        {
            const WorkloadOperation& operation = Operation({event.process, event.operation});
            __builtin_prefetch(
                m_jobs->GetRank(GetPeer(event.process, operation)).BeginWaiters(event.kind));
        }
        else if (event.kind == FIRST_BYTE)
        {
            const WorkloadOperation& operation = Operation({event.process, event.operation});
            WorkloadMatchTable& table = m_waiting[GetPeer(event.process, operation)];
            const WorkloadMatchTable::List* list = table.Find(event.process, operation.tag);
            if (list && !list->HoldsMessages())
            {
                __builtin_prefetch(&m_posted[list->Last()]);
            }
        }
    }
}

void
WorkloadLogGopsStreaming::RunReady(WorkloadStep step)
{
    m_running = true;
    const WorkloadOperation& operation = Operation(step);
    switch (operation.kind)
    {
    case WorkloadKind::CALC:
        StartOrWait({step.process, step.operation, READY}, StreamOf(step.process, operation.cpu));
        break;
    case WorkloadKind::SEND:
        if (IsToItself(step))
        {
            StartOrWait({step.process, step.operation, READY},
                        StreamOf(step.process, operation.cpu));
        }
        else
        {
            SendOrWait(step);
        }
        break;
    case WorkloadKind::RECV:
        Post(step);
        break;
    }
}

void
WorkloadLogGopsStreaming::RunFirstByte(WorkloadStep send)
{
    const WorkloadOperation& operation = Operation(send);
    const uint32_t process = GetPeer(send.process, operation);
    const uint32_t recv = TakePosted(process, send);
    const int64_t there = TakeIn(send, process, recv);
    if (recv != WORKLOAD_POOL_NONE)
    {
        m_queue.Push(there, {send.process, send.operation, recv});
    }
    else if (m_wild[process])
    {
        m_wild[process]->Arrive({send, there});
    }
    else
    {
        WorkloadMatchTable::Append(m_waiting[process].FindOrAdd(send.process, operation.tag),
                                   m_unexpected,
                                   {there, send.operation, 0});
    }
}

/** A message whose first byte has come crosses its receiver's interface. \return when it is there
 */
int64_t
WorkloadLogGopsStreaming::TakeIn(WorkloadStep send, uint32_t process, uint32_t recv)
{
    const WorkloadOperation& operation = Operation(send);
    const int64_t bytes = BytesTime(operation);
    if (IsToItself(send))
    {
        return Checked(m_now + bytes, operation);
    }
    const uint8_t nic = recv == WORKLOAD_POOL_NONE ? operation.nic : Operation({process, recv}).nic;
    int64_t& in = m_interfaces[InterfaceOf(process, nic)].in;
    in = Checked(std::max(m_now, in) + bytes + static_cast<int64_t>(RowOf(operation).g), operation);
    return in;
}

void
WorkloadLogGopsStreaming::Post(WorkloadStep recv)
{
    TellStarted(recv, m_now);
    const WorkloadOperation& operation = Operation(recv);
    WorkloadStep send;
    int64_t time = 0;
    if (TakeArrived(recv, send, time))
    {
        m_queue.Push(std::max(time, m_now), {send.process, send.operation, recv.operation});
    }
    else if (m_wild[recv.process])
    {
        m_wild[recv.process]->Post(recv.operation);
    }
    else
    {
        WorkloadMatchTable::Append(
            m_waiting[recv.process].FindOrAdd(GetPeer(recv.process, operation), operation.tag),
            m_posted,
            {recv.operation, 0});
    }
}

uint32_t
WorkloadLogGopsStreaming::TakePosted(uint32_t process, WorkloadStep send)
{
    if (m_wild[process])
    {
        return m_wild[process]->TakePosted(send);
    }
    WorkloadMatchTable::List* list = m_waiting[process].Find(send.process, Operation(send).tag);
    return list && !list->HoldsMessages() ? m_waiting[process].TakeFirst(*list, m_posted).operation
                                          : WORKLOAD_POOL_NONE;
}

bool
WorkloadLogGopsStreaming::TakeArrived(WorkloadStep recv, WorkloadStep& send, int64_t& time)
{
    if (m_wild[recv.process])
    {
        WorkloadLogGopsWildcards::Message message;
        if (!m_wild[recv.process]->TakeArrived(recv.operation, message))
        {
            return false;
        }
        send = message.send;
        time = message.ns;
        return true;
    }
    const WorkloadOperation& operation = Operation(recv);
    const uint32_t peer = GetPeer(recv.process, operation);
    WorkloadMatchTable::List* list = m_waiting[recv.process].Find(peer, operation.tag);
    if (!list || !list->HoldsMessages())
    {
        return false;
    }
    const WorkloadUnexpected message = m_waiting[recv.process].TakeFirst(*list, m_unexpected);
    send = {peer, message.operation};
    time = message.time;
    return true;
}

void
WorkloadLogGopsStreaming::Start(const Event& event, Stream& stream)
{
    const WorkloadStep step{event.process, event.operation};
    const WorkloadOperation& operation = Operation(step);
    const bool computation = operation.kind == WorkloadKind::CALC;
    const bool toItself = !computation && IsToItself(step);
    const int64_t takes = computation ? Duration(operation)
                          : toItself  ? static_cast<int64_t>(RowOf(operation).self)
                                      : Overhead(operation);
    const int64_t end = Checked(m_now + takes, operation);
    stream.free = end;
    if (computation)
    {
        Busy(step.process, end);
        TellStarted(step, m_now);
        TellCompleted(step, end);
    }
    else if (event.kind == READY)
    {
        const int64_t bytes = BytesTime(operation);
        if (!toItself)
        {
            m_interfaces[InterfaceOf(step.process, operation.nic)].out =
                Checked(m_now + static_cast<int64_t>(RowOf(operation).g) + bytes, operation);
        }
        m_queue.Push(toItself ? end : FirstByteTime(step, end),
                     {step.process, step.operation, FIRST_BYTE});
        Busy(step.process, end);
        TellStarted(step, m_now);
        if (IsEager(operation))
        {
            TellCompleted(step, end);
        }
    }
    else
    {
        const uint32_t receiver = GetPeer(step.process, operation);
        Busy(receiver, end);
        if (!IsEager(operation))
        {
            Busy(step.process, end);
            TellCompleted(step, end);
        }
        TellCompleted({receiver, event.kind}, end);
    }
}

/** \return when the first byte of a message is at its receiver, whose send is over at \p end */
int64_t
WorkloadLogGopsStreaming::FirstByteTime(WorkloadStep send, int64_t end)
{
    const WorkloadOperation& operation = Operation(send);
    const int64_t time = Checked(end + static_cast<int64_t>(RowOf(operation).L), operation);
    if (m_rows.size() == 1)
    {
        return time;
    }
    const uint64_t pair = uint64_t{send.process} << 32 | GetPeer(send.process, operation);
    int64_t& last = m_lastFirstByte[pair];
    last = std::max(last, time);
    return last;
}

} // namespace ns3

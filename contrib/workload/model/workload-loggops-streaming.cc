/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-loggops-streaming.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace ns3
{

namespace
{

/** \return whether a peer or tag of a receive and one of a message agree */
bool
Fits(uint32_t a, uint32_t b)
{
    return a == b || a == WORKLOAD_ANY || b == WORKLOAD_ANY;
}

} // namespace

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
            if (operation.tag == WORKLOAD_ANY || operation.peer == WORKLOAD_ANY)
            {
                const uint32_t receiver =
                    operation.kind == WorkloadKind::SEND ? GetPeer(process, operation) : process;
                if (!m_wild[receiver])
                {
                    m_wild[receiver] = std::make_unique<Wild>();
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
    } while (m_batchSize < BATCH && m_queue.Peek());
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
        SendOrWait(step);
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
    const uint8_t nic = recv == WORKLOAD_POOL_NONE ? operation.nic : Operation({process, recv}).nic;
    int64_t& in = m_interfaces[InterfaceOf(process, nic)].in;
    in = Checked(std::max(m_now, in) + BytesTime(operation) + static_cast<int64_t>(m_parameters.g));
    if (recv != WORKLOAD_POOL_NONE)
    {
        m_queue.Push(in, {send.process, send.operation, recv});
    }
    else if (m_wild[process])
    {
        m_wild[process]->arrived.push_back({send, in});
    }
    else
    {
        WorkloadMatchTable::Append(m_waiting[process].FindOrAdd(send.process, operation.tag),
                                   m_unexpected,
                                   {in, send.operation, 0});
    }
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
        m_wild[recv.process]->posted.push_back(recv.operation);
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
    const uint32_t tag = Operation(send).tag;
    if (m_wild[process])
    {
        std::vector<uint32_t>& posted = m_wild[process]->posted;
        const auto found = std::find_if(posted.begin(), posted.end(), [&](uint32_t recv) {
            const WorkloadOperation& operation = Operation({process, recv});
            return Fits(GetPeer(process, operation), send.process) && Fits(operation.tag, tag);
        });
        if (found == posted.end())
        {
            return WORKLOAD_POOL_NONE;
        }
        const uint32_t recv = *found;
        posted.erase(found);
        return recv;
    }
    WorkloadMatchTable::List* list = m_waiting[process].Find(send.process, tag);
    return list && !list->HoldsMessages() ? m_waiting[process].TakeFirst(*list, m_posted).operation
                                          : WORKLOAD_POOL_NONE;
}

bool
WorkloadLogGopsStreaming::TakeArrived(WorkloadStep recv, WorkloadStep& send, int64_t& time)
{
    const WorkloadOperation& operation = Operation(recv);
    const uint32_t peer = GetPeer(recv.process, operation);
    if (m_wild[recv.process])
    {
        std::vector<Wild::Arrived>& arrived = m_wild[recv.process]->arrived;
        const auto found =
            std::find_if(arrived.begin(), arrived.end(), [&](const Wild::Arrived& message) {
                return Fits(peer, message.send.process) &&
                       Fits(operation.tag, Operation(message.send).tag);
            });
        if (found == arrived.end())
        {
            return false;
        }
        send = found->send;
        time = found->time;
        arrived.erase(found);
        return true;
    }
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
    const int64_t end = Checked(m_now + (computation ? Duration(operation) : Overhead(operation)));
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
        m_interfaces[InterfaceOf(step.process, operation.nic)].out =
            Checked(m_now + static_cast<int64_t>(m_parameters.g) + bytes);
        m_queue.Push(Checked(end + static_cast<int64_t>(m_parameters.L)),
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

void
WorkloadLogGopsStreaming::StartOrWait(const Event& event, uint32_t number)
{
    Stream& stream = m_streams[number];
    if (stream.free <= m_now && stream.waiting == 0)
    {
        Start(event, stream);
        return;
    }
    Append(stream.queue, event);
    ++stream.waiting;
    WakeStream(number);
}

void
WorkloadLogGopsStreaming::SendOrWait(WorkloadStep step)
{
    const WorkloadOperation& operation = Operation(step);
    const uint32_t number = StreamOf(step.process, operation.cpu);
    Stream& stream = m_streams[number];
    const uint32_t interface = InterfaceOf(step.process, operation.nic);
    const Event event{step.process, step.operation, READY};
    if (stream.free <= m_now && stream.waiting == 0 && m_interfaces[interface].out <= m_now &&
        m_interfaces[interface].lanes.empty())
    {
        Start(event, stream);
        return;
    }
    const uint32_t lane = FindLane(number, interface);
    Append(m_lanes[lane].queue, event);
    ++stream.waiting;
    if (stream.free > m_now)
    {
        WakeStream(number);
    }
    else
    {
        ServeStream(number);
    }
}

void
WorkloadLogGopsStreaming::Append(Queue& queue, const Event& event)
{
    const uint32_t waiter = m_waiters.Add({m_waited++, event, WORKLOAD_POOL_NONE});
    if (queue.IsEmpty())
    {
        queue.first = waiter;
    }
    else
    {
        m_waiters[queue.last].next = waiter;
    }
    queue.last = waiter;
}

WorkloadLogGopsStreaming::Event
WorkloadLogGopsStreaming::TakeFirst(Queue& queue)
{
    const uint32_t first = queue.first;
    const Event event = m_waiters[first].event;
    queue.first = m_waiters[first].next;
    m_waiters.Free(first);
    return event;
}

uint32_t
WorkloadLogGopsStreaming::FindLane(uint32_t number, uint32_t interface)
{
    Stream& stream = m_streams[number];
    uint32_t lane = stream.lanes;
    while (lane != WORKLOAD_POOL_NONE && m_lanes[lane].interface != interface)
    {
        lane = m_lanes[lane].next;
    }
    if (lane == WORKLOAD_POOL_NONE)
    {
        lane = m_lanes.Add({Queue(), number, interface, false, stream.lanes});
        stream.lanes = lane;
    }
    return lane;
}

void
WorkloadLogGopsStreaming::ServeStream(uint32_t number)
{
    Stream& stream = m_streams[number];
    while (stream.waiting > 0 && stream.free <= m_now)
    {
        const uint32_t lane = FirstLane(stream);
        constexpr uint64_t LAST = std::numeric_limits<uint64_t>::max();
        const uint64_t send =
            lane == WORKLOAD_POOL_NONE ? LAST : m_waiters[m_lanes[lane].queue.first].number;
        const uint64_t other = stream.queue.IsEmpty() ? LAST : m_waiters[stream.queue.first].number;
        if (send < other)
        {
            ListLane(lane);
            ServeInterface(m_lanes[lane].interface); // starts it, or one that has waited longer
        }
        else if (other < LAST)
        {
            --stream.waiting;
            Start(TakeFirst(stream.queue), stream);
        }
        else
        {
            return; // the interfaces will wake up
        }
    }
    if (stream.waiting > 0)
    {
        WakeStream(number);
    }
}

uint32_t
WorkloadLogGopsStreaming::FirstLane(const Stream& stream)
{
    uint32_t best = WORKLOAD_POOL_NONE;
    for (uint32_t i = stream.lanes; i != WORKLOAD_POOL_NONE; i = m_lanes[i].next)
    {
        const Lane& lane = m_lanes[i];
        if (lane.queue.IsEmpty())
        {
            continue;
        }
        if (m_interfaces[lane.interface].out > m_now)
        {
            ListLane(i);
            WakeInterface(lane.interface);
        }
        else if (best == WORKLOAD_POOL_NONE ||
                 m_waiters[lane.queue.first].number < m_waiters[m_lanes[best].queue.first].number)
        {
            best = i;
        }
    }
    return best;
}

void
WorkloadLogGopsStreaming::ServeInterface(uint32_t number)
{
    Interface& interface = m_interfaces[number];
    while (!interface.lanes.empty() && interface.out <= m_now)
    {
        std::pop_heap(interface.lanes.begin(), interface.lanes.end(), std::greater<>());
        const auto [waiter, index] = interface.lanes.back();
        interface.lanes.pop_back();
        Lane& lane = m_lanes[index];
        lane.listed = false;
        if (lane.queue.IsEmpty())
        {
            continue;
        }
        if (m_waiters[lane.queue.first].number != waiter)
        {
            ListLane(index); // its first has gone meanwhile
            continue;
        }
        Stream& stream = m_streams[lane.stream];
        const bool behind =
            !stream.queue.IsEmpty() && m_waiters[stream.queue.first].number < waiter;
        if (stream.free <= m_now && !behind)
        {
            --stream.waiting;
            Start(TakeFirst(lane.queue), stream);
        }
        if (stream.waiting > 0)
        {
            WakeStream(lane.stream); // looks at the lane again
        }
    }
    if (!interface.lanes.empty())
    {
        WakeInterface(number);
    }
}

void
WorkloadLogGopsStreaming::ListLane(uint32_t index)
{
    Lane& lane = m_lanes[index];
    if (!lane.listed)
    {
        lane.listed = true;
        auto& lanes = m_interfaces[lane.interface].lanes;
        lanes.emplace_back(m_waiters[lane.queue.first].number, index);
        std::push_heap(lanes.begin(), lanes.end(), std::greater<>());
    }
}

void
WorkloadLogGopsStreaming::WakeStream(uint32_t number)
{
    Stream& stream = m_streams[number];
    if (!stream.waking)
    {
        stream.waking = true;
        m_queue.Push(std::max(stream.free, m_now), {number, 0, WAKE_STREAM});
    }
}

void
WorkloadLogGopsStreaming::WakeInterface(uint32_t number)
{
    Interface& interface = m_interfaces[number];
    if (!interface.waking)
    {
        interface.waking = true;
        m_queue.Push(std::max(interface.out, m_now), {number, 0, WAKE_INTERFACE});
    }
}

} // namespace ns3

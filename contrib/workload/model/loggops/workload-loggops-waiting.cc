/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-loggops-streaming.h"

#include <algorithm>
#include <functional>
#include <limits>

// Who waits for which stream and interface of WorkloadLogGopsStreaming, and who goes first.

namespace ns3
{

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
        const auto [waiter, index] = interface.lanes.top();
        interface.lanes.pop();
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
        m_interfaces[lane.interface].lanes.emplace(m_waiters[lane.queue.first].number, index);
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

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_PACKET_TAKING_H
#define RDMA_PACKET_TAKING_H

#include "rdma-packet-state.h"

#include "ns3/rdma-network.h"
#include "ns3/rdma-port-passing.h"

#include <vector>

// How RdmaPacketState takes single frames out of ports.

namespace ns3
{

template <typename P, typename T>
void
RdmaPacketState::TakeQueued(RdmaPort& port, P&& goes, T&& taken)
{
    for (uint32_t queue = 0; queue < RdmaEgressQueues::COUNT; ++queue)
    {
        std::vector<RdmaFrame*> stays;
        while (port.queues.Front(queue))
        {
            RdmaFrame* frame = port.queues.PopFrom(queue);
            if (!goes(*frame))
            {
                stays.push_back(frame);
                continue;
            }
            if (port.GetOwner().IsTransit() && queue != 0)
            {
                static_cast<RdmaSwitch&>(port.GetOwner()).LeaveBuffer(*frame, queue);
            }
            taken(frame);
        }
        for (RdmaFrame* frame : stays)
        {
            port.queues.Push(queue, frame);
        }
    }
}

template <typename P, typename T>
RdmaDue
RdmaPacketState::TakeFrom(RdmaFrameFifo& wire, RdmaDue due, P&& goes, T&& taken)
{
    RdmaFrameFifo stays;
    RdmaDue first;
    while (!wire.IsEmpty())
    {
        RdmaFrame* frame = wire.Pop();
        const RdmaDue following{frame->nextArrivalTime, frame->nextArrivalPlace};
        if (goes(*frame))
        {
            taken(frame, due.time);
        }
        else
        {
            if (stays.IsEmpty())
            {
                first = due;
            }
            else
            {
                stays.Back()->nextArrivalTime = due.time;
                stays.Back()->nextArrivalPlace = due.place;
            }
            stays.Push(frame);
        }
        due = following;
    }
    wire = stays;
    return first;
}

template <typename P, typename T>
void
RdmaPacketState::TakeFlying(RdmaPort& port, P&& goes, T&& taken)
{
    SetArrival(port, TakeFrom(port.m_wire, ArrivalOf(port), goes, taken));
}

template <typename P, typename T>
void
RdmaPacketState::TakePassing(RdmaPort& port, P&& goes, T&& taken)
{
    if (!port.GetFirstBy())
    {
        return;
    }
    RdmaPort::Flight& by = port.m_passing->by;
    const RdmaDue first = TakeFrom(by.frames, by.arrival.GetDue(), goes, taken);
    EventQueue().Cancel(by.arrival);
    if (first)
    {
        EventQueue().ScheduleAt(by.arrival, first.time, first.place);
    }
}

} // namespace ns3

#endif // RDMA_PACKET_TAKING_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-switch.h"

// What becomes of frames that a switch does not send: the link there went down, or they are taken
// away.

namespace ns3
{

void
RdmaSwitch::LeaveBuffer(const RdmaFrame& frame, uint32_t queue)
{
    const bool resumes = m_buffer.Leave(frame.ingress, queue, frame.wireBytes);
    if (m_context->credits)
    {
        m_ports[frame.ingress]->ReturnCredit(queue, frame.wireBytes);
    }
    if (resumes)
    {
        SendPfc(*m_ports[frame.ingress], queue, false);
    }
}

void
RdmaSwitch::LinkChanged(RdmaPort& port)
{
    if (port.IsLinkUp())
    {
        return;
    }
    uint32_t queue;
    while (RdmaFrame* frame = port.queues.Pop(0, queue))
    {
        const uint64_t bytes = port.queues.GetBytes(queue);
        port.queueBytesTrace(queue, bytes + frame->wireBytes, bytes);
        if (queue != RdmaEgressQueues::CONTROL)
        {
            LeaveBuffer(*frame, queue);
        }
        port.Drop(frame, RdmaDropReason::LINK_DOWN);
    }
    for (uint32_t q = 0; q < RdmaEgressQueues::COUNT; ++q)
    {
        m_buffer.SetPaused(port.GetIndex(),
                           q,
                           false); // the sender behind that link forgot the pause, too
    }
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-port.h"

#include "ns3/rdma-node.h"

#include <utility>

// Credit-based flow control at a port (RdmaCredits).

namespace ns3
{

void
RdmaPort::StartCredits(uint64_t buffer, uint32_t update)
{
    m_credits = std::make_unique<RdmaCredits>();
    m_credits->buffer = buffer;
    m_credits->update = update;
    m_credits->largestFrame = m_context->largestFrame;
    m_credits->left.fill(buffer);
}

void
RdmaPort::TakeCredit(RdmaFrame& frame, uint32_t queue)
{
    frame.ingress = static_cast<uint16_t>(queue);
    if (queue == RdmaEgressQueues::CONTROL)
    {
        return;
    }
    m_credits->left[queue] -= frame.wireBytes;
    if (m_credits->left[queue] < m_credits->largestFrame)
    {
        m_paused |= static_cast<uint8_t>(1U << queue);
        ++m_context->counters.creditStops;
    }
}

void
RdmaPort::ReturnCredit(uint32_t queue, uint32_t bytes)
{
    if (queue == RdmaEgressQueues::CONTROL)
    {
        return;
    }
    uint64_t& untold = m_credits->untold[queue];
    untold += bytes;
    if (untold < m_credits->update || !m_linkUp)
    {
        return;
    }
    RdmaFrame* frame = m_context->frames.Take();
    frame->qp = nullptr;
    frame->kind = RdmaFrameKind::CREDIT;
    frame->priority = RdmaEgressQueues::CONTROL;
    frame->ingress = RdmaEgressQueues::CONTROL;
    frame->payloadBytes = 0;
    frame->wireBytes = RdmaWireFormat::CREDIT;
    frame->ce = frame->echo = frame->ackNow = frame->telemetry = frame->last = false;
    frame->serial = NextSerial();
    frame->timestamp = m_context->eventQueue->Now();
    frame->credit = {static_cast<uint32_t>(std::exchange(untold, 0)), static_cast<uint8_t>(queue)};
    SendAhead(frame);
}

void
RdmaPort::SendAhead(RdmaFrame* frame)
{
    const uint64_t before = queues.GetBytes(RdmaEgressQueues::CONTROL);
    queues.PushAhead(RdmaEgressQueues::CONTROL, frame);
    enqueueTrace(*frame, RdmaEgressQueues::CONTROL);
    if (m_owner->IsTransit())
    {
        queueBytesTrace(RdmaEgressQueues::CONTROL, before, before + frame->wireBytes);
    }
    Trigger();
}

void
RdmaPort::ReceiveCredit(RdmaFrame* frame)
{
    const RdmaCreditUpdate credit = frame->credit;
    m_context->frames.Give(frame);
    ++m_context->counters.creditUpdates;
    m_credits->left[credit.queue] += credit.bytes;
    const auto bit = static_cast<uint8_t>(1U << credit.queue);
    if ((m_paused & bit) && m_credits->left[credit.queue] >= m_credits->largestFrame)
    {
        m_paused &= static_cast<uint8_t>(~bit);
        Trigger();
    }
}

void
RdmaPort::ForgetInFlight(const RdmaFrame& frame)
{
    if (m_credits && frame.kind != RdmaFrameKind::CREDIT &&
        frame.ingress != RdmaEgressQueues::CONTROL)
    {
        m_credits->left[frame.ingress] += frame.wireBytes;
    }
}

void
RdmaPort::KeepCredit(const RdmaFrame& lost)
{
    m_credits->untold[lost.credit.queue] += lost.credit.bytes;
}

void
RdmaPort::TellCredits()
{
    for (uint32_t queue = 1; m_credits && queue < RdmaEgressQueues::COUNT; ++queue)
    {
        ReturnCredit(queue, 0);
    }
}

} // namespace ns3

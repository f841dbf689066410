/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-message-network.h"
#include "workload-message-report.h"

#include "ns3/assert.h"
#include "ns3/rdma-arithmetic.h"
#include "ns3/workload-exchange-memory.h"

#include <algorithm>
#include <utility>

// The messages of WorkloadMessageNetwork: how each moves, meets its receive and completes.

namespace ns3
{

uint32_t
WorkloadMessageNetwork::HostOf(uint32_t process, uint8_t nic) const
{
    return m_jobs->GetNode(process) * m_jobs->GetNicCount() + nic;
}

bool
WorkloadMessageNetwork::IsLarge(const WorkloadMessage& message) const
{
    return m_jobs->GetOperation(message.send).size > m_options.eagerBytes;
}

bool
WorkloadMessageNetwork::IsLocal(const WorkloadMessage& message) const
{
    return m_jobs->GetNode(message.send.process) == m_jobs->GetNode(message.receiver);
}

void
WorkloadMessageNetwork::BeginMessage(WorkloadStep step)
{
    const uint32_t receiver = m_jobs->GetPeer(step.process, m_jobs->GetOperation(step).peer);
    const uint32_t index = m_messages.Add(step, receiver);
    WorkloadMessage& message = m_messages[index];
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
    WorkloadMessage& message = m_messages[index];
    const WorkloadOperation& operation = m_jobs->GetOperation(message.send);
    message.phase = phase;
    const uint64_t bytes =
        phase == Phase::DATA ? std::max<uint64_t>(operation.size, 1) : m_options.handshakeBytes;
    if (IsLocal(message))
    {
        const double ps = m_options.localBytesPerNs > 0
                              ? static_cast<double>(bytes) * 1000 / m_options.localBytesPerNs
                              : 0;
        SetTimer(RdmaSteps(ps), TimerKind::LOCAL, index);
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
    transfer.stream = m_jobs->GetJob(message.send.process) << 8 | operation.cpu;
    ++message.serial;
    const uint64_t id = static_cast<uint64_t>(message.serial) << 32 | index;
    m_memory ? m_memory->Start(transfer, id) : m_transport.Start(transfer, id);
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
    WorkloadMessage& message = m_messages[index];
    if (message.serial != id >> 32 || !message.IsMoving())
    {
        return; // it had been delivered
    }
    message.phase = Phase::FAILED;
    message.failure = static_cast<uint32_t>(m_failures.size());
    m_failures.push_back(WorkloadMessageText(*m_jobs, message) + ": " + reason);
}

void
WorkloadMessageNetwork::Moved(uint32_t index)
{
    WorkloadMessage& message = m_messages[index];
    if (message.phase == Phase::GRANT)
    {
        Move(index, Phase::DATA);
    }
    else if (message.phase == Phase::DATA && message.handshake)
    {
        message.phase = Phase::TAKEN;
        Queue({{message.receiver, message.receive}, index});
    }
    else
    {
        MeetReceive(index);
    }
}

void
WorkloadMessageNetwork::MeetReceive(uint32_t index)
{
    WorkloadMessage& message = m_messages[index];
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
    WorkloadMessage& message = m_messages[index];
    message.receive = receive;
    if (message.handshake)
    {
        Move(index, Phase::GRANT);
        return;
    }
    message.phase = Phase::TAKEN;
    Queue({{message.receiver, receive}, index});
}

void
WorkloadMessageNetwork::CompleteReceive(const WorkloadTask& task)
{
    const bool large = IsLarge(m_messages[task.message]);
    const WorkloadStep send = m_messages[task.message].send;
    m_messages.Remove(task.message);
    Complete(task.step);
    if (large)
    {
        Complete(send);
    }
}

} // namespace ns3

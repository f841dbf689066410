/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-message-report.h"

#include <utility>

namespace ns3
{

namespace
{

bool
operator==(const WorkloadStep& a, const WorkloadStep& b)
{
    return a.process == b.process && a.operation == b.operation;
}

} // namespace

std::string
WorkloadMessageText(const WorkloadJobs& jobs, const WorkloadMessage& message)
{
    const WorkloadOperation& operation = jobs.GetOperation(message.send);
    return "message of " + std::to_string(operation.size) + " bytes, tag " +
           std::to_string(operation.tag) + ", from " + jobs.GetProcessName(message.send.process) +
           " to " + jobs.GetProcessName(message.receiver);
}

WorkloadMessageReport::WorkloadMessageReport(const WorkloadJobs& jobs,
                                             const WorkloadMessageTable& messages,
                                             Explainer explain,
                                             const std::vector<std::string>& failures)
    : m_jobs(jobs),
      m_messages(messages),
      m_explain(std::move(explain)),
      m_failures(failures)
{
}

std::string
WorkloadMessageReport::Explain(WorkloadStep step) const
{
    for (uint32_t m = 0; m < m_messages.GetSize(); ++m)
    {
        const WorkloadMessage& message = m_messages[m];
        const WorkloadStep receive{message.receiver, message.receive};
        if (message.phase != WorkloadMessage::Phase::FREE &&
            (message.send == step || receive == step))
        {
            return ExplainMessage(m);
        }
    }
    return m_jobs.GetOperation(step).kind == WorkloadKind::RECV ? ExplainReceive(step) : "";
}

std::string
WorkloadMessageReport::ExplainMessage(uint32_t index) const
{
    const WorkloadMessage& message = m_messages[index];
    const uint64_t id = static_cast<uint64_t>(message.serial) << 32 | index;
    const std::string receiver = m_jobs.GetProcessName(message.receiver);
    const bool local = m_jobs.GetNode(message.send.process) == m_jobs.GetNode(message.receiver);
    const std::string state = local ? "within the host" : m_explain(id);
    switch (message.phase)
    {
    case WorkloadMessage::Phase::REQUEST:
        return "asks " + receiver + " whether it may send: " + state;
    case WorkloadMessage::Phase::RECEIVE:
        return std::string(message.handshake ? "request" : "message") + " sent, waits for " +
               receiver + " to post a receive";
    case WorkloadMessage::Phase::GRANT:
        return "waits for the clear-to-send of " + receiver + ": " + state;
    case WorkloadMessage::Phase::DATA:
        return "message on its way: " + state;
    case WorkloadMessage::Phase::TAKEN:
        return "message delivered, waits for the compute stream of " + receiver;
    case WorkloadMessage::Phase::FAILED:
        return "message given up: " + m_failures[message.failure];
    case WorkloadMessage::Phase::FREE:
        break;
    }
    return "done";
}

std::string
WorkloadMessageReport::ExplainReceive(WorkloadStep step) const
{
    const WorkloadOperation& operation = m_jobs.GetOperation(step);
    const bool anyone = operation.peer == WORKLOAD_ANY;
    const bool anything = operation.tag == WORKLOAD_ANY;
    std::string text = "waits for a message of " + std::to_string(operation.size) + " bytes, " +
                       (anything ? "any tag" : "tag " + std::to_string(operation.tag)) + ", from " +
                       (anyone ? "any rank" : "rank " + std::to_string(operation.peer));
    for (uint32_t m = 0; m < m_messages.GetSize(); ++m)
    {
        const WorkloadMessage& message = m_messages[m];
        const WorkloadStep& send = message.send;
        if (message.phase == WorkloadMessage::Phase::FREE || message.receiver != step.process ||
            message.receive != WorkloadMessage::NONE)
        {
            continue;
        }
        const bool matches =
            (anyone || send.process == m_jobs.GetPeer(step.process, operation.peer)) &&
            (anything || m_jobs.GetOperation(send).tag == operation.tag);
        if (matches)
        {
            return text + "; " + ExplainMessage(m);
        }
    }
    return text;
}

} // namespace ns3

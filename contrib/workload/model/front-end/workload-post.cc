/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-post.h"

#include "ns3/workload-units.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/** \return a place in \p slots that nobody uses */
template <typename Slot>
uint32_t
TakeSlot(std::vector<Slot>& slots, std::vector<uint32_t>& unused)
{
    if (unused.empty())
    {
        slots.emplace_back();
        return static_cast<uint32_t>(slots.size() - 1);
    }
    const uint32_t slot = unused.back();
    unused.pop_back();
    return slot;
}

} // namespace

WorkloadPost::WorkloadPost(WorkloadTransport& transport,
                           const std::vector<uint32_t>& nodes,
                           bool late,
                           Describe describe)
    : m_transport(transport),
      m_nodes(nodes),
      m_late(late),
      m_describe(std::move(describe))
{
    m_transport.SetClient(*this);
}

uint32_t
WorkloadPost::Send(const Owner& owner,
                   uint32_t src,
                   uint32_t dst,
                   uint64_t bytes,
                   uint32_t label,
                   Action received,
                   Action sent,
                   bool exact)
{
    const uint32_t id = Keep({std::move(received), std::move(sent), owner, bytes});
    if (m_nodes[src] == m_nodes[dst])
    {
        After(owner, 0, [this, id] {
            Delivered(id);
            Acknowledged(id);
        });
        return id;
    }
    WorkloadTransfer transfer = TransferOf(src, dst, bytes, label);
    transfer.exact = exact;
    m_transport.Start(transfer, id);
    return id;
}

std::optional<uint32_t>
WorkloadPost::SendLate(const Owner& owner,
                       uint32_t src,
                       uint32_t dst,
                       uint64_t bytes,
                       uint32_t label,
                       int64_t ps,
                       Action received,
                       Action sent)
{
    if (m_nodes[src] == m_nodes[dst])
    {
        return std::nullopt; // it takes no time, so whoever is told of it knows when
    }
    const uint32_t id = Keep({std::move(received), std::move(sent), owner, bytes});
    if (m_transport.StartLate({{TransferOf(src, dst, bytes, label), id, ps}}))
    {
        return id;
    }
    m_messages[id] = {};
    m_freeMessages.push_back(id);
    return std::nullopt;
}

uint32_t
WorkloadPost::Keep(Message message)
{
    const uint32_t id = TakeSlot(m_messages, m_freeMessages);
    m_messages[id] = std::move(message);
    return id;
}

WorkloadTransfer
WorkloadPost::TransferOf(uint32_t src, uint32_t dst, uint64_t bytes, uint32_t label) const
{
    return {m_nodes[src], m_nodes[dst], std::max<uint64_t>(bytes, 1), label};
}

void
WorkloadPost::After(const Owner& owner, int64_t ns, Action action)
{
    constexpr int64_t MAX_NS = INT64_MAX / WORKLOAD_PS_PER_NS; // beyond the end of time
    AfterPs(owner, std::min(ns, MAX_NS) * WORKLOAD_PS_PER_NS, std::move(action));
}

void
WorkloadPost::AfterPs(const Owner& owner, int64_t ps, Action action)
{
    const uint32_t id = TakeSlot(m_timers, m_freeTimers);
    m_timers[id] = {std::move(action), owner, ps};
    m_transport.Schedule(ps, id);
}

std::string
WorkloadPost::DescribeTransfer(uint64_t id) const
{
    return m_describe(m_messages[id].owner) + "a message of " +
           std::to_string(m_messages[id].bytes) + " bytes";
}

std::string
WorkloadPost::DescribeTimer(uint64_t timer) const
{
    return m_describe(m_timers[timer].owner) + "a duration of " +
           std::to_string(m_timers[timer].ps / WORKLOAD_PS_PER_NS) + " ns";
}

void
WorkloadPost::Fail(const std::string& reason)
{
    if (m_failure.empty())
    {
        m_failure = reason;
        m_transport.Stop();
    }
}

void
WorkloadPost::Delivered(uint64_t id)
{
    if (!m_late)
    {
        const Action action = std::move(m_messages[id].received);
        action();
    }
}

void
WorkloadPost::Acknowledged(uint64_t id)
{
    const Message message = std::move(m_messages[id]);
    m_messages[id] = {};
    m_freeMessages.push_back(static_cast<uint32_t>(id));
    // As in ASTRA-sim: first the sender's, then the receiver's.
    if (message.sent)
    {
        message.sent();
    }
    if (m_late)
    {
        message.received();
    }
}

void
WorkloadPost::Due(uint64_t timer)
{
    const Action action = std::move(m_timers[timer].action);
    m_timers[timer] = {};
    m_freeTimers.push_back(static_cast<uint32_t>(timer));
    action();
}

void
WorkloadPost::Failed(uint64_t id, const std::string& reason)
{
    if (m_loss.empty())
    {
        m_loss = DescribeTransfer(id) + " was given up: " + reason;
    }
    m_transport.Stop();
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Sends and receives, from the call of the front end to its being told.

#include "workload-front-end.h"

#include "ns3/rdma-arithmetic.h"
#include "ns3/workload-units.h"

#include <algorithm>
#include <utility>

namespace ns3
{

bool
WorkloadFrontEnd::Check(const WorkloadMatchChannel& channel, const char* verb, uint64_t bytes)
{
    const uint32_t ranks = GetRankCount();
    if (channel.src < ranks && channel.dst < ranks)
    {
        return true;
    }
    Fail("rank " + std::to_string(*verb == 's' ? channel.src : channel.dst) + " " + verb + " " +
         RankText(*verb == 's' ? channel.dst : channel.src) + TagText(channel) + ", " +
         std::to_string(bytes) + " bytes, but there are only " + std::to_string(ranks) +
         " ranks, from 0; correct the workload, or run more ranks");
    return false;
}

uint32_t
WorkloadFrontEnd::TakeItem()
{
    const uint32_t item = m_items++;
    return item == NO_ITEM ? m_items++ : item;
}

void
WorkloadFrontEnd::Send(const WorkloadMatchChannel& channel, uint64_t bytes, Action sent)
{
    if (m_options.leastLatencyNs > 0)
    {
        SendAfter(channel, bytes, 0, std::move(sent)); // says that it must be later
    }
    else if (Check(channel, "sends to", bytes))
    {
        Start(TakeItem(), channel, bytes, std::move(sent));
    }
}

void
WorkloadFrontEnd::SendAfter(const WorkloadMatchChannel& channel,
                            uint64_t bytes,
                            int64_t ns,
                            Action sent)
{
    if (!Check(channel, "sends to", bytes))
    {
        return;
    }
    if (ns < m_options.leastLatencyNs)
    {
        Fail(RankText(channel.src) + " sends in " + std::to_string(ns) +
             " ns, which must be at least leastLatencyNs, " +
             std::to_string(m_options.leastLatencyNs));
        return;
    }
    const uint32_t item = TakeItem();
    if (m_memory)
    {
        m_memory->Waits(
            item,
            {m_hosts[channel.src], m_hosts[channel.dst], std::max<uint64_t>(bytes, 1), SEND},
            ns * WORKLOAD_PS_PER_NS);
    }
    auto start = [this, item, channel, bytes, sent = std::move(sent)]() mutable {
        if (!IsOver())
        {
            Start(item, channel, bytes, std::move(sent));
        }
    };
    m_post.After({channel.src, NO_ITEM}, ns, std::move(start));
}

bool
WorkloadFrontEnd::SendLate(const WorkloadMatchChannel& channel, uint64_t bytes, int64_t ps)
{
    if (m_options.beginLast || m_options.leastLatencyNs > 0)
    {
        Send(channel, bytes);
        return false;
    }
    if (!Check(channel, "sends to", bytes))
    {
        return false;
    }
    const uint32_t item = TakeItem();
    ++m_posted;
    bytes = std::max<uint64_t>(bytes, 1);
    m_sends[item] = {channel, bytes, ps, {}};
    const std::optional<uint32_t> message = m_post.SendLate(
        {channel.src, item},
        channel.src,
        channel.dst,
        bytes,
        SEND,
        ps,
        [this, item] { Delivered(item); },
        [this, item] { Acknowledged(item); });
    if (message)
    {
        const auto send = m_sends.find(item);
        if (send != m_sends.end()) // it may have ended by now
        {
            send->second.message = *message;
        }
        return true;
    }
    m_sends.at(item).beganPs = NowPs();
    Begin(item);
    return false;
}

void
WorkloadFrontEnd::Start(uint32_t item,
                        const WorkloadMatchChannel& channel,
                        uint64_t bytes,
                        Action sent)
{
    ++m_posted;
    bytes = std::max<uint64_t>(bytes, 1);
    m_sends[item] = {channel, bytes, NowPs(), std::move(sent), 0, false, false};
    if (m_options.beginLast)
    {
        Schedule(channel.src, 0, [this, item] { Begin(item); });
    }
    else
    {
        Begin(item);
    }
}

void
WorkloadFrontEnd::Begin(uint32_t item)
{
    Pending& send = m_sends.at(item);
    send.repeated = m_memory && m_memory->Repeats(item);
    if (send.repeated)
    {
        return;
    }
    send.message = m_post.Send(
        {send.channel.src, item},
        send.channel.src,
        send.channel.dst,
        send.bytes,
        SEND,
        [this, item] { Delivered(item); },
        [this, item] { Acknowledged(item); },
        m_memory && m_memory->IsExact());
}

void
WorkloadFrontEnd::Delivered(uint32_t item)
{
    Pending& send = m_sends.at(item);
    send.delivered = true;
    if (m_memory)
    {
        m_memory->Delivered(item);
    }
    if (m_options.sent == WorkloadReceipt::DELIVERED)
    {
        End(send, send.channel.src, SEND);
    }
    if (m_options.receipt == WorkloadReceipt::DELIVERED)
    {
        Arrive(send);
    }
}

void
WorkloadFrontEnd::Acknowledged(uint32_t item)
{
    Pending& send = m_sends.at(item);
    if (m_memory)
    {
        m_memory->Acknowledged(item);
    }
    if (m_options.sent == WorkloadReceipt::ACKNOWLEDGED)
    {
        End(send, send.channel.src, SEND);
    }
    if (m_options.receipt == WorkloadReceipt::ACKNOWLEDGED)
    {
        Arrive(send);
    }
    m_sends.erase(item);
    StopIfFinished();
}

void
WorkloadFrontEnd::Arrive(const Pending& send)
{
    const WorkloadMatchChannel& channel = send.channel;
    if (RdmaSum(m_matcher.GetLeft(channel), send.bytes) == UINT64_MAX)
    {
        Fail(RankText(channel.dst) + " has got 2^64 bytes from " + RankText(channel.src) +
             TagText(channel) + " that it has not asked for; make the messages smaller");
        return;
    }
    for (const uint64_t receive : m_matcher.Arrive(channel, send.bytes))
    {
        const auto complete = static_cast<uint32_t>(receive);
        m_receives.at(complete).arrivedPs = m_transport.GetToldPs();
        m_soon > 0 ? ReceivedSoon(complete) : Received(complete); // in their order
    }
}

void
WorkloadFrontEnd::Receive(const WorkloadMatchChannel& channel, uint64_t bytes, Action received)
{
    if (!Check(channel, "receives from", bytes))
    {
        return;
    }
    const uint32_t item = TakeItem();
    ++m_posted;
    bytes = std::max<uint64_t>(bytes, 1);
    m_receives[item] = {channel, bytes, NowPs(), std::move(received), 0, false, false};
    if (!m_matcher.Post(channel, bytes, item).empty())
    {
        m_receives.at(item).arrivedPs = NowPs();
        ReceivedSoon(item);
    }
}

void
WorkloadFrontEnd::ReceivedSoon(uint32_t item)
{
    ++m_soon;
    Schedule(m_receives.at(item).channel.dst, 0, [this, item] {
        --m_soon;
        Received(item);
    });
}

void
WorkloadFrontEnd::Received(uint32_t item)
{
    Pending pending = std::move(m_receives.at(item));
    m_receives.erase(item);
    m_toldPs = pending.arrivedPs;
    End(pending, pending.channel.dst, RECEIVE);
}

/** Tells an end of a message that its part is over. */
void
WorkloadFrontEnd::End(Pending& pending, uint32_t rank, Category category)
{
    ++m_completed;
    if (!m_finished[rank])
    {
        m_lastPs[rank] = NowPs();
    }
    if (m_observer)
    {
        m_observer->Done({rank, category, 0, true, pending.beganPs, NowPs(), pending.bytes});
    }
    const Action action = std::move(pending.action);
    if (action && !IsOver())
    {
        action();
    }
}

} // namespace ns3

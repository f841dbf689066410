/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-front-end.h"

#include "ns3/input-error.h"
#include "ns3/rdma-arithmetic.h"
#include "ns3/workload-units.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

/** Owner of a time, instead of a send or a receive. */
constexpr uint32_t NO_ITEM = UINT32_MAX;

/** \return the end point of each rank \throws InputError if there are too few */
std::vector<uint32_t>
HostsOf(const WorkloadFrontEndOptions& options, const WorkloadTransport& transport)
{
    std::vector<uint32_t> hosts = options.hosts;
    if (hosts.empty())
    {
        hosts.resize(options.ranks);
        std::iota(hosts.begin(), hosts.end(), 0);
    }
    if (hosts.size() != options.ranks)
    {
        throw InputError(std::to_string(hosts.size()) + " hosts are given for " +
                         std::to_string(options.ranks) + " ranks; name one per rank");
    }
    for (size_t rank = 0; rank < hosts.size(); ++rank)
    {
        if (hosts[rank] >= transport.GetEndpointCount())
        {
            throw InputError("rank " + std::to_string(rank) + " is on host " +
                             std::to_string(hosts[rank]) + ", but the topology has " +
                             std::to_string(transport.GetEndpointCount()) +
                             "; take a larger topology, or fewer ranks");
        }
    }
    return hosts;
}

} // namespace

const std::vector<std::string>&
WorkloadFrontEnd::GetCategories()
{
    static const std::vector<std::string> NAMES{"send", "receive"};
    return NAMES;
}

WorkloadFrontEnd::WorkloadFrontEnd(WorkloadTransport& transport,
                                   const WorkloadFrontEndOptions& options,
                                   WorkloadObserver* observer)
    : m_transport(transport),
      m_observer(observer),
      m_options(options),
      m_hosts(HostsOf(options, transport)),
      m_post(transport,
             m_hosts,
             false, // both ends are told here
             [this](const WorkloadPost::Owner& owner) { return DescribeOwner(owner); }),
      m_unfinished(options.ranks),
      m_finished(options.ranks),
      m_lastPs(options.ranks)
{
    WorkloadRepeater* const repeater = transport.GetRepeater();
    if (!repeater || options.leastLatencyNs <= 0)
    {
        return;
    }
    m_memory = std::make_unique<WorkloadStepMemory>(
        *repeater,
        options.leastLatencyNs * WORKLOAD_PS_PER_NS,
        WorkloadStepMemory::Calls{[this] { return NowPs(); },
                                  [this](int64_t ps, Action action) {
                                      m_post.AfterPs({0, NO_ITEM}, ps, std::move(action));
                                  },
                                  [this](uint32_t item) { Delivered(item); },
                                  [this](uint32_t item) { Acknowledged(item); }});
}

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
        m_sends.at(item).message = *message;
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

void
WorkloadFrontEnd::Schedule(uint32_t rank, int64_t ns, Action action)
{
    if (m_memory)
    {
        m_memory->WillAct(std::min(ns, INT64_MAX / 2 / WORKLOAD_PS_PER_NS) * WORKLOAD_PS_PER_NS);
    }
    m_post.After({rank, NO_ITEM}, ns, [this, action = std::move(action)] {
        if (!IsOver())
        {
            action();
        }
    });
}

void
WorkloadFrontEnd::Finish(uint32_t rank, int64_t ps)
{
    if (m_finished[rank])
    {
        return;
    }
    m_finished[rank] = true;
    m_lastPs[rank] = ps;
    --m_unfinished;
    StopIfFinished();
}

void
WorkloadFrontEnd::StopIfFinished()
{
    if (m_unfinished == 0 && m_sends.empty())
    {
        m_transport.Stop();
    }
}

void
WorkloadFrontEnd::Fail(const std::string& reason)
{
    m_post.Fail(reason);
}

void
WorkloadFrontEnd::Stop()
{
    m_over = true;
    m_transport.Stop();
}

bool
WorkloadFrontEnd::Run()
{
    if (m_post.GetFailure().empty())
    {
        m_transport.Run();
    }
    if (m_memory)
    {
        m_memory->Stop();
    }
    m_over = true;
    if (!m_post.GetFailure().empty())
    {
        throw InputError(m_post.GetFailure());
    }
    return m_unfinished == 0;
}

} // namespace ns3

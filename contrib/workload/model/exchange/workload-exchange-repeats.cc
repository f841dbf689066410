/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-exchange-parts.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

// Exchanges that are repeated.

namespace ns3
{

namespace
{

/** Packet-hops whose simulation takes half as long as fast-forward's own work for a flow, about:
 * what a transfer earns that is repeated. */
constexpr double EARNED = 16;

} // namespace

/** \return whether a known exchange may be repeated whose ports are \p owner's, or nobody's */
bool
WorkloadExchangeMemory::MayRepeat(const Known& known, uint32_t owner)
{
    return !known.isWrong &&
           std::all_of(known.ports.begin(),
                       known.ports.end(),
                       [this, owner](uint32_t port) {
                           const uint32_t now = OwnerOf(port);
                           return now == NONE || now == owner;
                       }) &&
           m_repeater.AreIdle(known.ports);
}

/** \return a known exchange that begins with \p transfer now, and may be repeated; or null */
std::shared_ptr<WorkloadExchangeMemory::Known>
WorkloadExchangeMemory::Find(const WorkloadTransfer& transfer)
{
    const auto alike = m_known.find(KeyOf(transfer));
    if (alike == m_known.end() || m_credit < 0)
    {
        return nullptr;
    }
    const auto known = std::find_if(alike->second.begin(),
                                    alike->second.end(),
                                    [this](const auto& each) { return MayRepeat(*each, NONE); });
    return known == alike->second.end() ? nullptr : *known;
}

void
WorkloadExchangeMemory::Repeat(const std::shared_ptr<Known>& known,
                               const WorkloadTransfer& transfer,
                               uint64_t id)
{
    const uint32_t number = Take();
    Exchange& exchange = *m_exchanges[number];
    exchange.troubles = m_repeater.CountTroubles();
    exchange.isAudited = m_repeater.BeginsAudit(known->hops, known->uses++);
    Begin(number, known);
    Joins(exchange, {transfer, id, m_transport.Now()});
    SimulateToo(number);
    ScheduleNext(number);
}

/** An exchange goes as \p known from now on; none of its transfers has started. */
void
WorkloadExchangeMemory::Begin(uint32_t number, const std::shared_ptr<Known>& known)
{
    Exchange& exchange = *m_exchanges[number];
    exchange.known = known;
    exchange.isRepeated = true;
    exchange.ports = known->ports;
    for (const uint32_t port : exchange.ports)
    {
        m_owners[port] = number;
    }
    exchange.members.assign(known->transfers.size(), {});
    exchange.underWay = exchange.left = exchange.members.size();
    exchange.started = exchange.turn = 0;
}

/** \return when one that has not started is missing, ps since the beginning */
int64_t
WorkloadExchangeMemory::MissingAt(const Exchange& exchange)
{
    const Known& known = *exchange.known;
    return exchange.turn == known.turns.size()
               ? INT64_MAX
               : known.starts[known.turns[exchange.turn]] + known.GetTolerance() + 1;
}

/** \return whether a transfer that starts is one of an exchange that is repeated */
bool
WorkloadExchangeMemory::Joins(Exchange& exchange, const Member& member)
{
    const Known& known = *exchange.known;
    const WorkloadTransfer& transfer = member.transfer;
    const auto pairOf = [](const WorkloadTransfer& t) { return std::make_pair(t.src, t.dst); };
    auto at = std::lower_bound(known.transfers.begin(),
                               known.transfers.end(),
                               transfer,
                               [&](const auto& a, const auto& b) { return pairOf(a) < pairOf(b); });
    for (; at != known.transfers.end() && pairOf(*at) == pairOf(transfer); ++at)
    {
        const auto place = static_cast<uint32_t>(at - known.transfers.begin());
        Member& expected = exchange.members[place];
        const int64_t start = member.startPs - exchange.sincePs;
        if (expected.startPs < 0 && at->bytes == transfer.bytes &&
            std::abs(start - known.starts[place]) <= known.GetTolerance())
        {
            expected = member;
            expected.order = exchange.started++;
            while (exchange.turn < known.turns.size() &&
                   exchange.members[known.turns[exchange.turn]].startPs >= 0)
            {
                ++exchange.turn;
            }
            return true;
        }
    }
    return false;
}

/** \return transfers of an exchange that is repeated, in the order in which they started */
std::vector<WorkloadExchangeMemory::Member>
WorkloadExchangeMemory::StartedOf(const Exchange& exchange)
{
    std::vector<Member> started(exchange.started);
    for (const Member& member : exchange.members)
    {
        if (member.startPs >= 0)
        {
            started[member.order] = member;
        }
    }
    return started;
}

/** \return whether an exchange that is repeated goes as another known one instead, with a \p
 * further transfer that starts now or none: where nothing was told so far */
bool
WorkloadExchangeMemory::Switches(uint32_t number, const Member* further)
{
    Exchange& exchange = *m_exchanges[number];
    if (exchange.next > 0)
    {
        return false;
    }
    std::vector<Member> started = StartedOf(exchange);
    if (further)
    {
        started.push_back(*further);
    }
    const std::shared_ptr<Known> before = exchange.known;
    const auto suits = [&](const std::shared_ptr<Known>& known) {
        if (known == before || !MayRepeat(*known, number) ||
            exchange.sincePs + known->events.front().at < m_transport.Now())
        {
            return false;
        }
        Release(exchange);
        Begin(number, known);
        return std::all_of(started.begin(),
                           started.end(),
                           [&exchange](const Member& member) { return Joins(exchange, member); }) &&
               m_transport.Now() - exchange.sincePs < MissingAt(exchange);
    };
    const auto& alike = m_known.at(KeyOf(started.front().transfer));
    if (std::any_of(alike.begin(), alike.end(), suits))
    {
        ++exchange.generation;
        SimulateToo(number);
        ScheduleNext(number);
        return true;
    }
    if (exchange.known != before)
    {
        Release(exchange);
        Begin(number, before);
        for (size_t i = 0; i + (further ? 1 : 0) < started.size(); ++i)
        {
            Joins(exchange, started[i]);
        }
    }
    return false;
}

/** The client is told of what happens now in an exchange that is repeated. */
void
WorkloadExchangeMemory::Happen(uint32_t number)
{
    Exchange& exchange = *m_exchanges[number];
    const std::shared_ptr<const Known> known = exchange.known; // until all of these are told
    const uint32_t generation = exchange.generation;
    const int64_t at = m_transport.Now() - exchange.sincePs;
    if (at >= MissingAt(exchange))
    {
        if (!Switches(number, nullptr))
        {
            FallBack(number);
        }
        return;
    }
    while (exchange.next < known->events.size() && known->events[exchange.next].at == at)
    {
        const WorkloadKnownStep::Event& event = known->events[exchange.next];
        Member& member = exchange.members[event.place];
        if (member.startPs < 0)
        {
            FallBack(number);
            return;
        }
        ++exchange.next;
        const uint64_t id = member.id;
        if (exchange.isAudited)
        {
            Lag(member, event.isEnd);
        }
        if (event.isEnd)
        {
            member.endPs = m_transport.Now();
            --exchange.left;
            m_client.Acknowledged(id);
        }
        else
        {
            member.deliveredPs = m_transport.Now();
            if (--exchange.underWay == 0)
            {
                Release(exchange);
            }
            m_client.Delivered(id);
        }
        if (exchange.generation != generation)
        {
            return; // it is simulated from now on
        }
    }
    if (exchange.left > 0)
    {
        ScheduleNext(number);
        return;
    }
    EndIfOver(number);
}

void
WorkloadExchangeMemory::EndIfOver(uint32_t number)
{
    Exchange& exchange = *m_exchanges[number];
    if (exchange.left > 0 || exchange.simulated > 0)
    {
        return;
    }
    if (exchange.isAudited)
    {
        int64_t most = 0;
        for (const WorkloadKnownStep::Event& event : exchange.known->events)
        {
            const Member& member = exchange.members[event.place];
            const int64_t seen = event.isEnd ? member.seenEndPs : member.seenDeliveredPs;
            most = std::max(most, std::abs(seen - exchange.sincePs - event.at));
        }
        exchange.known->isWrong = !m_repeater.IsRight(most, exchange.known->events.back().at);
    }
    else
    {
        ++m_repeater.GetStatistics().repeated;
        m_credit += EARNED * static_cast<double>(exchange.members.size());
        Emit(exchange);
    }
    Free(number);
}

/** Records those transfers that have ended. */
void
WorkloadExchangeMemory::Emit(Exchange& exchange)
{
    std::vector<WorkloadRepeatedTransfer> transfers;
    transfers.reserve(exchange.members.size());
    for (uint32_t i = 0; i < exchange.next; ++i)
    {
        const WorkloadKnownStep::Event& event = exchange.known->events[i];
        Member& member = exchange.members[event.place];
        if (event.isEnd && !member.isRecorded)
        {
            member.isRecorded = true;
            transfers.push_back(
                {member.transfer, member.order, member.startPs, member.deliveredPs, member.endPs});
        }
    }
    m_repeater.Repeat(transfers);
}

void
WorkloadExchangeMemory::Stop()
{
    StartHeld([](const Held&) { return true; });
    for (const auto& exchange : m_exchanges)
    {
        if (exchange->isRepeated && !exchange->isAudited)
        {
            Emit(*exchange);
        }
    }
}

} // namespace ns3

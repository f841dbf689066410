/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-exchange-parts.h"

#include <algorithm>
#include <utility>
#include <vector>

// Exchanges that are repeated, and simulated after all: to audit them, or as something met them.

namespace ns3
{

/** Transfers of an exchange that is audited, which have started, are simulated. */
void
WorkloadExchangeMemory::SimulateToo(uint32_t number)
{
    Exchange& exchange = *m_exchanges[number];
    for (uint32_t place = 0; exchange.isAudited && place < exchange.members.size(); ++place)
    {
        Member& member = exchange.members[place];
        if (member.slot != NONE)
        {
            m_slots[member.slot].member = place; // after a switch, too
        }
        else if (member.startPs >= 0 && member.seenEndPs < 0)
        {
            member.slot = TakeSlot({member.id, number, place, false, true, true});
            ++exchange.simulated;
            Launch(member.transfer, member.slot);
        }
    }
}

/** The client is told of a transfer that is audited. */
void
WorkloadExchangeMemory::Lag(const Member& member, bool isEnd)
{
    if ((isEnd ? member.seenEndPs : member.seenDeliveredPs) < 0)
    {
        Slot& slot = m_slots[member.slot];
        Lagging& lagging = isEnd ? slot.end : slot.delivery;
        lagging = {isEnd ? member.transfer.src : member.transfer.dst, m_told++};
        m_lagging.insert(lagging);
    }
}

/** \return the order of the first that \p endpoint was told and that is not so in truth */
uint64_t
WorkloadExchangeMemory::FirstLagging(uint32_t endpoint) const
{
    const auto first = m_lagging.lower_bound({endpoint, 0});
    return first != m_lagging.end() && first->first == endpoint ? first->second : UINT64_MAX;
}

/** What was told is so in truth. */
void
WorkloadExchangeMemory::CatchUp(Lagging& lagging)
{
    const uint32_t endpoint = std::exchange(lagging.first, NONE);
    if (endpoint == NONE)
    {
        return;
    }
    m_lagging.erase({endpoint, lagging.second});
    const uint64_t first = FirstLagging(endpoint);
    StartHeld([endpoint, first](const Held& held) {
        return held.transfer.src == endpoint && held.told <= first;
    });
}

/** Something else comes to the ports of an exchange that is repeated. */
void
WorkloadExchangeMemory::Meet(uint32_t number)
{
    Exchange& exchange = *m_exchanges[number];
    const Known& known = *exchange.known;
    const int64_t left = exchange.sincePs + known.lastDelivery - m_transport.Now();
    if (exchange.turn == known.turns.size() && left <= known.GetTolerance())
    {
        Release(exchange); // it is as good as over
        return;
    }
    FallBack(number);
}

/** An exchange that is repeated does not go as the known one: it is simulated. */
void
WorkloadExchangeMemory::FallBack(uint32_t number)
{
    Exchange& exchange = *m_exchanges[number];
    const double part = exchange.isAudited
                            ? 0
                            : static_cast<double>(m_transport.Now() - exchange.sincePs) /
                                  static_cast<double>(exchange.known->events.back().at);
    m_credit -= static_cast<double>(exchange.known->hops) * part;
    ++m_repeater.GetStatistics().met;
    exchange.members = StartedOf(exchange);
    exchange.known.reset();
    exchange.isRepeated = false;
    ++exchange.generation;
    exchange.underWay = exchange.left = exchange.members.size();
    if (exchange.isAudited)
    {
        GoOn(number);
        return;
    }
    std::vector<WorkloadLateTransfer> late;
    for (Member& member : exchange.members)
    {
        Slot slot{member.id, number, static_cast<uint32_t>(late.size())};
        slot.isDeliveryTold = member.deliveredPs >= 0;
        slot.isEndTold = member.endPs >= 0;
        member.slot = TakeSlot(slot);
        late.push_back({member.transfer, member.slot, member.startPs});
    }
    if (m_transport.StartLate(late))
    {
        return;
    }
    WorkloadRepeats& statistics = m_repeater.GetStatistics();
    for (const WorkloadLateTransfer& transfer : late)
    {
        ++statistics.delayed;
        statistics.largestDelayPs =
            std::max(statistics.largestDelayPs, m_transport.Now() - transfer.ps);
        m_transport.Start(transfer.transfer, transfer.id);
    }
}

/** The transfers of an exchange, which was audited, are what the client is told of from now on. */
void
WorkloadExchangeMemory::GoOn(uint32_t number)
{
    Exchange& exchange = *m_exchanges[number];
    exchange.isAudited = false;
    exchange.underWay = exchange.left = 0;
    for (uint32_t i = 0; i < exchange.members.size(); ++i)
    {
        Member& member = exchange.members[i];
        exchange.underWay += member.seenDeliveredPs < 0 ? 1 : 0;
        if (member.slot != NONE)
        {
            ++exchange.left;
            m_slots[member.slot].member = i;
            m_slots[member.slot].isDeliveryTold = member.deliveredPs >= 0;
            m_slots[member.slot].isEndTold = member.endPs >= 0;
        }
        if (member.seenDeliveredPs >= 0 && member.deliveredPs < 0)
        {
            m_due.emplace_back(member.id, false);
        }
        if (member.seenEndPs >= 0 && member.endPs < 0)
        {
            m_due.emplace_back(member.id, true);
        }
        member.deliveredPs = member.seenDeliveredPs;
        member.endPs = member.seenEndPs;
    }
    if (!m_due.empty()) // not in a call of the client
    {
        ScheduleOwn(0, NONE, 0);
    }
    if (exchange.underWay == 0)
    {
        Release(exchange);
    }
    if (exchange.left == 0)
    {
        Finish(exchange);
        Free(number);
    }
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-exchange-parts.h"

#include <algorithm>
#include <utility>

// Exchanges that are simulated.

namespace ns3
{

namespace
{

/** Transfers of an exchange that is remembered. */
constexpr size_t MOST_TRANSFERS = 4096;

/** How long a transfer is held, ps: an audit that is further off is to find that out. */
constexpr int64_t MOST_HELD = 1000000;

} // namespace

void
WorkloadExchangeMemory::Record(const WorkloadTransfer& transfer, uint64_t id)
{
    const Way& way = WayOf(transfer);
    uint32_t number = NONE;
    for (const uint32_t port : way.ports)
    {
        const uint32_t owner = OwnerOf(port);
        if (owner != NONE && owner != number)
        {
            number = number == NONE ? owner : Merge(number, owner);
        }
    }
    if (number == NONE)
    {
        number = Take();
        m_exchanges[number]->troubles = m_repeater.CountTroubles();
    }
    Exchange& exchange = *m_exchanges[number];
    const size_t before = exchange.ports.size();
    for (const uint32_t port : way.ports)
    {
        if (m_owners[port] == NONE)
        {
            m_owners[port] = number;
            exchange.ports.push_back(port);
        }
    }
    if (!exchange.isWrong)
    {
        const std::vector<uint32_t> added(exchange.ports.begin() + before, exchange.ports.end());
        if (!way.isSure || exchange.members.size() == MOST_TRANSFERS || !m_repeater.AreIdle(added))
        {
            Spoil(exchange);
        }
    }
    ++exchange.underWay;
    ++exchange.left;
    const uint32_t slot = TakeSlot({id, number});
    if (!exchange.isWrong)
    {
        m_slots[slot].member = static_cast<uint32_t>(exchange.members.size());
        exchange.members.push_back({transfer, id, m_transport.Now()});
        exchange.members.back().slot = slot;
    }
    Launch(transfer, slot);
}

/** A transfer starts, or is held until what its source was told is so in truth. */
void
WorkloadExchangeMemory::Launch(const WorkloadTransfer& transfer, uint32_t slot)
{
    if (FirstLagging(transfer.src) < UINT64_MAX)
    {
        m_held.push_back({transfer, slot, m_told, m_transport.Now() + MOST_HELD});
        ScheduleOwn(MOST_HELD, NONE, 0);
        return;
    }
    m_transport.Start(transfer, slot);
}

/** \return the number of both exchanges from now on, which are simulated */
uint32_t
WorkloadExchangeMemory::Merge(uint32_t a, uint32_t b)
{
    if (m_exchanges[a]->ports.size() < m_exchanges[b]->ports.size())
    {
        std::swap(a, b);
    }
    Exchange& to = *m_exchanges[a];
    Exchange& from = *m_exchanges[b];
    if (to.isWrong || from.isWrong)
    {
        Spoil(to);
        Spoil(from);
    }
    for (Member& member : from.members)
    {
        if (member.slot != NONE)
        {
            m_slots[member.slot].member = static_cast<uint32_t>(to.members.size());
        }
        to.members.push_back(member);
    }
    from.members.clear();
    to.ports.insert(to.ports.end(), from.ports.begin(), from.ports.end());
    from.ports.clear();
    to.sincePs = std::min(to.sincePs, from.sincePs);
    to.troubles = std::min(to.troubles, from.troubles);
    to.underWay += from.underWay;
    to.left += from.left;
    to.merged.push_back(b);
    from.into = a;
    return a;
}

/** It is not remembered. */
void
WorkloadExchangeMemory::Spoil(Exchange& exchange)
{
    for (const Member& member : exchange.members)
    {
        if (member.slot != NONE)
        {
            m_slots[member.slot].member = NONE;
        }
    }
    exchange.members.clear();
    exchange.isWrong = true;
}

void
WorkloadExchangeMemory::Delivered(uint64_t id)
{
    Slot& slot = m_slots[id];
    slot.isDelivered = true;
    while (m_exchanges[slot.exchange]->into != NONE)
    {
        slot.exchange = m_exchanges[slot.exchange]->into;
    }
    Exchange& exchange = *m_exchanges[slot.exchange];
    if (exchange.isRepeated)
    {
        exchange.members[slot.member].seenDeliveredPs = m_transport.GetToldPs();
        CatchUp(slot.delivery);
        return;
    }
    if (slot.member != NONE)
    {
        exchange.members[slot.member].deliveredPs = m_transport.GetToldPs();
    }
    if (--exchange.underWay == 0)
    {
        Release(exchange);
    }
    CatchUp(slot.delivery);
    if (!slot.isDeliveryTold)
    {
        m_client.Delivered(slot.id);
    }
}

void
WorkloadExchangeMemory::Acknowledged(uint64_t id)
{
    Slot slot = m_slots[id];
    m_freeSlots.push_back(static_cast<uint32_t>(id));
    Exchange& exchange = *m_exchanges[slot.exchange];
    if (exchange.isRepeated)
    {
        exchange.members[slot.member].seenEndPs = m_transport.GetToldPs();
        exchange.members[slot.member].slot = NONE;
        --exchange.simulated;
        EndIfOver(slot.exchange);
        CatchUp(slot.end);
        return;
    }
    Ended(slot);
    CatchUp(slot.end);
    if (!slot.isEndTold)
    {
        m_client.Acknowledged(slot.id);
    }
}

void
WorkloadExchangeMemory::Failed(uint64_t id, const std::string& reason)
{
    if (m_exchanges[m_slots[id].exchange]->isRepeated)
    {
        FallBack(m_slots[id].exchange); // it is not as it should
    }
    Slot slot = m_slots[id];
    m_freeSlots.push_back(static_cast<uint32_t>(id));
    uint32_t number = slot.exchange;
    while (m_exchanges[number]->into != NONE)
    {
        number = m_exchanges[number]->into;
    }
    Exchange& exchange = *m_exchanges[number];
    Spoil(exchange);
    if (!slot.isDelivered && --exchange.underWay == 0)
    {
        Release(exchange);
    }
    Ended({slot.id, number});
    CatchUp(slot.delivery);
    CatchUp(slot.end);
    m_client.Failed(slot.id, reason);
}

void
WorkloadExchangeMemory::Ended(const Slot& slot)
{
    uint32_t number = slot.exchange;
    while (m_exchanges[number]->into != NONE)
    {
        number = m_exchanges[number]->into;
    }
    Exchange& exchange = *m_exchanges[number];
    if (slot.member != NONE)
    {
        exchange.members[slot.member].endPs = m_transport.GetToldPs();
        exchange.members[slot.member].slot = NONE;
    }
    if (--exchange.left == 0)
    {
        if (!exchange.isWrong)
        {
            Finish(exchange);
        }
        Free(number);
    }
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-exchange-memory.h"

#include "workload-exchange-parts.h"

#include <algorithm>
#include <utility>

// Transfers as they start, and their ports.

namespace ns3
{

namespace
{

/** Marks timers of this. */
constexpr uint64_t OWN_TIMER = uint64_t{1} << 63;

/** Of an exchange, as timers have it. */
constexpr uint32_t GENERATIONS = 0x7fffffff;

} // namespace

WorkloadExchangeMemory::WorkloadExchangeMemory(WorkloadTransport& transport,
                                               WorkloadRepeater& repeater,
                                               WorkloadTransport::Client& client)
    : m_transport(transport),
      m_repeater(repeater),
      m_client(client)
{
}

WorkloadExchangeMemory::~WorkloadExchangeMemory() = default;

WorkloadExchangeMemory::Key
WorkloadExchangeMemory::KeyOf(const WorkloadTransfer& transfer)
{
    return {uint64_t{transfer.src} << 32 | transfer.dst, transfer.bytes};
}

const WorkloadExchangeMemory::Way&
WorkloadExchangeMemory::WayOf(const WorkloadTransfer& transfer)
{
    const auto [it, isNew] = m_ways.try_emplace(uint64_t{transfer.src} << 32 | transfer.dst);
    Way& way = it->second;
    if (isNew)
    {
        std::vector<WorkloadHop> hops;
        way.isSure = m_repeater.FindHops(transfer.src, transfer.dst, hops);
        for (const WorkloadHop& hop : hops)
        {
            way.ports.push_back(hop.port);
        }
        std::sort(way.ports.begin(), way.ports.end());
        way.ports.erase(std::unique(way.ports.begin(), way.ports.end()), way.ports.end());
        if (!way.ports.empty() && way.ports.back() >= m_owners.size())
        {
            m_owners.resize(way.ports.back() + size_t{1}, NONE);
        }
    }
    return way;
}

/** \return the exchange that a port belongs to now, or NONE */
uint32_t
WorkloadExchangeMemory::OwnerOf(uint32_t port)
{
    uint32_t& owner = m_owners[port];
    while (owner != NONE && m_exchanges[owner]->into != NONE)
    {
        owner = m_exchanges[owner]->into;
    }
    return owner;
}

uint32_t
WorkloadExchangeMemory::Take()
{
    if (m_freeExchanges.empty())
    {
        m_freeExchanges.push_back(static_cast<uint32_t>(m_exchanges.size()));
        m_exchanges.push_back(std::make_unique<Exchange>());
    }
    const uint32_t number = m_freeExchanges.back();
    m_freeExchanges.pop_back();
    m_exchanges[number]->sincePs = m_transport.Now();
    return number;
}

void
WorkloadExchangeMemory::Free(uint32_t number)
{
    const uint32_t generation = m_exchanges[number]->generation + 1;
    const std::vector<uint32_t> merged = std::move(m_exchanges[number]->merged);
    *m_exchanges[number] = {};
    m_exchanges[number]->generation = generation;
    m_freeExchanges.push_back(number);
    for (const uint32_t part : merged)
    {
        Free(part);
    }
}

/** All is delivered: others may come to its ports. */
void
WorkloadExchangeMemory::Release(Exchange& exchange)
{
    for (const uint32_t port : exchange.ports)
    {
        m_owners[port] = NONE;
    }
    exchange.ports.clear();
}

uint32_t
WorkloadExchangeMemory::TakeSlot(const Slot& slot)
{
    if (m_freeSlots.empty())
    {
        m_freeSlots.push_back(static_cast<uint32_t>(m_slots.size()));
        m_slots.emplace_back();
    }
    const uint32_t number = m_freeSlots.back();
    m_freeSlots.pop_back();
    m_slots[number] = slot;
    return number;
}

void
WorkloadExchangeMemory::Start(const WorkloadTransfer& transfer, uint64_t id)
{
    bool isIdle = true;
    for (const uint32_t port : WayOf(transfer).ports)
    {
        const uint32_t owner = OwnerOf(port);
        isIdle = isIdle && owner == NONE;
        if (owner != NONE && m_exchanges[owner]->isRepeated)
        {
            const Member member{transfer, id, m_transport.Now()};
            if (Joins(*m_exchanges[owner], member))
            {
                SimulateToo(owner);
                return;
            }
            if (Switches(owner, &member))
            {
                return;
            }
            Meet(owner);
        }
    }
    const std::shared_ptr<Known> known = isIdle ? Find(transfer) : nullptr;
    known ? Repeat(known, transfer, id) : Record(transfer, id);
}

void
WorkloadExchangeMemory::Due(uint64_t timer)
{
    if (!(timer & OWN_TIMER))
    {
        m_client.Due(timer);
        return;
    }
    const auto number = static_cast<uint32_t>(timer);
    if (number == NONE)
    {
        for (const auto& [id, isEnd] : std::exchange(m_due, {}))
        {
            isEnd ? m_client.Acknowledged(id) : m_client.Delivered(id);
        }
        StartHeld([now = m_transport.Now()](const Held& held) { return held.untilPs <= now; });
    }
    else if ((timer & ~OWN_TIMER) >> 32 == (m_exchanges[number]->generation & GENERATIONS))
    {
        Happen(number);
    }
}

/** Due() is told of an exchange, if it is of the same generation then; or of NONE. */
void
WorkloadExchangeMemory::ScheduleOwn(int64_t delayPs, uint32_t number, uint32_t generation)
{
    m_transport.Schedule(delayPs, OWN_TIMER | uint64_t{generation & GENERATIONS} << 32 | number);
}

void
WorkloadExchangeMemory::ScheduleNext(uint32_t number)
{
    const Exchange& exchange = *m_exchanges[number];
    const int64_t at = std::min(exchange.known->events[exchange.next].at, MissingAt(exchange));
    ScheduleOwn(exchange.sincePs + at - m_transport.Now(), number, exchange.generation);
}

std::string
WorkloadExchangeMemory::DescribeTransfer(uint64_t id) const
{
    return m_client.DescribeTransfer(m_slots[id].id);
}

std::string
WorkloadExchangeMemory::DescribeTimer(uint64_t timer) const
{
    if (!(timer & OWN_TIMER))
    {
        return m_client.DescribeTimer(timer);
    }
    const auto number = static_cast<uint32_t>(timer);
    if (number != NONE)
    {
        for (const Member& member : m_exchanges[number]->members)
        {
            if (member.startPs >= 0)
            {
                return m_client.DescribeTransfer(member.id);
            }
        }
    }
    return "an exchange that is over";
}

std::string
WorkloadExchangeMemory::Explain(uint64_t id) const
{
    for (const auto& exchange : m_exchanges)
    {
        for (const Member& member : exchange->members)
        {
            if (exchange->isRepeated && member.startPs >= 0 && member.id == id)
            {
                return "goes as an equal one did before";
            }
        }
    }
    for (uint32_t slot = 0; slot < m_slots.size(); ++slot)
    {
        const bool isFree =
            std::find(m_freeSlots.begin(), m_freeSlots.end(), slot) != m_freeSlots.end();
        if (m_slots[slot].id == id && !isFree)
        {
            return m_transport.Explain(slot);
        }
    }
    return "not under way";
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-matcher.h"

#include "ns3/assert.h"
#include "ns3/workload-schedule.h"

namespace ns3
{

namespace
{

constexpr size_t FIRST_SLOTS = 64;
constexpr uint32_t EXACT = 0; // way: by source and tag
constexpr uint32_t ALL = 3;   // way: by neither

/** \return a number from a pool, new if none is free */
template <typename T>
uint32_t
Take(std::vector<T>& pool, std::vector<uint32_t>& free)
{
    if (free.empty())
    {
        pool.emplace_back();
        return static_cast<uint32_t>(pool.size() - 1);
    }
    const uint32_t entry = free.back();
    free.pop_back();
    pool[entry] = T();
    return entry;
}

} // namespace

WorkloadMatcher::WorkloadMatcher(uint32_t processes)
    : m_slots(FIRST_SLOTS),
      m_all(processes),
      m_open(processes)
{
}

WorkloadMatcher::Key
WorkloadMatcher::KeyOf(const Key& key, uint32_t way)
{
    return {key.process, (way & 1) ? WORKLOAD_ANY : key.source, (way & 2) ? WORKLOAD_ANY : key.tag};
}

size_t
WorkloadMatcher::HomeOf(const Key& key) const
{
    // finaliser of splitmix64, twice
    uint64_t h = static_cast<uint64_t>(key.source) << 32 | key.tag;
    for (const uint64_t salt : {static_cast<uint64_t>(key.process), uint64_t{0}})
    {
        h += salt + 0x9e3779b97f4a7c15;
        h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9;
        h = (h ^ h >> 27) * 0x94d049bb133111eb;
        h ^= h >> 31;
    }
    return static_cast<size_t>(h) & (m_slots.size() - 1);
}

size_t
WorkloadMatcher::Find(const Key& key) const
{
    size_t slot = HomeOf(key);
    while (!m_slots[slot].IsFree() && !(m_slots[slot].key == key))
    {
        slot = (slot + 1) & (m_slots.size() - 1);
    }
    return slot;
}

size_t
WorkloadMatcher::FindOrAdd(const Key& key)
{
    if (m_used * 2 >= m_slots.size())
    {
        Grow();
    }
    const size_t slot = Find(key);
    if (m_slots[slot].IsFree())
    {
        m_slots[slot].key = key;
        ++m_used; // the caller puts something in
    }
    return slot;
}

void
WorkloadMatcher::Grow()
{
    std::vector<Slot> before(2 * m_slots.size());
    before.swap(m_slots);
    for (const Slot& slot : before)
    {
        if (!slot.IsFree())
        {
            m_slots[Find(slot.key)] = slot;
        }
    }
}

void
WorkloadMatcher::Release(size_t slot)
{
    if (!m_slots[slot].IsFree())
    {
        return;
    }
    --m_used;
    // what was put behind because this slot was taken moves up
    const size_t mask = m_slots.size() - 1;
    size_t gap = slot;
    for (size_t i = (gap + 1) & mask; !m_slots[i].IsFree(); i = (i + 1) & mask)
    {
        const size_t home = HomeOf(m_slots[i].key);
        if (((i - home) & mask) >= ((i - gap) & mask))
        {
            m_slots[gap] = m_slots[i];
            m_slots[i] = Slot();
            gap = i;
        }
    }
}

void
WorkloadMatcher::AddReceive(const Key& key, uint32_t receive)
{
    const uint32_t entry = Take(m_receives, m_freeReceives);
    m_receives[entry].order = m_posted++;
    m_receives[entry].number = receive;
    Queue& queue = m_slots[FindOrAdd(key)].receives;
    (queue.head == NONE ? queue.head : m_receives[queue.tail].next) = entry;
    queue.tail = entry;
    ++m_waiting;
}

WorkloadMatcher::Queue*
WorkloadMatcher::MessagesOf(const Key& key)
{
    if (key.source == WORKLOAD_ANY && key.tag == WORKLOAD_ANY)
    {
        return &m_all[key.process];
    }
    Slot& slot = m_slots[Find(key)];
    return slot.IsFree() ? nullptr : &slot.messages;
}

void
WorkloadMatcher::LinkMessage(uint32_t entry, uint32_t way)
{
    const Key key = KeyOf(m_messages[entry].key, way);
    Queue& queue = way == ALL ? m_all[key.process] : m_slots[FindOrAdd(key)].messages;
    m_messages[entry].links[way] = {queue.tail, NONE};
    (queue.head == NONE ? queue.head : m_messages[queue.tail].links[way].next) = entry;
    queue.tail = entry;
}

void
WorkloadMatcher::UnlinkMessage(uint32_t entry, uint32_t way)
{
    const Key key = KeyOf(m_messages[entry].key, way);
    const size_t slot = way == ALL ? 0 : Find(key);
    Queue& queue = way == ALL ? m_all[key.process] : m_slots[slot].messages;
    const Link link = m_messages[entry].links[way];
    (link.previous == NONE ? queue.head : m_messages[link.previous].links[way].next) = link.next;
    (link.next == NONE ? queue.tail : m_messages[link.next].links[way].previous) = link.previous;
    if (way != ALL)
    {
        Release(slot);
    }
}

void
WorkloadMatcher::AddMessage(const Key& key, uint32_t message)
{
    const uint32_t entry = Take(m_messages, m_freeMessages);
    m_messages[entry].key = key;
    m_messages[entry].number = message;
    for (uint32_t way = 0; way < WAYS; ++way)
    {
        if (way == EXACT || way == ALL || m_open[key.process])
        {
            LinkMessage(entry, way);
        }
    }
    ++m_waiting;
}

void
WorkloadMatcher::Open(uint32_t process)
{
    if (m_open[process])
    {
        return;
    }
    m_open[process] = true;
    for (uint32_t m = m_all[process].head; m != NONE; m = m_messages[m].links[ALL].next)
    {
        for (uint32_t way = EXACT + 1; way < ALL; ++way)
        {
            LinkMessage(m, way);
        }
    }
}

uint32_t
WorkloadMatcher::Arrive(uint32_t process, uint32_t source, uint32_t tag, uint32_t message)
{
    NS_ASSERT_MSG(source != WORKLOAD_ANY && tag != WORKLOAD_ANY, "a message knows what it is");
    const Key key{process, source, tag};
    size_t first = SIZE_MAX; // slot of the receive posted first
    for (uint32_t way = 0; way < (m_open[process] ? WAYS : EXACT + 1); ++way)
    {
        const size_t slot = Find(KeyOf(key, way));
        const uint32_t head = m_slots[slot].receives.head;
        if (head != NONE &&
            (first == SIZE_MAX ||
             m_receives[head].order < m_receives[m_slots[first].receives.head].order))
        {
            first = slot;
        }
    }
    if (first == SIZE_MAX)
    {
        AddMessage(key, message);
        return NONE;
    }
    const uint32_t entry = m_slots[first].receives.head;
    m_slots[first].receives.head = m_receives[entry].next;
    m_freeReceives.push_back(entry);
    --m_waiting;
    Release(first);
    return m_receives[entry].number;
}

uint32_t
WorkloadMatcher::Post(uint32_t process, uint32_t source, uint32_t tag, uint32_t receive)
{
    if (source == WORKLOAD_ANY || tag == WORKLOAD_ANY)
    {
        Open(process);
    }
    const Key key{process, source, tag};
    const Queue* queue = MessagesOf(key);
    if (!queue || queue->head == NONE)
    {
        AddReceive(key, receive);
        return NONE;
    }
    const uint32_t entry = queue->head;
    for (uint32_t way = 0; way < WAYS; ++way)
    {
        if (way == EXACT || way == ALL || m_open[process])
        {
            UnlinkMessage(entry, way);
        }
    }
    m_freeMessages.push_back(entry);
    --m_waiting;
    return m_messages[entry].number;
}

} // namespace ns3

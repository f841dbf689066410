/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-goal-labels.h"

#include <algorithm>
#include <cstring>

namespace ns3
{

namespace
{

constexpr size_t MIN_SLOTS = 64;

uint32_t
HashOf(const char* text, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < length; ++i)
    {
        hash = (hash ^ static_cast<unsigned char>(text[i])) * 0x100000001b3;
    }
    return static_cast<uint32_t>(hash ^ (hash >> 32));
}

} // namespace

WorkloadGoalLabels::WorkloadGoalLabels()
    : m_slots(MIN_SLOTS)
{
}

void
WorkloadGoalLabels::Clear()
{
    // one huge rank must not make each small one after it pay for its table
    if (m_slots.size() > MIN_SLOTS && m_slots.size() > 16 * m_labels.size())
    {
        m_slots.resize(std::max(MIN_SLOTS, m_slots.size() / 4));
    }
    std::fill(m_slots.begin(), m_slots.end(), 0);
    m_labels.clear();
    m_text.clear();
}

size_t
WorkloadGoalLabels::SlotOf(const char* text, size_t length, uint32_t hash) const
{
    const size_t mask = m_slots.size() - 1;
    size_t slot = hash & mask;
    while (m_slots[slot] != 0)
    {
        const Label& label = m_labels[m_slots[slot] - 1];
        if (label.hash == hash && label.length == length &&
            std::memcmp(m_text.data() + label.text, text, length) == 0)
        {
            break;
        }
        slot = (slot + 1) & mask;
    }
    return slot;
}

void
WorkloadGoalLabels::Grow()
{
    m_slots.assign(2 * m_slots.size(), 0);
    const size_t mask = m_slots.size() - 1;
    for (size_t i = 0; i < m_labels.size(); ++i)
    {
        size_t slot = m_labels[i].hash & mask;
        while (m_slots[slot] != 0)
        {
            slot = (slot + 1) & mask;
        }
        m_slots[slot] = static_cast<uint32_t>(i + 1);
    }
}

bool
WorkloadGoalLabels::Add(const char* text, size_t length, uint32_t operation)
{
    const uint32_t hash = HashOf(text, length);
    const size_t slot = SlotOf(text, length, hash);
    if (m_slots[slot] != 0)
    {
        return false;
    }
    m_labels.push_back({m_text.size(), static_cast<uint32_t>(length), hash, operation});
    m_text.append(text, length);
    m_slots[slot] = static_cast<uint32_t>(m_labels.size());
    if (2 * m_labels.size() > m_slots.size())
    {
        Grow();
    }
    return true;
}

const uint32_t*
WorkloadGoalLabels::Find(const char* text, size_t length) const
{
    const size_t slot = SlotOf(text, length, HashOf(text, length));
    return m_slots[slot] == 0 ? nullptr : &m_labels[m_slots[slot] - 1].operation;
}

} // namespace ns3

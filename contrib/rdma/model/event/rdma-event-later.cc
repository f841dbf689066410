/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-event-later.h"

#include <algorithm>
#include <utility>

namespace ns3
{

RdmaEventLater::RdmaEventLater() = default;
RdmaEventLater::~RdmaEventLater() = default;

RdmaEventLater::RdmaEventLater(RdmaEventLater&& other) noexcept
{
    *this = std::move(other);
}

RdmaEventLater&
RdmaEventLater::operator=(RdmaEventLater&& other) noexcept
{
    m_end = std::exchange(other.m_end, NO_END);
    m_inCalendar = std::exchange(other.m_inCalendar, false);
    m_inWheel = std::exchange(other.m_inWheel, false);
    m_calendar = std::move(other.m_calendar);
    m_wheel = std::move(other.m_wheel);
    return *this;
}

void
RdmaEventLater::BeginCalendar(const std::vector<Entry>& entries)
{
    if (!m_calendar)
    {
        m_calendar = std::make_unique<RdmaEventCalendar>();
    }
    m_calendar->Begin(entries);
    m_end = m_calendar->GetEnd();
    m_inCalendar = true;
}

void
RdmaEventLater::BeginWheel(const std::vector<Entry>& entries)
{
    // times that are past are possible, so time begins with the first entry
    for (const Entry& entry : entries)
    {
        m_end = std::min(m_end, static_cast<uint64_t>(entry.time));
    }
    if (!m_wheel)
    {
        m_wheel = std::make_unique<RdmaEventWheel>(m_end);
    }
    m_wheel->TurnTo(m_end);
    m_inWheel = true;
}

void
RdmaEventLater::TakeAll(std::vector<Entry>& entries)
{
    if (m_inWheel)
    {
        m_wheel->TakeAll(entries);
    }
    if (m_inCalendar)
    {
        m_calendar->TakeAll(entries);
    }
    m_end = NO_END;
    m_inCalendar = m_inWheel = false;
}

void
RdmaEventLater::TakeFromWheel(size_t least, std::vector<Entry>& entries)
{
    m_end = m_wheel->Take(least, entries);
}

void
RdmaEventLater::TakeFromCalendar(RdmaEventHeap& heap)
{
    m_calendar->Take(heap);
    m_end = m_calendar->GetEnd();
}

void
RdmaEventLater::TakeNear(RdmaEventHeap& heap)
{
    if (m_inCalendar)
    {
        m_end = m_calendar->TakeNear(heap);
    }
}

/** Insert where there is no calendar. */
bool
RdmaEventLater::InsertIntoWheel(const Entry& entry)
{
    m_wheel->Insert(entry);
    return false;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-event-calendar.h"

#include <algorithm>

namespace ns3
{

namespace
{
constexpr uint32_t MOST_SHIFT = 48;
}

RdmaEventCalendar::RdmaEventCalendar()
{
    m_slips.resize(1); // 0 is none
    AddSlips();
}

/** Makes slips where all are in use. */
void
RdmaEventCalendar::AddSlips()
{
    const auto first = static_cast<uint32_t>(m_slips.size());
    const uint32_t end = first + std::max<uint32_t>(first, 128);
    m_slips.resize(end);
    for (uint32_t slip = first; slip < end; ++slip)
    {
        m_slips[slip].next = slip + 1 < end ? slip + 1 : 0;
    }
    m_free = first;
}

void
RdmaEventCalendar::Begin(const std::vector<Entry>& entries)
{
    const auto earlier = [](const Entry& a, const Entry& b) { return a.GetKey() < b.GetKey(); };
    const auto first =
        static_cast<uint64_t>(std::min_element(entries.begin(), entries.end(), earlier)->time);
    if (!m_begun)
    {
        // timers, which are far, are pending for long, so many of them are here; what is scheduled
        // mostly is among the first quarter
        std::vector<Entry> sorted(entries);
        const auto quarter = sorted.begin() + static_cast<ptrdiff_t>(sorted.size() / 4);
        std::nth_element(sorted.begin(), quarter, sorted.end(), earlier);
        const uint64_t span = static_cast<uint64_t>(quarter->time) - first;
        while (m_shift < MOST_SHIFT && span >> m_shift >= DAYS / 16)
        {
            ++m_shift;
        }
        m_begun = true;
    }
    else if (IsUnfit())
    {
        Adapt();
    }
    m_today = first >> m_shift;
}

/** Makes days longer or shorter, whichever promises to cost less. */
void
RdmaEventCalendar::Adapt()
{
    const bool longer = m_tooFar > m_crowded;
    m_bearable = longer == m_longer ? BEARABLE : 2 * m_bearable; // back and forth: never mind
    m_longer = longer;
    m_shift += longer && m_shift < MOST_SHIFT ? 1 : 0;
    m_shift -= !longer && m_shift > 0 ? 1 : 0;
    m_tooFar = m_crowded = 0;
}

/** Insert where an entry is far, another one is of its day, or slips run out. */
void
RdmaEventCalendar::InsertAside(uint64_t place, int64_t time, RdmaEvent* event)
{
    const uint64_t day = static_cast<uint64_t>(time) >> m_shift;
    if (day - m_today >= DAYS - 64)
    {
        m_tooFar += FAR_COST;
        m_far.Push({place, time, event});
        FindFarDay();
        return;
    }
    ++m_near;
    const uint32_t slip = m_free;
    m_free = m_slips[slip].next;
    if (m_free == 0)
    {
        AddSlips();
    }
    m_slips[slip].entry = {place, time, event};
    const uint32_t at = day % DAYS;
    uint64_t& word = m_filled[at / 64];
    const uint64_t bit = uint64_t{1} << at % 64;
    if (word & bit)
    {
        AddToDay(at, slip);
        return;
    }
    word |= bit;
    m_words |= uint64_t{1} << at / 64;
    m_slips[slip].next = slip;
    m_last[at] = slip;
}

/** Appends the entries from slip \p first of a day to \p heap, but for that of \p last. */
void
RdmaEventCalendar::TakeMany(uint32_t first, uint32_t last, RdmaEventHeap& heap)
{
    for (uint32_t slip = first; slip != last; slip = m_slips[slip].next)
    {
        heap.Append(m_slips[slip].entry);
        --m_near;
    }
}

/** Puts \p slip into a day that has entries. */
void
RdmaEventCalendar::AddToDay(uint32_t at, uint32_t slip)
{
    ++m_crowded;
    const Entry::Key key = m_slips[slip].entry.GetKey();
    uint32_t before = m_last[at];
    if (m_slips[before].entry.GetKey() < key)
    {
        m_last[at] = slip;
    }
    else
    {
        while (m_slips[m_slips[before].next].entry.GetKey() < key)
        {
            before = m_slips[before].next;
            ++m_crowded;
        }
    }
    m_slips[slip].next = m_slips[before].next;
    m_slips[before].next = slip;
}

/** Sets m_farDay, for m_far or the length of days has changed. */
void
RdmaEventCalendar::FindFarDay()
{
    m_farDay = m_far.IsEmpty() ? NEVER : static_cast<uint64_t>(m_far.Front().time) >> m_shift;
}

void
RdmaEventCalendar::Take(RdmaEventHeap& heap)
{
    const uint64_t near = m_words ? FindDay() : NEVER;
    m_today = std::min(near, m_farDay);
    if (m_words && near == m_today)
    {
        TakeDay(near % DAYS, heap);
    }
    while (!m_far.IsEmpty() && m_farDay == m_today)
    {
        heap.Push(m_far.Front());
        m_far.PopFront();
        FindFarDay();
    }
}

void
RdmaEventCalendar::TakeAll(std::vector<Entry>& entries)
{
    entries.reserve(entries.size() + GetCount());
    for (; !m_far.IsEmpty(); m_far.PopFront()) // which keeps its memory
    {
        entries.push_back(m_far.Front());
    }
    m_farDay = NEVER;
    for (uint32_t at = 0; m_words; ++at)
    {
        uint64_t& word = m_filled[at];
        for (; word; word &= word - 1)
        {
            const uint32_t last = m_last[at * 64 + static_cast<uint32_t>(__builtin_ctzll(word))];
            const uint32_t first = m_slips[last].next;
            for (uint32_t slip = first;; slip = m_slips[slip].next)
            {
                entries.push_back(m_slips[slip].entry);
                if (slip == last)
                {
                    break;
                }
            }
            m_slips[last].next = m_free;
            m_free = first;
        }
        m_words &= ~(uint64_t{1} << at);
    }
    m_near = 0;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/sanitized.h"
#include "rdma-test-case.h"

#include "ns3/rdma-event-calendar.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

using CalendarEntries = std::set<std::pair<uint64_t, uint64_t>>; // time, place

/** The same entries in a calendar and in a sorted set. */
class CalendarTwin
{
  public:
    explicit CalendarTwin(uint32_t seed)
        : m_random(seed)
    {
        m_scale = 1 + m_random() % 40;
    }

    /** \return whether the two agreed all along */
    bool Run(int steps)
    {
        m_calendar.Begin({Make(m_random() % 1000)});
        for (int step = 0; step < steps && m_agree; ++step)
        {
            // fills and empties by turns
            const uint64_t fresh = m_random() % (step / 200 % 2 ? 2 : 6);
            for (uint64_t n = 0; n < fresh; ++n)
            {
                Insert();
            }
            step % 3 ? Take() : TakeNear();
            if (m_calendar.IsUnfit() || m_random() % 300 == 0)
            {
                BeginAgain();
            }
            m_agree = m_agree && m_calendar.GetCount() == m_twin.size();
        }
        while (m_agree && !m_twin.empty())
        {
            Take();
        }
        return m_agree && m_calendar.GetCount() == 0;
    }

  private:
    RdmaEventEntry Make(uint64_t time)
    {
        return {m_random(), static_cast<int64_t>(time), nullptr};
    }

    void Insert()
    {
        // mostly near, many at one time, some far, few at the end of 64 bits
        const uint64_t draw = m_random();
        uint64_t later =
            draw % 8 ? (draw >> 8) % (uint64_t{1} << m_scale) : (draw >> 8) >> (draw >> 3) % 56;
        later = draw % 8 == 1 ? later & ~uint64_t{7} : later;
        later = draw % 1000 == 0 ? UINT64_MAX : later;
        const uint64_t end = m_calendar.GetEnd();
        const uint64_t time = end + std::min(later + 1, UINT64_MAX - end);
        if (time > end && later + 1 > later)
        {
            const RdmaEventEntry entry = Make(time);
            m_calendar.Insert(entry);
            m_twin.emplace(time, entry.place);
        }
    }

    /** All of \p taken, in order, must be the first of the twin, and no later than the end. */
    void Compare(RdmaEventHeap& taken)
    {
        while (m_agree && !taken.IsEmpty())
        {
            const RdmaEventEntry entry = taken.Front();
            taken.PopFront();
            const std::pair<uint64_t, uint64_t> first{static_cast<uint64_t>(entry.time),
                                                      entry.place};
            m_agree = !m_twin.empty() && *m_twin.begin() == first;
            m_twin.erase(first);
        }
        m_agree = m_agree && (m_twin.empty() || m_twin.begin()->first > m_calendar.GetEnd());
    }

    void Take()
    {
        if (m_twin.empty())
        {
            return;
        }
        RdmaEventHeap taken;
        m_calendar.Take(taken);
        m_agree = m_agree && !taken.IsEmpty();
        Compare(taken);
    }

    void TakeNear()
    {
        RdmaEventHeap taken;
        const uint64_t before = m_calendar.GetEnd();
        m_calendar.TakeNear(taken);
        m_agree = m_agree && (!taken.IsEmpty() || m_calendar.GetEnd() == before);
        Compare(taken);
    }

    /** The calendar begins with an entry that is earlier than all, and days of another length. */
    void BeginAgain()
    {
        std::vector<RdmaEventEntry> entries;
        m_calendar.TakeAll(entries);
        m_agree = m_agree && entries.size() == m_twin.size() && m_calendar.GetCount() == 0;
        const uint64_t first = m_twin.empty() ? 0 : m_twin.begin()->first;
        m_calendar.Begin({Make(first - std::min(first, m_random() % 1000))});
        m_twin.clear();
        for (const RdmaEventEntry& entry : entries)
        {
            if (static_cast<uint64_t>(entry.time) > m_calendar.GetEnd())
            {
                m_calendar.Insert(entry);
                m_twin.emplace(static_cast<uint64_t>(entry.time), entry.place);
            }
        }
    }

    std::mt19937_64 m_random;
    RdmaEventCalendar m_calendar;
    CalendarEntries m_twin;
    uint64_t m_scale; //!< most entries are 2^m_scale steps later at most
    bool m_agree{true};
};

RDMA_TEST(RdmaEventCalendarOrder, "days come in order, with all their entries in order")
{
    for (uint32_t seed = 1; seed <= harness::Repetitions(60); ++seed)
    {
        NS_TEST_EXPECT_MSG_EQ(CalendarTwin(seed).Run(4000), true, "seed " << seed);
    }
}

RDMA_TEST(RdmaEventCalendarCrowds, "days suit what comes, and so does the calendar")
{
    // hundreds of entries, a step apart, then a million: days become as long as is needed for most
    // entries to be in a day that they have for themselves, or are shared by few
    RdmaEventCalendar calendar;
    const auto measure = [&calendar](int64_t apart) {
        uint64_t place = 0;
        std::vector<RdmaEventEntry> entries;
        const auto begin = static_cast<int64_t>(calendar.GetEnd());
        for (int64_t i = 0; i < 300; ++i)
        {
            entries.push_back({place++, begin + i * apart, nullptr});
        }
        RdmaEventHeap heap;
        uint32_t again = 0;
        uint32_t days = 0;
        for (int step = 0; step < 100000; ++step)
        {
            if (!entries.empty() || calendar.IsUnfit())
            {
                again += entries.empty();
                calendar.TakeAll(entries);
                entries.insert(entries.end(), heap.begin(), heap.end());
                heap.TakeAll();
                calendar.Begin(entries);
                for (const RdmaEventEntry& entry : entries)
                {
                    if (static_cast<uint64_t>(entry.time) > calendar.GetEnd())
                    {
                        calendar.Insert(entry);
                    }
                    else
                    {
                        heap.Push(entry);
                    }
                }
                entries.clear();
            }
            if (heap.IsEmpty())
            {
                calendar.Take(heap);
                days += step >= 50000;
            }
            RdmaEventEntry entry = heap.Front();
            heap.PopFront();
            entry.time += 300 * apart;
            entry.place = place++;
            if (static_cast<uint64_t>(entry.time) > calendar.GetEnd())
            {
                calendar.Insert(entry);
                continue;
            }
            heap.Push(entry);
            if (heap.GetSize() >= 64)
            {
                calendar.NoteCrowd();
            }
        }
        calendar.TakeAll(entries);
        return std::make_pair(days, again);
    };
    for (const int64_t apart : {int64_t{1}, int64_t{1000000}, int64_t{10}})
    {
        const auto [days, again] = measure(apart);
        NS_TEST_EXPECT_MSG_EQ((days > 25000), true, "two entries a day at most: " << days);
        NS_TEST_EXPECT_MSG_EQ((again < 40), true, "begun again " << again << " times");
    }
}

RdmaTestSuite<RdmaEventCalendarOrder, RdmaEventCalendarCrowds> g_eventCalendarSuite(
    "rdma-event-calendar");

} // namespace

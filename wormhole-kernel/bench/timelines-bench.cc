/*
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"
#include "wormhole/timelines.h"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace wormhole::bench
{
namespace
{

/** What an event of a simulator needs: what to call, and with what. */
struct BenchEvent
{
    std::uint64_t handler;
    std::uint64_t argument;
};

using Queue = Timelines<BenchEvent>;
using Entry = Queue::Entry;

/** A plain heap with four children per node over all events, which cannot move any of them: what
 * Timelines is measured by. */
class PlainHeap
{
  public:
    void Schedule(TimelineId timeline, OwnerId owner, Time time, BenchEvent event)
    {
        const Entry entry{time, m_nextSequence++, timeline, owner, event};
        std::size_t hole = m_entries.size();
        m_entries.push_back(entry);
        for (; hole > 0 && Before(entry, m_entries[(hole - 1) / 4]); hole = (hole - 1) / 4)
        {
            m_entries[hole] = m_entries[(hole - 1) / 4];
        }
        m_entries[hole] = entry;
    }

    Entry Pop()
    {
        const Entry first = m_entries.front();
        const Entry last = m_entries.back();
        m_entries.pop_back();
        if (!m_entries.empty())
        {
            SiftDown(last);
        }
        return first;
    }

  private:
    static bool Before(const Entry& a, const Entry& b)
    {
        return (a.time < b.time) | ((a.time == b.time) & (a.sequence < b.sequence));
    }

    void SiftDown(const Entry& entry)
    {
        const std::size_t size = m_entries.size();
        std::size_t hole = 0;
        std::size_t child = 1;
        for (; child + 3 < size; child = 4 * hole + 1)
        {
            const Entry* const c = &m_entries[child];
            const std::size_t left = Before(c[1], c[0]) ? 1 : 0;
            const std::size_t right = Before(c[3], c[2]) ? 3 : 2;
            const std::size_t first = child + (Before(c[right], c[left]) ? right : left);
            if (!Before(m_entries[first], entry))
            {
                m_entries[hole] = entry;
                return;
            }
            m_entries[hole] = m_entries[first];
            hole = first;
        }
        if (child < size)
        {
            std::size_t first = child;
            for (++child; child < size; ++child)
            {
                first = Before(m_entries[child], m_entries[first]) ? child : first;
            }
            if (Before(m_entries[first], entry))
            {
                m_entries[hole] = m_entries[first];
                hole = first;
            }
        }
        m_entries[hole] = entry;
    }

    std::vector<Entry> m_entries;
    std::uint64_t m_nextSequence{0};
};

/** What ns-3's default scheduler is: a std::map by time and sequence number. */
class SortedMap
{
  public:
    void Schedule(TimelineId timeline, OwnerId owner, Time time, BenchEvent event)
    {
        const std::uint64_t sequence = m_nextSequence++;
        m_events.emplace(std::make_pair(time, sequence),
                         Entry{time, sequence, timeline, owner, event});
    }

    Entry Pop()
    {
        const Entry first = m_events.begin()->second;
        m_events.erase(m_events.begin());
        return first;
    }

  private:
    std::map<std::pair<Time, std::uint64_t>, Entry> m_events;
    std::uint64_t m_nextSequence{0};
};

/** The same random numbers for all sides. */
class Random
{
  public:
    std::uint64_t operator()()
    {
        m_state ^= m_state << 13;
        m_state ^= m_state >> 7;
        m_state ^= m_state << 17;
        return m_state;
    }

    /** \return picoseconds, below about a microsecond */
    Duration Delay()
    {
        return Duration(static_cast<std::int64_t>((*this)() >> 44));
    }

  private:
    std::uint64_t m_state{88172645463325252};
};

/** Always as many events: the first one is popped and schedules its successor. */
template <class Side>
class Hold
{
  public:
    /** \param timelines with 16 to 64 events each
     *  \param elsewhere whether the successor is on any timeline, not on that of the event */
    Hold(std::uint32_t timelines, bool elsewhere)
        : m_timelines(timelines),
          m_elsewhere(elsewhere)
    {
        for (std::uint32_t i = 0; i < timelines; ++i)
        {
            TimelineId id(i);
            if constexpr (std::is_same_v<Side, Queue>)
            {
                id = m_side.Create();
            }
            for (std::uint64_t event = 16 + m_random() % 49; event > 0; --event)
            {
                m_side.Schedule(id, OwnerId(event), Time(m_random.Delay()), {event, event});
            }
        }
    }

    void Run(std::size_t events)
    {
        m_seconds.push_back(Seconds([&] {
            for (std::size_t i = 0; i < events; ++i)
            {
                const Entry entry = m_side.Pop();
                m_order = m_order * 31 + entry.event.handler;
                const TimelineId next =
                    m_elsewhere ? TimelineId(static_cast<std::uint32_t>(m_random() % m_timelines))
                                : entry.timeline;
                m_side.Schedule(next, entry.owner, entry.time + m_random.Delay(), entry.event);
            }
        }));
    }

    /** \return seconds of each Run */
    const std::vector<double>& Times() const
    {
        return m_seconds;
    }

    /** \return a number that is the same for all sides, for they pop in the same order */
    std::uint64_t Order() const
    {
        return m_order;
    }

  private:
    std::uint32_t m_timelines;
    bool m_elsewhere;
    Side m_side;
    Random m_random;
    std::uint64_t m_order{0};
    std::vector<double> m_seconds;
};

double
Nanoseconds(const std::vector<double>& seconds, std::size_t events)
{
    return Median(seconds) * 1e9 / static_cast<double>(events);
}

nlohmann::ordered_json
MeasureHold(std::uint32_t timelines, bool elsewhere, bool quick)
{
    const std::size_t events = (quick ? 20000 : 100000) + 10 * timelines;
    const std::size_t rounds = quick ? 5 : 21;
    Hold<Queue> queue(timelines, elsewhere);
    Hold<PlainHeap> heap(timelines, elsewhere);
    Hold<SortedMap> map(timelines, elsewhere);
    for (std::size_t round = 0; round < rounds; ++round)
    {
        queue.Run(events);
        heap.Run(events);
        map.Run(events);
    }
    if (queue.Order() != heap.Order() || queue.Order() != map.Order())
    {
        std::cerr << "timelines-bench: the sides popped in different orders" << std::endl;
        std::abort();
    }
    std::vector<double> ratios;
    for (std::size_t round = 0; round < rounds; ++round)
    {
        ratios.push_back(queue.Times()[round] / heap.Times()[round]);
    }
    return {{"timelines", timelines},
            {"nsPerEvent", Nanoseconds(queue.Times(), events)},
            {"nsPerEventPlainHeap", Nanoseconds(heap.Times(), events)},
            {"nsPerEventStdMap", Nanoseconds(map.Times(), events)},
            {"timesPlainHeap", Median(ratios)}};
}

/** \return a queue of \p timelines with \p events each */
Queue
Filled(std::uint32_t timelines, std::uint32_t events, Random& random)
{
    Queue queue;
    for (std::uint32_t i = 0; i < timelines; ++i)
    {
        const TimelineId id = queue.Create();
        for (std::uint64_t event = 0; event < events; ++event)
        {
            queue.Schedule(id, OwnerId(event), Time(random.Delay()), {event, event});
        }
    }
    return queue;
}

/** What it costs to skip a partition: parked, moved, woken. */
nlohmann::ordered_json
MeasureSkip(std::uint32_t timelines, bool quick)
{
    const std::size_t skips = quick ? 20000 : 200000;
    Random random;
    Queue queue = Filled(timelines, 32, random);
    std::vector<double> seconds;
    for (std::size_t round = 0; round < (quick ? 3 : 9); ++round)
    {
        seconds.push_back(Seconds([&] {
            for (std::size_t i = 0; i < skips; ++i)
            {
                const TimelineId id(static_cast<std::uint32_t>(random() % timelines));
                queue.Park(id);
                queue.Shift(id, random.Delay());
                queue.Unpark(id);
            }
        }));
    }
    return {{"timelines", timelines}, {"nsPerParkShiftUnpark", Nanoseconds(seconds, skips)}};
}

/** Half of the events of a timeline leave it by their owners, and come back. */
nlohmann::ordered_json
MeasureSplitAndMerge(std::uint32_t events, bool quick)
{
    const std::size_t times = (quick ? 100000 : 1000000) / events;
    Random random;
    Queue queue = Filled(1, events, random);
    std::vector<double> split;
    std::vector<double> merge;
    for (std::size_t round = 0; round < (quick ? 3 : 9); ++round)
    {
        double splitSeconds = 0;
        double mergeSeconds = 0;
        for (std::size_t i = 0; i < times; ++i)
        {
            const TimelineId into = queue.Create();
            splitSeconds += Seconds([&] {
                queue.Split(TimelineId(0), into, [](OwnerId owner) {
                    return owner.Value() % 2 == 0;
                });
            });
            queue.Shift(TimelineId(0), random.Delay());
            mergeSeconds += Seconds([&] { queue.Merge(TimelineId(0), into); });
        }
        split.push_back(splitSeconds);
        merge.push_back(mergeSeconds);
    }
    return {{"events", events},
            {"nsPerEventSplit", Nanoseconds(split, times * events)},
            {"nsPerEventMerge", Nanoseconds(merge, times * events)}};
}

nlohmann::ordered_json
Run(bool quick)
{
    nlohmann::ordered_json report;
    report["bytesPerEvent"] = Queue::BytesPerEvent();
    report["bytesPerTimeline"] = Queue::BytesPerTimeline();
    for (const std::uint32_t timelines : {1, 10, 100, 1000, 10000})
    {
        report["hold"].push_back(MeasureHold(timelines, false, quick));
    }
    for (const std::uint32_t timelines : {10, 100, 1000})
    {
        report["holdElsewhere"].push_back(MeasureHold(timelines, true, quick));
    }
    for (const std::uint32_t timelines : {10, 1000})
    {
        report["skip"].push_back(MeasureSkip(timelines, quick));
    }
    for (const std::uint32_t events : {32, 1024})
    {
        report["splitAndMerge"].push_back(MeasureSplitAndMerge(events, quick));
    }
    return report;
}

const Section SECTION{"timelines", Run};

} // namespace
} // namespace wormhole::bench

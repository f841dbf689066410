/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_EXAMPLE_EVENT_QUEUE_H
#define WORMHOLE_EXAMPLE_EVENT_QUEUE_H

#include "wormhole/units.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace example
{

using namespace wormhole;

struct Event
{
    enum class Kind : std::uint8_t
    {
        Start,  // of the flow
        Send,   // of its next packet
        Arrive, // of a packet at a hop of the path, or after the last hop as acknowledgement
    };

    Kind kind;
    std::uint32_t flow;
    std::uint32_t hop{0};
    Bytes size{0};      // of the packet
    Duration waited{0}; // in queues; a time stamp would have to be moved by Resume
};

/** Pending events, by time and then in the order in which they were scheduled. Those of a flow can
 * be parked: taken out of that order, and put back later, moved in time. */
class EventQueue
{
  public:
    struct Entry
    {
        Time time;
        std::uint64_t sequence;
        Event event;

        friend bool operator<(const Entry& a, const Entry& b)
        {
            return a.time != b.time ? a.time < b.time : a.sequence < b.sequence;
        }
    };

    /** The event is parked if those of its flow are. */
    void Schedule(Time time, const Event& event)
    {
        const Entry entry{time, m_nextSequence++, event};
        const auto parked = m_parked.find(event.flow);
        if (parked != m_parked.end())
        {
            parked->second.push_back(entry);
        }
        else
        {
            m_pending.insert(entry);
        }
    }

    /** \return whether nothing is pending but what is parked */
    bool IsEmpty() const
    {
        return m_pending.empty();
    }

    /** \return the time of the first event; there is one */
    Time FirstTime() const
    {
        return m_pending.begin()->time;
    }

    /** \return the first event, which is gone; there is one */
    Entry Pop()
    {
        return m_pending.extract(m_pending.begin()).value();
    }

    /** \return the first event of \p flow at \p time, which is gone; nullopt if there is none */
    std::optional<Entry> PopOf(std::uint32_t flow, Time time)
    {
        auto entry = m_pending.lower_bound({time, 0, {}});
        while (entry != m_pending.end() && entry->time == time && entry->event.flow != flow)
        {
            ++entry;
        }
        if (entry == m_pending.end() || entry->time != time)
        {
            return std::nullopt;
        }
        return m_pending.extract(entry).value();
    }

    /** O(all events): a simulator of many flows keeps those of each in a queue of its own. */
    void Park(std::uint32_t flow)
    {
        std::vector<Entry>& parked = m_parked[flow];
        for (auto entry = m_pending.begin(); entry != m_pending.end();)
        {
            const auto next = std::next(entry);
            if (entry->event.flow == flow)
            {
                parked.push_back(m_pending.extract(entry).value());
            }
            entry = next;
        }
    }

    /** Undoes Park, with all events \p shift later. */
    void Unpark(std::uint32_t flow, Duration shift)
    {
        const auto parked = m_parked.find(flow);
        for (Entry& entry : parked->second)
        {
            entry.time += shift;
            m_pending.insert(entry);
        }
        m_parked.erase(parked);
    }

    /** Forgets the events of \p flow that are parked; it stays parked. */
    void ForgetParked(std::uint32_t flow)
    {
        m_parked.at(flow).clear();
    }

    /** Forgets all events of \p flow, parked or not. */
    void Forget(std::uint32_t flow)
    {
        Park(flow);
        m_parked.erase(flow);
    }

  private:
    std::set<Entry> m_pending;
    std::map<std::uint32_t, std::vector<Entry>> m_parked; // by flow
    std::uint64_t m_nextSequence{0};
};

} // namespace example

#endif // WORMHOLE_EXAMPLE_EVENT_QUEUE_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-processes.h"

#include <algorithm>
#include <utility>

// Which process has something to do in which window, and whether that is enough for windows.

namespace ns3
{

void
RdmaProcesses::List(uint32_t process, uint64_t time)
{
    Process& p = m_processes[process - 1];
    const uint64_t window = time / m_length;
    if (window >= p.listed)
    {
        return;
    }
    p.listed = window;
    Lane& lane = m_lanes[p.lane];
    // others stay where they are listed, too early at worst
    lane.current = std::min(lane.current, window);
    if (window - lane.current < SLOTS)
    {
        lane.due[window % SLOTS].push_back(process);
    }
    else if (m_farOf[process - 1] != window) // a time-out stays as far while much happens
    {
        m_farOf[process - 1] = window;
        lane.far.emplace(window, process);
    }
}

/** Moves to the next window that a process of \p lane is listed for. \return whether there is one
 */
bool
RdmaProcesses::FindWindow(Lane& lane)
{
    const auto takeFar = [this, &lane]() {
        while (!lane.far.empty() && lane.far.top().first - lane.current < SLOTS)
        {
            const auto [window, process] = lane.far.top();
            lane.far.pop();
            if (m_farOf[process - 1] == window)
            {
                m_farOf[process - 1] = NONE;
            }
            if (m_processes[process - 1].listed == window)
            {
                lane.due[window % SLOTS].push_back(process);
            }
        }
    };
    takeFar();
    for (uint64_t i = 0; i < SLOTS; ++i)
    {
        if (!lane.due[(lane.current + i) % SLOTS].empty())
        {
            lane.current += i;
            takeFar();
            return true;
        }
    }
    if (lane.far.empty())
    {
        return false;
    }
    lane.current = lane.far.top().first;
    takeFar();
    return true;
}

/** Moves to the next window in which any lane has something to do. \return whether there is one */
bool
RdmaProcesses::FindWindow()
{
    uint64_t next = NONE;
    for (Lane& lane : m_lanes)
    {
        if (FindWindow(lane))
        {
            next = std::min(next, lane.current);
        }
        if (lane.mailTime != NONE)
        {
            next = std::min(next, lane.mailTime / m_length);
        }
    }
    m_current = next == NONE ? m_current : next;
    return next != NONE;
}

/** \return whether enough processes find enough to do in a window; if not, one queue is faster for
 * now: small ones would not be much smaller, and what they schedule would have to be put into order
 */
bool
RdmaProcesses::IsWorthIt()
{
    constexpr uint64_t VISITS = 16384; // to processes, between two looks
    constexpr uint64_t FIRED = 65536;  // events, if these are fewer
    constexpr uint64_t EVENTS = 2;     // at each visit, at least
    constexpr uint64_t BREADTH = 8;    // visits in a window, at least, if one thread makes them all
    constexpr uint64_t DEPTH = 16;     // ... and finds fewer events at each of them
    constexpr uint64_t REST = 1000000; // events
    const uint64_t events = m_queue.m_fired - m_firedBefore;
    if (m_visits < VISITS && events < FIRED)
    {
        return true;
    }
    const uint64_t windows = m_statistics.windows + m_statistics.merged;
    const uint64_t since = windows - std::exchange(m_windowsBefore, windows);
    const bool broad = m_use.most > 1 || m_visits >= BREADTH * since;
    const bool deep = events >= DEPTH * m_visits;
    const bool worth = (broad || deep) && events >= EVENTS * m_visits;
    m_visits = 0;
    m_worthFrom = worth ? 0 : m_queue.m_fired + REST;
    m_firedBefore = worth ? m_queue.m_fired : m_worthFrom;
    return worth;
}

/** The network was joined, with so many \p entries: leaves it so for a while if little has happened
 * since it was split, twice as long each time. */
void
RdmaProcesses::Rest(uint64_t entries)
{
    constexpr uint64_t COST = 16;         // events that are worth moving an entry there and back
    constexpr uint64_t LONGEST = 1 << 20; // events
    const uint64_t cost = COST * (m_processes.size() + entries);
    const bool worth = m_queue.m_fired - m_splitAt >= cost;
    m_rest = worth ? 0 : std::clamp(2 * m_rest, std::min(cost, LONGEST), LONGEST);
    m_worthFrom = std::max(m_worthFrom, m_queue.m_fired + m_rest);
}

} // namespace ns3

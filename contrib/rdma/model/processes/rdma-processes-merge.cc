/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-processes.h"

#include "ns3/rdma-network.h"

#include <algorithm>
#include <vector>

// Windows, or the rest of one, in which all events are in the one queue, in order.

namespace ns3
{

/** \return whether neither the queue's next event nor that of others, at \p time, is in the window
 * that is merged */
bool
RdmaProcesses::IsMergedOver(uint64_t time)
{
    if (m_lanes.size() > 1)
    {
        m_network.GetContext(); // counts what threads' contexts have, for whoever asks
    }
    const uint64_t end = m_queue.m_mergedEnd;
    return time >= end && (m_queue.IsEmpty() || static_cast<uint64_t>(m_queue.FirstTime()) >= end);
}

/** \return events that are likely to be due in \p span of the current window, for each process that
 * has any in it */
double
RdmaProcesses::ExpectPerVisit(uint64_t span) const
{
    uint64_t visits = 1;
    for (const Lane& lane : m_lanes)
    {
        visits += lane.current == m_current ? lane.due[m_current % SLOTS].size() : 0;
    }
    return m_density * static_cast<double>(span) / static_cast<double>(visits);
}

/** \return whether the current window, in which something is to happen in order at \p until, may
 * run node by node \p from a time up to then: else, all is in order. */
bool
RdmaProcesses::IsWorthPart(uint64_t from, uint64_t until) const
{
    // Each part takes a visit to each process; what is in order, more for each event.
    constexpr double FEW = 0.5;
    return until > from && ExpectPerVisit(until - from) >= FEW;
}

/** Brings all that is due in the current window, or if that is much, up to \p until, into the one
 * queue. */
void
RdmaProcesses::Merge(uint64_t until)
{
    constexpr double MUCH = 1;
    const uint64_t end = m_begin + m_length;
    Settle();
    m_mergedFrom = m_queue.m_fired;
    m_queue.m_mergedEnd =
        until + 1 < end && ExpectPerVisit(end - until - 1) >= MUCH ? until + 1 : end;
    for (Lane& lane : m_lanes)
    {
        if (lane.current > m_current)
        {
            continue;
        }
        lane.current = m_current;
        std::vector<uint32_t>& due = lane.due[m_current % SLOTS];
        std::vector<uint32_t> list;
        list.swap(due);
        m_visits += list.size();
        for (size_t i = 0; i < list.size(); ++i)
        {
            Fetch(list, i);
            MergeProcess(list[i]);
        }
        list.clear();
        if (due.empty())
        {
            list.swap(due); // its memory
        }
    }
    m_queue.SpreadIfMany();
}

/** Brings what \p process has to do in the window into the one queue. */
void
RdmaProcesses::MergeProcess(uint32_t process)
{
    Process& p = m_processes[process - 1];
    p.listed = NONE;
    RdmaEventHeap& heap = m_queue.m_heap;
    heap.Swap(p.heap);
    m_merged.clear();
    const auto isDue = [this](const Entry& entry) {
        return static_cast<uint64_t>(entry.time) < m_queue.m_mergedEnd;
    };
    uint64_t left = NONE;
    size_t kept = 0;
    for (size_t i = 0; i < p.inbox.size(); ++i)
    {
        Entry entry = p.inbox[i];
        if (!entry.IsValid())
        {
            --entry.event->m_entries;
            continue;
        }
        entry.place = entry.event->m_seq = m_queue.Known(entry.place);
        if (isDue(entry))
        {
            m_merged.push_back(entry);
            continue;
        }
        p.inbox[kept++] = entry; // arrivals are handed over from there
        left = std::min(left, static_cast<uint64_t>(entry.time));
    }
    p.inbox.resize(kept);
    while (!heap.IsEmpty() && isDue(heap.Front()))
    {
        m_merged.push_back(heap.Front()); // it may be outdated there, too
        heap.PopFront();
    }
    heap.Swap(p.heap);
    for (const Entry& entry : m_merged)
    {
        heap.Push(entry);
    }
    if (!p.heap.IsEmpty())
    {
        left = std::min(left, static_cast<uint64_t>(p.heap.Front().time));
    }
    if (left != NONE)
    {
        List(process, left);
    }
}

void
RdmaProcesses::EndMerged()
{
    m_queue.m_mergedEnd = 0;
    if (m_queue.m_later.GetEnd() != RdmaEventQueue::NO_END)
    {
        m_queue.Adopt(m_queue.TakeAll());
    }
    ++m_statistics.merged;
    m_statistics.mergedEvents += m_queue.m_fired - m_mergedFrom;
    for (Lane& lane : m_lanes)
    {
        lane.context->frames.ShareSurplus(); // frames go from one to the other here, too
    }
}

} // namespace ns3

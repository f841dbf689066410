/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-processes.h"

#include "ns3/rdma-network.h"

#include <algorithm>

// Windows; rdma-processes-cut.cc says what the processes are, and rdma-processes-order.cc puts what
// was scheduled in a window into order.

namespace ns3
{

RdmaProcesses::RdmaProcesses(RdmaEventQueue& queue, RdmaNetwork& network)
    : m_queue(queue),
      m_network(network)
{
    Cut();
}

RdmaProcesses::~RdmaProcesses()
{
    Join();
}

void
RdmaProcesses::Split()
{
    m_split = true;
    m_queue.m_processes = this;
    std::vector<Entry> entries;
    entries.swap(m_queue.m_heap);
    if (m_queue.m_wheel)
    {
        m_queue.m_wheel->TakeAll(entries);
    }
    m_queue.m_heapEnd = RdmaEventQueue::NO_END;
    for (std::vector<uint32_t>& list : m_due)
    {
        list.clear();
    }
    m_far = {};
    m_current = static_cast<uint64_t>(m_queue.Now()) / m_length;
    for (const Entry& entry : entries)
    {
        RdmaEvent& event = *entry.event;
        if (event.m_seq != entry.place)
        {
            --event.m_entries;
        }
        else if (event.m_process)
        {
            Post(event.m_process, entry);
        }
        else
        {
            m_queue.m_heap.emplace_back();
            m_queue.SiftUp(m_queue.m_heap.size() - 1, entry);
        }
    }
    m_network.SplitTimers();
}

void
RdmaProcesses::Join()
{
    if (!m_split)
    {
        return;
    }
    m_split = false;
    m_network.JoinTimers();
    m_queue.m_processes = nullptr;
    std::vector<Entry> entries;
    entries.swap(m_queue.m_heap);
    for (Process& process : m_processes)
    {
        for (std::vector<Entry>* list : {&process.heap, &process.inbox})
        {
            for (Entry entry : *list)
            {
                RdmaEvent& event = *entry.event;
                if (event.m_seq == entry.place)
                {
                    entry.place = event.m_seq = m_queue.Known(entry.place);
                }
                entries.push_back(entry);
            }
            list->clear();
        }
        process.listed = NONE;
    }
    m_queue.Adopt(entries);
}

bool
RdmaProcesses::HasPending() const
{
    const auto isPending = [](const Entry& entry) { return entry.event->m_seq == entry.place; };
    return std::any_of(m_processes.begin(), m_processes.end(), [&](const Process& process) {
        return std::any_of(process.heap.begin(), process.heap.end(), isPending) ||
               std::any_of(process.inbox.begin(), process.inbox.end(), isPending);
    });
}

void
RdmaProcesses::Post(uint32_t process, const Entry& entry)
{
    NS_ABORT_MSG_IF(process == 0,
                    "RdmaSimulatorImpl::Windows: what is told of flows scheduled an event of the "
                    "network as a whole; switch Windows off");
    m_processes[process - 1].inbox.push_back(entry);
    List(process, static_cast<uint64_t>(entry.time));
}

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
    m_current =
        std::min(m_current, window); // others stay where they are listed, too early at worst
    if (window - m_current < SLOTS)
    {
        m_due[window % SLOTS].push_back(process);
    }
    else
    {
        m_far.emplace(window, process);
    }
}

/** Moves to the next window that a process is listed for. \return whether there is one */
bool
RdmaProcesses::FindWindow()
{
    const auto takeFar = [this]() {
        while (!m_far.empty() && m_far.top().first - m_current < SLOTS)
        {
            const auto [window, process] = m_far.top();
            m_far.pop();
            if (m_processes[process - 1].listed == window)
            {
                m_due[window % SLOTS].push_back(process);
            }
        }
    };
    takeFar();
    for (uint64_t i = 0; i < SLOTS; ++i)
    {
        if (!m_due[(m_current + i) % SLOTS].empty())
        {
            m_current += i;
            takeFar();
            return true;
        }
    }
    if (m_far.empty())
    {
        return false;
    }
    m_current = m_far.top().first;
    takeFar();
    return true;
}

/** \return whether processes find enough to do in a window; if not, one queue is faster for now */
bool
RdmaProcesses::IsWorthIt()
{
    constexpr uint64_t VISITS = 16384; // to processes, between two looks
    constexpr uint64_t EVENTS = 2;     // at each, at least
    constexpr uint64_t REST = 1000000; // events
    if (m_visits < VISITS)
    {
        return true;
    }
    const bool worth = m_queue.m_fired - m_firedBefore >= EVENTS * m_visits;
    m_visits = 0;
    m_worthFrom = worth ? 0 : m_queue.m_fired + REST;
    m_firedBefore = worth ? m_queue.m_fired : m_worthFrom;
    return worth;
}

bool
RdmaProcesses::RunWindow(uint64_t time, uint64_t place)
{
    if (m_processes.empty() || m_queue.m_fired < m_worthFrom)
    {
        return false;
    }
    if (!m_network.MayRunAhead() || !IsWorthIt())
    {
        Join();
        return false;
    }
    if (!m_split)
    {
        Split();
    }
    if (!FindWindow())
    {
        return false;
    }
    const uint64_t windowEnd = (m_current + 1) * m_length;
    Key others = static_cast<Key>(time) << 64 | place;
    if (!m_queue.IsEmpty())
    {
        others = std::min(others, m_queue.m_heap.front().GetKey());
    }
    const Key end = std::min(
        {others, static_cast<Key>(m_queue.m_watchTime) << 64, static_cast<Key>(windowEnd) << 64});
    m_begin = m_current * m_length;
    m_base = m_queue.m_nextSeq;
    m_queue.m_windowBase = m_base;
    m_queue.m_provisional = RdmaEventQueue::PROVISIONAL;
    m_ran.clear();
    m_chained = false;
    m_records.clear();
    m_latest = 0;
    m_left = NONE;
    std::vector<uint32_t> list;
    list.swap(m_due[m_current % SLOTS]);
    m_visits += list.size();
    for (const uint32_t process : list)
    {
        m_processes[process - 1].listed = NONE;
    }
    bool any = false;
    for (size_t i = 0; i < list.size(); ++i)
    {
        Fetch(list, i);
        any |= RunProcess(list[i], end);
    }
    list.clear();
    if (m_due[m_current % SLOTS].empty())
    {
        list.swap(m_due[m_current % SLOTS]); // its memory
    }
    m_queue.m_provisional = 0;
    m_queue.m_running = 0;
    m_queue.m_windowBase = NONE;
    if (any)
    {
        Close();
    }
    else if (m_left >= windowEnd)
    {
        return true; // what was due has been cancelled, or moved
    }
    else
    {
        const uint64_t next = std::min(m_left, static_cast<uint64_t>(others >> 64));
        if (next >= static_cast<uint64_t>(RDMA_END_OF_TIME))
        {
            Join(); // which ends the simulation
        }
        else if (next >= m_queue.m_watchTime)
        {
            m_queue.TellWatch(static_cast<int64_t>(next));
            return true;
        }
    }
    return any;
}

/** Lets memory be fetched of the processes behind number \p i of \p list. */
void
RdmaProcesses::Fetch(const std::vector<uint32_t>& list, size_t i) const
{
    const auto at = [&](size_t ahead) -> const Process* {
        return i + ahead < list.size() ? &m_processes[list[i + ahead] - 1] : nullptr;
    };
    if (const Process* process = at(4))
    {
        RdmaFetch(process);
    }
    if (const Process* process = at(3))
    {
        RdmaFetch(process->heap.data());
        RdmaFetch(process->inbox.data());
    }
    if (const Process* process = at(2); process && !process->heap.empty())
    {
        RdmaFetch(process->heap.front().event, 1);
    }
    if (const Process* process = at(1); process && !process->heap.empty())
    {
        const Entry& front = process->heap.front();
        if (front.event->m_seq == front.place)
        {
            front.event->Fetch(1);
            front.event->Fetch(2);
        }
    }
}

/** \return whether any event ran */
bool
RdmaProcesses::RunProcess(uint32_t process, Key end)
{
    Process& p = m_processes[process - 1];
    RdmaEventQueue& queue = m_queue;
    std::vector<Entry>& heap = queue.m_heap;
    heap.swap(p.heap);
    queue.m_running = process;
    queue.m_runBase = queue.m_nextSeq;
    size_t kept = 0;
    for (size_t i = 0; i < p.inbox.size(); ++i)
    {
        const Entry entry = p.inbox[i];
        if (entry.event->m_seq != entry.place)
        {
            --entry.event->m_entries;
            continue;
        }
        const uint64_t place = queue.Known(entry.place);
        if (place & RdmaEventQueue::PROVISIONAL)
        {
            p.inbox[kept++] = entry; // it came in this window
            continue;
        }
        entry.event->m_seq = place;
        heap.emplace_back();
        queue.SiftUp(heap.size() - 1, {place, entry.time, entry.event});
    }
    p.inbox.resize(kept);
    const size_t records = m_records.size();
    int64_t time = -1;
    uint64_t newest = 0; // when the time came
    for (;;)
    {
        while (!heap.empty() && heap.front().event->m_seq != heap.front().place)
        {
            queue.PopFront();
        }
        if (heap.empty())
        {
            break;
        }
        const Entry first = heap.front();
        if (first.GetKey() >= end)
        {
            List(process, static_cast<uint64_t>(first.time));
            m_left = std::min(m_left, static_cast<uint64_t>(first.time));
            break;
        }
        if (first.time != time)
        {
            time = first.time;
            newest = queue.m_nextSeq | RdmaEventQueue::PROVISIONAL;
        }
        m_chained |= first.place >= newest;
        const uint64_t before = queue.m_nextSeq;
        queue.m_hole = true;
        queue.m_now = first.time;
        queue.m_place = first.place;
        first.event->m_seq = 0;
        --first.event->m_entries;
        ++queue.m_fired;
        first.event->Fire();
        if (queue.m_hole)
        {
            queue.FillHole();
        }
        if (queue.m_nextSeq != before)
        {
            m_records.emplace_back(); // filled in place: a copy would wait for its parts
            Record& record = m_records.back();
            record.place = first.place;
            record.time = static_cast<uint32_t>(static_cast<uint64_t>(first.time) - m_begin);
            record.first = static_cast<uint32_t>(before - m_base);
        }
    }
    if (time >= 0)
    {
        m_latest = std::max(m_latest, static_cast<uint64_t>(time));
        m_ran.emplace_back(process, static_cast<uint32_t>(records));
    }
    heap.swap(p.heap);
    return time >= 0;
}

} // namespace ns3

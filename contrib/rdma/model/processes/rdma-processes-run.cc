/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-processes.h"

#include "ns3/rdma-context.h"
#include "ns3/rdma-port.h"

#include <algorithm>

// What a thread does in a window.

namespace ns3
{

namespace
{
thread_local const RdmaEventQueue* t_runningQueue = nullptr;
} // namespace

const RdmaEventQueue*
RdmaProcesses::GetRunning()
{
    return t_runningQueue;
}

void
RdmaProcesses::RunLane(uint32_t number)
{
    Lane& lane = m_lanes[number];
    RdmaEventQueue& queue = *lane.queue;
    SettleLane(lane);
    TakeMail(lane);
    t_runningQueue = &queue;
    lane.context->eventQueue = &queue;
    queue.m_nextSeq = m_base;
    queue.m_windowBase = m_base;
    queue.m_provisional = RdmaPlaces::PROVISIONAL | static_cast<uint64_t>(number)
                                                        << RdmaPlaces::THREAD_BITS;
    lane.ran.clear();
    lane.records.clear();
    lane.any = false;
    lane.latest = lane.visits = lane.most = lane.events = 0;
    lane.left = NONE;
    std::vector<uint32_t> list;
    std::vector<uint32_t>& due = lane.due[m_current % SLOTS];
    if (lane.current <= m_current)
    {
        lane.current = m_current;
        list.swap(due);
    }
    lane.visits = list.size();
    for (const uint32_t process : list)
    {
        m_processes[process - 1].listed = NONE;
    }
    for (size_t i = 0; i < list.size(); ++i)
    {
        Fetch(list, i);
        lane.any |= RunProcess(lane, list[i]);
    }
    list.clear();
    if (due.empty())
    {
        list.swap(due); // its memory
    }
    queue.m_provisional = 0;
    queue.m_running = 0;
    queue.m_windowBase = NONE;
    lane.context->eventQueue = &m_queue;
    t_runningQueue = nullptr;
    lane.settled = !lane.any;
    SendMail(lane);
    SortRecords(lane);
    CountParts(lane);
    lane.context->frames.ShareSurplus();
}

/** Calls \p use with some entries of \p process that are likely to be due. */
template <typename Use>
void
RdmaProcesses::ForFirst(const Process& process, Use use)
{
    constexpr size_t MOST = 16;
    if (!process.heap.IsEmpty())
    {
        use(process.heap.Front());
    }
    const size_t count = std::min(process.inbox.size(), MOST);
    std::for_each(process.inbox.data(), process.inbox.data() + count, use);
}

/** A window was not run to its end, for memory ran out: the events that are left, whose places stay
 * provisional, will not run, but be taken apart with the network. */
void
RdmaProcesses::Abandon()
{
    t_runningQueue = nullptr;
    for (Lane& lane : m_lanes)
    {
        RdmaEventQueue& queue = *lane.queue;
        queue.m_provisional = 0;
        queue.m_running = 0;
        queue.m_windowBase = 0; // Known takes places as they are
        lane.context->eventQueue = &m_queue;
        lane.settled = true;
    }
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
        RdmaFetch(process->heap.begin());
        RdmaFetch(process->inbox.data());
    }
    if (const Process* process = at(2))
    {
        ForFirst(*process, [](const Entry& entry) { RdmaFetch(entry.event, 1); });
    }
    if (const Process* process = at(1))
    {
        ForFirst(*process, [](const Entry& entry) {
            if (entry.IsValid())
            {
                entry.event->Fetch(1);
            }
        });
    }
}

/** Takes what came to \p p before this window to where it is run from: what arrives in it to those
 * of \p lane, other events to the queue. \return the time of the first arrival that stays; NONE if
 * none does */
uint64_t
RdmaProcesses::TakeInbox(Lane& lane, Process& p) const
{
    RdmaEventQueue& queue = *lane.queue;
    RdmaArrivals& arrivals = lane.arrivals;
    arrivals.Clear();
    size_t kept = 0;
    for (size_t i = 0; i < p.inbox.size(); ++i)
    {
        const Entry entry = p.inbox[i];
        RdmaEvent& event = *entry.event;
        if (!entry.IsValid())
        {
            --event.m_entries;
            continue;
        }
        const uint64_t place = queue.Known(entry.place);
        if (place & RdmaPlaces::PROVISIONAL)
        {
            p.inbox[kept++] = entry; // it came in this window
            continue;
        }
        event.m_seq = place;
        if (!event.HandOver(arrivals))
        {
            queue.m_heap.Push({place, entry.time, &event});
            continue;
        }
        event.m_seq = 0; // another entry of it, cancelled before it got this one's place, is over
    }
    p.inbox.resize(kept);
    arrivals.Take(queue, static_cast<int64_t>(m_begin), m_end);
    uint64_t left = NONE;
    for (const RdmaArrivals::Train& train : arrivals.GetTrains())
    {
        train.event->m_time = train.due.time;
        train.event->m_seq = train.due.place;
        if (!train.due)
        {
            --train.event->m_entries;
            continue;
        }
        p.inbox.push_back({train.due.place, train.due.time, train.event});
        left = std::min(left, static_cast<uint64_t>(train.due.time));
    }
    return left;
}

/** Takes note of an event that has run when it was \p due, and has taken places from \p first on.
 */
inline void
RdmaProcesses::KeepRecord(Lane& lane, const RdmaDue& due, uint64_t first, bool chained) const
{
    const RdmaEventQueue& queue = *lane.queue;
    const uint64_t count = queue.m_nextSeq - first;
    NS_ABORT_MSG_IF(count > Record::MOST, "an event scheduled too much at once");
    const auto time = static_cast<uint32_t>(static_cast<uint64_t>(due.time) - m_begin);
    lane.records.emplace_back(); // filled in place: a copy would wait for its parts
    Record& record = lane.records.back();
    record.place = due.place;
    record.time = time;
    record.first = static_cast<uint32_t>(first - m_base);
    record.taken = static_cast<uint32_t>(count) | queue.m_thread << Record::LANE_SHIFT |
                   (chained ? Record::CHAINED : 0);
    if (m_lanes.size() > 1 && !m_ranks) // slices
    {
        if (record.IsFresh())
        {
            const uint64_t number = (due.place & RdmaPlaces::NUMBER) - m_base;
            record.takenAt = lane.records[lane.takers[number]].time;
        }
        const uint64_t end = record.first + count;
        if (lane.takers.size() < end)
        {
            lane.takers.resize(2 * end);
        }
        std::fill(lane.takers.begin() + record.first,
                  lane.takers.begin() + end,
                  static_cast<uint32_t>(lane.records.size() - 1));
    }
}

/** \return whether any event ran */
bool
RdmaProcesses::RunProcess(Lane& lane, uint32_t process)
{
    Process& p = m_processes[process - 1];
    RdmaEventQueue& queue = *lane.queue;
    RdmaEventHeap& heap = queue.m_heap;
    heap.Swap(p.heap);
    queue.m_running = process;
    queue.m_runBase = queue.m_nextSeq | queue.m_provisional;
    uint64_t left = TakeInbox(lane, p);
    const RdmaArrival* arrival = lane.arrivals.GetFirst();
    const uint64_t fired = queue.m_fired;
    int64_t time = -1;
    uint64_t newest = 0; // when the time came
    for (;;)
    {
        while (!heap.IsEmpty() && !heap.Front().IsValid())
        {
            queue.PopFront();
        }
        const bool arrives = heap.IsEmpty() || arrival->GetKey() < heap.Front().GetKey();
        const Key first = arrives ? arrival->GetKey() : heap.Front().GetKey();
        if (first >= m_end)
        {
            break;
        }
        queue.m_now = static_cast<int64_t>(first >> 64);
        queue.m_place = static_cast<uint64_t>(first);
        if (queue.m_now != time)
        {
            time = queue.m_now;
            newest = queue.m_nextSeq | queue.m_provisional;
        }
        const uint64_t place = queue.m_place;
        const uint64_t before = queue.m_nextSeq;
        ++queue.m_fired;
        if (arrives)
        {
            lane.arrivals.FetchBehind(arrival);
            arrival->to->Arrive(arrival->frame);
            ++arrival;
        }
        else
        {
            RdmaEvent& event = *heap.Front().event;
            queue.m_hole = true;
            event.m_seq = 0;
            --event.m_entries;
            event.Fire();
            if (queue.m_hole)
            {
                queue.FillHole();
            }
        }
        if (queue.m_nextSeq != before)
        {
            KeepRecord(lane, {time, place}, before, place >= newest);
        }
    }
    if (!heap.IsEmpty())
    {
        left = std::min(left, static_cast<uint64_t>(heap.Front().time));
    }
    if (left != NONE)
    {
        List(process, left);
        lane.left = std::min(lane.left, left);
    }
    if (time >= 0)
    {
        lane.latest = std::max(lane.latest, static_cast<uint64_t>(time));
        lane.ran.push_back(process);
        const uint64_t events = queue.m_fired - fired;
        lane.events += events;
        lane.most = std::max(lane.most, events);
        p.load += static_cast<uint32_t>(events);
    }
    heap.Swap(p.heap);
    return time >= 0;
}

/** Makes the provisional places of \p lane's last window final, which has been ranked. */
void
RdmaProcesses::SettleLane(Lane& lane)
{
    if (lane.settled)
    {
        return;
    }
    lane.settled = true;
    const RdmaEventQueue& queue = *lane.queue;
    for (const uint32_t process : lane.ran)
    {
        for (Entry& entry : m_processes[process - 1].heap)
        {
            if (entry.place & RdmaPlaces::PROVISIONAL)
            {
                const uint64_t place = queue.Known(entry.place);
                if (entry.IsValid())
                {
                    entry.event->m_seq = place;
                }
                entry.place = place;
            }
        }
    }
    lane.queue->MakeTimersFinal();
}

} // namespace ns3

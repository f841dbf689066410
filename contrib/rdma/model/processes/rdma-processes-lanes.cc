/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-cut.h"
#include "rdma-processes.h"

#include "ns3/rdma-network.h"
#include "ns3/rdma-rank-state.h"

#include <algorithm>
#include <numeric>

// Which thread runs which processes, and all events in one queue again.

namespace ns3
{

namespace
{

/** Processes to threads, and how well. */
struct Assignment
{
    std::vector<uint32_t> laneOf; //!< of each process, from 0
    uint64_t most{0};             //!< the greatest load of a thread
};

/** \return the largest first, each to the thread with the least so far */
Assignment
AssignByLoad(const std::vector<uint64_t>& loads, uint32_t lanes)
{
    std::vector<uint32_t> order(loads.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&loads](uint32_t a, uint32_t b) {
        return loads[a] > loads[b];
    });
    Assignment assignment{std::vector<uint32_t>(loads.size()), 0};
    std::vector<uint64_t> sum(lanes, 0);
    for (const uint32_t process : order)
    {
        const auto least = std::min_element(sum.begin(), sum.end());
        assignment.laneOf[process] = static_cast<uint32_t>(least - sum.begin());
        *least += loads[process];
    }
    assignment.most = *std::max_element(sum.begin(), sum.end());
    return assignment;
}

/** \return \p near (processes from 1), cut into as many pieces of about the same load */
Assignment
AssignNear(const std::vector<uint64_t>& loads, const std::vector<uint32_t>& near, uint32_t lanes)
{
    Assignment assignment{RdmaCutNear(near, loads, lanes), 0};
    std::vector<uint64_t> sum(lanes, 0);
    for (size_t i = 0; i < loads.size(); ++i)
    {
        sum[assignment.laneOf[i]] += loads[i];
    }
    assignment.most = *std::max_element(sum.begin(), sum.end());
    return assignment;
}

} // namespace

void
RdmaProcesses::MakeLanes(uint32_t count)
{
    if (m_lanes.size() == count)
    {
        return;
    }
    m_lanes.clear();
    m_lanes.resize(count);
    for (uint32_t i = 0; i < count; ++i)
    {
        Lane& lane = m_lanes[i];
        lane.queue = &m_queue;
        lane.context = &m_network.GetContext();
        lane.due.resize(SLOTS);
        lane.mail.resize(count);
        lane.came.resize(count);
        if (i != m_own)
        {
            lane.ownQueue = std::make_unique<RdmaEventQueue>();
            lane.queue = lane.ownQueue.get();
        }
        lane.queue->m_thread = i;
    }
}

/** Looks from time to time at what windows hold: how many threads are worth it, and whether each
 * has as much to do as the others. */
void
RdmaProcesses::Review()
{
    constexpr uint64_t LATEST = 256; // between two; more if they hold too little to judge by
    const uint64_t windows = m_statistics.windows - m_reviewed;
    const uint64_t events = m_statistics.events - m_reviewEvents;
    const double seconds = m_statistics.serialSeconds + m_statistics.parallelSeconds;
    const double took = seconds - m_reviewSeconds;
    m_reviewed = m_statistics.windows;
    m_reviewEvents = m_statistics.events;
    m_reviewSeconds = seconds;
    if (m_use.most == 1 || windows == 0 || events == 0)
    {
        m_reviewAfter = m_use.most == 1 ? LATEST : 1;
        return;
    }
    const bool before = m_trial.MayBeSeveral();
    const bool several = !m_use.trial || m_trial.Judge(m_lanes.size() > 1, took, windows, events);
    const uint64_t enough = m_use.trial ? m_trial.CountWindows(took, windows, events) : LATEST;
    const uint64_t next = several == before ? 2 * m_reviewAfter : enough;
    m_reviewAfter = std::clamp<uint64_t>(next, 1, std::max(LATEST, enough));
    std::vector<uint64_t> loads;
    for (Process& process : m_processes)
    {
        loads.push_back(process.load + 1);
        process.load = 0;
    }
    Balance(loads, several ? events / windows : 0);
}

/** Before the first window, what is pending tells how much it will hold, at least. */
void
RdmaProcesses::ExpectFirst()
{
    std::vector<uint64_t> loads;
    m_recent = 0;
    for (const Process& process : m_processes)
    {
        const uint64_t pending = process.heap.GetSize() + process.inbox.size();
        loads.push_back(pending + 1);
        m_recent += pending;
    }
    Balance(loads, m_recent);
}

/** Lets as many threads run processes of such \p loads as so many \p events in a window are worth,
 * unless they do so already. */
void
RdmaProcesses::Balance(const std::vector<uint64_t>& loads, uint64_t events)
{
    constexpr uint64_t BETTER_PERCENT = 90; // of the load of the busiest thread: worth a change
    const auto worth = static_cast<uint32_t>(
        std::clamp<uint64_t>(events / m_use.eventsPerThread,
                             1,
                             std::min<uint64_t>(m_use.most, m_processes.size())));
    const Assignment even = AssignByLoad(loads, worth);
    Assignment assignment = AssignNear(loads, m_near, worth);
    if (assignment.most * BETTER_PERCENT > even.most * 100)
    {
        assignment = even;
    }
    if (worth == m_lanes.size())
    {
        std::vector<uint64_t> sum(worth, 0);
        for (size_t i = 0; i < loads.size(); ++i)
        {
            sum[m_processes[i].lane] += loads[i];
        }
        if (assignment.most * 100 >= *std::max_element(sum.begin(), sum.end()) * BETTER_PERCENT)
        {
            return;
        }
    }
    JoinQueues(); // which does not mean that windows are not worth it
    MakeLanes(worth);
    for (size_t i = 0; i < loads.size(); ++i)
    {
        m_processes[i].lane = assignment.laneOf[i];
    }
}

/** \return how many lanes this rank runs: all, if there is one only */
uint32_t
RdmaProcesses::CountOwn() const
{
    return m_ranks ? m_ofRank : static_cast<uint32_t>(m_lanes.size());
}

bool
RdmaProcesses::IsOwn(uint32_t lane) const
{
    return !m_ranks || lane / m_ofRank == m_own / m_ofRank;
}

/** \return whether nodes \p a and \p b are run by different threads, of which one is this rank's
 */
bool
RdmaProcesses::AreApart(uint32_t a, uint32_t b) const
{
    const uint32_t laneOfA = m_processes[m_processOf[a] - 1].lane;
    const uint32_t laneOfB = m_processes[m_processOf[b] - 1].lane;
    return laneOfA != laneOfB && (IsOwn(laneOfA) || IsOwn(laneOfB));
}

/** Gives the nodes of each thread a context. */
void
RdmaProcesses::SplitContexts()
{
    std::vector<RdmaContext*> contexts;
    for (uint32_t i = 0; i < m_lanes.size(); ++i)
    {
        Lane& lane = m_lanes[i];
        if (lane.ownQueue && IsOwn(i))
        {
            lane.ownContext = std::make_unique<RdmaContext>(m_network.GetContext());
            lane.context = lane.ownContext.get();
            contexts.push_back(lane.context);
        }
    }
    for (uint32_t node = 0; node < m_network.GetNodeCount(); ++node)
    {
        const uint32_t lane = m_processes[m_processOf[node] - 1].lane;
        if (IsOwn(lane))
        {
            m_network.GetRdmaNode(node).SetContext(*m_lanes[lane].context);
        }
    }
    m_network.SetThreadContexts(std::move(contexts));
}

void
RdmaProcesses::Split()
{
    m_split = true;
    m_gathered = false;
    m_splitAt = m_queue.m_fired;
    m_queue.m_processes = this;
    for (Lane& lane : m_lanes)
    {
        lane.current = static_cast<uint64_t>(m_queue.Now()) / m_length;
        lane.queue->m_processes = this;
        lane.queue->m_moves = m_queue.m_moves;
    }
    if (m_lanes.size() > 1)
    {
        SplitContexts();
        for (uint32_t link = 0; link < m_network.GetLinkCount(); ++link)
        {
            const auto [a, b] = m_network.GetLink(link);
            if (AreApart(a->GetOwner().GetRdmaId(), b->GetOwner().GetRdmaId()))
            {
                a->Cut();
                b->Cut();
            }
        }
    }
    for (const Entry& entry : m_queue.TakeAll())
    {
        if (entry.event->m_process || !entry.IsValid())
        {
            Land(m_queue, entry);
        }
        else
        {
            m_queue.m_heap.Push(entry);
        }
    }
    m_network.SplitTimers(m_queue.Now() + static_cast<int64_t>(m_longest));
}

void
RdmaProcesses::Join()
{
    if (m_split)
    {
        Rest(JoinQueues());
    }
}

/** Puts all events into the one queue, until the next window. \return how many have been moved */
size_t
RdmaProcesses::JoinQueues()
{
    if (!m_split)
    {
        return 0;
    }
    Settle();
    LandOutside();
    if (m_queue.m_hole)
    {
        m_queue.FillHole(); // the root is no entry
    }
    if (m_queue.m_mergedEnd)
    {
        EndMerged();
    }
    m_split = false;
    m_network.JoinTimers();
    std::vector<Entry> entries = m_queue.m_heap.TakeAll();
    for (Process& process : m_processes)
    {
        for (const std::vector<Entry>& list : {process.heap.TakeAll(), process.inbox})
        {
            entries.insert(entries.end(), list.begin(), list.end());
        }
        process.inbox.clear();
        process.listed = NONE;
    }
    for (Lane& lane : m_lanes)
    {
        lane.queue->m_processes = nullptr;
        for (std::vector<uint32_t>& list : lane.due)
        {
            list.clear();
        }
        lane.far = {};
    }
    std::fill(m_farOf.begin(), m_farOf.end(), NONE);
    for (Entry& entry : entries)
    {
        RdmaEvent& event = *entry.event;
        event.m_queue = &m_queue;
        if (entry.IsValid())
        {
            entry.place = event.m_seq = m_queue.Known(entry.place);
        }
    }
    const size_t moved = entries.size();
    m_queue.Adopt(entries);
    if (m_lanes.size() > 1)
    {
        for (uint32_t node = 0; node < m_network.GetNodeCount(); ++node)
        {
            if (IsOwn(m_processes[m_processOf[node] - 1].lane))
            {
                m_network.GetRdmaNode(node).SetContext(m_network.GetContext());
            }
        }
        for (uint32_t link = 0; link < m_network.GetLinkCount(); ++link)
        {
            const auto [a, b] = m_network.GetLink(link);
            a->Uncut();
            b->Uncut();
        }
        m_network.SetThreadContexts({});
        for (Lane& lane : m_lanes)
        {
            lane.ownContext = nullptr;
        }
    }
    return moved;
}

void
RdmaProcesses::Gather()
{
    if (m_ranks)
    {
        Join();
        return;
    }
    Settle();
    if (m_gathered || !m_split || m_lanes.size() == 1)
    {
        return;
    }
    LandOutside();
    for (uint32_t link = 0; link < m_network.GetLinkCount(); ++link)
    {
        const auto [a, b] = m_network.GetLink(link);
        a->Collect();
        b->Collect();
    }
    m_gathered = true;
}

void
RdmaProcesses::Settle()
{
    for (Lane& lane : m_lanes)
    {
        SettleLane(lane);
    }
    ExchangeMail();
    for (Lane& lane : m_lanes)
    {
        TakeMail(lane);
    }
}

/** Brings what threads of this rank have sent to each other where it is taken. */
void
RdmaProcesses::ExchangeMail()
{
    const uint32_t end = m_own + CountOwn();
    for (uint32_t from = m_own; from < end && m_lanes.size() > 1; ++from)
    {
        for (uint32_t to = m_own; to < end; ++to)
        {
            m_lanes[from].mail[to].swap(m_lanes[to].came[from]);
        }
        if (!m_ranks) // else TellRanks does, which tells of it
        {
            m_lanes[from].mailTime = NONE;
        }
    }
}

} // namespace ns3

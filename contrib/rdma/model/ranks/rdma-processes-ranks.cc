/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/abort.h"
#include "ns3/rdma-network.h"
#include "ns3/rdma-processes.h"
#include "ns3/rdma-rank-state.h"
#include "ns3/rdma-threads.h"

#include <algorithm>
#include <utility>

// Windows of which other ranks run a part. Each decides by what all know, so all decide the same;
// rdma-processes-exchange.cc lets them know.

namespace ns3
{

namespace
{

using Bytes = RdmaRanks::Bytes;
using Key = RdmaEventEntry::Key;

constexpr Key NO_EVENT = ~Key{0};

Key
KeyOf(uint64_t time, uint64_t place)
{
    return static_cast<Key>(time) << 64 | place;
}

} // namespace

void
RdmaProcesses::AskRanksToStop()
{
    if (m_ranks && !std::exchange(m_ranks->stopAsked, true))
    {
        m_ranks->askedAt = std::chrono::steady_clock::now();
    }
}

bool
RdmaProcesses::HaveRanksStopped() const
{
    return m_ranks && m_ranks->stopped;
}

std::string
RdmaProcesses::GetLostRank() const
{
    return m_ranks ? m_ranks->lost : std::string();
}

void
RdmaProcesses::SetWaits(std::function<void()> waits)
{
    if (m_ranks)
    {
        m_ranks->waits = std::move(waits);
    }
}

/** \return the earliest that this rank's nodes may have something to do; time steps */
uint64_t
RdmaProcesses::FindOwnDue()
{
    uint64_t due = NONE;
    for (Lane& own : GetOwn())
    {
        due = std::min(due, FindWindow(own) ? own.current * m_length : NONE);
    }
    return due;
}

/** \return the first event of this rank's nodes, but for what has been sent there; NO_EVENT if
 * there is none. Its place is right once the lanes are settled. */
RdmaProcesses::Key
RdmaProcesses::FindOwnFirst()
{
    Key first = NO_EVENT;
    for (Lane& own : GetOwn())
    {
        first = std::min(first, FindFirstOf(own));
    }
    return first;
}

/** \return the same, of the nodes of lane \p own. O(events of those that have one in that window)
 */
RdmaProcesses::Key
RdmaProcesses::FindFirstOf(Lane& own)
{
    while (FindWindow(own))
    {
        const uint64_t window = own.current;
        std::vector<uint32_t> list;
        list.swap(own.due[window % SLOTS]);
        Key first = NO_EVENT;
        for (const uint32_t process : list)
        {
            Process& p = m_processes[process - 1];
            p.listed = NONE;
            Key firstHere = NO_EVENT;
            const auto look = [&](const auto& entries) {
                for (const Entry& entry : entries)
                {
                    if (entry.IsValid())
                    {
                        const uint64_t place =
                            own.settled ? m_queue.Known(entry.place) : entry.place;
                        firstHere =
                            std::min(firstHere, KeyOf(static_cast<uint64_t>(entry.time), place));
                    }
                }
            };
            look(p.heap);
            look(p.inbox);
            if (firstHere != NO_EVENT)
            {
                List(process, static_cast<uint64_t>(firstHere >> 64));
            }
            first = std::min(first, firstHere);
        }
        // some may have been listed too early
        if (first != NO_EVENT && static_cast<uint64_t>(first >> 64) / m_length == window)
        {
            return first;
        }
    }
    return NO_EVENT;
}

/** Asks all ranks. \return the first event of any node; NO_EVENT if there is none, or a rank is
 * lost
 */
RdmaProcesses::Key
RdmaProcesses::FindFirst()
{
    Settle();
    const Key own = FindOwnFirst();
    const uint32_t count = m_ranks->ranks.GetCount();
    std::vector<Bytes> out(count);
    std::vector<Bytes> in(count);
    for (Bytes& bytes : out)
    {
        RdmaRankWriter writer(bytes);
        writer.Put(own);
    }
    if (!Exchange(out, in))
    {
        return NO_EVENT;
    }
    Key first = own;
    for (uint32_t rank = 0; rank < count; ++rank)
    {
        if (rank != m_ranks->ranks.GetRank())
        {
            first = std::min(first, RdmaRankReader(in[rank]).Take<Key>());
        }
    }
    return first;
}

/** Runs the next part of a window, unless what is next belongs to the network as a whole. \param
 * others as RunWindow, both in one \return as RunWindow */
bool
RdmaProcesses::RunRankWindow(Key others)
{
    if (static_cast<uint64_t>(others >> 64) == static_cast<uint64_t>(m_queue.Now()) &&
        static_cast<uint64_t>(others) <= m_ranks->newestAtStart)
    {
        // nodes and devices are initialized, of which each rank has others; nothing of the network
        // is before
        return false;
    }
    const char* const why = m_network.WhyInOneQueue();
    NS_ABORT_MSG_IF(why, "RdmaRanks: several ranks cannot go on: " << why);
    if (!m_split)
    {
        Split();
    }
    LandOutside();
    if (!m_queue.IsEmpty())
    {
        others = std::min(others, m_queue.m_heap.Front().GetKey());
    }
    RdmaRankState& ranks = *m_ranks;
    const auto othersTime = static_cast<uint64_t>(others >> 64);
    const auto leaveToOthers = [&]() {
        Settle();
        ranks.nextDue = std::min(ranks.nextDue, othersTime); // they may schedule something there
        return false;
    };
    if (ranks.nextDue == NONE || othersTime < ranks.nextDue)
    {
        return leaveToOthers();
    }
    if (ranks.nextDue >= static_cast<uint64_t>(RDMA_END_OF_TIME))
    {
        m_queue.StopAtEnd();
        return true;
    }
    m_current = ranks.nextDue / m_length;
    m_begin = m_current * m_length;
    const uint64_t from = std::max(ranks.nextDue, static_cast<uint64_t>(m_queue.Now()));
    const uint64_t windowEnd = m_begin + m_length;
    Key end = std::min(others, KeyOf(windowEnd, 0));
    const auto ahead = static_cast<uint64_t>(m_network.GetAheadUntil(static_cast<int64_t>(from)));
    if (ranks.news.IsDoubtful())
    {
        const Key first = FindFirst();
        if (first >= end)
        {
            ranks.nextDue = first == NO_EVENT ? NONE : static_cast<uint64_t>(first >> 64);
            return ranks.stopped || others > first || leaveToOthers();
        }
        end = first + 1; // what it does may concern all others
    }
    else
    {
        // of what is scheduled for that time so far, nobody is told before; who then is acts later
        end = std::min(end, KeyOf(ahead, m_queue.m_nextSeq));
    }
    if (end == others && end <= ranks.ranTo)
    {
        return leaveToOthers();
    }
    ranks.ranTo = m_end = end;
    RunRankPart();
    return true;
}

/** Runs the nodes of this rank up to m_end, and learns what others' have done. */
void
RdmaProcesses::RunRankPart()
{
    m_base = m_queue.m_nextSeq;
    ExchangeMail();
    const auto begin = std::chrono::steady_clock::now();
    RunOwnLanes();
    const auto ran = std::chrono::steady_clock::now();
    m_statistics.parallelSeconds += std::chrono::duration<double>(ran - begin).count();
    if (!TellRanks())
    {
        uint64_t places = 0; // which never become final
        for (const Lane& own : GetOwn())
        {
            places = std::max(places, own.queue->m_nextSeq - m_base);
        }
        KeepMoves(places);
        return;
    }
    if (std::any_of(m_lanes.begin(), m_lanes.end(), [](const Lane& lane) { return lane.any; }))
    {
        Close(false);
    }
    const std::chrono::duration<double> serial = std::chrono::steady_clock::now() - ran;
    m_statistics.serialSeconds += serial.count();
}

/** Runs the lanes of this rank, on its threads if the last part had enough for each. */
void
RdmaProcesses::RunOwnLanes()
{
    uint64_t recent = 0;
    for (const Lane& own : GetOwn())
    {
        recent += own.events;
    }
    if (m_ofRank > 1 && recent >= uint64_t{m_use.eventsPerThread} * m_ofRank && HaveThreads())
    {
        m_threads->Run(m_ofRank);
        ++m_statistics.threaded;
        m_statistics.threads = m_ofRank;
        return;
    }
    for (uint32_t i = m_own; i < m_own + m_ofRank; ++i)
    {
        RunLane(i);
    }
}

} // namespace ns3

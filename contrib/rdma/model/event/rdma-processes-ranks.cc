/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-processes.h"

#include "ns3/abort.h"
#include "ns3/rdma-network.h"
#include "ns3/rdma-rank-state.h"

#include <algorithm>
#include <sys/resource.h>
#include <utility>

// Windows of which other ranks run a part. Each decides by what all know, so all decide the same.

namespace ns3
{

namespace
{

using Bytes = RdmaRanks::Bytes;
using Key = RdmaEventEntry::Key;

constexpr Key NEVER = ~Key{0};

Key
KeyOf(uint64_t time, uint64_t place)
{
    return static_cast<Key>(time) << 64 | place;
}

/** What a rank tells of a part of a window. */
struct PartReport
{
    // what all ranks must agree on
    uint64_t exchange;
    uint64_t end[2]; //!< time, place
    uint64_t base;
    // what happened
    uint64_t places; //!< taken
    uint64_t events;
    uint64_t most; //!< of one process
    uint64_t latest;
    uint64_t nextDue;
    bool any;
    bool stop; //!< asked for

    bool AgreesWith(const PartReport& other) const
    {
        return exchange == other.exchange && end[0] == other.end[0] && end[1] == other.end[1] &&
               base == other.base;
    }
};

/** When frames that were sent to another rank arrive, the first of them. */
struct Arrival
{
    int64_t time;
    uint64_t place;
};

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
    Lane& own = m_lanes[m_own];
    const uint64_t due = FindWindow(own, m_processes) ? own.current * m_length : NONE;
    return std::min(due, own.mailTime);
}

/** \return the first event of this rank's nodes, but for what has been sent there; NEVER if there
 * is none. Its place is right once the lane is settled. O(events of the nodes that have one in that
 * window) */
RdmaProcesses::Key
RdmaProcesses::FindOwnFirst()
{
    Lane& own = m_lanes[m_own];
    while (FindWindow(own, m_processes))
    {
        const uint64_t window = own.current;
        std::vector<uint32_t> list;
        list.swap(own.due[window % SLOTS]);
        Key first = NEVER;
        for (const uint32_t process : list)
        {
            Process& p = m_processes[process - 1];
            p.listed = NONE;
            Key firstHere = NEVER;
            for (const std::vector<Entry>* entries : {&p.heap, &p.inbox})
            {
                for (const Entry& entry : *entries)
                {
                    if (entry.event->m_seq == entry.place)
                    {
                        const uint64_t place =
                            own.settled ? m_queue.Known(entry.place) : entry.place;
                        firstHere =
                            std::min(firstHere, KeyOf(static_cast<uint64_t>(entry.time), place));
                    }
                }
            }
            if (firstHere != NEVER)
            {
                List(process, static_cast<uint64_t>(firstHere >> 64));
            }
            first = std::min(first, firstHere);
        }
        // some may have been listed too early
        if (first != NEVER && static_cast<uint64_t>(first >> 64) / m_length == window)
        {
            return first;
        }
    }
    return NEVER;
}

/** Asks all ranks. \return the first event of any node; NEVER if there is none, or a rank is lost
 */
RdmaProcesses::Key
RdmaProcesses::FindFirst()
{
    Settle();
    const Key own = FindOwnFirst();
    std::vector<Bytes> out(m_lanes.size());
    std::vector<Bytes> in(m_lanes.size());
    for (Bytes& bytes : out)
    {
        RdmaRankWriter writer(bytes);
        writer.Put(own);
    }
    if (!Exchange(out, in))
    {
        return NEVER;
    }
    Key first = own;
    for (uint32_t rank = 0; rank < m_lanes.size(); ++rank)
    {
        if (rank != m_own)
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
    const char* const why = m_network.WhyInOneQueue();
    NS_ABORT_MSG_IF(why, "RdmaRanks: several ranks cannot go on: " << why);
    if (!m_split)
    {
        Split();
    }
    LandOutside();
    if (!m_queue.IsEmpty())
    {
        others = std::min(others, m_queue.m_heap.front().GetKey());
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
            ranks.nextDue = first == NEVER ? NONE : static_cast<uint64_t>(first >> 64);
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
    const auto begin = std::chrono::steady_clock::now();
    RunLane(m_own);
    const auto ran = std::chrono::steady_clock::now();
    m_statistics.parallelSeconds += std::chrono::duration<double>(ran - begin).count();
    if (!TellRanks())
    {
        KeepMoves(m_queue.m_nextSeq - m_base); // its places never become final
        return;
    }
    if (std::any_of(m_lanes.begin(), m_lanes.end(), [](const Lane& lane) { return lane.any; }))
    {
        Close(false);
    }
    const std::chrono::duration<double> serial = std::chrono::steady_clock::now() - ran;
    m_statistics.serialSeconds += serial.count();
}

/** \return whether all answered */
bool
RdmaProcesses::Exchange(std::vector<Bytes>& out, std::vector<Bytes>& in)
{
    // mpirun asks the others to end when a rank has died, and ends them a second later
    constexpr std::chrono::milliseconds PATIENCE{600};
    using Clock = std::chrono::steady_clock;
    RdmaRankState& ranks = *m_ranks;
    const Clock::time_point begin = Clock::now();
    ++ranks.exchanges;
    ranks.lost = ranks.ranks.Exchange(out, in, [&ranks, begin, patience = PATIENCE]() {
        if (ranks.waits)
        {
            ranks.waits();
        }
        return !ranks.stopAsked || Clock::now() - std::max(begin, ranks.askedAt) < patience;
    });
    ranks.stopped = ranks.stopped || !ranks.lost.empty();
    return ranks.lost.empty();
}

/** Tells all ranks what the nodes of this one have done, and takes what they tell. \return whether
 * all answered */
bool
RdmaProcesses::TellRanks()
{
    RdmaRankState& ranks = *m_ranks;
    Lane& own = m_lanes[m_own];
    const bool whole = m_end == KeyOf(m_begin + m_length, 0);
    // what is due within the window must be known exactly
    const uint64_t mail = own.mailTime;
    const uint64_t due = whole ? FindOwnDue() : static_cast<uint64_t>(FindOwnFirst() >> 64);
    ranks.nextDue = std::min(due, mail);
    const PartReport ours{ranks.exchanges,
                          {static_cast<uint64_t>(m_end >> 64), static_cast<uint64_t>(m_end)},
                          m_base,
                          m_queue.m_nextSeq - m_base,
                          own.events,
                          own.most,
                          own.latest,
                          ranks.nextDue,
                          own.any,
                          ranks.stopAsked};
    Bytes common;
    RdmaRankWriter writer(common);
    writer.Put(ours);
    ranks.news.Write(writer);
    writer.PutList(own.records);
    std::vector<Bytes> out(m_lanes.size());
    std::vector<Bytes> in(m_lanes.size());
    for (uint32_t rank = 0; rank < m_lanes.size(); ++rank)
    {
        out[rank] = common;
        RdmaRankWriter letters(out[rank]);
        for (Letter& letter : own.mail[rank])
        {
            if (!letter.frames.IsEmpty()) // else the link has failed meanwhile
            {
                letters.Put(Arrival{letter.first.time, letter.first.place});
                ranks.news.WriteFrames(letters, *letter.port, letter.frames);
            }
        }
        own.mail[rank].clear();
    }
    own.mailTime = NONE;
    if (!Exchange(out, in))
    {
        return false;
    }
    ranks.stopped = ours.stop;
    for (uint32_t rank = 0; rank < m_lanes.size(); ++rank)
    {
        if (rank != m_own)
        {
            const auto theirs = RdmaRankReader(in[rank]).Take<PartReport>();
            NS_ABORT_MSG_UNLESS(theirs.AgreesWith(ours),
                                "RdmaRanks: rank "
                                    << rank << " is not where rank " << m_own
                                    << " is; do all run the same program and inputs?");
            TakePart(rank, in[rank]);
        }
    }
    ranks.news.Finish();
    return true;
}

/** Takes what \p rank tells of its part. */
void
RdmaProcesses::TakePart(uint32_t rank, const Bytes& bytes)
{
    RdmaRankState& ranks = *m_ranks;
    RdmaRankReader in(bytes);
    const auto report = in.Take<PartReport>();
    Lane& lane = m_lanes[rank];
    lane.queue->m_nextSeq = m_base + report.places;
    lane.queue->m_fired = report.events;
    lane.events = report.events;
    lane.most = report.most;
    lane.latest = report.latest;
    lane.any = report.any;
    ranks.nextDue = std::min(ranks.nextDue, report.nextDue);
    ranks.stopped = ranks.stopped || report.stop;
    ranks.news.Read(in);
    in.TakeList(lane.records);
    SortRecords(lane);
    CountParts(lane);
    std::vector<Letter>& came = m_lanes[m_own].came[rank];
    while (!in.IsAtEnd())
    {
        const auto arrival = in.Take<Arrival>();
        RdmaFrameFifo frames;
        RdmaPort& port = ranks.news.ReadFrames(in, frames);
        came.push_back({{arrival.place, arrival.time, nullptr}, &port, frames});
    }
}

std::vector<uint64_t>
RdmaProcesses::ShareState()
{
    if (!m_ranks || !m_ranks->lost.empty())
    {
        return {};
    }
    std::vector<uint64_t> memory(m_lanes.size());
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    memory[m_own] = static_cast<uint64_t>(usage.ru_maxrss);
    std::vector<Bytes> out(m_lanes.size());
    std::vector<Bytes> in(m_lanes.size());
    for (Bytes& bytes : out)
    {
        RdmaRankWriter writer(bytes);
        writer.Put(memory[m_own]);
        m_ranks->news.WriteState(writer);
    }
    if (!Exchange(out, in))
    {
        return {};
    }
    for (uint32_t rank = 0; rank < m_lanes.size(); ++rank)
    {
        if (rank != m_own)
        {
            RdmaRankReader reader(in[rank]);
            memory[rank] = reader.Take<uint64_t>();
            m_ranks->news.ReadState(reader);
        }
    }
    return memory;
}

} // namespace ns3

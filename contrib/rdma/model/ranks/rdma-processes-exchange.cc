/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/abort.h"
#include "ns3/rdma-network.h"
#include "ns3/rdma-processes.h"
#include "ns3/rdma-rank-state.h"

#include <algorithm>
#include <chrono>
#include <sys/resource.h>
#include <utility>

// What ranks tell each other when a part of a window is over, and when a run is.

namespace ns3
{

namespace
{

using Bytes = RdmaRanks::Bytes;

/** What a rank tells of a part of a window. */
struct PartReport
{
    // what all ranks must agree on
    uint64_t exchange;
    uint64_t end[2]; //!< time, place
    uint64_t base;
    uint64_t lanes; //!< of each rank
    // what happened
    uint64_t nextDue;
    bool stop; //!< asked for

    bool AgreesWith(const PartReport& other) const
    {
        return exchange == other.exchange && end[0] == other.end[0] && end[1] == other.end[1] &&
               base == other.base && lanes == other.lanes;
    }
};

/** What it tells of one of its lanes. */
struct LaneReport
{
    uint64_t places; //!< taken
    uint64_t events;
    uint64_t most; //!< of one process
    uint64_t latest;
    bool any;
};

/** When frames that were sent to another rank arrive, the first of them. */
struct Arrival
{
    int64_t time;
    uint64_t place;
};

} // namespace

/** \return whether all answered */
bool
RdmaProcesses::Exchange(std::vector<Bytes>& out, std::vector<Bytes>& in)
{
    // mpirun asks the others to end when a rank has died, and ends them a second later
    constexpr std::chrono::milliseconds PATIENCE{400};
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
    const uint32_t count = ranks.ranks.GetCount();
    const uint32_t self = ranks.ranks.GetRank();
    const bool whole = m_end == static_cast<Key>(m_begin + m_length) << 64;
    // what is due within the window must be known exactly
    ranks.nextDue = whole ? FindOwnDue() : static_cast<uint64_t>(FindOwnFirst() >> 64);
    for (Lane& own : GetOwn())
    {
        ranks.nextDue = std::min(ranks.nextDue, std::exchange(own.mailTime, NONE));
    }
    const PartReport ours{ranks.exchanges,
                          {static_cast<uint64_t>(m_end >> 64), static_cast<uint64_t>(m_end)},
                          m_base,
                          m_ofRank,
                          ranks.nextDue,
                          ranks.stopAsked};
    Bytes common;
    RdmaRankWriter writer(common);
    writer.Put(ours);
    m_network.TakeThreadNews();
    ranks.news.Write(writer);
    for (const Lane& own : GetOwn())
    {
        writer.Put(
            LaneReport{own.queue->m_nextSeq - m_base, own.events, own.most, own.latest, own.any});
        writer.PutList(own.sorted); // so that not every rank has to sort them
    }
    std::vector<Bytes> out(count, common);
    std::vector<Bytes> in(count);
    for (uint32_t rank = 0; rank < count; ++rank)
    {
        if (rank != self)
        {
            WriteMail(rank, out[rank]);
        }
    }
    if (!Exchange(out, in))
    {
        return false;
    }
    ranks.stopped = ours.stop;
    for (uint32_t rank = 0; rank < count; ++rank)
    {
        if (rank != self)
        {
            const auto theirs = RdmaRankReader(in[rank]).Take<PartReport>();
            NS_ABORT_MSG_UNLESS(theirs.AgreesWith(ours),
                                "RdmaRanks: rank "
                                    << rank << " is not where rank " << self
                                    << " is; do all run the same program and inputs?");
            TakePart(rank, in[rank]);
        }
    }
    ranks.news.Finish();
    return true;
}

/** Writes what has been sent to \p rank, and forgets it. */
void
RdmaProcesses::WriteMail(uint32_t rank, Bytes& bytes)
{
    RdmaRankWriter letters(bytes);
    for (Lane& from : GetOwn())
    {
        for (uint32_t to = rank * m_ofRank; to < (rank + 1) * m_ofRank; ++to)
        {
            for (Letter& letter : from.mail[to])
            {
                if (!letter.frames.IsEmpty()) // else the link has failed meanwhile
                {
                    letters.Put(Arrival{letter.first.time, letter.first.place});
                    m_ranks->news.WriteFrames(letters, *letter.port, letter.frames);
                }
            }
            from.mail[to].clear();
        }
    }
}

/** Takes what \p rank tells of its part. */
void
RdmaProcesses::TakePart(uint32_t rank, const Bytes& bytes)
{
    RdmaRankState& ranks = *m_ranks;
    RdmaRankReader in(bytes);
    const auto part = in.Take<PartReport>();
    ranks.nextDue = std::min(ranks.nextDue, part.nextDue);
    ranks.stopped = ranks.stopped || part.stop;
    ranks.news.Read(in);
    const uint32_t first = rank * m_ofRank;
    for (uint32_t i = first; i < first + m_ofRank; ++i)
    {
        Lane& lane = m_lanes[i];
        const auto report = in.Take<LaneReport>();
        lane.queue->m_nextSeq = m_base + report.places;
        lane.queue->m_fired = report.events;
        lane.events = report.events;
        lane.most = report.most;
        lane.latest = report.latest;
        lane.any = report.any;
        in.TakeList(lane.sorted);
        CountParts(lane);
    }
    while (!in.IsAtEnd())
    {
        const auto arrival = in.Take<Arrival>();
        RdmaFrameFifo frames;
        RdmaPort& port = ranks.news.ReadFrames(in, frames);
        const uint32_t node = port.GetPeer().GetOwner().GetRdmaId();
        const uint32_t to = m_processes[m_processOf[node] - 1].lane;
        m_lanes[to].came[first].push_back({{arrival.place, arrival.time, nullptr}, &port, frames});
    }
}

std::vector<uint64_t>
RdmaProcesses::ShareState()
{
    if (!m_ranks || !m_ranks->lost.empty())
    {
        return {};
    }
    const uint32_t count = m_ranks->ranks.GetCount();
    const uint32_t self = m_ranks->ranks.GetRank();
    std::vector<uint64_t> memory(count);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    memory[self] = static_cast<uint64_t>(usage.ru_maxrss);
    std::vector<Bytes> out(count);
    std::vector<Bytes> in(count);
    for (Bytes& bytes : out)
    {
        RdmaRankWriter writer(bytes);
        writer.Put(memory[self]);
        m_ranks->news.WriteState(writer);
    }
    if (!Exchange(out, in))
    {
        return {};
    }
    for (uint32_t rank = 0; rank < count; ++rank)
    {
        if (rank != self)
        {
            RdmaRankReader reader(in[rank]);
            memory[rank] = reader.Take<uint64_t>();
            m_ranks->news.ReadState(reader);
        }
    }
    return memory;
}

} // namespace ns3

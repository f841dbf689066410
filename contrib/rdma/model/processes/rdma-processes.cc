/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-processes.h"

#include "rdma-threads.h"

#include "ns3/rdma-network.h"
#include "ns3/rdma-rank-state.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

// Windows, one after the other; rdma-processes-cut.cc says what the processes are,
// rdma-processes-due.cc which have something to do,
// rdma-processes-lanes.cc which thread runs them, and rdma-processes-run.cc what it does;
// rdma-processes-mail.cc has what they send each other, rdma-processes-merge.cc what is merged;
// rdma-processes-order.cc, rdma-processes-rank.cc and rdma-processes-takers.cc put what was
// scheduled in a window into order. rdma-processes-ranks.cc has what is different if other ranks
// run some of them.

namespace ns3
{

namespace
{

/** Of windows that stand for so many each; of none, it does not ask the clock, which takes as long
 * as an event. */
class Stopwatch
{
  public:
    explicit Stopwatch(uint32_t windows)
        : m_windows(windows)
    {
        Lap();
    }

    /** \return seconds since the last one */
    double Lap()
    {
        if (m_windows == 0)
        {
            return 0;
        }
        const auto begin = std::exchange(m_begin, std::chrono::steady_clock::now());
        return std::chrono::duration<double>(m_begin - begin).count() * m_windows;
    }

  private:
    uint32_t m_windows;
    std::chrono::steady_clock::time_point m_begin;
};

} // namespace

RdmaProcesses::RdmaProcesses(RdmaEventQueue& queue,
                             RdmaNetwork& network,
                             const RdmaThreadUse& use,
                             RdmaWindowStatistics& statistics)
    : m_queue(queue),
      m_network(network),
      m_use(use),
      m_statistics(statistics)
{
    Cut();
    MakeLanes(1);
}

RdmaProcesses::RdmaProcesses(RdmaEventQueue& queue,
                             RdmaNetwork& network,
                             RdmaRanks& ranks,
                             const RdmaThreadUse& use,
                             RdmaWindowStatistics& statistics)
    : m_queue(queue),
      m_network(network),
      m_use(use),
      m_ranks(std::make_unique<RdmaRankState>(ranks, network, queue.NewestPlace())),
      m_statistics(statistics)
{
    Cut();
    CheckRanks();
    MakeLanes(ranks.GetCount() * m_ofRank);
}

RdmaProcesses::~RdmaProcesses()
{
    if (m_ranks)
    {
        SendMail(m_lanes[m_own]); // which nobody takes
        for (std::vector<Letter>& letters : m_lanes[m_own].mail)
        {
            letters.clear();
        }
    }
    Join();
    m_threads = nullptr;
}

bool
RdmaProcesses::HasPending() const
{
    const auto isPending = [](const Entry& entry) { return entry.IsValid(); };
    const auto anyPending = [&](const auto& entries) {
        return std::any_of(entries.begin(), entries.end(), isPending);
    };
    return std::any_of(m_processes.begin(),
                       m_processes.end(),
                       [&](const Process& process) {
                           return anyPending(process.heap) || anyPending(process.inbox);
                       }) ||
           std::any_of(m_lanes.begin(),
                       m_lanes.end(),
                       [](const Lane& lane) { return lane.mailTime != NONE; }) ||
           !m_outside.empty();
}

bool
RdmaProcesses::RunWindow(uint64_t time, uint64_t place)
{
    if (m_ranks)
    {
        return RunRankWindow(static_cast<Key>(time) << 64 | place);
    }
    if (Rests())
    {
        return false;
    }
    if (m_queue.m_mergedEnd)
    {
        if (!IsMergedOver(time))
        {
            return false;
        }
        m_mergedUntil = m_queue.m_mergedEnd;
        EndMerged();
    }
    m_network.GetContext(); // counts what threads' contexts have
    if (m_network.WhyInOneQueue())
    {
        constexpr uint64_t REST = 64; // events: it mostly stays so
        Join();
        m_worthFrom = m_queue.m_fired + REST;
        return false;
    }
    if (!IsWorthIt())
    {
        Join();
        return false;
    }
    if (m_statistics.windows - m_reviewed >= m_reviewAfter)
    {
        Review();
    }
    if (!m_split)
    {
        Split();
    }
    LandOutside();
    if (!FindWindow())
    {
        Settle();
        return false;
    }
    m_begin = m_current * m_length;
    const uint64_t windowEnd = m_begin + m_length;
    Key others = static_cast<Key>(time) << 64 | place;
    if (!m_queue.IsEmpty())
    {
        others = std::min(others, m_queue.m_heap.Front().GetKey());
    }
    const auto othersTime = static_cast<uint64_t>(others >> 64);
    if (othersTime < m_begin)
    {
        Settle();
        return false;
    }
    const uint64_t from = std::max({m_begin, static_cast<uint64_t>(m_queue.Now()), m_mergedUntil});
    const auto ahead = static_cast<uint64_t>(m_network.GetAheadUntil(static_cast<int64_t>(from)));
    const uint64_t until = std::min(othersTime, ahead);
    if (until < windowEnd && !IsWorthPart(from, until))
    {
        Merge(until > from ? until : windowEnd); // which others are told of is not known, at times
        return true;
    }
    if (m_use.most > 1 && !std::exchange(m_begun, true))
    {
        ExpectFirst();
        return true;
    }
    return RunTo(from, std::min(others, static_cast<Key>(ahead) << 64));
}

/** \return whether there is a thread for each lane; if not, the machine gives no more */
bool
RdmaProcesses::HaveThreads()
{
    const uint32_t lanes = CountOwn();
    if (m_noThreads || (m_threads && m_threads->GetCount() >= lanes))
    {
        return !m_noThreads;
    }
    m_threads = nullptr;
    try
    {
        m_threads = std::make_unique<RdmaThreads>(lanes, [this](uint32_t lane) {
            m_ranking ? RankSlice(m_lanes[lane].slice) : RunLane(m_own + lane);
        });
    }
    catch (const std::system_error&)
    {
        m_noThreads = true;
    }
    return !m_noThreads;
}

/** Lets the thread of each lane run it, or rank its slice. */
void
RdmaProcesses::RunThreads()
{
    Stopwatch watch(1);
    m_threads->Run(CountOwn());
    m_statistics.parallelSeconds += watch.Lap();
}

/** Runs all lanes, \p threaded or one after the other, and closes the window. \return whether any
 * event ran */
bool
RdmaProcesses::RunLanes(bool threaded)
{
    constexpr uint32_t TIMED_EVERY = 16; // windows, where the time of each decides nothing
    const auto lanes = static_cast<uint32_t>(m_lanes.size());
    Stopwatch watch(m_use.most > 1 ? 1 : m_statistics.windows % TIMED_EVERY == 0 ? TIMED_EVERY : 0);
    if (threaded)
    {
        RunThreads();
        watch.Lap();
    }
    else
    {
        for (uint32_t lane = 0; lane < lanes; ++lane)
        {
            RunLane(lane);
        }
        m_statistics.parallelSeconds += watch.Lap();
    }
    bool any = false;
    for (const Lane& lane : m_lanes)
    {
        any |= lane.any;
        m_visits += lane.visits;
    }
    if (any)
    {
        const double before = m_statistics.parallelSeconds;
        Close(threaded);
        const double ranking = m_statistics.parallelSeconds - before;
        m_statistics.serialSeconds += watch.Lap() - ranking;
        m_statistics.threaded += threaded;
        m_statistics.threads = std::max(m_statistics.threads, threaded ? lanes : 1);
    }
    return any;
}

/** Runs the current window, node by node, \p from a time up to its end, to \p others, or to when
 * the watch is to be told. \return as RunWindow */
bool
RdmaProcesses::RunTo(uint64_t from, Key others)
{
    const uint64_t windowEnd = m_begin + m_length;
    m_end = std::min(
        {others, static_cast<Key>(m_queue.m_watchTime) << 64, static_cast<Key>(windowEnd) << 64});
    m_base = m_queue.m_nextSeq;
    m_partLength = std::max(static_cast<uint64_t>(m_end >> 64), from) - from;
    m_gathered = false;
    m_network.PassBeforeWindow(static_cast<int64_t>(m_begin));
    ExchangeMail();
    const auto lanes = static_cast<uint32_t>(m_lanes.size());
    const bool holdsUp = m_network.GetContext().held > 0;
    for (Lane& lane : m_lanes)
    {
        lane.context->holdsUp = holdsUp;
    }
    const bool threaded =
        lanes > 1 && 2 * m_recent >= uint64_t{m_use.eventsPerThread} * lanes && HaveThreads();
    try
    {
        if (RunLanes(threaded))
        {
            return true;
        }
    }
    catch (...)
    {
        Abandon();
        throw;
    }
    uint64_t left = NONE;
    for (const Lane& lane : m_lanes)
    {
        left = std::min(left, lane.left);
    }
    if (left >= windowEnd)
    {
        return true; // what was due has been cancelled, or moved
    }
    Settle();
    const uint64_t next = std::min(left, static_cast<uint64_t>(others >> 64));
    if (next >= static_cast<uint64_t>(RDMA_END_OF_TIME))
    {
        Join(); // which ends the simulation
        return false;
    }
    if (next >= m_queue.m_watchTime)
    {
        m_queue.TellWatch(static_cast<int64_t>(next));
    }
    else
    {
        Merge(next); // what is first belongs to others, or somebody is told of it
    }
    return true;
}

} // namespace ns3

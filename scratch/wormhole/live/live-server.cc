/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "live-server.h"

#include "terminal/units-text.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <utility>

namespace wormhole
{

using ns3::InputError;
using ns3::WorkloadMpiCall;

namespace
{

std::string
RankText(uint32_t rank)
{
    return "rank " + std::to_string(rank);
}

} // namespace

LiveServer::LiveServer(LiveProgram& program,
                       const LiveOptions& options,
                       ns3::WorkloadFrontEnd& network)
    : m_program(program),
      m_options(options),
      m_network(network),
      m_messages(network, options.eagerBytes, [this](uint32_t rank) { AnswerProbeIfFound(rank); }),
      m_communicators(program.GetRankCount()),
      m_selves(program.GetRankCount()),
      m_ranks(program.GetRankCount())
{
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        m_selves[rank].number = UINT32_MAX; // apart from those of several ranks
        m_selves[rank].members = {rank};
        m_ranks[rank].communicators[ns3::WORKLOAD_MPI_WORLD] = {&m_communicators.World(), rank, 0};
        m_ranks[rank].communicators[ns3::WORKLOAD_MPI_SELF] = {&m_selves[rank], 0, 0};
    }
}

void
LiveServer::SetLook(const std::function<void()>& look)
{
    m_look = look;
}

void
LiveServer::Begin()
{
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        Answer(rank, LiveAnswer(m_network.NowPs()));
    }
}

void
LiveServer::End()
{
    m_over = true;
    const bool finished = std::all_of(m_ranks.begin(), m_ranks.end(), [](const LiveRank& rank) {
        return rank.state == LiveRank::State::FINISHED;
    });
    if (!finished)
    {
        m_program.Kill();
    }
}

void
LiveServer::Answer(uint32_t rank, const LiveAnswer& answer)
{
    m_ranks[rank].state = LiveRank::State::RUNS;
    m_ranks[rank].clockPs = answer.GetPs();
    m_ranks[rank].turn.reset();
    m_running.push_back(rank);
    m_program.Send(rank, answer.Frame());
    CollectSoon();
}

void
LiveServer::CollectSoon()
{
    if (!m_collecting)
    {
        m_collecting = true;
        m_network.Schedule(m_running.front(), 0, [this] { Collect(); });
    }
}

void
LiveServer::Collect()
{
    try
    {
        CollectTurns();
    }
    catch (const InputError& error)
    {
        m_network.Fail(error.what());
    }
}

void
LiveServer::CollectTurns()
{
    m_collecting = false;
    if (m_options.disorderNs > 0)
    {
        CollectSome();
    }
    else if (Await(m_running))
    {
        TakeTurns(m_running);
    }
}

/** Waits for what these ranks say next, or \p any of them. \return false if the run ends, or is to
 * be looked at */
bool
LiveServer::Await(const std::vector<uint32_t>& ranks, bool any)
{
    for (;;)
    {
        switch (m_program.Await(ranks, any))
        {
        case LiveProgram::State::READY:
            return true;
        case LiveProgram::State::LATE:
            m_look(); // and tells whom the run waits for, if that takes long
            break;
        case LiveProgram::State::GONE:
            m_network.Stop();
            return false;
        case LiveProgram::State::INTERRUPTED:
            m_look(); // and ends the run, once it knows of the signal
            CollectSoon();
            return false;
        }
    }
}

/** Handles what ranks that run have said, in their order. */
void
LiveServer::TakeTurns(const std::vector<uint32_t>& ranks)
{
    std::vector<uint32_t> sorted = ranks;
    std::sort(sorted.begin(), sorted.end());
    const auto isTaken = [&sorted](uint32_t rank) {
        return std::binary_search(sorted.begin(), sorted.end(), rank);
    };
    m_running.erase(std::remove_if(m_running.begin(), m_running.end(), isTaken), m_running.end());
    for (const uint32_t rank : sorted)
    {
        m_ranks[rank].turn.emplace(m_program.TakeFrame(rank), m_network.GetRankCount());
        GoOn(rank);
    }
}

/** Reads the rank's messages up to its next computing, or the one that is answered. */
void
LiveServer::GoOn(uint32_t rank)
{
    try
    {
        HandleAll(rank);
    }
    catch (const InputError& error)
    {
        m_network.Fail(RankText(rank) + ", message " + std::to_string(m_ranks[rank].calls) +
                       ", MPI_" + WorkloadMpiCallName(m_ranks[rank].message.record.call) + ": " +
                       error.what());
    }
}

void
LiveServer::HandleAll(uint32_t rank)
{
    LiveRank& own = m_ranks[rank];
    if (own.state == LiveRank::State::COMPUTES)
    {
        m_disorder.Add(0);
        own.sincePs = m_network.NowPs();
        if (Handle(rank))
        {
            return;
        }
    }
    for (;;)
    {
        own.turn->Next(own.message);
        ++own.calls;
        own.clockPs += static_cast<int64_t>(own.message.record.computed) * LIVE_PS_PER_NS;
        const int64_t waitPs = own.clockPs - m_network.NowPs();
        if (waitPs > 0)
        {
            own.state = LiveRank::State::COMPUTES;
            m_network.Schedule(rank, (waitPs + LIVE_PS_PER_NS - 1) / LIVE_PS_PER_NS, [this, rank] {
                GoOn(rank);
            });
            return;
        }
        // its clock goes on by ns, the network's time by less
        own.sincePs = m_disorder.Add(-waitPs) ? own.clockPs : m_network.NowPs();
        if (Handle(rank))
        {
            return;
        }
    }
}

std::vector<std::string>
LiveServer::Explain(size_t most) const
{
    std::vector<std::string> lines;
    if (!m_program.GetGone().empty())
    {
        lines.push_back(m_program.GetGone());
    }
    else if (IsDeadlock())
    {
        lines.emplace_back(
            "deadlock: every rank that has not finished waits, and nothing is under way");
    }
    for (uint32_t rank = 0; rank < m_ranks.size() && lines.size() < most; ++rank)
    {
        if (m_ranks[rank].state != LiveRank::State::FINISHED)
        {
            lines.push_back(ExplainRank(rank));
        }
    }
    return lines;
}

/** \return whether the run is over since all wait for ever */
bool
LiveServer::IsDeadlock() const
{
    return m_over && !m_options.stops &&
           std::all_of(m_ranks.begin(), m_ranks.end(), [](const LiveRank& rank) {
               return rank.state == LiveRank::State::FINISHED ||
                      rank.state == LiveRank::State::WAITS;
           });
}

std::string
LiveServer::ExplainRank(uint32_t rank) const
{
    const LiveRank& own = m_ranks[rank];
    const std::string call =
        own.calls == 0 ? "MPI_Init"
                       : std::string("MPI_") + WorkloadMpiCallName(own.message.record.call);
    const int64_t sincePs = own.state == LiveRank::State::RUNS ? own.clockPs : own.sincePs;
    const std::string since = " since " + TimeText(static_cast<double>(sincePs) * 1e-3) +
                              ", in message " + std::to_string(own.calls);
    switch (own.state)
    {
    case LiveRank::State::RUNS:
        if (m_program.HasSaid(rank))
        {
            return RankText(rank) + " has gone on behind " + call +
                   ", and waits for ranks that run";
        }
        return RankText(rank) + " runs behind " + call + since;
    case LiveRank::State::COMPUTES:
        return RankText(rank) + " computes before " + call;
    case LiveRank::State::WAITS:
        return RankText(rank) + " waits in " + call + since + own.ExplainWait();
    case LiveRank::State::FINISHED:
        break;
    }
    return RankText(rank) + " has finished";
}

} // namespace wormhole

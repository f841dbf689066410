/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORKLOAD_MPI_PLAY_H
#define WORKLOAD_MPI_PLAY_H

// Plays the parts of all members of a collective together.

#include "ns3/workload-mpi-part.h"

#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace mpiplay
{

struct MpiMessage
{
    uint32_t peer;
    uint64_t bytes;
};

struct MpiStep
{
    std::vector<MpiMessage> sends;
    std::vector<MpiMessage> receives;
};

/** Keeps the steps of a member. */
class MpiSteps : public ns3::WorkloadMpiPart
{
  public:
    using ns3::WorkloadMpiPart::WorkloadMpiPart;

    void Send(uint32_t to, uint64_t bytes) override
    {
        m_step.sends.push_back({to, bytes});
    }

    void Receive(uint32_t from, uint64_t bytes) override
    {
        m_step.receives.push_back({from, bytes});
    }

    void Next() override
    {
        steps.push_back(m_step);
        m_step = {};
    }

    std::vector<MpiStep> steps;

  private:
    MpiStep m_step;
};

/** What came of a collective. */
struct MpiOutcome
{
    std::vector<std::set<uint32_t>> heard; //!< by member: whose data reached it
    std::vector<uint64_t> sent;            //!< by member: bytes
    std::vector<uint64_t> received;        //!< by member: bytes
    std::string wrong;
};

/** Adds a member's part of something. */
using MpiAdder = std::function<void(ns3::WorkloadMpiPart&)>;

/** Plays all parts: a step's sends leave at once, with what the member has heard before it. */
class MpiPlay
{
  public:
    MpiPlay(uint32_t size, const MpiAdder& add)
        : m_next(size, 0),
          m_left(size, false)
    {
        for (uint32_t rank = 0; rank < size; ++rank)
        {
            m_parts.emplace_back(size, rank);
            add(m_parts.back());
            m_out.heard.push_back({rank});
        }
        m_out.sent.resize(size);
        m_out.received.resize(size);
    }

    MpiOutcome Run()
    {
        bool moved = true;
        while (moved)
        {
            moved = false;
            for (uint32_t rank = 0; rank < m_parts.size(); ++rank)
            {
                moved |= Advance(rank);
            }
        }
        for (uint32_t rank = 0; rank < m_parts.size(); ++rank)
        {
            if (m_next[rank] < m_parts[rank].steps.size())
            {
                m_out.wrong += "member " + std::to_string(rank) + " waits in step " +
                               std::to_string(m_next[rank]) + "\n";
            }
        }
        for (const auto& [pair, messages] : m_flying)
        {
            m_out.wrong += messages.empty() ? "" : "a message that nobody receives\n";
        }
        return m_out;
    }

  private:
    struct Flying
    {
        uint64_t bytes;
        std::set<uint32_t> heard;
    };

    bool Advance(uint32_t rank)
    {
        if (m_next[rank] == m_parts[rank].steps.size())
        {
            return false;
        }
        const MpiStep& step = m_parts[rank].steps[m_next[rank]];
        const bool left = m_left[rank];
        for (const MpiMessage& message : step.sends)
        {
            if (!left)
            {
                m_flying[{rank, message.peer}].push_back({message.bytes, m_out.heard[rank]});
                m_out.sent[rank] += message.bytes;
            }
        }
        m_left[rank] = true;
        std::map<uint32_t, size_t> needed;
        for (const MpiMessage& message : step.receives)
        {
            if (m_flying[{message.peer, rank}].size() < ++needed[message.peer])
            {
                return !left;
            }
        }
        for (const MpiMessage& message : step.receives)
        {
            Take(rank, message);
        }
        ++m_next[rank];
        m_left[rank] = false;
        return true;
    }

    void Take(uint32_t rank, const MpiMessage& message)
    {
        std::deque<Flying>& queue = m_flying[{message.peer, rank}];
        if (queue.front().bytes != message.bytes)
        {
            m_out.wrong += "member " + std::to_string(rank) + " expects " +
                           std::to_string(message.bytes) + " bytes of " +
                           std::to_string(message.peer) + ", which sends " +
                           std::to_string(queue.front().bytes) + "\n";
        }
        m_out.heard[rank].insert(queue.front().heard.begin(), queue.front().heard.end());
        m_out.received[rank] += message.bytes;
        queue.pop_front();
    }

    std::vector<MpiSteps> m_parts;
    std::vector<size_t> m_next;
    std::vector<bool> m_left;
    std::map<std::pair<uint32_t, uint32_t>, std::deque<Flying>> m_flying;
    MpiOutcome m_out;
};

inline void
ExpectHeard(const MpiOutcome& outcome, uint32_t rank, uint32_t count)
{
    EXPECT_EQ(outcome.heard[rank].size(), count) << "member " << rank;
}

/** \return bytes of block i, all different, and some of them 0 */
inline std::vector<uint64_t>
MpiBlocks(uint32_t size, uint64_t bytes)
{
    std::vector<uint64_t> blocks(size);
    for (uint32_t i = 0; i < size; ++i)
    {
        blocks[i] = i == 1 ? 0 : bytes + i;
    }
    return blocks;
}

} // namespace mpiplay

#endif // WORKLOAD_MPI_PLAY_H

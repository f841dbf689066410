/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Time that goes on while ranks run: bounded disorder.
 */

#include "live-server.h"

#include <algorithm>

namespace wormhole
{

namespace
{

/** What ranks that say something soon are really waited for, ms: those that do not compute are in
 * time then. */
constexpr int GRACE_MS = 1;

/** Looks at ranks that run, while time goes on by as much as it may. */
constexpr int64_t LOOKS = 64;

} // namespace

/** Handles what ranks have said. If some run on, time goes on a little; or, if it may not, waits
 * for those that hold it back. */
void
LiveServer::CollectSome()
{
    for (int graceMs = m_looked ? 0 : GRACE_MS;;)
    {
        const std::vector<uint32_t> found = m_program.Look(m_running, graceMs);
        TakeTurns(found);
        if (m_running.empty() || m_collecting)
        {
            return; // nobody runs, or somebody was answered: see the next event of this instant
        }
        if (!found.empty())
        {
            continue;
        }
        const int64_t now = m_network.NowPs();
        const int64_t mostPs = m_options.disorderNs * LIVE_PS_PER_NS;
        std::vector<uint32_t> holding;
        int64_t boundPs = INT64_MAX;
        for (const uint32_t rank : m_running)
        {
            const int64_t untilPs = m_ranks[rank].clockPs + mostPs;
            boundPs = std::min(boundPs, untilPs);
            if (untilPs - now < LIVE_PS_PER_NS)
            {
                holding.push_back(rank);
            }
        }
        if (holding.empty() && IsBusyUntil(boundPs))
        {
            LookSoon((boundPs - now) / LIVE_PS_PER_NS);
            return;
        }
        // time that passes while nothing is to be simulated would be nobody's gain
        const bool idle = holding.empty();
        if (!Await(idle ? m_running : holding, idle))
        {
            return;
        }
    }
}

/** \return whether there is something to simulate up to a time */
bool
LiveServer::IsBusyUntil(int64_t ps) const
{
    return m_messages.IsUnderWay() ||
           std::any_of(m_ranks.begin(), m_ranks.end(), [ps](const LiveRank& rank) {
               return rank.state == LiveRank::State::COMPUTES && rank.clockPs < ps;
           });
}

/** Looks again after a little simulated time. \param mostNs until then, at least 1 */
void
LiveServer::LookSoon(int64_t mostNs)
{
    if (!m_looking)
    {
        m_looking = true;
        const int64_t ns = std::min(std::max<int64_t>(m_options.disorderNs / LOOKS, 1), mostNs);
        m_network.Schedule(m_running.front(), ns, [this] {
            m_looking = false;
            m_looked = true;
            m_collecting || m_running.empty() ? void() : Collect();
            m_looked = false;
        });
    }
}

nlohmann::ordered_json
LiveServer::GetSummary() const
{
    return {{"disorder", m_disorder.GetSummary(m_options.disorderNs, m_messages.GetLateness())}};
}

} // namespace wormhole

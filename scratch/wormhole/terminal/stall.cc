/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "stall.h"

#include "units-text.h"

namespace wormhole
{

bool
StallDetector::IsNew(Mark& mark, bool stalls) const
{
    const bool fresh = stalls && !mark.told && m_limit > 0 && m_wall - mark.wall >= m_limit;
    mark.told |= fresh;
    return fresh;
}

StallDetector::Kind
StallDetector::Look(double wallSeconds, const ProgressState& state)
{
    const Mark here{wallSeconds, state.simulatedSeconds, state.events, false};
    m_wall = wallSeconds;
    m_state = state;
    if (!m_begun || state.simulatedSeconds > m_instant.simulated)
    {
        m_instant = here;
    }
    if (!m_begun || state.delivered > m_delivered || state.itemsEnded > m_ended ||
        state.waiting == 0)
    {
        m_bytes = here;
        m_delivered = state.delivered;
        m_ended = state.itemsEnded;
    }
    m_begun = true;
    if (IsNew(m_instant, true))
    {
        return Kind::INSTANT;
    }
    const bool long_ = state.simulatedSeconds - m_bytes.simulated >= LEAST_SIMULATED;
    return IsNew(m_bytes, long_) ? Kind::BYTES : Kind::NONE;
}

std::vector<std::string>
StallDetector::Describe(Kind kind, const std::vector<std::string>& reasons) const
{
    const bool instant = kind == Kind::INSTANT;
    const Mark& since = instant ? m_instant : m_bytes;
    const std::string wall = TimeText((m_wall - since.wall) * 1e9) + " of wall-clock time";
    std::vector<std::string> lines;
    if (instant)
    {
        lines.push_back("stall: simulated time has stood at " +
                        TimeText(m_state.simulatedSeconds * 1e9) + " for " + wall + ", in which " +
                        CountText(m_state.events - since.events) + " events ran");
    }
    else
    {
        lines.push_back("stall: no byte has been delivered since " +
                        TimeText(since.simulated * 1e9) + " of simulated time or before (now " +
                        TimeText(m_state.simulatedSeconds * 1e9) + "; " + wall + "), while " +
                        CountText(m_state.waiting) +
                        (m_state.waiting == 1 ? " flow is" : " flows are") + " under way");
    }
    for (const std::string& reason : reasons)
    {
        lines.push_back("stall:   " + reason);
    }
    lines.emplace_back(
        instant ? "stall: if it goes on, Ctrl-C ends the run and writes what there is"
                : "stall: the run goes on, in case a link recovers or a pause ends; Ctrl-C ends it "
                  "and writes what there is, --stop TIME ends it at a simulated time");
    return lines;
}

} // namespace wormhole

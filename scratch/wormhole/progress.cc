/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "progress.h"

#include "units-text.h"

#include <iostream>
#include <unistd.h>

namespace wormhole
{

Progress::Progress(bool enabled)
    : m_enabled(enabled),
      m_terminal(isatty(STDERR_FILENO)),
      m_period(m_terminal ? std::chrono::milliseconds(200) : std::chrono::milliseconds(10000))
{
    Begin();
}

void
Progress::Begin()
{
    m_start = Clock::now();
    m_next = m_start + m_period;
}

bool
Progress::IsDue() const
{
    return m_enabled && Clock::now() >= m_next;
}

std::string
Progress::Line(const ProgressState& state) const
{
    const double wall = std::chrono::duration<double>(Clock::now() - m_start).count();
    std::string line = "simulated " + TimeText(state.simulatedSeconds * 1e9) + ", " + state.items +
                       " " + std::to_string(state.itemsEnded) + "/" +
                       std::to_string(state.itemCount);
    if (wall > 0)
    {
        line += ", " + FixedText(static_cast<double>(state.events) / wall / 1e6, 2) +
                " M events/s, " + TimeText(state.simulatedSeconds * 1e9 / wall) + "/s";
    }
    if (state.whole > 0)
    {
        const double share = state.done / state.whole;
        line += ", " + FixedText(100 * share, 1) + " % of " + state.measure;
        line += share > 0 ? ", about " + TimeText(wall * (1 - share) / share * 1e9) + " left" : "";
    }
    return line;
}

void
Progress::Show(const ProgressState& state)
{
    m_next = Clock::now() + m_period;
    if (m_terminal)
    {
        std::cerr << "\r" << Line(state) << "\x1b[K" << std::flush;
        m_shown = true;
    }
    else
    {
        std::cerr << Line(state) << std::endl;
    }
}

void
Progress::Clear()
{
    if (m_shown)
    {
        std::cerr << "\r\x1b[K" << std::flush;
        m_shown = false;
    }
}

} // namespace wormhole

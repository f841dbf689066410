/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "progress.h"

#include "units-text.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace wormhole
{

namespace
{

constexpr double LEAST_SECONDS = 0.05; // of a look that says how fast packets are simulated
constexpr double MOST_SECONDS_SHOWN = 1e6 * 3600;
constexpr size_t DEFAULT_WIDTH = 80;

std::string
RightAligned(const std::string& text, size_t width)
{
    return std::string(width - std::min(width, text.size()), ' ') + text;
}

/** \return h:mm:ss */
std::string
ClockText(double seconds)
{
    if (seconds < 0 || seconds > MOST_SECONDS_SHOWN)
    {
        return "-:--:--";
    }
    const auto whole = static_cast<uint64_t>(std::ceil(seconds));
    const auto two = [](uint64_t n) { return (n < 10 ? "0" : "") + std::to_string(n); };
    return std::to_string(whole / 3600) + ":" + two(whole / 60 % 60) + ":" + two(whole % 60);
}

size_t
TerminalWidth()
{
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col
                                                                           : DEFAULT_WIDTH;
}

} // namespace

void
ProgressLine::Look(double wallSeconds, const ProgressState& state)
{
    m_state = state;
    m_done.Look(wallSeconds, state.done);
    m_run.Look(wallSeconds, state.packetHopsRun);
    m_covered.Look(wallSeconds,
                   state.packets ? state.packetHopsRun + state.packetHopsSaved
                                 : static_cast<double>(state.events));
    if (m_run.LastSeconds() >= LEAST_SECONDS)
    {
        m_packetPace = std::max(m_packetPace, m_run.LastGrowth() / m_run.LastSeconds());
    }
}

double
ProgressLine::GetSpeedup() const
{
    return m_state.fast && m_packetPace > 0 ? m_covered.PerSecond() / m_packetPace : 0;
}

double
ProgressLine::GetSecondsLeft() const
{
    const double pace = m_done.PerSecond();
    const double left = std::max(m_state.whole - m_state.done, 0.0);
    return m_state.whole <= 0 ? -1 : left <= 0 ? 0 : pace > 0 ? left / pace : -1;
}

std::string
ProgressLine::SpeedText() const
{
    if (!m_state.fast)
    {
        return RightAligned(FixedText(m_covered.PerSecond() / 1e6, 2), 7) +
               (m_state.packets ? " M crossings/s" : " M events/s");
    }
    const double all = m_state.packetHopsRun + m_state.packetHopsSaved;
    const double speedup = GetSpeedup();
    return "skipped " +
           RightAligned(FixedText(all > 0 ? 100 * m_state.packetHopsSaved / all : 0, 1), 5) +
           " %  speed-up " +
           RightAligned(speedup > 0 ? FixedText(speedup, speedup < 100 ? 1 : 0) : "-", 5);
}

std::string
ProgressLine::Text() const
{
    const std::string all = m_state.itemCount > 0 ? CountText(m_state.itemCount) : "?";
    const double share = m_state.whole > 0 ? std::min(m_state.done / m_state.whole, 1.0) : 0;
    return RightAligned(TimeText(m_state.simulatedSeconds * 1e9), 9) + "  " +
           RightAligned(m_state.whole > 0 ? FixedText(100 * share, 1) : "-", 5) + " %  " +
           ClockText(GetSecondsLeft()) + " left  " + SpeedText() + "  " +
           RightAligned(CountText(m_state.itemsEnded), m_state.itemCount > 0 ? all.size() : 11) +
           "/" + all + " " + m_state.items;
}

std::string
CutToWidth(const std::string& text, size_t width)
{
    const std::string mark = "...";
    return text.size() <= width   ? text
           : width <= mark.size() ? text.substr(0, width)
                                  : text.substr(0, width - mark.size()) + mark;
}

ProgressOutput::ProgressOutput()
    : m_terminal(isatty(STDERR_FILENO))
{
}

void
ProgressOutput::Show(const std::string& line)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (!m_terminal)
    {
        std::cerr << line << std::endl;
        return;
    }
    // the last column stays free: some terminals go to the next line when it is written
    std::cerr << "\r" << CutToWidth(line, TerminalWidth() - 1) << "\x1b[K" << std::flush;
    m_shown = true;
}

void
ProgressOutput::Say(const std::vector<std::string>& lines)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    ClearLine();
    for (const std::string& line : lines)
    {
        std::cerr << "wormhole: " << line << "\n";
    }
    std::cerr << std::flush;
}

void
ProgressOutput::Clear()
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    ClearLine();
}

void
ProgressOutput::ClearLine()
{
    if (m_shown)
    {
        std::cerr << "\r\x1b[K" << std::flush;
        m_shown = false;
    }
}

} // namespace wormhole

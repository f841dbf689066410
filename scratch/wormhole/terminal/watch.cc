/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "watch.h"

#include "processor-time.h"
#include "units-text.h"

#include "ns3/wormhole-helper.h"

#include <algorithm>
#include <new>

namespace wormhole
{

namespace
{

constexpr std::chrono::milliseconds PERIOD{100};
constexpr double TERMINAL_PERIOD = 0.2; // s, between lines that are written over
constexpr double PLAIN_PERIOD = 10;     // s, between lines that stay
constexpr double STATE_PERIOD = 1;      // s, between looks at the state that nobody is shown
constexpr double STALL_PARTS = 4;       // looks in which a stall is noticed, at least
constexpr double LOOK_SHARE = 50;       // looking costs at most one part of so many
constexpr double IDLE_PARTS = 3;        // times the limit of stalls
constexpr size_t TOLD_REASONS = 5;      // that are told of a stall

} // namespace

Watch::Watch(Watched& run, const RunOptions& options, std::function<void()> ask)
    : m_run(run),
      m_progress(options.progress),
      m_stallSeconds(options.stallSeconds),
      m_limitSeconds(options.limitSeconds),
      m_ask(std::move(ask)),
      m_stall(options.stallSeconds),
      m_begin(WallClock::now()),
      m_signalled(Signals::TakeKept())
{
}

Watch::~Watch()
{
    End();
}

void
Watch::Begin()
{
    m_begin = WallClock::now();
    m_processorBegin = ProcessorSeconds();
    m_nextState = StatePeriod();
    m_nextShow = m_output.IsTerminal() ? TERMINAL_PERIOD : PLAIN_PERIOD;
    m_line.Look(0, m_run.GetProgress());
    m_thread = std::thread(&Watch::Wait, this);
}

void
Watch::End()
{
    if (m_thread.joinable())
    {
        {
            std::lock_guard<std::mutex> lock(m_mutex);
            m_over = true;
        }
        m_wake.notify_one();
        m_thread.join();
        if (m_signalled && !m_letGo)
        {
            // to write the results of a large network may take long: the next signal ends that
            std::this_thread::sleep_for(PERIOD); // several at once mean one
            m_signals.Take();
        }
        if (m_signalled)
        {
            m_signals.LetGo();
        }
    }
    m_output.Clear();
}

double
Watch::Seconds() const
{
    return SecondsSince(m_begin);
}

double
Watch::StatePeriod() const
{
    const double period = m_output.IsTerminal() ? TERMINAL_PERIOD : STATE_PERIOD;
    return m_stallSeconds > 0 ? std::min(period, m_stallSeconds / STALL_PARTS) : period;
}

void
Watch::Wait()
{
    std::unique_lock<std::mutex> lock(m_mutex);
    while (!m_wake.wait_for(lock, PERIOD, [this] { return m_over; }))
    {
        TakeSignal();
        if (!m_due.exchange(true) && m_ask)
        {
            Ask();
        }
        NoticeLongEvent();
    }
}

/** Where memory is out, the simulation finds so itself, and what it has is kept. */
void
Watch::Ask()
{
    try
    {
        m_ask();
    }
    catch (const std::bad_alloc&)
    {
        m_due = false;
    }
}

/** The signals after the first one are let go a period later: who closes a terminal, or ends a
 * group of processes, may send several at once, and means one. */
void
Watch::TakeSignal()
{
    const bool taken = m_signals.Take();
    if (m_signalled && !m_letGo)
    {
        m_letGo = true;
        m_signals.LetGo();
    }
    m_signalled = m_signalled || taken;
}

/** What never comes back to the simulator cannot be looked at; only that can be told. */
void
Watch::NoticeLongEvent()
{
    const double since = Seconds() - m_lastLook;
    if (m_stallSeconds <= 0 || since < m_stallSeconds)
    {
        m_longTold = false;
        return;
    }
    if (!m_longTold)
    {
        m_longTold = true;
        m_output.Say({"stall: one event at about " + TimeText(m_lastSimulated * 1e9) +
                      " of simulated time has taken " + TimeText(since * 1e9) +
                      " of wall-clock time so far; a second Ctrl-C ends the program at once"});
    }
}

void
Watch::LookNow()
{
    m_due = false;
    const double wall = Seconds();
    m_lastLook = wall;
    const std::vector<std::string> complaints = m_run.FlushFiles();
    if (!complaints.empty())
    {
        m_output.Say(complaints);
    }
    if (m_signalled ||
        (m_limitSeconds > 0 && ProcessorSeconds() - m_processorBegin >= m_limitSeconds))
    {
        m_interrupted = true;
        m_run.StopEarly();
        return;
    }
    if (wall >= m_nextState)
    {
        LookAtState(wall);
        const double cost = Seconds() - wall;
        m_nextState = wall + std::max(StatePeriod(), LOOK_SHARE * cost);
    }
}

/** A run that was meant to be fast, and is not. */
void
Watch::ExplainIdle(double wall, const ProgressState& state)
{
    if (!m_idleTold && state.fast && m_stallSeconds > 0 && wall >= IDLE_PARTS * m_stallSeconds &&
        state.packetHopsRun > 0 && state.packetHopsSaved <= 0)
    {
        m_idleTold = true;
        m_output.Say(
            {"fast-forward has left out nothing so far: " + ns3::WormholeHelper::ExplainIdle()});
    }
}

void
Watch::LookAtState(double wall)
{
    const ProgressState state = m_run.GetProgress();
    m_lastSimulated = state.simulatedSeconds;
    m_line.Look(wall, state);
    const StallDetector::Kind stall = m_stall.Look(wall, state);
    if (stall != StallDetector::Kind::NONE)
    {
        m_output.Say(m_stall.Describe(stall, m_run.ExplainWait(TOLD_REASONS)));
    }
    ExplainIdle(wall, state);
    if (m_progress && wall >= m_nextShow)
    {
        m_output.Show(m_line.Text());
        m_nextShow = m_output.IsTerminal() ? wall : wall + PLAIN_PERIOD;
    }
}

} // namespace wormhole

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_WATCH_H
#define WORMHOLE_CLI_WATCH_H

#include "progress.h"
#include "run/run-options.h"
#include "signals.h"
#include "stall.h"
#include "wall-clock.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace wormhole
{

/** A run that can be watched; all is called inside the simulation. */
class Watched
{
  public:
    virtual ~Watched() = default;

    /** \return how far it is */
    virtual ProgressState GetProgress() const = 0;

    /** \return what is under way and does not get on, and why, at most so many lines */
    virtual std::vector<std::string> ExplainWait(size_t most) const = 0;

    /** Hands what is recorded so far to the operating system. \return what the user should know of
     * that, each once */
    virtual std::vector<std::string> FlushFiles() = 0;

    /** Ends the simulation soon. */
    virtual void StopEarly() = 0;
};

/**
 * Looks up from a simulation about ten times a second of wall clock: writes out what is recorded,
 * shows progress, notices a stall, and ends the run after a signal
 * (EndingSignals).
 *
 * Signals are held back for as long as the object lives; the second one ends the program at once. A
 * thread of its own waits for the time to look; the simulation pays next to nothing in between, and
 * its results do not depend on it.
 */
class Watch
{
  public:
    /**
     * \param run watched; must outlive the watch
     * \param options whether to show progress, when to tell of a stall, when to end
     * \param ask called by the thread when it is time: has Look called inside the simulation soon;
     * empty if that is called often anyway
     */
    Watch(Watched& run, const RunOptions& options, std::function<void()> ask = {});
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    /** The simulation runs from now on. */
    void Begin();

    /** Looks, if it is time; called inside the simulation. */
    void Look()
    {
        if (m_due.load(std::memory_order_relaxed))
        {
            LookNow();
        }
    }

    /** The simulation is over. */
    void End();

    /** \return whether a signal or the limit of a trial has ended the run */
    bool IsInterrupted() const
    {
        return m_interrupted;
    }

  private:
    void Wait();
    void Ask();
    void TakeSignal();
    void NoticeLongEvent();
    void LookNow();
    void LookAtState(double wall);
    void ExplainIdle(double wall, const ProgressState& state);
    double Seconds() const;
    double StatePeriod() const;

    Watched& m_run;
    const bool m_progress;
    const double m_stallSeconds;
    const double m_limitSeconds;
    const std::function<void()> m_ask;
    Signals m_signals; // before the thread, which inherits what it does
    ProgressLine m_line;
    ProgressOutput m_output;
    StallDetector m_stall;
    WallClock::time_point m_begin;
    double m_processorBegin{0}; //!< s
    double m_nextState{0};      //!< when to look at the state again, s
    double m_nextShow{0};       //!< when to show it again, s

    std::thread m_thread;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_over{false};
    bool m_longTold{false};                 //!< of an event that does not end; the thread's
    bool m_letGo{false};                    //!< the next signal ends the program; the thread's
    std::atomic<double> m_lastLook{0};      //!< s
    std::atomic<double> m_lastSimulated{0}; //!< s
    std::atomic<bool> m_due{false};
    std::atomic<bool> m_signalled{false};
    bool m_interrupted{false};
    bool m_idleTold{false};
};

} // namespace wormhole

#endif // WORMHOLE_CLI_WATCH_H

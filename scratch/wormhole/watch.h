/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_WATCH_H
#define WORMHOLE_CLI_WATCH_H

#include "signals.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace wormhole
{

/**
 * Looks up from the simulation now and then, in wall-clock time: for progress, and for SIGINT and
 * SIGTERM.
 *
 * A thread of its own waits, and asks the simulator for an event at the current simulated time, as
 * ns-3 lets other threads do. The order of all other events stays as it is, so results do not
 * depend on it, and the simulation pays nothing in between. The two signals are held back for as
 * long as the object lives; the second one ends the program at once.
 */
class Watch
{
  public:
    /** \param onLook called inside the simulation about ten times a second */
    explicit Watch(std::function<void()> onLook);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    /** Begins as soon as the simulation runs. */
    void Start();

    /** Ends; the simulation is over. */
    void Stop();

    /** \return whether SIGINT or SIGTERM came */
    bool IsInterrupted() const
    {
        return m_interrupted;
    }

  private:
    void StartThread();
    void Wait();
    void TakeSignal();
    void Look();

    std::function<void()> m_onLook;
    Signals m_signals; // before the thread, which inherits what it does
    std::thread m_thread;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_over{false};
    std::atomic<bool> m_asked{false}; //!< an event is on its way
    std::atomic<bool> m_interrupted{false};
};

} // namespace wormhole

#endif // WORMHOLE_CLI_WATCH_H

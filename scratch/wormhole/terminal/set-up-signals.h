/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SET_UP_SIGNALS_H
#define WORMHOLE_CLI_SET_UP_SIGNALS_H

#include "signals.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace wormhole
{

/**
 * Signals (EndingSignals) between where files are begun, and earlier ones are lost, and where a
 * Watch looks after them: the first one is kept for that (Signals::Keep), and is told of; the
 * next one ends the program at once.
 */
class SetUpSignals
{
  public:
    SetUpSignals();
    ~SetUpSignals();
    SetUpSignals(const SetUpSignals&) = delete;
    SetUpSignals& operator=(const SetUpSignals&) = delete;

    /** A Watch is about to take them; they are still held back. */
    void HandOver();

  private:
    void Wait();

    Signals m_signals; // before the thread, which inherits what it does
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_over{false};
    std::thread m_thread;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_SET_UP_SIGNALS_H

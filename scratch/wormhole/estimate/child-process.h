/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_CHILD_PROCESS_H
#define WORMHOLE_CLI_CHILD_PROCESS_H

#include "command/commands.h"
#include "terminal/wall-clock.h"

#include <csignal>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <sys/types.h>
#include <utility>

namespace wormhole
{

/** How a process ended, and what it cost. */
struct ChildResult
{
    int exit{0};           ///< exit code; 128 + the signal if one killed it
    double wallSeconds{0}; ///< from start to end, by a clock that only goes forward
    double cpuSeconds{0};  ///< of all its threads, in the program and in the kernel
    uint64_t peakMemoryKib{0};
    bool interrupted{false}; ///< whether one of EndingSignals() came to us while we waited
};

/**
 * Runs this program again and again, in one process or in several at a time. While it lives,
 * EndingSignals() are held back: the processes that run get them, and end with what they have.
 */
class ChildProcesses
{
  public:
    ChildProcesses();
    ~ChildProcesses();
    ChildProcesses(const ChildProcesses&) = delete;
    ChildProcesses& operator=(const ChildProcesses&) = delete;

    /**
     * Runs this program to its end.
     * \param words after its name
     * \param outputs file for its standard output and standard error, which is created
     * \return how it ended
     * \throws OutputError if it cannot be started
     */
    ChildResult Run(const Words& words, const std::string& outputs);

    /** The same, without waiting for its end. \return the process */
    pid_t Start(const Words& words, const std::string& outputs);

    /** Waits until any of the processes that run ends; there must be one.
     * \return which, and how it ended */
    std::pair<pid_t, ChildResult> Wait();

    /** Passes warnings of the store of episodes on from such a file to standard error, each once:
     * the runs share it, and learn nothing without it. */
    void TellStoreWarnings(const std::string& outputs);

  private:
    bool Reap(std::pair<pid_t, ChildResult>& ended);

    std::map<pid_t, WallClock::time_point> m_running; //!< by process: when it began
    std::set<std::string> m_told;                     //!< warnings that are passed on
    sigset_t m_signals;
    sigset_t m_maskBefore;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_CHILD_PROCESS_H

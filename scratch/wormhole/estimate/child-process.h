/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_CHILD_PROCESS_H
#define WORMHOLE_CLI_CHILD_PROCESS_H

#include "command/commands.h"

#include <csignal>
#include <cstdint>
#include <string>

namespace wormhole
{

/** How a process ended, and what it cost. */
struct ChildResult
{
    int exit{0};           ///< exit code; 128 + the signal if one killed it
    double wallSeconds{0}; ///< from start to end, by a clock that only goes forward
    double cpuSeconds{0};  ///< of all its threads, in the program and in the kernel
    uint64_t peakMemoryKib{0};
    bool interrupted{false}; ///< whether one of EndingSignals() came to us meanwhile
};

/**
 * Runs this program again and again, one process at a time. While it lives,
 * EndingSignals() are held back: the process that runs gets them, and ends with what it has.
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

  private:
    sigset_t m_signals;
    sigset_t m_maskBefore;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_CHILD_PROCESS_H

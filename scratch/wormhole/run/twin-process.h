/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_TWIN_PROCESS_H
#define WORMHOLE_CLI_TWIN_PROCESS_H

#include "run-options.h"

#include <string>
#include <sys/types.h>

namespace wormhole
{

/** The other run of --twin: the same in one queue, in a process of its own, which writes what
 * happens to a pipe (ns3::RdmaEventWriter), and its results to a folder that is removed. */
class TwinProcess
{
  public:
    /**
     * Starts it: a copy of this process, which must have one thread.
     * \param options of this run
     * \param run runs what it is given \return exit code
     * \throws OutputError if that is impossible
     */
    TwinProcess(const RunOptions& options, int (*run)(const RunOptions&));

    /** Ends it, if it has not ended. */
    ~TwinProcess();

    TwinProcess(const TwinProcess&) = delete;
    TwinProcess& operator=(const TwinProcess&) = delete;

    /** \return where its events are to be read */
    std::string GetPath() const;

    /** This run reads no more events: waits for the other one's end. \throws OutputError if it
     * failed */
    void Finish();

  private:
    [[noreturn]] void RunOther(RunOptions options, int events, int (*run)(const RunOptions&)) const;

    std::string m_folder;
    int m_events{-1};   //!< to be read
    pid_t m_process{0}; //!< 0 once it has ended
};

} // namespace wormhole

#endif // WORMHOLE_CLI_TWIN_PROCESS_H

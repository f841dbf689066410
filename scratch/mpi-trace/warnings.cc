/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * What is said while the program runs, rather than when somebody reads its traces; and its end.
 */

#include "warnings.h"

#include "recorder.h"

#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <string>
#include <unistd.h>

using namespace mpitrace;

namespace
{

/** \return whether a folder holds a trace */
bool
HoldsTraces(const char* folder)
{
    DIR* const opened = opendir(folder);
    bool found = false;
    while (const dirent* const entry = opened && !found ? readdir(opened) : nullptr)
    {
        const std::string name = entry->d_name;
        const std::string ending = ".mpitrace";
        found = name.size() > ending.size() &&
                name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
    }
    opened ? closedir(opened) : 0;
    return found;
}

/** Closes the trace of a program that ends without MPI_Finalize, so that what is there can be
 * looked at; and says if the program of `wormhole trace` wrote none. */
class AtExit
{
  public:
    AtExit()
    {
        const char* const process = getenv("WORMHOLE_TRACE_PROCESS");
        if (process && process == std::to_string(getpid()))
        {
            m_process = getpid();
            // some programs close their standard error before we are asked
            constexpr int ABOVE_THEIRS = 100;
            m_errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, ABOVE_THEIRS);
        }
    }

    AtExit(const AtExit&) = delete;
    AtExit& operator=(const AtExit&) = delete;

    ~AtExit()
    {
        Recorder::Get().Close(false);
        const char* const folder = getenv("WORMHOLE_TRACE_FOLDER");
        if (m_process == getpid() && folder && !Recorder::Get().WasOpened() && !HoldsTraces(folder))
        {
            dprintf(m_errors,
                    "wormhole trace: the program ended, and %s holds no traces: none of its "
                    "processes called MPI_Init with the MPI library's functions of C (Fortran is "
                    "not traced)\n",
                    folder);
        }
    }

  private:
    pid_t m_process{0}; //!< that `wormhole trace` became; 0 in others
    int m_errors{-1};
} g_atExit;

} // namespace

namespace mpitrace
{

void
WarnOf(ns3::WorkloadMpiCall function, const char* what)
{
    static std::atomic<bool> said{false};
    if (!said.exchange(true))
    {
        fprintf(stderr,
                "wormhole trace: MPI_%s%s, which a trace cannot hold; the program goes on, but "
                "wormhole goal from-mpi will not take its traces\n",
                ns3::WorkloadMpiCallName(function),
                what);
    }
}

} // namespace mpitrace

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_PROGRAM_H
#define WORMHOLE_CLI_PROGRAM_H

#include "run-result.h"
#include "terminal/progress.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace wormhole
{

/** What runs on a network, ready to go: a list of flows, or the jobs of workloads. */
class Program
{
  public:
    virtual ~Program() = default;

    /** \return what the user should know before the run, a line each */
    virtual std::vector<std::string> GetWarnings() const
    {
        return {};
    }

    /** Schedules what comes before all that the network schedules for itself. */
    virtual void Begin()
    {
    }

    /** Hands over \p look, before Run(): to be called now and then by what waits inside an event
     * for something that is not simulated. */
    virtual void SetLook(const std::function<void()>& look)
    {
        (void)look;
    }

    /**
     * Runs until all is done, nothing can go on, or Stop().
     * \param pulse called every few thousand events; empty for none
     * \throws InputError if something would be over too late to be simulated
     */
    virtual void Run(const std::function<void()>& pulse) = 0;

    /** Makes Run() return soon. */
    virtual void Stop() = 0;

    /** \return simulated time, s */
    virtual double GetNowSeconds() const = 0;

    /** \return events run so far */
    virtual uint64_t GetEventCount() const = 0;

    /** Adds how far it is to \p state, which has what the network knows. */
    virtual void AddProgress(ProgressState& state) const = 0;

    /** \return what is under way and why, beside what the network knows, at most so many lines */
    virtual std::vector<std::string> Explain(size_t most) const
    {
        (void)most;
        return {};
    }

    /** Fills in what came out, once, after Run(). \param result whether the run was interrupted is
     * there, and what the network knows */
    virtual void Report(RunResult& result) = 0;

    /** Hands what is recorded so far to the operating system; called now and then. */
    virtual void FlushFiles()
    {
    }

    /** Completes its output files. \throws OutputError for the first that is incomplete; the
     * others are completed all the same */
    virtual void FinishFiles()
    {
    }
};

} // namespace wormhole

#endif // WORMHOLE_CLI_PROGRAM_H

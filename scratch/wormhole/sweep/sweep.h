/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SWEEP_H
#define WORMHOLE_CLI_SWEEP_H

#include "estimate/child-process.h"
#include "sweep-plan.h"
#include "sweep-statistics.h"

#include <cstdint>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace wormhole
{

/** What `wormhole sweep` is asked for beside what it runs. */
struct SweepOptions
{
    std::string output{"wormhole-sweep"};
    std::string memo;                         ///< file of episodes for all runs; empty: none
    std::vector<uint64_t> sizes{SWEEP_SIZES}; ///< bytes up to which flows count together
    double binNs{0};                          ///< 0: not given
    uint64_t jobs{1};                         ///< at a time
    uint64_t shard{1};                        ///< from 1 to shards
    uint64_t shards{1};
    bool commands{false}; ///< print them instead of running them
    bool quiet{false};
};

/** A sweep, from its plan to its tables. */
class Sweep
{
  public:
    /** Finds out what is missing in the folder. Both must outlive it. */
    Sweep(const SweepOptions& options, const SweepPlan& plan);

    /** Prints a command for each run that is missing. */
    void PrintCommands() const;

    /**
     * Runs what is missing, and writes the tables of all.
     * \return the exit code of `wormhole sweep`
     */
    int Run();

  private:
    std::string FolderOf(const SweepRun& run) const;
    Words CommandOf(const SweepRun& run) const;
    void Start(const SweepRun& run);
    void Ended(const SweepRun& run, const ChildResult& child);
    void Say(const std::string& text) const;
    std::string TimeLeft() const;
    int Finish();

    const SweepOptions& m_options;
    const SweepPlan& m_plan;
    std::vector<const SweepRun*> m_before;  //!< done by an earlier sweep
    std::vector<const SweepRun*> m_missing; //!< in the order in which they run
    ChildProcesses m_children;
    std::map<pid_t, const SweepRun*> m_running;
    size_t m_done{0}; //!< of those that were missing
    size_t m_failed{0};
    size_t m_unfinished{0};
    double m_seconds{0}; //!< wall time of all that ended
    bool m_interrupted{false};
};

} // namespace wormhole

#endif // WORMHOLE_CLI_SWEEP_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RUN_H
#define WORMHOLE_CLI_RUN_H

#include "fabric/fabric.h"
#include "plan/run-plan.h"
#include "program.h"
#include "run-options.h"
#include "run-result.h"
#include "terminal/wall-clock.h"
#include "terminal/watch.h"

#include <memory>
#include <string>
#include <vector>

namespace wormhole
{

/** One run, from a plan to a result: a program on a network. EndingSignals() end it early from
 * Execute() on, and are held back until it is destroyed. */
class Run final : public Watched
{
  public:
    /**
     * Builds the network, and creates the output files.
     * \param plan must outlive the run; its schedules are moved from
     * \param options as given; must outlive the run
     * \throws InputError if a workload does not fit the topology
     * \throws OutputError if an output file cannot be created
     */
    Run(RunPlan& plan, const RunOptions& options);
    ~Run() override;
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    /** Runs until all is done, nothing can go on, the plan says stop, or a signal comes.
     * \throws InputError if something would be over too late to be simulated */
    void Execute();

    /** Completes the output files. \throws OutputError for the first that is incomplete; the
     * others are completed all the same */
    void FinishFiles();

    /** \return what came out; before Execute(), warnings alone */
    const RunResult& GetResult() const
    {
        return m_result;
    }

  private:
    ProgressState GetProgress() const override;
    std::vector<std::string> ExplainWait(size_t most) const override;
    std::vector<std::string> FlushFiles() override;
    void StopEarly() override;

    const RunOptions& m_options;
    WallClock::time_point m_begin;
    std::unique_ptr<Fabric> m_fabric; //!< null at message level
    std::unique_ptr<Program> m_program;
    std::unique_ptr<Watch> m_watch; //!< once it executes
    RunResult m_result;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_RUN_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_WORKLOAD_RUN_H
#define WORMHOLE_CLI_WORKLOAD_RUN_H

#include "record/record-timeline.h"
#include "run/run-options.h"
#include "run/run-result.h"
#include "terminal/wall-clock.h"
#include "terminal/watch.h"
#include "workload-fabric.h"
#include "workload-plan.h"
#include "workload-program.h"

#include "ns3/workload-chrome-trace.h"
#include "ns3/workload-results.h"

#include <memory>
#include <string>
#include <vector>

namespace wormhole
{

/** What came out of a run of workloads, besides WorkloadResults. */
struct WorkloadOutcome
{
    bool complete{false};
    uint64_t completed{0};          ///< operations
    uint64_t total{0};              ///< operations; 0 if unknown
    std::vector<std::string> stall; ///< why the rest is left, lines
    RunResult network;              ///< what is known of network and cost
};

/** One run of workloads, from a plan to results. EndingSignals() end it early. */
class WorkloadRun final : private ns3::WorkloadObserver, public Watched
{
  public:
    /**
     * Builds the network, and creates the output files.
     * \param plan must outlive the run; its schedules are moved from
     * \param options as given; must outlive the run
     * \throws OutputError if an output file cannot be created
     */
    WorkloadRun(WorkloadPlan& plan, const RunOptions& options);
    ~WorkloadRun() override;

    /** Runs until all operations have completed, nothing can go on, or a signal comes. */
    void Run();

    /** Completes the output files. \throws OutputError for the first that is incomplete; the
     * others are completed all the same */
    void FinishFiles();

    const WorkloadProgram& GetProgram() const
    {
        return *m_program;
    }

    const ns3::WorkloadResults& GetResults() const
    {
        return *m_results;
    }

    /** \return the Chrome trace; null if none was asked for */
    const ns3::WorkloadChromeTrace* GetTrace() const
    {
        return m_trace.get();
    }

    const WorkloadOutcome& GetOutcome() const
    {
        return m_outcome;
    }

  private:
    void MakeProgram(WorkloadPlan& plan, const RunOptions& options);
    void MakeTrace(const RunOptions& options);
    void Done(const ns3::WorkloadSpan& span) override;
    ProgressState GetProgress() const override;
    std::vector<std::string> ExplainWait(size_t most) const override;
    std::vector<std::string> FlushFiles() override;
    void StopEarly() override;
    void WriteRanks() const;

    const WorkloadPlan& m_plan;
    const RunOptions& m_options;
    WallClock::time_point m_begin;
    std::unique_ptr<WorkloadFabric> m_fabric; //!< null at message level
    std::unique_ptr<WorkloadProgram> m_program;
    std::unique_ptr<ns3::WorkloadResults> m_results;
    std::unique_ptr<ns3::WorkloadChromeTrace> m_trace;
    std::unique_ptr<RecordedTimeline> m_timeline; //!< null without --record
    WorkloadOutcome m_outcome;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_WORKLOAD_RUN_H

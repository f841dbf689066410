/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RANK_RECORDS_H
#define WORMHOLE_CLI_RANK_RECORDS_H

#include "plan/run-plan.h"
#include "record/record-timeline.h"
#include "run/run-result.h"

#include "ns3/workload-chrome-trace.h"
#include "ns3/workload-observer.h"
#include "ns3/workload-results.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace wormhole
{

/** What the ranks of workloads did: where their time went, and the files that say so. */
class RankRecords final : public ns3::WorkloadObserver
{
  public:
    /**
     * Creates the trace and the timeline, if they are asked for.
     * \param plan of the run; must outlive the records
     * \param options as given
     * \param jobs whose ranks they are
     * \throws OutputError if a file cannot be created
     */
    RankRecords(const RunPlan& plan,
                const RunOptions& options,
                std::vector<ns3::WorkloadResultsJob> jobs);

    void Done(const ns3::WorkloadSpan& span) override;

    ns3::WorkloadResults& GetResults()
    {
        return m_results;
    }

    /** Hands the trace to the operating system. */
    void Flush();

    /** Fills in results, trace and timeline. \param labels names of the labels of transfers
     * \param own results of one kind of workload; null if it has none */
    void Report(const std::vector<std::string>& labels,
                const nlohmann::ordered_json& own,
                RunResult& result) const;

    /** Writes ranks.csv, and completes trace and timeline. \param nodeOf node of a process \throws
     * OutputError for the first that is incomplete; the others are completed all the same */
    void Finish(const std::function<uint32_t(uint32_t)>& nodeOf);

  private:
    void MakeTrace(const RunOptions& options);
    void WriteRanks(const std::function<uint32_t(uint32_t)>& nodeOf) const;

    const RunPlan& m_plan;
    ns3::WorkloadResults m_results;
    std::unique_ptr<ns3::WorkloadChromeTrace> m_trace; //!< null if none is asked for
    std::unique_ptr<RecordedTimeline> m_timeline;      //!< null without --record
};

} // namespace wormhole

#endif // WORMHOLE_CLI_RANK_RECORDS_H

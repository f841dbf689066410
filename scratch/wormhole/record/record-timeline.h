/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RECORD_TIMELINE_H
#define WORMHOLE_CLI_RECORD_TIMELINE_H

#include "record-intervals.h"
#include "record-plan.h"

#include "ns3/input-line-file.h"
#include "ns3/workload-observer.h"
#include "ns3/workload-results.h"

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

namespace wormhole
{

/** Writes timeline.csv: when each rank computed, and when it communicated. */
class RecordedTimeline
{
  public:
    /**
     * \param plan where to
     * \param jobs in the order of their processes
     * \throws OutputError if the file cannot be created
     */
    RecordedTimeline(const RecordPlan& plan, const std::vector<ns3::WorkloadResultsJob>& jobs);

    /** An operation has completed. */
    void Done(const ns3::WorkloadSpan& span);

    /** Adds what is known to the summary. */
    void Describe(nlohmann::ordered_json& summary) const;

    /** Writes the file. \throws OutputError if that is impossible */
    void Finish();

  private:
    /** Of one rank: its computation, and its communication. */
    using Rank = std::array<RecordIntervals, 2>;

    std::vector<ns3::WorkloadResultsJob> m_jobs;
    std::vector<Rank> m_ranks; //!< of all jobs, one after the other
    ns3::LineFile m_file;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_RECORD_TIMELINE_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_WORKLOAD_SUMMARY_H
#define WORMHOLE_CLI_WORKLOAD_SUMMARY_H

#include "run/run-options.h"
#include "workload-plan.h"
#include "workload-run.h"

#include <nlohmann/json.hpp>
#include <string>

namespace wormhole
{

/** \return all about a run: what it was, and what came out. contrib/workload/doc/results.md lists
 * the fields */
nlohmann::ordered_json MakeWorkloadSummary(const RunOptions& options,
                                           const WorkloadPlan& plan,
                                           const WorkloadRun& run);

/** \return the result as a table for people: where the time goes */
std::string WorkloadTable(const RunOptions& options,
                          const WorkloadPlan& plan,
                          const WorkloadRun& run);

} // namespace wormhole

#endif // WORMHOLE_CLI_WORKLOAD_SUMMARY_H

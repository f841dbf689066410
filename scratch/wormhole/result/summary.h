/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SUMMARY_H
#define WORMHOLE_CLI_SUMMARY_H

#include "plan/run-plan.h"
#include "run/run-options.h"
#include "run/run-result.h"

#include <nlohmann/json.hpp>
#include <string>

namespace wormhole
{

/** \return all about a run: what it was, and what came out. contrib/rdma/doc/command-line.md lists
 * the fields, contrib/workload/doc/results.md those of workloads */
nlohmann::ordered_json MakeSummary(const RunOptions& options,
                                   const RunPlan& plan,
                                   const RunResult& result);

/** \return the JSON as text, whatever bytes its strings hold */
std::string SummaryText(const nlohmann::ordered_json& summary);

/** \return the result as a table for people */
std::string ResultTable(const RunOptions& options, const RunPlan& plan, const RunResult& result);

} // namespace wormhole

#endif // WORMHOLE_CLI_SUMMARY_H

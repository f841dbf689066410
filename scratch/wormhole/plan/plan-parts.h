/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_PLAN_PARTS_H
#define WORMHOLE_CLI_PLAN_PARTS_H

#include "run-plan.h"

#include <string>

namespace wormhole
{

// The steps of MakeRunPlan, in their order. Each completes the plan, and throws InputError for any
// mistake in options and inputs.

/** Reads the workloads. */
void PlanSources(const RunOptions& options, RunPlan& plan);

/** Reads config.txt and topology. */
void PlanNetwork(const RunOptions& options, RunPlan& plan);

/** Reads or generates the flows. */
void PlanFlows(const RunOptions& options, RunPlan& plan);

/** Works out how the packet level is set up. */
void PlanPacketLevel(const RunOptions& options, RunPlan& plan);

/** Loss recovery, routing, flow control of links and classes; a part of the above. */
void PlanFabric(const RunOptions& options, RunPlan& plan);

/** Works out what packets would take of links, and checks that flow level can do what config.txt
 * asks for. */
void PlanFlowLevel(const RunOptions& options, RunPlan& plan);

/** Warns of what means nothing without a network. */
void PlanMessageLevel(const RunOptions& options, RunPlan& plan);

/** Places the ranks of workloads. */
void PlanJobs(const RunOptions& options, RunPlan& plan);

/** Names the outputs; none of them may overwrite an input or another output. */
void PlanOutputs(const RunOptions& options, RunPlan& plan);

/** \return the file that \p key of a config.txt names as \p value \throws InputError if there is
 * none; it names \p option, which would do instead */
std::string InputOfConfig(const ns3::RdmaHpccConfig& config,
                          const std::string& key,
                          const std::string& value,
                          const std::string& option);

/** Warns of what follows what a file announces. \param line of it; 0 if there is none \param read
 * how many \p what are announced and read */
void WarnOfSurplus(const std::string& file,
                   uint64_t line,
                   size_t read,
                   const std::string& what,
                   RunPlan& plan);

} // namespace wormhole

#endif // WORMHOLE_CLI_PLAN_PARTS_H

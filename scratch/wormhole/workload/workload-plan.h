/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_WORKLOAD_PLAN_H
#define WORMHOLE_CLI_WORKLOAD_PLAN_H

#include "run/run-plan.h"
#include "workload-source.h"

#include <vector>

namespace wormhole
{

/** All that a run of workloads needs to know, read and checked. */
struct WorkloadPlan
{
    RunPlan run; ///< topology, packet level, inputs and outputs, as far as the mode has them
    std::vector<WorkloadSource> sources;
    std::vector<std::vector<uint32_t>> nodes; ///< of each job's ranks; empty for a replay
    std::vector<NamedFile> replayOutputs;
};

/** \throws InputError for any mistake in options and inputs */
WorkloadPlan MakeWorkloadPlan(const RunOptions& options);

/** \return the option, or what suits the workload: the simulators whose traces are replayed count
 * UDP source ports up, collective libraries keep their connections */
ns3::WorkloadConnections ConnectionsOf(const WorkloadPlan& plan, const RunOptions& options);

} // namespace wormhole

#endif // WORMHOLE_CLI_WORKLOAD_PLAN_H

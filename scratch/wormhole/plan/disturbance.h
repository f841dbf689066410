/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_DISTURBANCE_H
#define WORMHOLE_CLI_DISTURBANCE_H

#include "run-plan.h"
#include "workload/workload-source.h"

#include <cstdint>
#include <string>
#include <vector>

namespace wormhole
{

// What `--disturb` moves by a nanosecond: a link, and a flow or a rank. What starts later may have
// to wait for others anyway, and then changes nothing. ns3::DrawWorkloadDisturbance says which one
// a number is.

/**
 * Makes the delay of links longer, and says in the plan of which: of links with a delay outside of
 * servers, if any.
 * \param number 0 for none
 * \param all so many ns all of them, in place of one by 1 ns
 * \param plan with its topology
 */
void DisturbLinks(uint64_t number, bool all, RunPlan& plan);

/**
 * Lets one flow start later, and says in the plan which one.
 * \param number 0 for none
 * \param plan with its flows, which stay in order
 * \throws InputError if there is no flow
 */
void DisturbFlows(uint64_t number, RunPlan& plan);

/**
 * Lets each computation of one rank take longer; or, if nothing computes, one rank begin later, by
 * a computation that all its first operations wait for. A replay chooses for itself once it runs.
 * \param number 0 for none
 * \param sources all jobs
 * \return what was moved, for people; empty for none, and for a replay
 * \throws InputError if no rank does anything
 */
std::string DisturbJobs(uint64_t number, std::vector<WorkloadSource>& sources);

} // namespace wormhole

#endif // WORMHOLE_CLI_DISTURBANCE_H

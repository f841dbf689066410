/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_COMPARE_STATISTICS_H
#define WORMHOLE_CLI_COMPARE_STATISTICS_H

#include "compare-outcome.h"

#include <string>
#include <vector>

namespace wormhole
{

/** A figure that users read off a run. */
struct CompareStatistic
{
    std::string name; ///< "FCT mean", "FCT p50", "FCT p90", "FCT p99", "time", "end", "makespan"
    std::string of;   ///< kind of flow or collective, or job
    double ns{0};
};

/**
 * \return of flows, by kind: mean, p50, p90 and p99 of their completion times; of a workload, too:
 * for each kind of communication of a job the mean time that a rank spends in it and when the last
 * one ended, and when each job finished, if there are several; and the makespan. What was left
 * unfinished is missing
 */
std::vector<CompareStatistic> StatisticsOf(const CompareOutcome& outcome);

} // namespace wormhole

#endif // WORMHOLE_CLI_COMPARE_STATISTICS_H

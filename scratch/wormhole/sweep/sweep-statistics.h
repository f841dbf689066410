/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SWEEP_STATISTICS_H
#define WORMHOLE_CLI_SWEEP_STATISTICS_H

#include "sweep-results.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace wormhole
{

/** Columns of the tables below, and of results.csv but for its results: no parameter may be named
 * so. */
extern const std::set<std::string> SWEEP_COLUMNS;

/** Edges of flow sizes unless others are given, bytes. */
const std::vector<uint64_t> SWEEP_SIZES{1000, 10000, 100000, 1000000, 10000000};

/**
 * What runs have in common that differ in nothing but seeds (--seed, --network-seed, --disturb).
 * \param parameters of the sweep
 * \param results of its runs
 * \param edges of flow sizes, as of SweepDivision
 * \param binNs width of bins of time; 0: as suits the longest run (SweepBinNs)
 * \return "statistics": mean and 95 % confidence interval of each number, by kind and size of
 * flows; "pairs": if the congestion control varies, mean differences between two controls over runs
 * that are equal otherwise, by a paired t test; "distributions": FCT and slowdown of recorded
 * flows of all seeds together; "over_time": as "statistics", in bins of time; "pauses": for how
 * long each port was paused, 0 for runs in which it was not
 * \throws InputError as MeasureSweepRun() and SweepBinNs()
 */
std::vector<SweepStatisticsTable> SweepStatistics(const Words& parameters,
                                                  const std::vector<SweepResult>& results,
                                                  const std::vector<uint64_t>& edges,
                                                  double binNs);

} // namespace wormhole

#endif // WORMHOLE_CLI_SWEEP_STATISTICS_H

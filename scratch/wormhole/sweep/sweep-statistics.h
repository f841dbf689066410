/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SWEEP_STATISTICS_H
#define WORMHOLE_CLI_SWEEP_STATISTICS_H

#include "sweep-results.h"

#include <cstdint>
#include <vector>

namespace wormhole
{

/** Edges of flow sizes unless others are given, bytes. */
const std::vector<uint64_t> SWEEP_SIZES{1000, 10000, 100000, 1000000, 10000000};

/**
 * What runs have in common that differ in nothing but seeds (--seed, --network-seed, --disturb).
 * \param parameters of the sweep
 * \param results of its runs
 * \param edges of flow sizes, as of MeasureSweepRun()
 * \return "statistics": mean and 95 % confidence interval of each number, by kind and size of
 * flows; "pairs": if the congestion control varies, mean differences between two controls over runs
 * that are equal otherwise, by a paired t test; "distributions": FCT and slowdown of recorded
 * flows of all seeds together
 * \throws InputError as MeasureSweepRun()
 */
std::vector<SweepStatisticsTable> SweepStatistics(const Words& parameters,
                                                  const std::vector<SweepResult>& results,
                                                  const std::vector<uint64_t>& edges);

} // namespace wormhole

#endif // WORMHOLE_CLI_SWEEP_STATISTICS_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SWEEP_OVER_TIME_H
#define WORMHOLE_CLI_SWEEP_OVER_TIME_H

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace wormhole
{

/** Number of a bin of simulated time, from 0, and what is measured in it. */
using SweepBin = std::pair<uint64_t, std::string>;

/**
 * \param folders of runs, recorded or not
 * \param askedNs width that was asked for; 0: none was
 * \return width of the bins, ns: the smallest of 1, 2, 5, 10, 20... us that divides the longest run
 * into 50 at most; 0 if none was recorded
 * \throws InputError with file and line if a file is not as the program writes it, and if the bins
 * that were asked for are too many
 */
double SweepBinNs(const std::vector<std::string>& folders, double askedNs);

/**
 * Means over bins of time of what over-time.csv has, of the part of a bin that it has, and
 * percentiles of queues.csv, if it is there, in each bin.
 * \param folder of a run
 * \param endNs of the run
 * \param binNs width of a bin
 * \throws InputError with file and line if a file is not as the program writes it
 */
std::map<SweepBin, double> MeasureSweepOverTime(const std::string& folder,
                                                double endNs,
                                                double binNs);

} // namespace wormhole

#endif // WORMHOLE_CLI_SWEEP_OVER_TIME_H

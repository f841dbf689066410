/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SWEEP_GROUP_H
#define WORMHOLE_CLI_SWEEP_GROUP_H

#include "student.h"
#include "sweep-metrics.h"
#include "sweep-table.h"

#include <map>
#include <set>
#include <string>

namespace wormhole
{

/** A number of several runs, by the values of their seeds. */
using SweepSample = std::map<Words, double>;

/** Runs that differ in nothing but seeds. */
struct SweepGroup
{
    Words values; ///< of the parameters that are no seeds
    std::map<SweepMetric, SweepSample> samples;
    std::map<std::string, SweepFlows> flows; ///< of all its runs, by kind
    std::map<SweepBin, SweepSample> overTime;
    std::map<SweepPort, SweepSample> pausedNs; ///< of runs in which the port was paused
    std::set<Words> recordsPauses;             ///< seeds of the runs that tell of pauses by port
};

/** Adds what a run says. \param seeds its values of these */
void AddToSweepGroup(const Words& seeds, const SweepMeasured& run, SweepGroup& group);

/** Sets what a row of a table is about. \param columns parameters that are no seeds */
void SetSweepValues(const Words& columns, const Words& values, SweepTable& table);

/** Sets mean and interval. \param name of the mean */
void SetSweepMean(const StudentMean& mean, const std::string& name, SweepTable& table);

/** Sets how many runs a sample has, their mean and its interval. */
void SetSweepSample(const SweepSample& sample, SweepTable& table);

} // namespace wormhole

#endif // WORMHOLE_CLI_SWEEP_GROUP_H

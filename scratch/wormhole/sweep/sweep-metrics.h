/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SWEEP_METRICS_H
#define WORMHOLE_CLI_SWEEP_METRICS_H

#include "sweep-results.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace wormhole
{

/** What a number of a run is about. */
struct SweepMetric
{
    std::string kind; ///< of flows; empty for all
    size_t bucket{0}; ///< of flow sizes, from 1; 0 for all sizes
    std::string name;

    bool operator<(const SweepMetric& other) const
    {
        return std::tie(kind, bucket, name) < std::tie(other.kind, other.bucket, other.name);
    }
};

/** Completion times and slowdowns of a run's flows, by kind (empty for all). */
struct SweepFlows
{
    std::vector<double> fctNs;
    std::vector<double> slowdowns;
};

/** What one run says. */
struct SweepMeasured
{
    std::map<SweepMetric, double> metrics;
    std::map<std::string, SweepFlows> flows; ///< of those recorded, by kind
};

/**
 * Reads what a run has written: the numbers of its summary, but for cost; goodput (fct.txt) and PFC
 * pauses (pfc.txt); if it was recorded, slowdown by size and kind of flow and Jain's index
 * (flows.csv), and percentiles of queues (queues.csv).
 * \param result the run
 * \param edges bucket i has the sizes above edge i - 2 and up to edge i - 1, in bytes, ascending;
 * the last bucket has those above all
 * \throws InputError with file and line if a file is not as the program writes it
 */
SweepMeasured MeasureSweepRun(const SweepResult& result, const std::vector<uint64_t>& edges);

/** \return R. Jain's index of fairness (DEC-TR-301, 1984), sum^2 / (n sum of squares): 1 if all
 * values are equal, 1 / n if only one is not 0. \param values one at least is more than 0 */
double JainIndex(const std::vector<double>& values);

} // namespace wormhole

#endif // WORMHOLE_CLI_SWEEP_METRICS_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SWEEP_METRICS_H
#define WORMHOLE_CLI_SWEEP_METRICS_H

#include "sweep-over-time.h"
#include "sweep-results.h"

#include <cstdint>
#include <map>
#include <optional>
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

/** An end of a link: its node, the number of the port there, and the node at the other end. */
using SweepPort = std::tuple<uint64_t, uint64_t, uint64_t>;

/** What one run says. */
struct SweepMeasured
{
    std::map<SweepMetric, double> metrics;
    std::map<std::string, SweepFlows> flows; ///< of those recorded, by kind
    std::map<SweepBin, double> overTime;     ///< if it was recorded
    bool recordsPauses{false};
    std::map<SweepPort, double> pausedNs; ///< if so, of ports that were paused
};

/** Sizes of flows, bytes; none: there is no limit. */
struct SweepSizes
{
    std::optional<uint64_t> over;
    std::optional<uint64_t> upTo;
};

/** Into what flows and time are divided. */
struct SweepDivision
{
    /** Bucket i has the flow sizes above edge i - 2 and up to edge i - 1, in bytes, ascending; the
     * last bucket has those above all. */
    std::vector<uint64_t> edges;
    double binNs{0}; ///< width of the bins of time; 0: there are none

    /** \return sizes in a bucket; of bucket 0, which has all, there are no limits */
    SweepSizes SizesIn(size_t bucket) const;
};

/**
 * Reads what a run has written: the numbers of its summary, but for cost; goodput (fct.txt) and PFC
 * pauses (pfc.txt); if it was recorded, slowdown by size and kind of flow and Jain's index
 * (flows.csv), percentiles of queues (queues.csv), pauses by port (pauses.csv), and what is in the
 * bins of time (MeasureSweepOverTime).
 * \param result the run
 * \param division of flows and time
 * \throws InputError with file and line if a file is not as the program writes it
 */
SweepMeasured MeasureSweepRun(const SweepResult& result, const SweepDivision& division);

/**
 * The part of it that was recorded: flows, queues, pauses, bins of time.
 * \param folder of the run
 * \param endNs of the run
 * \throws InputError as MeasureSweepRun()
 */
SweepMeasured MeasureSweepRecord(const std::string& folder,
                                 double endNs,
                                 const SweepDivision& division);

/** \return end of a run by its summary, ns: when its last flow ended; of workloads, the simulated
 * time */
double SweepRunEndNs(const nlohmann::ordered_json& summary);

} // namespace wormhole

#endif // WORMHOLE_CLI_SWEEP_METRICS_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_REPORT_TIME_H
#define WORMHOLE_CLI_REPORT_TIME_H

#include "report/report-run.h"

#include <nlohmann/json.hpp>

namespace wormhole
{

// What --record sampled over simulated time, as the report shows it. Each is null if it was not
// recorded, and throws InputError if a file is not what a run writes.

/** \return rates of the chosen pairs of hosts, bit/s, and when fast-forward skipped, replayed or
 * followed their partitions */
nlohmann::ordered_json RatesOfRun(const ReportRun& run);

/** \return lengths of the longest queues, bytes */
nlohmann::ordered_json QueuesOfRun(const ReportRun& run);

/** \return partitions and their flows by state */
nlohmann::ordered_json PartitionsOfRun(const ReportRun& run);

/** \return crossings of links by frames up to each time: simulated, skipped and replayed */
nlohmann::ordered_json EventCurvesOfRun(const ReportRun& run);

} // namespace wormhole

#endif // WORMHOLE_CLI_REPORT_TIME_H

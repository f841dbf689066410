/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_RESULTS_REPORT_H
#define WORKLOAD_RESULTS_REPORT_H

#include "workload-results.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \param results gathered
 * \param labels names of the labels of transfers
 * \return all of it but the single ranks, as contrib/workload/doc/results.md lists it; times in ns
 */
nlohmann::ordered_json WorkloadResultsJson(const WorkloadResults& results,
                                           const std::vector<std::string>& labels);

/**
 * \ingroup workload
 * \param results gathered
 * \param labels names of the labels of transfers
 * \return where the time goes, as a table for people
 */
std::string WorkloadResultsTable(const WorkloadResults& results,
                                 const std::vector<std::string>& labels);

/** \ingroup workload \return the header of a table of ranks, comma-separated, with a line end */
std::string WorkloadRanksHeader();

/** \ingroup workload \return a rank's line of that table; times in ns */
std::string WorkloadRankLine(const WorkloadResults& results,
                             uint32_t job,
                             uint32_t rank,
                             uint32_t node);

/** \ingroup workload \return picoseconds as nanoseconds, exact: a whole number if it is one */
nlohmann::ordered_json WorkloadNsJson(int64_t ps);

/** \ingroup workload \return picoseconds as nanoseconds in decimal, exact: "12.5" */
std::string WorkloadNsText(int64_t ps);

} // namespace ns3

#endif // WORKLOAD_RESULTS_REPORT_H

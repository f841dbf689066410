/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_REPORT_FILES_H
#define HARNESS_REPORT_FILES_H

#include <array>

namespace harness
{

/** What a report reads of the folder of a run, by the names there. */
constexpr std::array<const char*, 14> REPORT_FILES{"summary.json",
                                                   "fct.txt",
                                                   "links.csv",
                                                   "rtts.csv",
                                                   "record/topology.txt",
                                                   "record/flows.csv",
                                                   "record/rates.csv",
                                                   "record/stretches.csv",
                                                   "record/queues.csv",
                                                   "record/partitions.csv",
                                                   "record/events.csv",
                                                   "record/over-time.csv",
                                                   "record/pauses.csv",
                                                   "record/timeline.csv"};

} // namespace harness

#endif // HARNESS_REPORT_FILES_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_REPORT_TIMELINE_H
#define WORMHOLE_CLI_REPORT_TIMELINE_H

#include "report/report-run.h"

#include <nlohmann/json.hpp>

namespace wormhole
{

/**
 * \return when each rank computed and communicated, in the order of jobs and ranks; null if that was
 * not recorded. Many ranks are sampled, and short gaps closed, so that it stays small
 * \throws InputError if the file is not what a run writes
 */
nlohmann::ordered_json TimelineOfRun(const ReportRun& run);

} // namespace wormhole

#endif // WORMHOLE_CLI_REPORT_TIMELINE_H

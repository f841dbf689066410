/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_REPORT_DATA_H
#define WORMHOLE_CLI_REPORT_DATA_H

#include "report-run.h"

#include <nlohmann/json.hpp>
#include <string>

namespace wormhole
{

/**
 * \param runs what was read
 * \param title of the report; empty to make one of what ran
 * \return all that the report shows: what --json writes, and what the page draws.
 * docs/how-to/read-the-report.md lists the fields
 * \throws InputError if a file is not what a run writes
 */
nlohmann::ordered_json ReportData(ReportRuns& runs, const std::string& title);

} // namespace wormhole

#endif // WORMHOLE_CLI_REPORT_DATA_H

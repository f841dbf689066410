/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_REPORT_OVERLAY_H
#define WORMHOLE_CLI_REPORT_OVERLAY_H

#include "report-run.h"

#include <nlohmann/json.hpp>

namespace wormhole
{

/**
 * What is drawn over each other: slowdown by size, and what changes over time, with a curve for
 * each run that was recorded, and for each control of a sweep (means over its seeds; also
 * distributions).
 * \param runs and sweeps; notes are added on what is left out
 * \return scenarios, each with its curves; null if there is nothing of that
 * \throws InputError with file and line if a file is not as the program writes it
 */
nlohmann::ordered_json OverlayOf(ReportRuns& runs);

} // namespace wormhole

#endif // WORMHOLE_CLI_REPORT_OVERLAY_H

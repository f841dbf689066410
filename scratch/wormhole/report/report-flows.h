/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_REPORT_FLOWS_H
#define WORMHOLE_CLI_REPORT_FLOWS_H

#include "report-run.h"

#include <nlohmann/json.hpp>

namespace wormhole
{

/**
 * \return completion times and slowdowns of a run: of all flows first, then by kind of flow as far as
 * they were recorded; with the points of their distributions. Null if no flow completed
 * \throws InputError if a file is not what a run writes
 */
nlohmann::ordered_json FlowsOfRun(const ReportRun& run);

} // namespace wormhole

#endif // WORMHOLE_CLI_REPORT_FLOWS_H

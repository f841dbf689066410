/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_REPORT_COMPARISON_H
#define WORMHOLE_CLI_REPORT_COMPARISON_H

#include "report-run.h"

#include <nlohmann/json.hpp>

namespace wormhole
{

/**
 * Puts the runs beside each other: speed, error against the first of them, events, and in what
 * their configurations differ.
 * \return null if there is one run only
 */
nlohmann::ordered_json ComparisonOf(const ReportRuns& runs);

} // namespace wormhole

#endif // WORMHOLE_CLI_REPORT_COMPARISON_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_GOAL_STATISTICS_H
#define WORMHOLE_CLI_GOAL_STATISTICS_H

#include "ns3/workload-statistics.h"

#include <nlohmann/json.hpp>
#include <string>

namespace wormhole
{

/** \return what `wormhole goal stats --json` prints; bytes, ns and counts */
nlohmann::ordered_json GoalStatisticsJson(const std::string& file,
                                          const ns3::WorkloadStatistics& statistics);

/** \return what `wormhole goal stats` prints, from the JSON */
std::string GoalStatisticsText(const nlohmann::ordered_json& statistics);

} // namespace wormhole

#endif // WORMHOLE_CLI_GOAL_STATISTICS_H

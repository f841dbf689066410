/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_REPORT_PICTURE_H
#define WORMHOLE_CLI_REPORT_PICTURE_H

#include "report-links.h"

#include <nlohmann/json.hpp>

namespace wormhole
{

/**
 * Lays a network out in tiers: hosts at the bottom (NVSwitches below them), above them the switches
 * by the number of links to the nearest host. In each tier a node stands over those that it is
 * linked to.
 *
 * A large network is drawn coarser: hosts at the same switches become one node, and if there are
 * still too many links, only the busiest are drawn.
 * \return nodes with their places, and what the links between them carried
 */
nlohmann::ordered_json PictureJson(const LoadedNetwork& network);

} // namespace wormhole

#endif // WORMHOLE_CLI_REPORT_PICTURE_H

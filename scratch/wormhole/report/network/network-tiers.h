/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_REPORT_NETWORK_TIERS_H
#define WORMHOLE_CLI_REPORT_NETWORK_TIERS_H

#include "ns3/rdma-topology.h"

#include <vector>

namespace wormhole
{

constexpr int NVSWITCH_TIER = -1; ///< below the hosts

/**
 * \return by node: 0 for hosts, NVSWITCH_TIER for NVSwitches, and for a switch the number of links to
 * the nearest host; 1 for switches without a way to any. O(nodes + links)
 */
std::vector<int> NetworkTiers(const ns3::RdmaTopology& topology);

} // namespace wormhole

#endif // WORMHOLE_CLI_REPORT_NETWORK_TIERS_H

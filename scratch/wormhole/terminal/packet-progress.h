/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_PACKET_PROGRESS_H
#define WORMHOLE_CLI_PACKET_PROGRESS_H

#include "progress.h"

#include "ns3/rdma-network.h"

#include <string>
#include <vector>

namespace wormhole
{

// What the packet level tells of itself while it runs, whoever starts its flows.

/** Adds what the flows under way have delivered to \p state, how many they are, and the crossings
 * of links. */
void AddPacketProgress(const ns3::RdmaNetwork& network, ProgressState& state);

/** \return flows under way and why they have not ended, those that have waited longest first, at
 * most so many lines */
std::vector<std::string> ExplainFlows(const ns3::RdmaNetwork& network, size_t most);

} // namespace wormhole

#endif // WORMHOLE_CLI_PACKET_PROGRESS_H

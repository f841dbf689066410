/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_NETWORK_ATTRIBUTES_H
#define WORMHOLE_CLI_NETWORK_ATTRIBUTES_H

#include "plan/run-plan.h"
#include "run/run-result.h"

#include "ns3/rdma-network.h"

#include <string>
#include <utility>
#include <vector>

namespace wormhole
{

/** \return attributes of the network, its first host, its first switch and the congestion control,
 * by type */
std::vector<std::pair<std::string, AttributeList>> AttributesOf(
    const RunPlan& plan,
    const ns3::Ptr<ns3::RdmaNetwork>& network);

} // namespace wormhole

#endif // WORMHOLE_CLI_NETWORK_ATTRIBUTES_H

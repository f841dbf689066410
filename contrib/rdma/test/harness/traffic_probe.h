/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_TRAFFIC_PROBE_H
#define HARNESS_TRAFFIC_PROBE_H

#include "ns3/rdma-flow-file.h"
#include "ns3/rdma-topology.h"

#include <cstdint>
#include <string>
#include <vector>

namespace harness
{

/** \return hosts 0 to count - 1 on one switch, 100 Gb/s each */
ns3::RdmaTopology Star(uint32_t count);

/** \return what WriteRdmaFlows writes */
std::string Written(const std::vector<ns3::RdmaFlowSpec>& flows);

} // namespace harness

#endif // HARNESS_TRAFFIC_PROBE_H

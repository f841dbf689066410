/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TRAFFIC_KEYS_H
#define RDMA_TRAFFIC_KEYS_H

#include "rdma-traffic-poisson.h"

#include "ns3/input-spec.h"
#include "ns3/rdma-topology.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup rdma Days that a time of traffic may have: what a run in picoseconds can count. */
constexpr int RDMA_TRAFFIC_DAYS = 100;

/** \ingroup rdma \return ids of the hosts \throws InputError if there are less than 2 */
std::vector<uint32_t> RdmaTrafficHosts(const RdmaTopology& topology);

/** \ingroup rdma \return the hosts with the rate of their links, those inside a server (to
 * NVSwitches) left out \throws InputError if a host has none */
std::vector<RdmaPoissonHost> RdmaTrafficHostRates(const RdmaTopology& topology);

/** \ingroup rdma \throws InputError if \p count is more flows than may be; \p remedy says what to
 * do */
void CheckRdmaTrafficCount(double count, const InputSpec& spec, const std::string& remedy);

/** \ingroup rdma \return the value of a key, a time; 0 if it is not given */
Time RdmaTrafficTime(InputSpec& spec, const std::string& key);

} // namespace ns3

#endif // RDMA_TRAFFIC_KEYS_H

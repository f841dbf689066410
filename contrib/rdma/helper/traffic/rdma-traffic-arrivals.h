/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TRAFFIC_ARRIVALS_H
#define RDMA_TRAFFIC_ARRIVALS_H

#include "rdma-flow-file.h"

#include "ns3/input-spec.h"
#include "ns3/rdma-topology.h"

#include <cstdint>
#include <vector>

namespace ns3
{

// Kinds of traffic whose flows arrive over time. Each takes its keys of the specification, and
// throws InputError if they are wrong, or if there are others.

/** \ingroup rdma Poisson arrivals, sizes from a distribution. */
std::vector<RdmaFlowSpec> RdmaPoissonTraffic(InputSpec& spec,
                                             const RdmaTopology& topology,
                                             uint64_t seed);

/** \ingroup rdma One incast, or many at regular or at random times. */
std::vector<RdmaFlowSpec> RdmaIncastTraffic(InputSpec& spec,
                                            const RdmaTopology& topology,
                                            uint64_t seed);

/** \ingroup rdma Hosts that are on and off by turns. */
std::vector<RdmaFlowSpec> RdmaOnOffTraffic(InputSpec& spec,
                                           const RdmaTopology& topology,
                                           uint64_t seed);

/** \ingroup rdma Arrivals from a CSV file. */
std::vector<RdmaFlowSpec> RdmaTraceTraffic(InputSpec& spec, const RdmaTopology& topology);

} // namespace ns3

#endif // RDMA_TRAFFIC_ARRIVALS_H

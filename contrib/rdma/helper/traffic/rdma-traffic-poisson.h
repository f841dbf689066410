/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TRAFFIC_POISSON_H
#define RDMA_TRAFFIC_POISSON_H

#include "rdma-flow-file.h"
#include "rdma-flow-size-cdf.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup rdma A host that sends at random. */
struct RdmaPoissonHost
{
    uint32_t node{0}; ///< id
    uint64_t rate{0}; ///< bit/s of its links to the network, together; more than 0
};

/** \return how many flows RdmaPoissonFlows() makes on average */
double RdmaPoissonFlowCount(const std::vector<RdmaPoissonHost>& hosts,
                            const RdmaFlowSizeCdf& sizes,
                            double load,
                            double durationNs);

/**
 * Flows as HPCC's traffic generator makes them: each host starts flows at exponentially distributed
 * intervals, each to one of the other hosts with equal chances, with sizes from a distribution. The
 * mean interval is that in which the host's links, at this load, carry the mean size (payload;
 * headers come on top).
 * \param hosts 2 or more
 * \param sizes distribution of the sizes
 * \param load fraction of the hosts' rate, more than 0
 * \param durationNs flows start in [0, durationNs), at whole nanoseconds
 * \param seed a host's flows depend on the seed, its place in \p hosts and its rate, and on how many hosts there are
 * \return flows with src, dst, bytes and start, sorted by start
 */
std::vector<RdmaFlowSpec> RdmaPoissonFlows(const std::vector<RdmaPoissonHost>& hosts,
                                           const RdmaFlowSizeCdf& sizes,
                                           double load,
                                           double durationNs,
                                           uint64_t seed);

} // namespace ns3

#endif // RDMA_TRAFFIC_POISSON_H

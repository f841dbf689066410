/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TRAFFIC_ON_OFF_H
#define RDMA_TRAFFIC_ON_OFF_H

#include "rdma-flow-file.h"
#include "rdma-traffic-poisson.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup rdma Hosts that are on and off by turns. */
struct RdmaOnOff
{
    double onNs{0};       ///< mean time on, more than 0
    double offNs{0};      ///< mean time off
    double load{1};       ///< fraction of a host's rate at which it sends while on, more than 0
    uint64_t bytes{0};    ///< of each flow
    double durationNs{0}; ///< flows start before it
};

/** \return how many flows RdmaOnOffFlows() makes on average */
double RdmaOnOffFlowCount(const std::vector<RdmaPoissonHost>& hosts, const RdmaOnOff& onOff);

/**
 * Each host is on and off by turns, for exponentially distributed times. While it is on, it starts
 * flows of equal size, at equal intervals, to one other host, which it draws anew each time that it
 * turns on. So a host offers load * on / (on + off) of its rate on average.
 * \param hosts 2 or more
 * \param onOff what they do
 * \param seed a host's flows depend on the seed, its place in \p hosts and its rate, and on how many hosts there are
 * \return flows with src, dst, bytes and start, sorted by start
 */
std::vector<RdmaFlowSpec> RdmaOnOffFlows(const std::vector<RdmaPoissonHost>& hosts,
                                         const RdmaOnOff& onOff,
                                         uint64_t seed);

} // namespace ns3

#endif // RDMA_TRAFFIC_ON_OFF_H

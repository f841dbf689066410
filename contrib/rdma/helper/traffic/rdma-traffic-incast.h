/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TRAFFIC_INCAST_H
#define RDMA_TRAFFIC_INCAST_H

#include "rdma-flow-file.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{

/** \ingroup rdma Incasts that follow each other. */
struct RdmaIncasts
{
    uint64_t fanIn{0};                ///< senders of each, at most one less than there are hosts
    std::optional<uint32_t> receiver; ///< node id; drawn for each incast if there is none
    bool drawSenders{false};          ///< for each incast; else the first hosts send
    uint64_t bytes{0};                ///< of each flow
};

/** \return times in [0, \p durationNs) at multiples of \p periodNs, in ns */
std::vector<double> RdmaRegularArrivals(double periodNs, double durationNs);

/** \return times in [0, \p durationNs) at exponentially distributed intervals, in ns */
std::vector<double> RdmaPoissonArrivals(double meanIntervalNs, double durationNs, uint64_t seed);

/**
 * Incasts at given times.
 * \param hosts node ids
 * \param incasts what each is
 * \param startsNs of the incasts, increasing; flows start at whole nanoseconds
 * \param seed what the k-th incast draws depends on the seed, k and \p hosts
 * \return flows with src, dst, bytes and start, sorted by start
 */
std::vector<RdmaFlowSpec> RdmaIncastFlows(const std::vector<uint32_t>& hosts,
                                          const RdmaIncasts& incasts,
                                          const std::vector<double>& startsNs,
                                          uint64_t seed);

} // namespace ns3

#endif // RDMA_TRAFFIC_INCAST_H

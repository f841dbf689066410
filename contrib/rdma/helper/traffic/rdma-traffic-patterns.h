/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TRAFFIC_PATTERNS_H
#define RDMA_TRAFFIC_PATTERNS_H

#include "rdma-traffic-random.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/** \ingroup rdma Source and destination of a flow, as node ids. */
using RdmaHostPair = std::pair<uint32_t, uint32_t>;

/** \ingroup rdma The order of the flows of an all-to-all exchange; ECMP and ties in time depend on
 * it. */
enum class RdmaAllToAllOrder : uint8_t
{
    SHIFT, ///< all hosts to their next one, then all to the one after it, and so on
    SOURCE ///< all flows of the first host, then all of the second, and so on
};

/**
 * Every host sends to one other host and receives from one, all such permutations being equally
 * likely.
 * \param hosts node ids, 2 or more
 * \param random what draws the permutation
 */
std::vector<RdmaHostPair> RdmaPermutationPairs(const std::vector<uint32_t>& hosts,
                                               RdmaTrafficRandom& random);

/**
 * The first \p fanIn hosts other than the receiver send to it.
 * \param hosts node ids
 * \param receiver one of them
 * \param fanIn at most one less than there are hosts
 */
std::vector<RdmaHostPair> RdmaIncastPairs(const std::vector<uint32_t>& hosts,
                                          uint32_t receiver,
                                          uint64_t fanIn);

/** Every host sends to every other one. */
std::vector<RdmaHostPair> RdmaAllToAllPairs(const std::vector<uint32_t>& hosts,
                                            RdmaAllToAllOrder order);

/**
 * Every host sends to the one \p stride places on, around the end of the list. Flows are in the
 * order of the ring, and where the stride makes several rings, one ring after the other.
 * \param hosts node ids
 * \param stride not a multiple of the number of hosts
 */
std::vector<RdmaHostPair> RdmaRingPairs(const std::vector<uint32_t>& hosts, uint64_t stride);

} // namespace ns3

#endif // RDMA_TRAFFIC_PATTERNS_H

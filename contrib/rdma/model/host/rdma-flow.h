/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_FLOW_H
#define RDMA_FLOW_H

#include <cstdint>
#include <functional>

namespace ns3
{

class RdmaQueuePair;

/** \ingroup rdma How a flow stands. */
enum class RdmaFlowState : uint8_t
{
    WAITING,     ///< not started, or without a route so far
    ACTIVE,      ///< under way
    COMPLETED,   ///< all bytes acknowledged
    RETRY_ERROR, ///< given up after as many time-outs in a row as the sender allows
};

/** \ingroup rdma What a flow is, as asked for. */
struct RdmaFlow
{
    uint32_t src{0};        ///< host, number in the topology
    uint32_t dst{0};        ///< host, number in the topology
    uint64_t bytes{0};      ///< payload
    uint8_t priority{3};    ///< priority group, 1 to 7: the egress queue at switches
    uint16_t sourcePort{0}; ///< UDP source port; 0: counted per pair of hosts from 10000. Flows
                            ///< under way may share one, as messages on one connection do
    uint16_t dport{100};    ///< UDP destination port
    bool exact{false};      ///< no RdmaFlowObserver hears of it; so must all be that it meets
    uint64_t window{0};     ///< bytes in flight at most, at line rate; 0 for no limit
    int64_t baseRttNs{0};   ///< round-trip time without queues, ns (T in HPCC); 0 for its route's
    std::function<void(const RdmaQueuePair&)>
        onDelivered; ///< the receiver has all bytes; may be empty
    std::function<void(const RdmaQueuePair&)>
        onEnd; ///< completed (last acknowledgement) or failed; may be empty
};

} // namespace ns3

#endif // RDMA_FLOW_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_FLOW_LOSSES_H
#define RDMA_FLOW_LOSSES_H

#include "ns3/rdma-loss-search.h"

namespace ns3
{

class RdmaQueuePair;

/** \ingroup rdma Frames of a flow that links will lose at random. */
struct RdmaFlowLosses
{
    RdmaFlowLosses() = default;

    /** \param qp has its routes */
    explicit RdmaFlowLosses(const RdmaQueuePair& qp);

    RdmaLossSearch data; ///< on the way to the receiver
    RdmaLossSearch acks; ///< on the way back
};

} // namespace ns3

#endif // RDMA_FLOW_LOSSES_H

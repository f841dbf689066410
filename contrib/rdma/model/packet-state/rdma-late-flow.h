/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_LATE_FLOW_H
#define RDMA_LATE_FLOW_H

#include "ns3/rdma-queue-pair.h"

#include <cstdint>

namespace ns3
{

/** \ingroup rdma A flow that was to start at a time which is past; see RdmaPacketState::StartLate.
 */
struct RdmaLateFlow
{
    RdmaFlow flow;
    int64_t time{0}; ///< when it was to start, time steps
};

} // namespace ns3

#endif // RDMA_LATE_FLOW_H

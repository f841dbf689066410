/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_PAUSED_FLOW_H
#define RDMA_PAUSED_FLOW_H

#include "ns3/rdma-event-queue.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

class RdmaTimer;

/** \ingroup rdma What is kept of a flow while nothing happens to it. */
struct RdmaPausedFlow
{
    std::vector<std::pair<RdmaTimer*, RdmaDue>> timers; //!< that were pending
    RdmaDue pipe;                 //!< when the next acknowledgement in the pipe was to arrive
    std::vector<uint8_t> control; //!< state of the congestion control
    bool saved{false};            //!< whether it could save that
    uint64_t credit{0};           //!< that its frames do not know of yet, bytes
    bool goesOn{false};           //!< the control has changed since its state was saved
    uint64_t inFlight{0};         //!< what it had in flight, if evicted; bytes
    bool evicted{false};          //!< has no frames in the network
    int64_t load{0};              //!< of its acknowledgements where these pass by a pipe, bit/s
};

} // namespace ns3

#endif // RDMA_PAUSED_FLOW_H

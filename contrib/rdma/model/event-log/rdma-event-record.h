/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_EVENT_RECORD_H
#define RDMA_EVENT_RECORD_H

#include "ns3/rdma-frame.h"

#include <cstdint>
#include <string>

namespace ns3
{

/** \ingroup rdma Something that happened at a node, for comparison of two runs. */
struct RdmaEventRecord
{
    enum class What : uint8_t
    {
        RECEIVED,  ///< a frame, at a port
        SENT,      ///< its transmission began
        LOST,      ///< on the way to the port, or at it
        STARTED,   ///< a flow, at its source
        DELIVERED, ///< a flow, at its destination
        ENDED      ///< a flow, at its source
    };

    int64_t time{0};    ///< time steps
    uint64_t number{0}; ///< of what happened to frames at the node, as it ran; 0 of a flow
    uint64_t flow{0};   ///< its number, from 1; 0 of a frame without one
    uint64_t seq{0};    ///< of the frame, bytes
    uint64_t digest{0}; ///< of the rest of the frame, the port's queues and the flow's rate
    uint32_t node{0};
    uint16_t port{0}; ///< of the node, from 1; 0 of a flow
    What what{What::RECEIVED};
    RdmaFrameKind kind{RdmaFrameKind::DATA}; ///< of the frame

    bool operator==(const RdmaEventRecord& other) const;

    /** \return all of it, for people */
    std::string ToString() const;
};

static_assert(sizeof(RdmaEventRecord) == 48, "as it is written, without gaps");

} // namespace ns3

#endif // RDMA_EVENT_RECORD_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_DROP_REASON_H
#define RDMA_DROP_REASON_H

#include <cstdint>

namespace ns3
{

/** \ingroup rdma Why a frame was lost. */
enum class RdmaDropReason : uint8_t
{
    BUFFER,     ///< no room in the switch
    LINK_ERROR, ///< corrupted on the wire
    LINK_DOWN,  ///< the link went down
    NO_ROUTE    ///< no route to the destination
};

} // namespace ns3

#endif // RDMA_DROP_REASON_H

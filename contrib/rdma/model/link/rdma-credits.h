/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_CREDITS_H
#define RDMA_CREDITS_H

#include "rdma-egress-queues.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Credit-based flow control at one end of a link: what may be sent, and what the other end
 * has not been told of (InfiniBand's, in bytes: Architecture Specification 1.3, volume 1, 7.9).
 *
 * A receiver keeps a buffer for each class of each link. A sender has as many credits at first; a
 * frame takes its bytes, and a class stops while it has fewer than the largest frame takes. The
 * credits come back, a link's delay and a CREDIT frame later, once the frame has left the
 * receiver's memory. So no frame ever finds that full. Class 0, that of control frames, takes none.
 */
struct RdmaCredits
{
    uint64_t buffer{0};       ///< bytes of each class at the other end
    uint32_t update{0};       ///< the other end is told as soon as so many bytes are free here
    uint32_t largestFrame{0}; ///< bytes
    std::array<uint64_t, RdmaEgressQueues::COUNT> left{};   ///< bytes that may be sent, by class
    std::array<uint64_t, RdmaEgressQueues::COUNT> untold{}; ///< bytes that are free here, by class

    /** \return bit q: class q has too few credits to send */
    uint8_t GetShort() const
    {
        uint8_t bits = 0;
        for (uint32_t queue = 1; queue < RdmaEgressQueues::COUNT; ++queue)
        {
            bits |= left[queue] < largestFrame ? static_cast<uint8_t>(1U << queue) : uint8_t{0};
        }
        return bits;
    }
};

} // namespace ns3

#endif // RDMA_CREDITS_H

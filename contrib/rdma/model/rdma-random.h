/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_RANDOM_H
#define RDMA_RANDOM_H

#include "ns3/rdma-frame.h"

#include <cstdint>

namespace ns3
{

/** \ingroup rdma What a random draw decides; part of its key. */
enum class RdmaDraw : uint8_t
{
    ECN_MARK,
    LINK_ERROR,
    NEXT_PORT, ///< among ports of equal distance; the draw is by node instead of port
    PINT_CODE, ///< which of two codes is written
    CONTROL,   ///< what a congestion control asks for; the port is its NIC's
    ENTROPY,   ///< of a packet that tries a new one; the port is its NIC's
    DETOUR     ///< of a packet, by way of which host; the port is 0
};

/** \return \p z mixed as by SplitMix64 (Steele et al., OOPSLA 2014) */
inline uint64_t
RdmaMix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/**
 * \param seed of the run
 * \param what is decided
 * \param port number of the port in the network
 * \param flow number of the flow; of losses, RdmaQueuePair::GetDrawId
 * \return what the draws for all frames of the flow at the port have in common
 */
inline uint64_t
RdmaDrawKey(uint64_t seed, RdmaDraw what, uint32_t port, uint64_t flow)
{
    const uint64_t h = RdmaMix(RdmaMix(seed) ^ (static_cast<uint64_t>(what) << 32 | port));
    return RdmaMix(h ^ flow);
}

/** \return the draw for the frame of number \p serial, uniform in [0, 2^53) */
inline uint64_t
RdmaDrawBits(uint64_t key, uint64_t serial)
{
    return RdmaMix(key ^ serial) >> 11;
}

/**
 * \param kind of a frame
 * \param again as of RdmaFrame
 * \param packet how many packets of its flow come before what it says; without a flow, its serial
 * \return the number of the frame for draws of losses
 */
inline uint64_t
RdmaLossNumber(RdmaFrameKind kind, uint8_t again, uint64_t packet)
{
    return uint64_t{again} << 40 | static_cast<uint64_t>(kind) << 32 |
           static_cast<uint32_t>(packet);
}

/**
 * A counter-based generator: the draw for a frame at a port depends on nothing but its key, so not
 * on what else was simulated before.
 * \param seed of the run
 * \param what is decided
 * \param port number of the port in the network
 * \param flow as of RdmaDrawKey
 * \param serial number of the frame in its flow and direction; retransmissions count. Of losses,
 * RdmaLossNumber
 * \return uniform in [0, 1)
 */
inline double
RdmaUniform(uint64_t seed, RdmaDraw what, uint32_t port, uint64_t flow, uint64_t serial)
{
    return static_cast<double>(RdmaDrawBits(RdmaDrawKey(seed, what, port, flow), serial)) * 0x1p-53;
}

} // namespace ns3

#endif // RDMA_RANDOM_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_RANDOM_H
#define RDMA_RANDOM_H

#include <cstdint>

namespace ns3
{

/** \ingroup rdma What a random draw decides; part of its key. */
enum class RdmaDraw : uint8_t
{
    ECN_MARK,
    LINK_ERROR
};

/**
 * A counter-based generator: the draw for a frame at a port depends on nothing but its key, so not
 * on what else was simulated before. The mixing function is that of SplitMix64 (Steele et al.,
 * OOPSLA 2014), once per word.
 * \param seed of the run
 * \param what is decided
 * \param port number of the port in the network
 * \param flow number of the flow
 * \param serial number of the frame in its flow and direction; retransmissions count
 * \return uniform in [0, 1)
 */
inline double
RdmaUniform(uint64_t seed, RdmaDraw what, uint32_t port, uint64_t flow, uint64_t serial)
{
    auto mix = [](uint64_t z) {
        z += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    };
    uint64_t h = mix(seed);
    h = mix(h ^ (static_cast<uint64_t>(what) << 32 | port));
    h = mix(h ^ flow);
    h = mix(h ^ serial);
    return static_cast<double>(h >> 11) * 0x1p-53;
}

} // namespace ns3

#endif // RDMA_RANDOM_H

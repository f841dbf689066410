/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_CONNECTIONS_H
#define WORKLOAD_CONNECTIONS_H

#include <cstdint>

namespace ns3
{

/**
 * \ingroup workload
 *
 * Whether transfers between two hosts share a connection. What a connection is to the network is
 * its UDP source port: ECMP hashes it, so it decides the path.
 */
enum class WorkloadConnections : uint8_t
{
    FRESH,     ///< every transfer has one of its own: ports count up per pair of hosts, as in SimAI
    PERSISTENT ///< those of one stream share one, and so take the same path, as NCCL's do
};

/**
 * \ingroup workload
 * \param from sending node
 * \param to receiving node
 * \param stream of the transfers
 * \return UDP source port of the connection that persists: 49152 to 65535, the range that RoCEv2
 * senders use; the same on every machine
 */
inline uint16_t
WorkloadConnectionPort(uint32_t from, uint32_t to, uint32_t stream)
{
    constexpr uint16_t FIRST = 0xc000;
    // the finaliser of SplitMix64, once per word: neighbours get unrelated ports
    const auto mix = [](uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    };
    const uint64_t pair = mix((static_cast<uint64_t>(from) << 32 | to) + 0x9e3779b97f4a7c15);
    return static_cast<uint16_t>(FIRST | (mix(pair + stream) & 0x3fff));
}

} // namespace ns3

#endif // WORKLOAD_CONNECTIONS_H

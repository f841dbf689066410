/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_ESTIMATE_VOLUME_H
#define WORMHOLE_CLI_ESTIMATE_VOLUME_H

#include "plan/run-plan.h"

#include "ns3/rdma-topology.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace wormhole
{

/** Links on the shortest ways of a topology; hosts are never transit. */
class HopCounter
{
  public:
    /** \param topology plain data; not kept */
    explicit HopCounter(const ns3::RdmaTopology& topology);

    /** \return links between two hosts, nodes of the topology; 0 if there is no way. The first call
     * from a switch searches all links between switches */
    uint32_t Between(uint32_t from, uint32_t to);

    /** \return the first switch of a host; UINT32_MAX if it has none */
    uint32_t SwitchOf(uint32_t host) const
    {
        return m_switches[host].empty() ? UINT32_MAX : m_switches[host].front();
    }

  private:
    const std::vector<uint32_t>& From(uint32_t node);

    std::vector<std::vector<uint32_t>> m_switches; //!< neighbours of each node that are switches
    std::vector<std::vector<uint32_t>> m_hosts;    //!< ... that are hosts
    std::vector<std::vector<uint32_t>>
        m_distances; //!< of switches from each switch, when asked for
};

/** What is to be moved over a network. */
struct TrafficVolume
{
    uint64_t transfers{0};
    double bytes{0};        ///< payload
    double packets{0};      ///< data packets
    double crossings{0};    ///< of links, by data packets
    uint64_t concurrent{0}; ///< transfers under way at once: an estimate
    double inFlight{0};     ///< packets under way at once: an estimate
    uint64_t operations{0}; ///< of workloads
    uint64_t ends{0};       ///< switches that sources and destinations hang on
};

/**
 * \param plan of a run at packet level
 * \param payload of a full packet, bytes
 * \return its volume: of flows exact but for retransmissions, detours and what is under way when the
 * run stops; of a workload without any stop; of a replay (SimAI,
 * Chakra) by running it on a network that takes no time, and none of one that is not repeatable
 */
TrafficVolume VolumeOf(const RunPlan& plan, uint64_t payload);

/**
 * As VolumeOf, without going through the traffic.
 * \return of all that takes memory at least as much: transfers and packets under way, operations,
 * ends; nullopt if that is not known beforehand
 */
std::optional<TrafficVolume> MostVolumeOf(const RunPlan& plan, uint64_t payload);

} // namespace wormhole

#endif // WORMHOLE_CLI_ESTIMATE_VOLUME_H

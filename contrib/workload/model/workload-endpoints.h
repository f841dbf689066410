/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_ENDPOINTS_H
#define WORKLOAD_ENDPOINTS_H

#include "ns3/rdma-topology.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Where transfers may begin and end in a topology: its hosts, and its NVSwitches if asked
 * for.
 *
 * A switch of the packet level cannot end a flow, so an NVSwitch that is to be an end point gets a
 * host of its own, hung on by a link that costs no time to speak of. These hosts and links come
 * after all others: the numbers of nodes, links and interfaces stay what they were. Hosts are never
 * transit, so no other route changes.
 */
struct WorkloadEndpoints
{
    /** Of the link between an NVSwitch and the host that stands for it, bit/s: a frame of 9 kB
     * takes 0.7 ns, and no time where time is cut to whole nanoseconds. */
    static constexpr uint64_t HIDDEN_RATE = 100000000000000;

    RdmaTopology topology;       ///< to be simulated: as given, and then the hosts of NVSwitches
    std::vector<uint32_t> nodes; ///< node in \c topology of each end point: hosts, then NVSwitches
    uint32_t hosts{0};           ///< how many of them are hosts of the topology as given
    uint32_t visibleNodes{0};    ///< nodes of the topology as given
    uint32_t visibleLinks{0};    ///< links of the topology as given

    /** \return the topology as given */
    RdmaTopology GetVisible() const;
};

/**
 * \ingroup workload
 *
 * \param topology as a user knows it
 * \param nvSwitches whether NVSwitches are end points (SimAI's NVLS needs it)
 * \return its end points; hosts in the order of their node ids, then NVSwitches likewise
 */
WorkloadEndpoints MakeWorkloadEndpoints(const RdmaTopology& topology, bool nvSwitches = false);

} // namespace ns3

#endif // WORKLOAD_ENDPOINTS_H

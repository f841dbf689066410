/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_ROUTES_H
#define WORKLOAD_ROUTES_H

#include "ns3/ptr.h"
#include "ns3/rdma-context.h"
#include "ns3/rdma-node.h"
#include "ns3/rdma-port.h"
#include "ns3/rdma-routing.h"
#include "ns3/rdma-topology.h"

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief The routes that flows take in a topology, without a simulation: RdmaRouting on nodes that
 * do nothing.
 *
 * A directed link is the number of a link, times 2, plus 1 if it leads from the link's end b to a.
 */
class WorkloadRoutes
{
  public:
    /**
     * \param topology plain data; not kept
     * \param collapseParallel as RdmaNetwork::CollapseParallelLinks
     * \param clock turns delays into time steps
     * \param payload of a full frame, bytes
     */
    explicit WorkloadRoutes(const RdmaTopology& topology,
                            bool collapseParallel = false,
                            const RdmaClock& clock = RdmaClock(),
                            uint32_t payload = 1);

    /**
     * The route of the next flow between two hosts, counting UDP source ports per pair from 10000
     * as RdmaNetwork does.
     * \param from host, node of the topology
     * \param to host, node of the topology
     * \param dport UDP destination port
     * \param links set to the directed links on the way; empty if there is no route
     * \return the UDP source port
     */
    uint16_t Next(uint32_t from, uint32_t to, uint16_t dport, std::vector<uint32_t>& links);

    /** The route of a flow with this UDP source port, which is not counted; otherwise as Next. */
    void Find(uint32_t from,
              uint32_t to,
              uint16_t sport,
              uint16_t dport,
              std::vector<uint32_t>& links);

    /** As RdmaRouting::GetLargest. */
    void GetLargest(int64_t& rttNs, uint64_t& bdp);

  private:
    RdmaContext m_context;
    RdmaRouting m_routing;
    std::vector<Ptr<RdmaNode>> m_nodes;
    std::deque<RdmaPort> m_ports;
    std::unordered_map<uint64_t, uint16_t>
        m_sourcePorts; //!< next, by source << 32 | destination; only looked up
};

} // namespace ns3

#endif // WORKLOAD_ROUTES_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_CONNECTIONS_H
#define RDMA_CONNECTIONS_H

#include "rdma-flow.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Counts the flows of each connection, which is a pair of hosts and the source port that a
 * flow names, if any.
 *
 * A flow's place among those of its connection does not depend on what other connections do, unlike
 * its number in the network. All ranks of a run count alike, for each is told of all flows.
 */
class RdmaConnections
{
  public:
    /** What a flow gets that starts. */
    struct Place
    {
        uint16_t sourcePort; ///< the flow's, or counted per pair of hosts from 10000
        uint64_t drawId;     ///< stands for connection and place in draws of losses
    };

    /** \return the next place on the connection of \p flow. One look into a hash map. */
    Place Take(const RdmaFlow& flow);

    /** Undoes the last Take of \p flow. */
    void GiveBack(const RdmaFlow& flow);

    /** \return connections that have had a flow */
    size_t GetCount() const
    {
        return m_flows.size();
    }

  private:
    std::unordered_map<uint64_t, uint32_t> m_flows; //!< so far, by connection; only looked up
};

} // namespace ns3

#endif // RDMA_CONNECTIONS_H

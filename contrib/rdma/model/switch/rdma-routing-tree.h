/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_ROUTING_TREE_H
#define RDMA_ROUTING_TREE_H

#include "rdma-routing.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup rdma No node, distance or rank. */
constexpr uint32_t RDMA_NOWHERE = UINT32_MAX;

/** What a breadth-first search from a host found, for every switch. */
struct RdmaRouting::Tree
{
    struct At
    {
        uint32_t distance{RDMA_NOWHERE}; //!< links to the host
        uint32_t rank{RDMA_NOWHERE};     //!< when the search left it for its neighbours
        uint32_t via{RDMA_NOWHERE};      //!< adjacency by which the search found it
        const Ports* ports{nullptr}; //!< towards the host, in the order of the search; null until
                                     //!< asked for
    };

    std::vector<At> at; //!< the root, then the switches: by m_compact
};

} // namespace ns3

#endif // RDMA_ROUTING_TREE_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TOPOLOGY_LEAF_SPINE_H
#define RDMA_TOPOLOGY_LEAF_SPINE_H

#include "rdma-topology-builder.h"

namespace ns3
{

/** \ingroup rdma How leaves are linked to spines: every leaf to every spine. */
struct RdmaUplinks
{
    uint64_t spines{0};
    uint64_t linksPerPair{1}; ///< parallel links between a leaf and a spine
    RdmaTier tier;

    /** \return links in all */
    uint64_t Count(uint64_t leaves) const
    {
        return leaves * spines * linksPerPair;
    }
};

/**
 * \ingroup rdma
 * Reads the keys spines, links-per-pair, uplink-rate, uplink-delay and oversubscription.
 * \param spec the specification
 * \param host the links below a leaf
 * \param hostsPerLeaf their number
 * \param spines what holds if the key spines is not given
 */
RdmaUplinks RdmaReadUplinks(InputSpec& spec,
                            const RdmaTier& host,
                            uint64_t hostsPerLeaf,
                            uint64_t spines);

/** \ingroup rdma \return the keys that RdmaReadUplinks reads, after \p more */
std::vector<RdmaTopologyKey> RdmaUplinkKeys(std::vector<RdmaTopologyKey> more,
                                            const std::string& spines);

/** \ingroup rdma Links each leaf, a switch from 0 to leaves - 1, to each spine, the switches after
 * them. */
void RdmaLinkSpines(RdmaTopologyBuilder& builder, uint64_t leaves, const RdmaUplinks& uplinks);

} // namespace ns3

#endif // RDMA_TOPOLOGY_LEAF_SPINE_H

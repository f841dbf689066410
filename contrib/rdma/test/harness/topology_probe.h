/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_TOPOLOGY_PROBE_H
#define HARNESS_TOPOLOGY_PROBE_H

#include "ns3/rdma-topology.h"

#include <string>
#include <utility>
#include <vector>

namespace harness
{

/** \return what WriteRdmaTopology writes */
std::string Written(const ns3::RdmaTopology& topology);

/** \return the message that a generator's specification leads to, or "no error" */
std::string SpecError(const std::string& spec);

/** \return links of each node, parallel ones counted */
std::vector<size_t> Degrees(const ns3::RdmaTopology& topology);

/** \return how many parts the topology falls into (union-find) */
size_t Parts(const ns3::RdmaTopology& topology);

/** The shortest ways from one node to another. */
struct ShortestWays
{
    uint32_t links{0}; ///< on each; UINT32_MAX if there is none
    uint64_t count{0}; ///< how many there are
};

/** \return of each node, the ways that lead there from \p from, through whatever nodes */
std::vector<ShortestWays> WaysFrom(const ns3::RdmaTopology& topology, uint32_t from);

/** \return the most links between two switches */
uint32_t SwitchDiameter(const ns3::RdmaTopology& topology);

/** \return the sums, in bit/s, of a node's links to nodes of smaller id (below) and greater id
 * (above) */
std::pair<uint64_t, uint64_t> RatesBelowAndAbove(const ns3::RdmaTopology& topology, uint32_t node);

} // namespace harness

#endif // HARNESS_TOPOLOGY_PROBE_H

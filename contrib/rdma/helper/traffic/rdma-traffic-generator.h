/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TRAFFIC_GENERATOR_H
#define RDMA_TRAFFIC_GENERATOR_H

#include "rdma-flow-file.h"

#include "ns3/input-error.h" // for who catches it
#include "ns3/rdma-topology.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * Makes flows from one line of text, `KIND` or `KIND:KEY=VALUE,KEY=VALUE...`: permutation, incast,
 * all-to-all, ring, poisson, on-off, trace.
 *
 * The same specification, topology and seed give the same flows on any machine.
 * See RdmaTrafficGeneratorHelp() for kinds, keys and defaults.
 * \param spec the specification
 * \param topology the hosts (node kinds) and, for a load, the rate of their links
 * \param seed for the kinds that draw at random; 64 bits
 * \param stream which of the seed's independent draws, unless the specification has a key `stream`
 * \return flows sorted by start
 * \throws InputError naming the kind or key, the value and what is accepted
 */
std::vector<RdmaFlowSpec> GenerateRdmaTraffic(const std::string& spec,
                                              const RdmaTopology& topology,
                                              uint64_t seed,
                                              uint32_t stream = 0);

/** Flows of several specifications. */
struct RdmaTrafficMix
{
    std::vector<RdmaFlowSpec> flows; ///< sorted by start; RdmaFlowSpec::kind refers to \p names
    std::vector<std::string> names;  ///< by key `name` or kind; those of one name are one kind
};

/**
 * Adds up the flows of several specifications. The i-th draws with stream i, so that its flows are
 * the same whatever follows it.
 * \throws InputError as GenerateRdmaTraffic()
 */
RdmaTrafficMix MixRdmaTraffic(const std::vector<std::string>& specs,
                              const RdmaTopology& topology,
                              uint64_t seed);

/** \return all kinds with their keys, units, defaults and an example each, as text for a terminal
 * of 100 columns */
std::string RdmaTrafficGeneratorHelp();

} // namespace ns3

#endif // RDMA_TRAFFIC_GENERATOR_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TOPOLOGY_GENERATOR_H
#define RDMA_TOPOLOGY_GENERATOR_H

#include "rdma-topology.h"

#include <string>

namespace ns3
{

/**
 * Makes a topology from one line of text, `KIND` or `KIND:KEY=VALUE,KEY=VALUE...`.
 *
 * See RdmaTopologyGeneratorHelp() for kinds, keys and defaults.
 * \param spec the specification
 * \return the topology; its origin is the specification
 * \throws InputError naming the kind or key, the value and what is accepted
 */
RdmaTopology GenerateRdmaTopology(const std::string& spec);

/**
 * A file, if one of this name can be read; a specification otherwise.
 * \throws InputError as ReadRdmaTopology and GenerateRdmaTopology do; the message names both
 * readings
 */
RdmaTopology LoadRdmaTopology(const std::string& fileOrSpec);

/** \return all kinds with their keys, units, defaults and an example each, as text for a terminal
 * of 100 columns */
std::string RdmaTopologyGeneratorHelp();

} // namespace ns3

#endif // RDMA_TOPOLOGY_GENERATOR_H

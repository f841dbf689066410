/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_CHAKRA_GRAPH_H
#define WORKLOAD_CHAKRA_GRAPH_H

#include "workload-chakra-trace.h"

#include "ns3/input-error.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * \ingroup workload
 *
 * Sorts a rank's nodes by id, and the ids that each waits for, each once.
 * \throws InputError if two nodes have the same id, a node waits for one that is not there, or
 * nodes wait for each other in a circle
 */
void OrderWorkloadChakra(WorkloadChakraRank& rank);

/** \ingroup workload \return index of the node with an id, or the number of nodes if there is none;
 * the nodes are in ascending order of id */
size_t FindWorkloadChakra(const WorkloadChakraRank& rank, uint64_t id);

/** \ingroup workload \return FILE: node ID (byte OFFSET): MESSAGE */
InputError WorkloadChakraError(const WorkloadChakraRank& rank,
                               const WorkloadChakraNode& node,
                               const std::string& message);

/** \ingroup workload Throws it. */
[[noreturn]] void FailWorkloadChakra(const WorkloadChakraRank& rank,
                                     const WorkloadChakraNode& node,
                                     const std::string& message);

} // namespace ns3

#endif // WORKLOAD_CHAKRA_GRAPH_H

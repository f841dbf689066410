/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_PLACEMENT_H
#define WORKLOAD_PLACEMENT_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload How ranks find their nodes, unless a list says. */
enum class WorkloadPlacementPolicy : uint8_t
{
    PACKED,      ///< job after job
    ROUND_ROBIN, ///< a rank of each job in turn
    RANDOM       ///< anywhere
};

/** \ingroup workload Where jobs may run. */
struct WorkloadPlacement
{
    WorkloadPlacementPolicy policy{WorkloadPlacementPolicy::PACKED};
    uint64_t seed{1};         ///< of RANDOM; the same places on every machine
    uint32_t ranksPerNode{1}; ///< that a policy puts on one node, of one job or of several
};

/** \ingroup workload A job that wants nodes. */
struct WorkloadPlacementRequest
{
    std::string name; ///< for messages
    uint32_t ranks{0};
    std::vector<uint32_t> nodes; ///< of each rank; empty to leave it to the policy
};

/**
 * \ingroup workload
 *
 * Gives every rank a node. Jobs that list their nodes get them, also nodes that another list has
 * (several tenants) or that are listed twice. The policy fills the other nodes in order of their
 * numbers, each with as many ranks as the placement allows before the next. Linear.
 * \param requests jobs, in order
 * \param nodes how many there are, numbered from 0
 * \param placement policy for jobs without a list
 * \return nodes of each job's ranks
 * \throws InputError if nodes are too few, a listed one does not exist, or a list is not as
 * long as its job has ranks
 */
std::vector<std::vector<uint32_t>> PlaceWorkloadJobs(
    const std::vector<WorkloadPlacementRequest>& requests,
    uint32_t nodes,
    const WorkloadPlacement& placement);

/**
 * \ingroup workload
 * \param text nodes and ranges of them, joined by plus signs: "0-7+16+24-31"
 * \return the nodes in that order; at most 2^20
 * \throws InputError if it is anything else
 */
std::vector<uint32_t> ParseWorkloadNodes(const std::string& text);

/**
 * \ingroup workload
 * \param text "packed", "round-robin" or "random"
 * \param policy set to it
 * \return false if it is none of them
 */
bool ParseWorkloadPlacementPolicy(const std::string& text, WorkloadPlacementPolicy& policy);

} // namespace ns3

#endif // WORKLOAD_PLACEMENT_H

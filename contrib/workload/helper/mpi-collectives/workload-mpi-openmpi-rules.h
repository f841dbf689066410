/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MPI_OPENMPI_RULES_H
#define WORKLOAD_MPI_OPENMPI_RULES_H

#include "workload-mpi-openmpi-choice.h"

#include <map>
#include <vector>

namespace ns3
{

// Ways that send the same messages are one in the rules: rings in segments of any size and without,
// chains and pipelines, all-to-alls at once with and without a limit, two members and their
// pairwise exchange.

/** \ingroup workload However many members or bytes there are. */
constexpr uint32_t WORKLOAD_OPEN_MPI_ANY = UINT32_MAX;

/** \ingroup workload What is done below a number of bytes. */
struct WorkloadOpenMpiBytesRule
{
    uint64_t below;
    WorkloadOpenMpiWay way;
};

/** \ingroup workload What is done below a number of members: the first row that fits. */
struct WorkloadOpenMpiMembersRule
{
    uint32_t below;
    std::vector<WorkloadOpenMpiBytesRule> rows;
};

/** \ingroup workload Of each collective, the first row that fits. */
using WorkloadOpenMpiRules = std::map<WorkloadMpiCall, std::vector<WorkloadOpenMpiMembersRule>>;

/** \ingroup workload \return the rules of collectives from or to one member */
const WorkloadOpenMpiRules& WorkloadOpenMpiRootedRules();

/** \ingroup workload \return the rules of collectives in which all members do the same */
const WorkloadOpenMpiRules& WorkloadOpenMpiSymmetricRules();

} // namespace ns3

#endif // WORKLOAD_MPI_OPENMPI_RULES_H

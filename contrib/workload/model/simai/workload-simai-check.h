/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_CHECK_H
#define WORKLOAD_SIMAI_CHECK_H

#include "workload-simai-groups.h"
#include "workload-simai-program.h"
#include "workload-simai-shape.h"
#include "workload-simai.h"

#include <string>

namespace ns3
{

/** \ingroup workload \throws InputError if a latency or a delay is out of range */
void CheckWorkloadSimAiOptions(const WorkloadSimAiOptions& options);

/** \ingroup workload \throws InputError if a collective has too many flows to be held in
 * memory */
void CheckWorkloadSimAiSizes(const WorkloadSimAiFile& file,
                             const WorkloadSimAiProgram& program,
                             const WorkloadSimAiGroups& groups,
                             const WorkloadSimAiServers& servers);

/** \ingroup workload \return that NVLS is asked for but no collective can use it, for people;
 * empty if that is not so */
std::string WarningOfWorkloadSimAiNvls(const WorkloadSimAiOptions& options,
                                       const WorkloadSimAiProgram& program,
                                       const WorkloadSimAiGroups& groups,
                                       const WorkloadSimAiServers& servers);

} // namespace ns3

#endif // WORKLOAD_SIMAI_CHECK_H

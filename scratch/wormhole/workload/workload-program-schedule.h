/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_WORKLOAD_PROGRAM_SCHEDULE_H
#define WORMHOLE_CLI_WORKLOAD_PROGRAM_SCHEDULE_H

#include "workload-options.h"
#include "workload-program.h"

#include "ns3/workload-jobs.h"
#include "ns3/workload-transport.h"

#include <memory>

namespace wormhole
{

/**
 * \param jobs placed
 * \param options costs of messages
 * \param transport moves their bytes; null for LogGOPS. Must outlive the program
 * \return schedules, ready to run
 */
std::unique_ptr<WorkloadProgram> MakeScheduleProgram(std::vector<ns3::WorkloadJob> jobs,
                                                     const WorkloadOptions& options,
                                                     ns3::WorkloadTransport* transport);

} // namespace wormhole

#endif // WORMHOLE_CLI_WORKLOAD_PROGRAM_SCHEDULE_H

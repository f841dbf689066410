/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_FINDING_H
#define WORKLOAD_FINDING_H

#include "ns3/workload-schedule.h"

#include <cstdint>
#include <string>

namespace ns3
{

/** \ingroup workload Something that is wrong, or looks wrong, with a schedule. */
struct WorkloadFinding
{
    bool error{true};      ///< the schedule cannot run as it is; else it merely looks wrong
    uint32_t rank{0};      ///< where it is
    uint32_t operation{0}; ///< index in the rank; of no meaning if there is no such operation
    uint64_t line{0};      ///< of the operation in the text; 0 if it is not known
    std::string message;   ///< what is wrong
};

/** \ingroup workload \return an operation in GOAL's words: "recv 8b from 1 tag 3" */
std::string WorkloadOperationText(const WorkloadOperation& operation);

/** \ingroup workload \return one line: "x.goal:12: rank 0, recv 8b from 1 tag 3: MESSAGE" */
std::string WorkloadFindingText(const WorkloadSchedule& schedule, const WorkloadFinding& finding);

} // namespace ns3

#endif // WORKLOAD_FINDING_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_KINETO_ARGUMENTS_H
#define WORKLOAD_KINETO_ARGUMENTS_H

#include "workload-kineto-events.h"
#include "workload-kineto-number.h"

#include <string>

namespace ns3
{

/** \ingroup workload Sets what an event's argument says, if it is of interest. */
void SetWorkloadKinetoArgument(WorkloadKinetoEvent& event,
                               const std::string& key,
                               const std::string& value);

/** \ingroup workload The same, of a number. One that does not fit, such as -1, stands for none. */
void SetWorkloadKinetoArgument(WorkloadKinetoEvent& event,
                               const std::string& key,
                               const WorkloadKinetoNumber& value);

/** \ingroup workload \return whether an argument counts elements or ranks: -1 or a whole number
 * that is not negative */
bool IsWorkloadKinetoCount(const std::string& key);

} // namespace ns3

#endif // WORKLOAD_KINETO_ARGUMENTS_H

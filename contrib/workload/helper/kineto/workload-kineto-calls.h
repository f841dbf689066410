/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_KINETO_CALLS_H
#define WORKLOAD_KINETO_CALLS_H

#include "workload-kineto-group.h"

#include "ns3/workload-nccl-trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 *
 * Adds what an event says that NCCL was called for: one call, or the sends and receives that
 * gather, scatter and an all-to-all of uneven parts are made of.
 * \param file for messages
 * \param event that has "Collective name"
 * \param group of it
 * \param communicator its index
 * \param own rank of the program
 * \param calls they are appended to these
 * \throws InputError if the event does not say what is necessary
 */
void AddWorkloadKinetoCalls(const std::string& file,
                            const WorkloadKinetoEvent& event,
                            const WorkloadKinetoGroup& group,
                            uint32_t communicator,
                            uint32_t own,
                            std::vector<WorkloadNcclCall>& calls);

} // namespace ns3

#endif // WORKLOAD_KINETO_CALLS_H

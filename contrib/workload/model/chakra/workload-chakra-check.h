/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_CHAKRA_CHECK_H
#define WORKLOAD_CHAKRA_CHECK_H

#include "ns3/workload-astra-system.h"
#include "ns3/workload-chakra-trace.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 *
 * Checks that every node can be carried out: that it has the attributes that its kind needs, and
 * that these make sense.
 * \param trace what to do
 * \param system how; with replayOnly only durations count
 * \param dimensions of the logical topology
 * \throws InputError with file and node
 */
void CheckWorkloadChakra(const WorkloadChakraTrace& trace,
                         const WorkloadAstraSystem& system,
                         size_t dimensions);

/** \ingroup workload \return bytes of a message; an empty one still is a message */
uint64_t WorkloadChakraMessageBytes(const WorkloadChakraNode& node);

/**
 * \ingroup workload
 * \param trace what to do, checked
 * \param system how; with replayOnly no message is sent
 * \return WorkloadChakraRunner::GetWarnings
 */
std::vector<std::string> WarnOfWorkloadChakra(const WorkloadChakraTrace& trace,
                                              const WorkloadAstraSystem& system);

} // namespace ns3

#endif // WORKLOAD_CHAKRA_CHECK_H

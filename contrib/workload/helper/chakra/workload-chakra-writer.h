/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_CHAKRA_WRITER_H
#define WORKLOAD_CHAKRA_WRITER_H

#include "workload-chakra-trace.h"

#include <ostream>
#include <string>

namespace ns3
{

/**
 * \ingroup workload
 *
 * Writes one rank's file, which ASTRA-sim reads too. What ReadWorkloadChakraRank returns for it is
 * \p rank again, with the nodes by ascending id and their dependencies sorted.
 * \param out binary
 * \throws InputError if this build has no protobuf
 */
void WriteWorkloadChakraRank(std::ostream& out, const WorkloadChakraRank& rank);

/**
 * \ingroup workload
 *
 * Writes PREFIX.0.et, PREFIX.1.et and so on.
 * \throws OutputError if that is impossible; InputError if this build has no protobuf
 */
void WriteWorkloadChakra(const std::string& prefix, const WorkloadChakraTrace& trace);

} // namespace ns3

#endif // WORKLOAD_CHAKRA_WRITER_H

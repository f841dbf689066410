/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_CHAKRA_READER_H
#define WORKLOAD_CHAKRA_READER_H

#include "workload-chakra-trace.h"

#include <istream>
#include <string>

namespace ns3
{

/** \ingroup workload Longest message that a Chakra trace may hold: 64 MiB. */
constexpr uint64_t WORKLOAD_CHAKRA_MESSAGE_BYTES = uint64_t{64} << 20;

/**
 * \ingroup workload
 *
 * A file is a sequence of messages, each after its length as a varint: the metadata, then the
 * nodes, in any order. Dependencies are checked: every id exists, none comes twice, and no
 * operation waits for itself.
 * \param in the file, binary; read once, front to back
 * \param name stands for the file in messages
 * \return the rank's operations
 * \throws InputError naming the byte, and the node once its id is known
 */
WorkloadChakraRank ReadWorkloadChakraRank(std::istream& in, const std::string& name);

/**
 * \ingroup workload
 * \param prefix of the files PREFIX.0.et, PREFIX.1.et and so on, one per rank; the name of one of
 * them will do
 * \return the trace
 * \throws InputError as above, and if there is no file, or one of the ranks is missing
 */
WorkloadChakraTrace ReadWorkloadChakra(const std::string& prefix);

} // namespace ns3

#endif // WORKLOAD_CHAKRA_READER_H

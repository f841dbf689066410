/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_CHAKRA_CODEC_H
#define WORKLOAD_CHAKRA_CODEC_H

#include "workload-chakra-trace.h"

#include <string>

namespace ns3
{

/** \ingroup workload \return whether this build can read and write Chakra traces, that is, was made
 * with protobuf */
bool HasWorkloadChakra();

/** \ingroup workload \throws InputError, naming \p file and what to install, if
 * HasWorkloadChakra() is false */
void RequireWorkloadChakra(const std::string& file);

/**
 * \ingroup workload
 * \param message bytes of a file's first message
 * \param version set to the trace format's version
 * \return false if the bytes are no such message
 */
bool DecodeWorkloadChakraMetadata(const std::string& message, std::string& version);

/**
 * \ingroup workload
 *
 * Attributes count by name; integers of any width and sign will do where an integer is wanted.
 * Those with other names, which profilers add, have no meaning here.
 * \param message bytes of a node
 * \param node set to it; its id is set even if something else is wrong with it
 * \return what is wrong, empty if nothing is
 */
std::string DecodeWorkloadChakraNode(const std::string& message, WorkloadChakraNode& node);

/** \ingroup workload \return a file's first message */
std::string EncodeWorkloadChakraMetadata(const std::string& version);

/** \ingroup workload \return a node's message; its optional fields that are set become attributes
 */
std::string EncodeWorkloadChakraNode(const WorkloadChakraNode& node);

} // namespace ns3

#endif // WORKLOAD_CHAKRA_CODEC_H

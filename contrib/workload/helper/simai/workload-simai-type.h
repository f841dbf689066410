/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_TYPE_H
#define WORKLOAD_SIMAI_TYPE_H

#include "ns3/workload-simai.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Reads a communication type of a layer, such as ALLREDUCE_EP: what is done, and in which
 * groups.
 * \param word NONE leaves \p part as it is
 * \param policy of the layer
 * \param pass of the part
 * \param file for messages
 * \param line for messages
 * \param part its kind and group are set
 * \return false if it is none that SimAI simulates
 * \throws InputError if the groups that it names are unknown, or the policy has none
 */
bool ReadWorkloadSimAiType(const std::string& word,
                           WorkloadSimAiPolicy policy,
                           WorkloadSimAiPass pass,
                           const std::string& file,
                           uint64_t line,
                           WorkloadSimAiPart& part);

/** \ingroup workload \return whether a communication type is one that AICB writes and SimAI does
 * not simulate, such as BROADCAST */
bool IsWorkloadSimAiSkippedType(const std::string& word);

} // namespace ns3

#endif // WORKLOAD_SIMAI_TYPE_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_LOGGOPS_ROWS_H
#define WORKLOAD_LOGGOPS_ROWS_H

#include "workload-loggops-network.h"

#include <istream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 *
 * Reads parameters of messages by size, as wormhole-loggops writes them.
 * \param in CSV, whose first line is `bytes,L,o,g,G,eager,self`; rows in the order of sizes, the first
 * of 0 or 1 bytes; eager is 0 or 1, and 0 from some row on
 * \param file for messages
 * \throws InputError naming file, line and value
 */
std::vector<WorkloadLogGopsRow> ReadWorkloadLogGopsRows(std::istream& in, const std::string& file);

} // namespace ns3

#endif // WORKLOAD_LOGGOPS_ROWS_H

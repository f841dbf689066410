/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TRAFFIC_TRACE_H
#define RDMA_TRAFFIC_TRACE_H

#include "rdma-flow-file.h"

#include <istream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * Reads arrivals from a CSV file. Its first line names the columns: a time, `time_s`, `time_ms`,
 * `time_us` or `time_ns`, `source` and `destination` (node ids), and `bytes`. `start_ns`, `src` and
 * `dst` are taken too, so that a recorded flows.csv can be used. Other columns are allowed.
 * \param file path
 * \return flows with src, dst, bytes, start and line, sorted by start (stable)
 * \throws InputError with file, line, value and remedy
 */
std::vector<RdmaFlowSpec> ReadRdmaTrafficTrace(const std::string& file);

/** As ReadRdmaTrafficTrace(file), from a stream; \p name stands for the file in messages. */
std::vector<RdmaFlowSpec> ReadRdmaTrafficTrace(std::istream& in, const std::string& name);

} // namespace ns3

#endif // RDMA_TRAFFIC_TRACE_H

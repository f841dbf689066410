/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_FLOW_FILE_H
#define RDMA_FLOW_FILE_H

#include "ns3/nstime.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup rdma One flow (one message on a queue pair of its own), as in HPCC's flow.txt. */
struct RdmaFlowSpec
{
    uint32_t src{0};     ///< host node id
    uint32_t dst{0};     ///< host node id
    uint8_t priority{3}; ///< priority group, 1 to 7 (0 is for control frames)
    uint16_t dport{100}; ///< UDP destination port
    uint64_t bytes{0};   ///< payload
    Time start;          ///< simulated time
    uint64_t line{0};    ///< of the file, from 1; 0 if it comes from elsewhere
    uint32_t kind{0};    ///< which of several kinds of traffic, for results only
};

/**
 * Reads HPCC's flow.txt: a count, then per flow `src dst priority dport bytes start-in-seconds`.
 * Text after the last flow is allowed. Flows come back sorted by start (stable).
 * \param file path
 * \param unsorted if not null, set to whether the file was out of order
 * \param surplus if not null, set to the line of a number after the last flow, which may be one that the count
 * forgets; 0 if there is none
 * \throws InputError with file, line, value and remedy (truncated, out of range, fewer flows than announced)
 */
std::vector<RdmaFlowSpec> ReadRdmaFlows(const std::string& file,
                                        bool* unsorted = nullptr,
                                        uint64_t* surplus = nullptr);

/** As ReadRdmaFlows(file), from a stream; \p name stands for the file in messages. */
std::vector<RdmaFlowSpec> ReadRdmaFlows(std::istream& in,
                                        const std::string& name,
                                        bool* unsorted = nullptr,
                                        uint64_t* surplus = nullptr);

/** Writes HPCC's flow.txt; start times with 10 digits after the point or as many as needed to read
 * back the same. */
void WriteRdmaFlows(std::ostream& out, const std::vector<RdmaFlowSpec>& flows);

/** Reads HPCC's trace.txt: a count and that many node ids. Ids are returned as written, whether or
 * not they exist. */
std::vector<uint32_t> ReadRdmaTraceNodes(const std::string& file);

/** As ReadRdmaTraceNodes(file), from a stream. */
std::vector<uint32_t> ReadRdmaTraceNodes(std::istream& in, const std::string& name);

} // namespace ns3

#endif // RDMA_FLOW_FILE_H

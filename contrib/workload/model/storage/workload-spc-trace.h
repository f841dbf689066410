/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SPC_TRACE_H
#define WORKLOAD_SPC_TRACE_H

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload An access to a disk. */
struct WorkloadStorageRequest
{
    uint32_t unit{0};      ///< application storage unit (ASU)
    uint64_t offset{0};    ///< bytes from the start of the disk
    uint64_t bytes{0};     ///< at least 1
    bool write{false};     ///< otherwise a read
    uint64_t arrivalNs{0}; ///< from the start of the trace
};

/** \ingroup workload How an SPC trace is read. */
struct WorkloadSpcOptions
{
    /** Bytes that an address counts: the format says blocks of 512 bytes; many traces in
     * circulation, and ATLAHS, have bytes (1). */
    uint64_t addressUnit{512};

    uint64_t limit{0}; ///< requests that are read, from the first; 0 for all
};

/** \ingroup workload Highest unit, plus 1. */
constexpr uint32_t WORKLOAD_SPC_UNITS = 65536;

/**
 * \ingroup workload
 *
 * Reads a block trace of the Storage Performance Council, as in the UMass repository: lines
 * `ASU,LBA,Size,Opcode,Timestamp`, the size in bytes, the opcode R or W in either case, the time in
 * seconds. Blanks around fields, empty lines, CR LF and further fields are accepted. The file is
 * read as a stream.
 * \param in the file
 * \param name stands for the file in messages
 * \return the requests, 40 bytes each, in the order of the file
 * \throws InputError with the line; also if there is no request
 */
std::vector<WorkloadStorageRequest> ReadWorkloadSpcTrace(std::istream& in,
                                                         const std::string& name,
                                                         const WorkloadSpcOptions& options);

} // namespace ns3

#endif // WORKLOAD_SPC_TRACE_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_CHAKRA_TRACE_H
#define WORKLOAD_CHAKRA_TRACE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload What a node of a Chakra trace does; the values are those of the files. */
enum class WorkloadChakraKind : uint8_t
{
    INVALID = 0, ///< nothing
    METADATA = 1,
    MEM_LOAD = 2,
    MEM_STORE = 3,
    COMP = 4,
    COMM_SEND = 5,
    COMM_RECV = 6,
    COMM_COLL = 7
};

/** \ingroup workload Collectives that are simulated, or replayed (BROADCAST); the values are those
 * of the files. */
enum class WorkloadChakraCollective : uint8_t
{
    ALL_REDUCE = 0,
    ALL_GATHER = 2,
    BROADCAST = 5,
    ALL_TO_ALL = 6,
    REDUCE_SCATTER = 7
};

/**
 * \ingroup workload
 * \brief One operation of one rank.
 *
 * What a file need not hold is optional; WorkloadChakraRunner says if it misses something.
 */
struct WorkloadChakraNode
{
    uint64_t id{0}; ///< any number, unique in its rank
    std::string name;
    WorkloadChakraKind kind{WorkloadChakraKind::COMP};
    std::vector<uint64_t> dependencies; ///< ids that it waits for (data and control alike)
    uint64_t durationMicros{0};         ///< as measured
    bool cpuOp{false};                  ///< runs on the CPU, not the GPU

    std::optional<uint64_t> numOps;     ///< floating-point operations
    std::optional<uint64_t> tensorSize; ///< bytes that it reads and writes

    std::optional<uint64_t> commType; ///< number of a collective; see WorkloadChakraCollective
    std::optional<uint64_t> commSize; ///< bytes
    std::optional<uint64_t> commSrc;  ///< rank
    std::optional<uint64_t> commDst;  ///< rank
    std::optional<uint64_t> commTag;
    std::string group;              ///< communicator; empty or "0" for all ranks
    std::vector<bool> involvedDims; ///< by dimension; empty for all

    std::string values; ///< of a metadata node: process groups, JSON in quotes and brackets

    uint64_t offset{0}; ///< in the file, bytes, for messages
};

/** \ingroup workload One rank's operations. */
struct WorkloadChakraRank
{
    std::string file; ///< for messages
    std::string version;
    std::vector<WorkloadChakraNode> nodes; ///< by ascending id
};

/** \ingroup workload A Chakra execution trace: what all ranks do. */
struct WorkloadChakraTrace
{
    std::string origin; ///< prefix of the files
    std::vector<WorkloadChakraRank> ranks;
};

} // namespace ns3

#endif // WORKLOAD_CHAKRA_TRACE_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_COLLECTIVE_H
#define WORKLOAD_COLLECTIVE_H

#include "ns3/workload-schedule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload What a collective does. */
enum class WorkloadCollectiveKind : uint8_t
{
    ALL_REDUCE,
    ALL_GATHER,
    REDUCE_SCATTER,
    BROADCAST,
    REDUCE,
    ALL_TO_ALL,
    SEND_RECV ///< every member sends to the next, and the last to the first
};

/** \ingroup workload How. */
enum class WorkloadCollectiveAlgorithm : uint8_t
{
    AUTO, ///< NCCL's choice by size and members
    RING,
    TREE,               ///< one binary tree
    DOUBLE_BINARY_TREE, ///< NCCL's two complementary trees, half the data each
    DIRECT              ///< everyone to everyone at once (all-to-all)
};

/** \ingroup workload NCCL's protocols: LL and LL128 put flags among the data. */
enum class WorkloadProtocol : uint8_t
{
    AUTO,
    SIMPLE,
    LL,
    LL128
};

/** \ingroup workload A collective and how it is carried out. */
struct WorkloadCollective
{
    WorkloadCollectiveKind kind{WorkloadCollectiveKind::ALL_REDUCE};
    WorkloadCollectiveAlgorithm algorithm{WorkloadCollectiveAlgorithm::AUTO};
    WorkloadProtocol protocol{WorkloadProtocol::SIMPLE};

    /** Bytes: of a member's vector (all-reduce, broadcast, reduce, reduce-scatter's input,
     * all-to-all including the own part, send/recv's message), or of the gathered result
     * (all-gather). Need not be divisible. */
    uint64_t bytes{0};

    uint32_t root{0};     ///< index of a member (broadcast, reduce)
    uint32_t channels{1}; ///< NCCL channels: the data is divided among them; 0 for NCCL's choice
    uint64_t chunkBytes{
        0}; ///< largest message; 0: a ring's step is one message; NCCL's buffers: see the docs
    uint32_t elementBytes{1};  ///< parts are whole elements
    double reduceNsPerByte{0}; ///< time of a local reduction
    double copyNsPerByte{0};   ///< time of a local copy

    uint32_t ranksPerServer{1}; ///< members' ranks / this = server
    bool nvlinkOnNetwork{
        true}; ///< whether messages inside a server are sends; otherwise computations
    double nvlinkBytesPerNs{150}; ///< for those, GB/s
    uint8_t cpu{0};               ///< stream of all operations
};

/** \ingroup workload Where a collective begins and ends: an operation per member. */
struct WorkloadCollectiveEnds
{
    std::vector<uint32_t> begin; ///< completes when the member takes part
    std::vector<uint32_t> end;   ///< completes when the member is done
};

/** \ingroup workload No operation. */
constexpr uint32_t WORKLOAD_NONE = UINT32_MAX;

/**
 * \ingroup workload
 *
 * Adds a collective of \p members.
 * \param builder of the schedule
 * \param members ranks, at least one, all different, in the order of the ring
 * \param collective what and how
 * \param after per member an operation that must have completed before, or WORKLOAD_NONE; empty for none
 * \return its ends
 * \throws RdmaInputError if the combination is impossible
 */
WorkloadCollectiveEnds AddWorkloadCollective(WorkloadScheduleBuilder& builder,
                                             const std::vector<uint32_t>& members,
                                             const WorkloadCollective& collective,
                                             const std::vector<uint32_t>& after = {});

} // namespace ns3

#endif // WORKLOAD_COLLECTIVE_H

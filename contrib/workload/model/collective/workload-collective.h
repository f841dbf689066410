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

/** \ingroup workload For NCCL's table of latencies and bandwidths. */
enum class WorkloadGpuGeneration : uint8_t
{
    VOLTA,
    AMPERE,
    HOPPER
};

/** \ingroup workload What NCCL's choices depend on besides the collective. */
struct WorkloadNcclTuning
{
    WorkloadGpuGeneration gpu{WorkloadGpuGeneration::HOPPER};
    bool amdCpu{false};     ///< AMD hosts, else Intel
    bool ll128{true};       ///< whether LL128 is safe on this machine (NVLink, NIC near the GPU)
    uint32_t channels{16};  ///< most channels that a collective gets, 1 to 32
    double serverGBps{360}; ///< a ring's bandwidth inside a server, all channels, GB/s
    double nicGBps{48};     ///< bandwidth of a rank's own NIC, GB/s
};

/** \ingroup workload For chunkBytes: chunks and slices as NCCL's buffers make them. */
constexpr uint64_t WORKLOAD_NCCL_CHUNKS = UINT64_MAX;

/** \ingroup workload For window: the depth of NCCL's buffers, 8 steps. */
constexpr uint32_t WORKLOAD_NCCL_WINDOW = UINT32_MAX;

/** \ingroup workload A collective and how it is carried out. */
struct WorkloadCollective
{
    WorkloadCollectiveKind kind{WorkloadCollectiveKind::ALL_REDUCE};
    WorkloadCollectiveAlgorithm algorithm{WorkloadCollectiveAlgorithm::AUTO};
    WorkloadProtocol protocol{WorkloadProtocol::SIMPLE};

    /** Bytes: of a member's vector (all-reduce, broadcast, reduce, reduce-scatter's input,
     * all-to-all including the own part, send/recv's message), or of the gathered result
     * (all-gather). Need not be divisible; below 2^63. */
    uint64_t bytes{0};

    uint32_t root{0}; ///< index of a member (broadcast, reduce)

    /** NCCL channels: the data is divided among them, at most 64; 0 for NCCL's choice. A double
     * binary tree rounds it up to an even number. */
    uint32_t channels{1};

    /** Largest message, bytes of payload, rounded down to whole elements; 0: a step is one message;
     * WORKLOAD_NCCL_CHUNKS: as NCCL divides it. */
    uint64_t chunkBytes{0};

    /** Messages that may be under way between two members, per channel: message i waits for the
     * completion of message i - window, on both sides. 0: no limit. WORKLOAD_NCCL_WINDOW: 8 steps
     * of NCCL's buffers. */
    uint32_t window{0};

    uint32_t elementBytes{1};  ///< parts are whole elements; what is left over is in the last
    double reduceNsPerByte{0}; ///< time of a local reduction, after each receive that reduces
    double copyNsPerByte{0};   ///< time of a local copy, after each other receive

    uint32_t ranksPerServer{1}; ///< members' ranks / this = server

    /** Whether channel c enters each server at another GPU, the c-th one, as NCCL does to use all
     * NICs; otherwise at the first in the order of the members. */
    bool rotateChannels{true};

    /** Whether messages inside a server are sends. Otherwise they are computations on both sides,
     * half of the transfer's time each, followed by an empty message that says that the data is
     * there; with all members in one server there are no messages at all. */
    bool nvlinkOnNetwork{true};

    double nvlinkBytesPerNs{150}; ///< for those, GB/s
    uint8_t cpu{0};               ///< stream of all operations
    WorkloadNcclTuning tuning;    ///< for AUTO and channels 0
};

/** \ingroup workload Where a collective begins and ends: an operation per member. */
struct WorkloadCollectiveEnds
{
    std::vector<uint32_t> begin; ///< completes when the member takes part
    std::vector<uint32_t> end;   ///< completes when the member is done
};

/** \ingroup workload What one end of a message does with the data. */
struct WorkloadCollectiveTransfer
{
    uint32_t rank{0};
    uint32_t operation{0}; ///< the send or receive
    uint32_t placed{0};    ///< of a receive: the data is in place when this one completes
    uint64_t begin{0};     ///< first byte of the sender's vector
    uint64_t end{0};       ///< byte after the last
    bool receives{false};
    bool reduces{false}; ///< whether a receive adds to what is there, or replaces it
};

/** \ingroup workload What the messages of a collective carry, for checkers; empty messages that
 * stand for a transfer by NVLink included. */
using WorkloadCollectiveTrace = std::vector<WorkloadCollectiveTransfer>;

/** \ingroup workload No operation. */
constexpr uint32_t WORKLOAD_NONE = UINT32_MAX;

/**
 * \ingroup workload
 *
 * Adds a collective of \p members. With one member, only its begin and end. Every message has a tag
 * that no other message between the same two ranks has. Linear in the messages, of which there may
 * be 500 million.
 * \param builder of the schedule
 * \param members ranks, at least one, all different, in the order of the ring
 * \param collective what and how
 * \param after per member an operation that must have completed before, or WORKLOAD_NONE; empty for
 * none
 * \param trace the data's way is appended to it, unless null
 * \return its ends
 * \throws InputError if the combination is impossible
 */
WorkloadCollectiveEnds AddWorkloadCollective(WorkloadScheduleBuilder& builder,
                                             const std::vector<uint32_t>& members,
                                             const WorkloadCollective& collective,
                                             const std::vector<uint32_t>& after = {},
                                             WorkloadCollectiveTrace* trace = nullptr);

/** \ingroup workload Where one member's part begins and ends, and the tags that it takes. */
struct WorkloadCollectivePart
{
    uint32_t begin{0}; ///< operation that completes when the member takes part
    uint32_t end{0};   ///< operation that completes when the member is done
    uint64_t tags{0};  ///< from the first one on; all parts of a collective take the same
};

/**
 * \ingroup workload
 *
 * Adds the part of one member. The parts of all members, with the same tags, are the collective
 * that AddWorkloadCollective adds; so a schedule can be made rank by rank.
 * \param builder of the schedule
 * \param members ranks
 * \param collective as ResolveWorkloadCollective() returns it for these members
 * \param index of the member
 * \param firstTag of the collective's messages; whoever adds the parts keeps tags apart
 * \return the part
 */
WorkloadCollectivePart AddWorkloadCollectivePart(WorkloadScheduleBuilder& builder,
                                                 const std::vector<uint32_t>& members,
                                                 const WorkloadCollective& collective,
                                                 uint32_t index,
                                                 uint32_t firstTag);

/** \ingroup workload What one member sends to another one, or receives from it. */
struct WorkloadMemberMessage
{
    uint32_t peer{0};     ///< index of the other member
    uint64_t bytes{0};    ///< of data
    uint32_t firstTag{0}; ///< the same at both ends
    bool receives{false};
};

/**
 * \ingroup workload
 * \param members ranks
 * \param collective how data moves, as for AddWorkloadMessages()
 * \param bytes of a message
 * \return the tags that it takes: one for each chunk
 */
uint64_t CountWorkloadMessageTags(const std::vector<uint32_t>& members,
                                  const WorkloadCollective& collective,
                                  uint64_t bytes);

/**
 * \ingroup workload
 *
 * Adds messages of one member, all at once, as a group of NCCL's ncclSend and ncclRecv does.
 * Messages to itself, and empty ones, take nothing.
 * \param builder of the schedule
 * \param members ranks, all different and below the builder's count
 * \param collective how data moves (protocol, chunks, window, servers); its kind, bytes and
 * algorithm do not count
 * \param index of the member
 * \param messages in their order
 * \return where they begin and end
 * \throws InputError if the combination is impossible
 */
WorkloadCollectivePart AddWorkloadMessages(WorkloadScheduleBuilder& builder,
                                           const std::vector<uint32_t>& members,
                                           const WorkloadCollective& collective,
                                           uint32_t index,
                                           const std::vector<WorkloadMemberMessage>& messages);

/**
 * \ingroup workload
 * \param collective what and how
 * \param members ranks
 * \return the collective without AUTO and without 0 channels: what AddWorkloadCollective adds
 * \throws InputError if the combination is impossible
 */
WorkloadCollective ResolveWorkloadCollective(const WorkloadCollective& collective,
                                             const std::vector<uint32_t>& members);

} // namespace ns3

#endif // WORKLOAD_COLLECTIVE_H

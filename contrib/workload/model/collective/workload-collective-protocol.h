/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_COLLECTIVE_PROTOCOL_H
#define WORKLOAD_COLLECTIVE_PROTOCOL_H

#include "workload-collective.h"

#include <cstdint>

namespace ns3
{

/**
 * \ingroup workload
 *
 * LL sends lines of 16 bytes with 8 of payload, LL128 lines of 128 bytes with 120 of payload.
 * \param protocol not AUTO
 * \param payload bytes of data, up to 2^62
 * \return bytes of the message
 */
uint64_t WorkloadWireBytes(WorkloadProtocol protocol, uint64_t payload);

/** \ingroup workload How the data of a collective is cut into messages; all in bytes of payload. */
struct WorkloadChunking
{
    uint64_t chunk{0};      ///< most of a step; 0: no limit
    uint64_t align{0};      ///< NCCL's: channels and last chunks are multiples; 0: cut evenly
    uint32_t slices{1};     ///< messages per chunk, at most
    uint64_t leastSlice{0}; ///< a slice has as much at least
    uint32_t window{0};     ///< messages under way between two members; 0: no limit
};

/**
 * \ingroup workload
 *
 * NCCL's sizes (2.20.5; device.h, comm.h, collectives.h, init.cc and enqueue.cc say the same): a
 * buffer has 8 steps, Simple's 4 MiB, LL's 512 KiB, of which half is payload, LL128's 4,915,200
 * bytes. A chunk is one step, but 4 in a Simple ring of an all-reduce, all-gather or
 * reduce-scatter, which sends it in slices of 2. Between two members without a collective, a chunk
 * is 128 KiB between servers (a quarter below 128 KiB in all, half below 1 MiB) and 512 KiB inside
 * one. Channels and last chunks are multiples of 4096 bytes with Simple, of 8 per thread with LL,
 * of 480 per warp with LL128.
 * \param collective without AUTO
 * \param members how many
 * \param servers that they are in
 * \param threads of a channel, as WorkloadNcclThreads() says
 * \return its rule
 */
WorkloadChunking MakeWorkloadChunking(const WorkloadCollective& collective,
                                      uint32_t members,
                                      uint32_t servers,
                                      uint32_t threads);

/** \ingroup workload \return whether a kind is point to point: all-to-all and send-recv */
bool IsWorkloadPointToPoint(WorkloadCollectiveKind kind);

} // namespace ns3

#endif // WORKLOAD_COLLECTIVE_PROTOCOL_H

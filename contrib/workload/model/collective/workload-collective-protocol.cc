/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-collective-protocol.h"

#include "workload-collective-tuning.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr uint32_t STEPS = 8; // of a buffer
constexpr uint64_t SIMPLE_STEP = (4U << 20) / STEPS;
constexpr uint64_t LL_STEP = (512U << 10) / STEPS;
constexpr uint64_t LL128_STEP = 4915200 / STEPS;
constexpr uint64_t NETWORK_STEP = 128U << 10; // point to point
constexpr uint32_t WARP = 32;                 // threads

/** \return whether a chunk takes several steps of the buffer */
bool
HasLongChunks(const WorkloadCollective& collective)
{
    return collective.protocol == WorkloadProtocol::SIMPLE &&
           collective.algorithm == WorkloadCollectiveAlgorithm::RING &&
           (collective.kind == WorkloadCollectiveKind::ALL_REDUCE ||
            collective.kind == WorkloadCollectiveKind::ALL_GATHER ||
            collective.kind == WorkloadCollectiveKind::REDUCE_SCATTER);
}

/** \return payload of a step of the protocol's buffer */
uint64_t
StepBytes(WorkloadProtocol protocol)
{
    switch (protocol)
    {
    case WorkloadProtocol::LL:
        return LL_STEP / 2;
    case WorkloadProtocol::LL128:
        return LL128_STEP / 16 * 15;
    default:
        return SIMPLE_STEP;
    }
}

/** \return chunk of what one member sends to another one, \p bytes in all */
uint64_t
PointToPointChunk(WorkloadProtocol protocol, uint64_t bytes, uint32_t servers)
{
    const bool network = servers > 1;
    const uint64_t step =
        protocol == WorkloadProtocol::SIMPLE && network ? NETWORK_STEP : StepBytes(protocol);
    if (network && protocol == WorkloadProtocol::SIMPLE && bytes < step)
    {
        return step / 4;
    }
    return network && bytes < STEPS * step ? step / 2 : step;
}

/** NCCL shortens the chunks of LL128 trees, so that there are enough of them to fill the tree. */
uint64_t
Ll128TreeChunk(uint64_t chunk, uint64_t bytesPerChannel, uint32_t members, uint32_t servers)
{
    constexpr uint64_t LONG = 131072;
    constexpr uint64_t SHORT = 32768;
    const double perServer = static_cast<double>(members) / servers;
    const double hops = 1 + WorkloadFloorLog2(servers) + 0.1 * perServer;
    const auto few = [&](double chunksPerHop) {
        const uint64_t chunks = bytesPerChannel / chunk; // whole ones
        return static_cast<double>(chunks) < hops * chunksPerHop / perServer;
    };
    while (few(64) && chunk > LONG)
    {
        chunk /= 2;
    }
    while (few(16) && chunk > SHORT)
    {
        chunk /= 2;
    }
    return chunk;
}

/** \return what channels and last chunks are multiples of, before rounding to elements */
uint64_t
Alignment(WorkloadProtocol protocol, uint32_t threads)
{
    switch (protocol)
    {
    case WorkloadProtocol::LL:
        return uint64_t{8} * threads;
    case WorkloadProtocol::LL128:
        return uint64_t{480} * (threads / WARP);
    default:
        return 4096;
    }
}

WorkloadChunking
NcclChunking(const WorkloadCollective& collective,
             uint32_t members,
             uint32_t servers,
             uint32_t threads)
{
    WorkloadChunking chunking;
    if (IsWorkloadPointToPoint(collective.kind))
    {
        const bool all = collective.kind == WorkloadCollectiveKind::ALL_TO_ALL;
        chunking.chunk = PointToPointChunk(collective.protocol,
                                           all ? collective.bytes / members : collective.bytes,
                                           servers);
        return chunking;
    }
    chunking.chunk = StepBytes(collective.protocol);
    chunking.align = Alignment(collective.protocol, threads);
    if (HasLongChunks(collective))
    {
        constexpr uint32_t CHUNK_STEPS = STEPS / 2;
        constexpr uint32_t SLICE_STEPS = STEPS / 4;
        chunking.chunk *= CHUNK_STEPS;
        chunking.slices = CHUNK_STEPS / SLICE_STEPS;
        chunking.leastSlice = SIMPLE_STEP * SLICE_STEPS / 32;
    }
    if (collective.algorithm != WorkloadCollectiveAlgorithm::RING &&
        collective.protocol == WorkloadProtocol::LL128)
    {
        chunking.chunk = Ll128TreeChunk(chunking.chunk,
                                        collective.bytes / collective.channels,
                                        members,
                                        servers);
    }
    return chunking;
}

/** \return bytes rounded down to whole elements, one at least */
uint64_t
WholeElements(uint64_t bytes, uint32_t elementBytes)
{
    return std::max<uint64_t>(bytes / elementBytes, 1) * elementBytes;
}

} // namespace

bool
IsWorkloadPointToPoint(WorkloadCollectiveKind kind)
{
    return kind == WorkloadCollectiveKind::ALL_TO_ALL || kind == WorkloadCollectiveKind::SEND_RECV;
}

uint64_t
WorkloadWireBytes(WorkloadProtocol protocol, uint64_t payload)
{
    switch (protocol)
    {
    case WorkloadProtocol::LL:
        return (payload / 8 + (payload % 8 != 0)) * 16;
    case WorkloadProtocol::LL128:
        return (payload / 120 + (payload % 120 != 0)) * 128;
    default:
        return payload;
    }
}

WorkloadChunking
MakeWorkloadChunking(const WorkloadCollective& collective,
                     uint32_t members,
                     uint32_t servers,
                     uint32_t threads)
{
    const bool nccl = collective.chunkBytes == WORKLOAD_NCCL_CHUNKS;
    WorkloadChunking chunking;
    if (nccl)
    {
        chunking = NcclChunking(collective, members, servers, threads);
        chunking.align =
            chunking.align ? WholeElements(chunking.align, collective.elementBytes) : 0;
    }
    else
    {
        chunking.chunk = collective.chunkBytes;
    }
    if (chunking.chunk != 0)
    {
        chunking.chunk = WholeElements(chunking.chunk, collective.elementBytes);
    }
    // Without NCCL's chunks a message of a long chunk's ring still stands for a slice of 2 steps.
    chunking.window = collective.window != WORKLOAD_NCCL_WINDOW ? collective.window
                      : HasLongChunks(collective)               ? STEPS / 2
                                                                : STEPS;
    return chunking;
}

} // namespace ns3

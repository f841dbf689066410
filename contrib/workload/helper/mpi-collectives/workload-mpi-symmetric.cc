/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Algorithms of collectives in which all members do the same.
 */

#include "workload-mpi-algorithms.h"
#include "workload-mpi-mapped-part.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

/** \return bytes of \p count blocks from \p first on, the first one following the last */
uint64_t
BytesFrom(const WorkloadMpiBlocks& blocks, uint32_t first, uint32_t count)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        bytes += blocks[(first + uint64_t(i)) % blocks.size()];
    }
    return bytes;
}

} // namespace

uint64_t
WorkloadMpiSum(const WorkloadMpiBlocks& blocks)
{
    return std::accumulate(blocks.begin(), blocks.end(), uint64_t(0));
}

WorkloadMpiBlocks
ShareWorkloadMpiBytes(uint64_t bytes, uint64_t element, uint32_t size)
{
    const uint64_t count = bytes / element;
    WorkloadMpiBlocks blocks(size, count / size * element);
    for (uint64_t i = 0; i < count % size; ++i)
    {
        blocks[i] += element;
    }
    return blocks;
}

void
AddWorkloadMpiRecursiveDoubling(WorkloadMpiPart& part, uint64_t bytes)
{
    WorkloadMpiFoldedPart folded(part, 1);
    if (folded.Fold(bytes))
    {
        for (uint32_t distance = 1; distance < folded.GetSize(); distance *= 2)
        {
            const uint32_t other = folded.GetRank() ^ distance;
            folded.Exchange(other, bytes, other, bytes);
        }
    }
    folded.Unfold(bytes);
}

void
AddWorkloadMpiDoublingBarrier(WorkloadMpiPart& part)
{
    const uint32_t rank = part.GetRank();
    const uint32_t power = WorkloadMpiPowerBelow(part.GetSize());
    const uint32_t rest = part.GetSize() - power;
    if (rank >= power)
    {
        part.Exchange(rank - power, 0, rank - power, 0);
        return;
    }
    if (rank < rest)
    {
        part.Receive(rank + power, 0);
        part.Next();
    }
    for (uint32_t distance = 1; distance < power; distance *= 2)
    {
        part.Exchange(rank ^ distance, 0, rank ^ distance, 0);
    }
    if (rank < rest)
    {
        part.Send(rank + power, 0);
        part.Next();
    }
}

void
AddWorkloadMpiDissemination(WorkloadMpiPart& part)
{
    const uint64_t size = part.GetSize();
    for (uint64_t distance = 1; distance < size; distance *= 2)
    {
        part.Exchange(static_cast<uint32_t>((part.GetRank() + distance) % size),
                      0,
                      static_cast<uint32_t>((part.GetRank() + size - distance) % size),
                      0);
    }
}

void
AddWorkloadMpiRingReduceScatter(WorkloadMpiPart& part,
                                const WorkloadMpiBlocks& blocks,
                                uint64_t segment,
                                uint32_t behind)
{
    const uint32_t size = part.GetSize();
    const uint32_t rank = part.GetRank();
    const uint64_t most = *std::max_element(blocks.begin(), blocks.end());
    const uint64_t phases =
        segment == 0 ? 1 : std::max<uint64_t>(1, (most + segment - 1) / segment);
    const auto bytesOf = [&](uint64_t block, uint64_t phase) {
        const uint64_t all = blocks[block % size];
        return segment == 0 ? all : std::min(segment, all - std::min(all, phase * segment));
    };
    for (uint64_t phase = 0; phase < phases; ++phase)
    {
        for (uint32_t step = 0; step + 1 < size; ++step)
        {
            // a block goes round until it is where it belongs
            const uint64_t sent = uint64_t(rank) + 2 * uint64_t(size) - behind - step;
            part.Exchange((rank + 1) % size,
                          bytesOf(sent, phase),
                          (rank + size - 1) % size,
                          bytesOf(sent - 1, phase));
        }
    }
}

void
AddWorkloadMpiRingAllGather(WorkloadMpiPart& part,
                            const WorkloadMpiBlocks& blocks,
                            uint32_t ahead,
                            uint64_t segment)
{
    const uint32_t size = part.GetSize();
    const uint32_t rank = part.GetRank();
    for (uint32_t step = 0; step + 1 < size; ++step)
    {
        const uint64_t number = uint64_t(rank) + size + ahead - step;
        uint64_t sent = blocks[number % size];
        uint64_t received = blocks[(number - 1) % size];
        const uint64_t most = segment > 0 ? segment : std::max(sent, received);
        // each side in as many messages as its block takes, an empty one in one
        for (bool first = true; first || sent > 0 || received > 0; first = false)
        {
            if (first || received > 0)
            {
                part.Receive((rank + size - 1) % size, std::min(received, most));
            }
            if (first || sent > 0)
            {
                part.Send((rank + 1) % size, std::min(sent, most));
            }
            part.Next();
            sent -= std::min(sent, most);
            received -= std::min(received, most);
        }
    }
}

void
AddWorkloadMpiBruckAllGather(WorkloadMpiPart& part, const WorkloadMpiBlocks& blocks)
{
    const uint32_t size = part.GetSize();
    const uint32_t rank = part.GetRank();
    for (uint64_t distance = 1; distance < size; distance *= 2)
    {
        const auto count = static_cast<uint32_t>(std::min(distance, size - distance));
        const auto to = static_cast<uint32_t>((rank + size - distance) % size);
        const auto from = static_cast<uint32_t>((rank + distance) % size);
        part.Exchange(to, BytesFrom(blocks, rank, count), from, BytesFrom(blocks, from, count));
    }
}

void
AddWorkloadMpiNeighborExchange(WorkloadMpiPart& part, const WorkloadMpiBlocks& blocks)
{
    const uint32_t size = part.GetSize();
    const uint32_t rank = part.GetRank();
    const bool even = rank % 2 == 0;
    const uint32_t next = (rank + 1) % size;
    const uint32_t before = (rank + size - 1) % size;
    const uint32_t neighbors[] = {even ? next : before, even ? before : next};
    // Pairs of blocks wander, one way from even members, the other way from odd ones.
    const uint32_t ways[] = {even ? 2 : size - 2, even ? size - 2 : 2};
    uint32_t comes[] = {even ? rank : before, even ? rank : before};
    part.Exchange(neighbors[0], blocks[rank], neighbors[0], blocks[neighbors[0]]);
    uint32_t sent = even ? rank : before;
    for (uint32_t step = 1; step < size / 2; ++step)
    {
        const uint32_t way = step % 2;
        comes[way] = (comes[way] + ways[way]) % size;
        part.Exchange(neighbors[way],
                      BytesFrom(blocks, sent, 2),
                      neighbors[way],
                      BytesFrom(blocks, comes[way], 2));
        sent = comes[way];
    }
}

void
AddWorkloadMpiPairwise(WorkloadMpiPart& part,
                       const WorkloadMpiBlocks& sends,
                       const WorkloadMpiBlocks& receives)
{
    const uint32_t size = part.GetSize();
    for (uint32_t step = 1; step < size; ++step)
    {
        const auto to = static_cast<uint32_t>((uint64_t(part.GetRank()) + step) % size);
        const uint32_t from = (part.GetRank() + size - step) % size;
        part.Exchange(to, sends[to], from, receives[from]);
    }
}

void
AddWorkloadMpiDirect(WorkloadMpiPart& part,
                     const WorkloadMpiBlocks& sends,
                     const WorkloadMpiBlocks& receives,
                     bool skip)
{
    const uint32_t size = part.GetSize();
    for (uint32_t step = 1; step < size; ++step)
    {
        const auto from = static_cast<uint32_t>((uint64_t(part.GetRank()) + step) % size);
        if (!skip || receives[from] > 0)
        {
            part.Receive(from, receives[from]);
        }
    }
    for (uint32_t step = 1; step < size; ++step)
    {
        const uint32_t to = (part.GetRank() + size - step) % size;
        if (!skip || sends[to] > 0)
        {
            part.Send(to, sends[to]);
        }
    }
    part.Next();
}

void
AddWorkloadMpiBruckAllToAll(WorkloadMpiPart& part, uint64_t block)
{
    const uint64_t size = part.GetSize();
    for (uint64_t distance = 1; distance < size; distance *= 2)
    {
        uint64_t blocks = 0;
        for (uint64_t i = 1; i < size; ++i)
        {
            blocks += i & distance ? 1 : 0;
        }
        part.Exchange(static_cast<uint32_t>((part.GetRank() + distance) % size),
                      blocks * block,
                      static_cast<uint32_t>((part.GetRank() + size - distance) % size),
                      blocks * block);
    }
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Algorithms of collectives that halve or double at each step what pairs of members exchange.
 */

#include "workload-mpi-algorithms.h"
#include "workload-mpi-mapped-part.h"

#include <functional>

namespace ns3
{

namespace
{

/** What a member keeps, and gives to its partner, of what it had before a step; bytes. */
struct Halves
{
    uint64_t kept;
    uint64_t given;
};

/** \return by step: the halves of member \p number of \p power ones, whose partners are at
 * distances 1, 2, 4... \param element bytes, not 0 */
std::vector<Halves>
HalvesOf(uint32_t number, uint32_t power, uint64_t bytes, uint64_t element)
{
    std::vector<Halves> halves;
    uint64_t count = bytes / element;
    for (uint32_t distance = 1; distance < power; distance *= 2)
    {
        const uint64_t first = count / 2;
        const uint64_t kept = number & distance ? count - first : first;
        halves.push_back({kept * element, (count - kept) * element});
        count = kept;
    }
    return halves;
}

/** A reduce-scatter of a power of two of members: distances 1, 2, 4... */
void
AddHalving(WorkloadMpiPart& part, const std::vector<Halves>& halves)
{
    uint32_t other = 1;
    for (const Halves& step : halves)
    {
        const uint32_t to = part.GetRank() ^ other;
        part.Exchange(to, step.given, to, step.kept);
        other *= 2;
    }
}

/** \return \p n, its \p power's bits in the other order */
uint32_t
Mirrored(uint32_t n, uint32_t power)
{
    uint32_t mirrored = 0;
    for (uint32_t bit = 1; bit < power; bit *= 2)
    {
        mirrored = 2 * mirrored + (n & bit ? 1 : 0);
    }
    return mirrored;
}

/** Bytes of messages that concern the blocks of some members: the first one, and how many. */
using BytesOfBlocks = std::function<uint64_t(uint32_t first, uint32_t count)>;

/**
 * Pairs at distances 1, 2, 4... exchange what concerns the groups of members that each of them
 * stands for. Where a group of the second ones lacks members, those of the first group that have no
 * partner hear from others of their group.
 */
void
AddDoubling(WorkloadMpiPart& part, const BytesOfBlocks& bytesOf)
{
    const uint32_t size = part.GetSize();
    const uint32_t rank = part.GetRank();
    for (uint32_t distance = 1; distance < size; distance *= 2)
    {
        const uint32_t other = rank ^ distance;
        const uint32_t own = rank / distance * distance;
        const uint32_t its = other / distance * distance;
        if (other < size)
        {
            part.Exchange(other, bytesOf(own, distance), other, bytesOf(its, distance));
        }
        if (its < size && its + distance <= size)
        {
            continue;
        }
        // as many of the own group have a partner
        const uint32_t partners = its < size ? size - its : 0;
        for (uint32_t step = distance / 2; step > 0; step /= 2)
        {
            const uint32_t next = rank ^ step;
            const uint32_t border = rank / (2 * step) * (2 * step) + partners;
            if (rank < next && rank < border && next >= border)
            {
                part.Send(next, bytesOf(its, distance));
                part.Next();
            }
            else if (next < rank && next < border && rank >= border)
            {
                part.Receive(next, bytesOf(its, distance));
                part.Next();
            }
        }
    }
}

/** \return what AddDoubling() takes for blocks; those of members that are not there are empty */
BytesOfBlocks
BlocksThere(const WorkloadMpiBlocks& blocks)
{
    return [&blocks](uint32_t first, uint32_t count) {
        uint64_t bytes = 0;
        for (uint64_t i = first; i < uint64_t(first) + count && i < blocks.size(); ++i)
        {
            bytes += blocks[i];
        }
        return bytes;
    };
}

} // namespace

void
AddWorkloadMpiDoublingAllGather(WorkloadMpiPart& part, const WorkloadMpiBlocks& blocks)
{
    AddDoubling(part, BlocksThere(blocks));
}

void
AddWorkloadMpiDoublingReduceScatter(WorkloadMpiPart& part, const WorkloadMpiBlocks& blocks)
{
    const uint64_t all = WorkloadMpiSum(blocks);
    AddDoubling(part, [&, there = BlocksThere(blocks)](uint32_t first, uint32_t count) {
        return all - there(first, count);
    });
}

void
AddWorkloadMpiRecursiveHalving(WorkloadMpiPart& part, const WorkloadMpiBlocks& blocks)
{
    WorkloadMpiFoldedPart folded(part, 1);
    const uint64_t ofFirst = blocks[part.GetRank() & ~1U]; // of a pair
    if (folded.Fold(WorkloadMpiSum(blocks)))
    {
        const WorkloadMpiBlocks joined = folded.BlocksOf(blocks);
        const BytesOfBlocks bytesOf = BlocksThere(joined);
        const uint32_t number = folded.GetRank();
        for (uint32_t half = folded.GetSize() / 2; half > 0; half /= 2)
        {
            const uint32_t kept = number / half * half;
            const uint64_t received = bytesOf(kept, half);
            const uint64_t sent = bytesOf(kept ^ half, half);
            if (received > 0)
            {
                folded.Receive(number ^ half, received);
            }
            if (sent > 0)
            {
                folded.Send(number ^ half, sent);
            }
            folded.Next();
        }
    }
    if (ofFirst > 0)
    {
        folded.Unfold(ofFirst);
    }
}

void
AddWorkloadMpiButterfly(WorkloadMpiPart& part, const WorkloadMpiBlocks& blocks, bool sorted)
{
    WorkloadMpiFoldedPart folded(part, 1);
    const uint32_t rank = part.GetRank();
    const uint32_t power = folded.GetSize();
    const uint32_t pairs = part.GetSize() - power;
    const auto memberOf = [&](uint32_t number) {
        return number < pairs ? 2 * number + 1 : number + pairs;
    };
    const uint32_t number = folded.GetRank();
    const uint32_t mirrored = Mirrored(number, power);
    if (!folded.Fold(WorkloadMpiSum(blocks)))
    {
        part.Receive(memberOf(mirrored), blocks[rank]);
        part.Next();
        return;
    }
    const WorkloadMpiBlocks joined = folded.BlocksOf(blocks);
    const BytesOfBlocks bytesOf = BlocksThere(joined);
    uint32_t first = 0;
    uint32_t half = power / 2;
    for (uint32_t distance = 1; distance < power; distance *= 2)
    {
        const uint32_t kept = first + (number & distance ? half : 0);
        const uint32_t given = first + (number & distance ? 0 : half);
        const uint32_t other = number ^ distance;
        folded.Exchange(other, bytesOf(given, half), other, bytesOf(kept, half));
        first = kept;
        half /= 2;
    }
    // the block that it now has is that of the member of the mirrored number
    if (mirrored < pairs)
    {
        part.Send(2 * mirrored, blocks[2 * size_t(mirrored)]);
        part.Next();
    }
    if (mirrored != number && !sorted)
    {
        const uint32_t other = memberOf(mirrored);
        part.Exchange(other, blocks[other], other, blocks[rank]);
    }
}

void
AddWorkloadMpiRabenseifnerAllReduce(WorkloadMpiPart& part, uint64_t bytes, uint64_t element)
{
    WorkloadMpiFoldedPart folded(part, 0);
    const uint64_t left = bytes / element / 2 * element;
    if (folded.FoldByHalves(left, bytes - left))
    {
        const std::vector<Halves> halves =
            HalvesOf(folded.GetRank(), folded.GetSize(), bytes, element);
        AddHalving(folded, halves);
        for (size_t step = halves.size(); step-- > 0;)
        {
            const uint32_t other = folded.GetRank() ^ (1U << step);
            folded.Exchange(other, halves[step].kept, other, halves[step].given);
        }
    }
    folded.Unfold(bytes);
}

void
AddWorkloadMpiRabenseifnerReduce(WorkloadMpiPart& part,
                                 uint32_t root,
                                 uint64_t bytes,
                                 uint64_t element)
{
    const uint32_t rank = part.GetRank();
    WorkloadMpiFoldedPart folded(part, 0);
    const uint32_t power = folded.GetSize();
    const uint64_t left = bytes / element / 2 * element;
    const bool stays = folded.FoldByHalves(left, bytes - left);
    if (stays)
    {
        AddHalving(folded, HalvesOf(folded.GetRank(), power, bytes, element));
    }
    // a root that has joined takes the place, and the block, of member 0
    const bool replaces = folded.HasJoined(root);
    if (replaces && (rank == root || rank == 0))
    {
        const uint64_t block = HalvesOf(0, power, bytes, element).back().kept;
        rank == root ? part.Receive(0, block) : part.Send(root, block);
        part.Next();
    }
    const bool gathers = replaces ? rank == root || (stays && rank != 0) : stays;
    if (!gathers)
    {
        return;
    }
    WorkloadMpiFoldedPart gathered(part, 0, replaces ? root : 0);
    const uint32_t top = replaces ? 0 : WorkloadMpiFoldedPart::NumberOf(root, part.GetSize());
    const std::vector<Halves> halves = HalvesOf(gathered.GetRank(), power, bytes, element);
    for (size_t step = halves.size(); step-- > 0;)
    {
        const uint32_t other = gathered.GetRank() ^ (1U << step);
        const bool sends = other >> step == top >> step;
        sends ? gathered.Send(other, halves[step].kept)
              : gathered.Receive(other, halves[step].given);
        gathered.Next();
        if (sends)
        {
            return;
        }
    }
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Algorithms of collectives from or to one member, other than those that only follow a tree.
 */

#include "workload-mpi-mapped-part.h"
#include "workload-mpi-trees.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

/** Sends what is not empty. */
void
SendSome(WorkloadMpiPart& part, uint32_t to, uint64_t bytes)
{
    if (bytes > 0)
    {
        part.Send(to, bytes);
    }
}

/** Receives what is not empty. */
void
ReceiveSome(WorkloadMpiPart& part, uint32_t from, uint64_t bytes)
{
    if (bytes > 0)
    {
        part.Receive(from, bytes);
    }
}

} // namespace

void
AddWorkloadMpiLinearGather(WorkloadMpiPart& part,
                           uint32_t root,
                           uint64_t own,
                           const WorkloadMpiBlocks& blocks)
{
    if (part.GetRank() != root)
    {
        SendSome(part, root, own);
        part.Next();
        return;
    }
    for (uint32_t from = 0; from < part.GetSize(); ++from)
    {
        if (from != root)
        {
            ReceiveSome(part, from, blocks[from]);
            part.Next();
        }
    }
}

void
AddWorkloadMpiLinearScatter(WorkloadMpiPart& part,
                            uint32_t root,
                            uint64_t own,
                            const WorkloadMpiBlocks& blocks,
                            bool atOnce)
{
    if (part.GetRank() != root)
    {
        ReceiveSome(part, root, own);
        part.Next();
        return;
    }
    for (uint32_t to = 0; to < part.GetSize(); ++to)
    {
        if (to != root)
        {
            SendSome(part, to, blocks[to]);
        }
        if (!atOnce)
        {
            part.Next();
        }
    }
    part.Next();
}

void
AddWorkloadMpiSynchronousGather(WorkloadMpiPart& part, uint32_t root, uint64_t block)
{
    if (part.GetRank() != root)
    {
        part.Receive(root, 0);
        part.Next();
        part.Send(root, block);
        part.Next();
        part.Send(root, 0);
        part.Next();
        return;
    }
    for (uint32_t from = 0; from < part.GetSize(); ++from)
    {
        if (from != root)
        {
            part.Exchange(from, 0, from, block);
        }
    }
    for (uint32_t from = 0; from < part.GetSize(); ++from)
    {
        if (from != root)
        {
            part.Receive(from, 0);
        }
    }
    part.Next();
}

namespace
{

/** \return members at and below number \p child, which hangs below \p n in an IN_ORDER tree */
uint64_t
MembersBelow(uint32_t n, uint32_t child, uint32_t size)
{
    return std::min(child - n, size - child);
}

/** \return members at and below number \p n of an IN_ORDER tree */
uint64_t
MembersFrom(uint32_t n, uint32_t size)
{
    return std::min(n & (~n + 1), size - n);
}

} // namespace

void
AddWorkloadMpiBinomialGather(WorkloadMpiPart& part, uint32_t root, uint64_t block)
{
    const uint32_t size = part.GetSize();
    const uint32_t n = (part.GetRank() + size - root) % size;
    const WorkloadMpiPlace place = WorkloadMpiPlaceOf(part, WorkloadMpiTree::IN_ORDER, root);
    for (const uint32_t child : place.children)
    {
        part.Receive(child, block * MembersBelow(n, (child + size - root) % size, size));
        part.Next();
    }
    if (!place.top)
    {
        part.Send(place.parent, block * MembersFrom(n, size));
        part.Next();
    }
}

void
AddWorkloadMpiBinomialScatter(WorkloadMpiPart& part, uint32_t root, const WorkloadMpiBlocks& blocks)
{
    const uint32_t size = part.GetSize();
    const uint32_t n = (part.GetRank() + size - root) % size;
    const WorkloadMpiPlace place = WorkloadMpiPlaceOf(part, WorkloadMpiTree::IN_ORDER, root);
    const auto bytesOf = [&](uint32_t first, uint64_t count) {
        const auto begin = blocks.begin() + first;
        return std::accumulate(begin, begin + static_cast<int64_t>(count), uint64_t(0));
    };
    if (!place.top)
    {
        ReceiveSome(part, place.parent, bytesOf(n, MembersFrom(n, size)));
        part.Next();
    }
    for (auto child = place.children.rbegin(); child != place.children.rend(); ++child)
    {
        const uint32_t first = (*child + size - root) % size;
        SendSome(part, *child, bytesOf(first, MembersBelow(n, first, size)));
        part.Next();
    }
}

void
AddWorkloadMpiScatterAllGather(WorkloadMpiPart& part,
                               uint32_t root,
                               uint64_t bytes,
                               uint64_t element,
                               bool ring)
{
    const uint32_t size = part.GetSize();
    const uint64_t count = bytes / element;
    const uint64_t share = (count / size + (count % size ? 1 : 0)) * element;
    WorkloadMpiBlocks blocks(size);
    for (uint32_t i = 0; i < size; ++i)
    {
        blocks[i] = std::min(share, bytes - std::min(bytes, i * share));
    }
    WorkloadMpiShiftedPart shifted(part, root);
    AddWorkloadMpiBinomialScatter(shifted, 0, blocks);
    ring ? AddWorkloadMpiRingAllGather(shifted, blocks, 0)
         : AddWorkloadMpiDoublingAllGather(shifted, blocks);
}

void
AddWorkloadMpiScan(WorkloadMpiPart& part, uint64_t bytes)
{
    if (part.GetRank() > 0)
    {
        part.Receive(part.GetRank() - 1, bytes);
        part.Next();
    }
    if (part.GetRank() + 1 < part.GetSize())
    {
        part.Send(part.GetRank() + 1, bytes);
        part.Next();
    }
}

} // namespace ns3

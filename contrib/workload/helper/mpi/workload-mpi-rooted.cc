/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Algorithms of collectives from or to one member.
 */

#include "workload-mpi-algorithms.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** Whom a member sends to and receives from, by their ranks in the communicator. */
struct Place
{
    bool top{true}; //!< it is the root
    uint32_t parent{0};
    std::vector<uint32_t> children;
};

/** \return the member's number, counted from the root */
uint32_t
FromRoot(const WorkloadMpiPart& part, uint32_t root)
{
    return (part.GetRank() + part.GetSize() - root) % part.GetSize();
}

/** \return members of the level of number \p n in a binary tree that is filled level by level */
uint32_t
LevelOf(uint32_t n)
{
    uint32_t level = 1;
    while (n + 1 >= 2 * level)
    {
        level *= 2;
    }
    return level;
}

/** \return the member's number above, and those below, counted from the root */
Place
NumbersAround(uint32_t n, uint32_t size, WorkloadMpiTree tree)
{
    Place place{n == 0, 0, {}};
    const auto below = [&](uint64_t child) {
        if (child < size)
        {
            place.children.push_back(static_cast<uint32_t>(child));
        }
    };
    switch (tree)
    {
    case WorkloadMpiTree::LINEAR:
        for (uint32_t child = 1; n == 0 && child < size; ++child)
        {
            below(child);
        }
        break;
    case WorkloadMpiTree::CHAIN:
        place.parent = n - 1;
        below(uint64_t(n) + 1);
        break;
    case WorkloadMpiTree::BINARY: {
        const uint64_t level = LevelOf(n);
        below(n + level);
        below(n + 2 * level);
        if (n > 0)
        {
            // the level above has half as many, and begins half as late
            const auto above = static_cast<uint32_t>(level / 2);
            const uint32_t child = n - (2 * above - 1);
            place.parent = above - 1 + child % above;
        }
        break;
    }
    case WorkloadMpiTree::BINOMIAL: {
        uint64_t bit = 1;
        for (; bit <= n; bit *= 2)
        {
            place.parent = n - static_cast<uint32_t>(bit);
        }
        for (; n + bit < size; bit *= 2)
        {
            below(n + bit);
        }
        break;
    }
    case WorkloadMpiTree::IN_ORDER:
        for (uint64_t bit = 1; bit < size; bit *= 2)
        {
            if (n & bit)
            {
                place.parent = n - static_cast<uint32_t>(bit);
                break;
            }
            below(n + bit);
        }
        break;
    }
    return place;
}

Place
PlaceOf(const WorkloadMpiPart& part, WorkloadMpiTree tree, uint32_t root)
{
    Place place = NumbersAround(FromRoot(part, root), part.GetSize(), tree);
    const auto rankOf = [&](uint32_t n) { return (n + root) % part.GetSize(); };
    place.parent = rankOf(place.parent);
    std::transform(place.children.begin(), place.children.end(), place.children.begin(), rankOf);
    return place;
}

/** \return segments of a message, at least 1 */
uint64_t
SegmentsOf(uint64_t bytes, uint64_t segment)
{
    return segment == 0 || bytes == 0 ? 1 : (bytes + segment - 1) / segment;
}

/** \return bytes of segment \p index */
uint64_t
SegmentBytes(uint64_t bytes, uint64_t segment, uint64_t index)
{
    return segment == 0 ? bytes : std::min(segment, bytes - index * segment);
}

} // namespace

void
AddWorkloadMpiBroadcast(WorkloadMpiPart& part,
                        WorkloadMpiTree tree,
                        uint32_t root,
                        uint64_t bytes,
                        uint64_t segment)
{
    const Place place = PlaceOf(part, tree, root);
    const uint64_t segments = SegmentsOf(bytes, segment);
    // while a segment goes down, the next one comes
    for (uint64_t i = 0; i <= segments; ++i)
    {
        if (i < segments && !place.top)
        {
            part.Receive(place.parent, SegmentBytes(bytes, segment, i));
        }
        for (const uint32_t child : place.children)
        {
            if (i > 0)
            {
                part.Send(child, SegmentBytes(bytes, segment, i - 1));
            }
        }
        part.Next();
    }
}

void
AddWorkloadMpiReduction(WorkloadMpiPart& part,
                        WorkloadMpiTree tree,
                        uint32_t root,
                        uint64_t bytes,
                        uint64_t segment)
{
    const Place place = PlaceOf(part, tree, root);
    const uint64_t segments = SegmentsOf(bytes, segment);
    for (uint64_t i = 0; i <= segments; ++i)
    {
        for (const uint32_t child : place.children)
        {
            if (i < segments)
            {
                part.Receive(child, SegmentBytes(bytes, segment, i));
            }
        }
        if (i > 0 && !place.top)
        {
            part.Send(place.parent, SegmentBytes(bytes, segment, i - 1));
        }
        part.Next();
    }
}

void
AddWorkloadMpiSplitBinary(WorkloadMpiPart& part, uint32_t root, uint64_t bytes, uint64_t segment)
{
    const uint32_t n = FromRoot(part, root);
    const uint32_t size = part.GetSize();
    const Place place = PlaceOf(part, WorkloadMpiTree::BINARY, root);
    // odd numbers hang on the left, even ones on the right
    const uint64_t halves[] = {(bytes + 1) / 2, bytes / 2};
    const auto sideOf = [&](uint32_t number) { return number % 2 == 1 ? 0 : 1; };
    const uint64_t most = SegmentsOf(halves[0], segment);
    for (uint64_t i = 0; i <= most; ++i)
    {
        if (n > 0 && i < SegmentsOf(halves[sideOf(n)], segment))
        {
            part.Receive(place.parent, SegmentBytes(halves[sideOf(n)], segment, i));
        }
        for (const uint32_t child : place.children)
        {
            const uint64_t half = halves[sideOf((child + size - root) % size)];
            if (i > 0 && i <= SegmentsOf(half, segment))
            {
                part.Send(child, SegmentBytes(half, segment, i - 1));
            }
        }
        part.Next();
    }
    const bool alone = size % 2 == 0; // the last one, which the root helps
    const auto rankOf = [&](uint32_t number) { return (number + root) % size; };
    if (n == 0 && alone)
    {
        part.Send(rankOf(size - 1), halves[1]);
    }
    else if (n == size - 1 && alone)
    {
        part.Receive(root, halves[1]);
    }
    else if (n > 0)
    {
        const uint32_t pair = rankOf(n % 2 == 1 ? n + 1 : n - 1);
        part.Receive(pair, halves[1 - sideOf(n)]);
        part.Send(pair, halves[sideOf(n)]);
    }
    part.Next();
}

void
AddWorkloadMpiLinearGather(WorkloadMpiPart& part,
                           uint32_t root,
                           uint64_t own,
                           const WorkloadMpiBlocks& blocks)
{
    if (part.GetRank() != root)
    {
        part.Send(root, own);
        part.Next();
        return;
    }
    for (uint32_t from = 0; from < part.GetSize(); ++from)
    {
        if (from != root)
        {
            part.Receive(from, blocks[from]);
            part.Next();
        }
    }
}

void
AddWorkloadMpiLinearScatter(WorkloadMpiPart& part,
                            uint32_t root,
                            uint64_t own,
                            const WorkloadMpiBlocks& blocks)
{
    if (part.GetRank() != root)
    {
        part.Receive(root, own);
        part.Next();
        return;
    }
    for (uint32_t to = 0; to < part.GetSize(); ++to)
    {
        if (to != root)
        {
            part.Send(to, blocks[to]);
            part.Next();
        }
    }
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
    const uint32_t n = FromRoot(part, root);
    const uint32_t size = part.GetSize();
    const Place place = PlaceOf(part, WorkloadMpiTree::IN_ORDER, root);
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
AddWorkloadMpiBinomialScatter(WorkloadMpiPart& part, uint32_t root, uint64_t block)
{
    const uint32_t n = FromRoot(part, root);
    const uint32_t size = part.GetSize();
    const Place place = PlaceOf(part, WorkloadMpiTree::IN_ORDER, root);
    if (!place.top)
    {
        part.Receive(place.parent, block * MembersFrom(n, size));
        part.Next();
    }
    for (auto child = place.children.rbegin(); child != place.children.rend(); ++child)
    {
        part.Send(*child, block * MembersBelow(n, (*child + size - root) % size, size));
        part.Next();
    }
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

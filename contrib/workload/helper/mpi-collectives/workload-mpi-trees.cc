/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-mpi-trees.h"

#include <algorithm>

namespace ns3
{

namespace
{

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

/** \return the place in a tree below the last of \p size members: of those before it, the first
 * half hangs below its own last one, and so does the other half */
WorkloadMpiPlace
InOrderBinary(uint32_t n, uint32_t size)
{
    WorkloadMpiPlace place;
    uint32_t first = 0;
    while (n + 1 != first + size)
    {
        place.top = false;
        place.parent = first + size - 1;
        const uint32_t half = size / 2;
        if (size > 2 && n < first + half)
        {
            size = half;
        }
        else
        {
            first += size > 2 ? half : 0;
            size -= 1 + (size > 2 ? half : 0);
        }
    }
    if (size > 1)
    {
        place.children.push_back(first + size - 2);
    }
    if (size > 2)
    {
        place.children.push_back(first + size / 2 - 1);
    }
    return place;
}

/** \return the member's number above, and those below, counted from the root */
WorkloadMpiPlace
NumbersAround(uint32_t n, uint32_t size, WorkloadMpiTree tree)
{
    WorkloadMpiPlace place{n == 0, 0, {}};
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
    case WorkloadMpiTree::QUATERNARY: {
        // the digits of n to the base 4: the parent lacks the last one that is not 0
        uint64_t unit = 1;
        while (unit < size && n % (4 * unit) == 0)
        {
            unit *= 4;
        }
        place.parent = n - static_cast<uint32_t>(n % (4 * unit));
        for (unit /= 4; unit > 0; unit /= 4)
        {
            below(n + unit);
            below(n + 2 * unit);
            below(n + 3 * unit);
        }
        break;
    }
    case WorkloadMpiTree::IN_ORDER_BINARY:
        place = InOrderBinary(n, size);
        break;
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

WorkloadMpiPlace
WorkloadMpiPlaceOf(const WorkloadMpiPart& part, WorkloadMpiTree tree, uint32_t root)
{
    WorkloadMpiPlace place = NumbersAround(FromRoot(part, root), part.GetSize(), tree);
    const auto rankOf = [&](uint32_t n) { return (n + root) % part.GetSize(); };
    place.parent = rankOf(place.parent);
    std::transform(place.children.begin(), place.children.end(), place.children.begin(), rankOf);
    return place;
}

void
AddWorkloadMpiBroadcast(WorkloadMpiPart& part,
                        WorkloadMpiTree tree,
                        uint32_t root,
                        uint64_t bytes,
                        uint64_t segment)
{
    const WorkloadMpiPlace place = WorkloadMpiPlaceOf(part, tree, root);
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
    const WorkloadMpiPlace place = WorkloadMpiPlaceOf(part, tree, root);
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
AddWorkloadMpiInOrderReduction(WorkloadMpiPart& part, uint32_t root, uint64_t bytes)
{
    const uint32_t last = part.GetSize() - 1;
    AddWorkloadMpiReduction(part, WorkloadMpiTree::IN_ORDER_BINARY, 0, bytes, 0);
    if (root != last && part.GetRank() == last)
    {
        part.Send(root, bytes);
    }
    else if (root != last && part.GetRank() == root)
    {
        part.Receive(last, bytes);
    }
    part.Next();
}

void
AddWorkloadMpiSplitBinary(WorkloadMpiPart& part,
                          uint32_t root,
                          uint64_t bytes,
                          uint64_t element,
                          uint64_t segment)
{
    // odd numbers hang on the left, even ones on the right
    const uint64_t right = element == 0 ? 0 : bytes / element / 2 * element;
    const uint64_t halves[] = {bytes - right, right};
    if (right == 0 || segment > right)
    {
        AddWorkloadMpiBroadcast(part, WorkloadMpiTree::CHAIN, root, bytes, segment);
        return;
    }
    const uint32_t n = FromRoot(part, root);
    const uint32_t size = part.GetSize();
    const WorkloadMpiPlace place = WorkloadMpiPlaceOf(part, WorkloadMpiTree::BINARY, root);
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

} // namespace ns3

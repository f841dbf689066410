/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-chakra-phase.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** \return the logarithm of a power of two */
uint32_t
Log2(uint32_t n)
{
    uint32_t log = 0;
    while ((n >>= 1) != 0)
    {
        ++log;
    }
    return log;
}

/** \return of step \p k of halving and doubling, the level: the distance to the partner is 2^level
 */
uint32_t
Level(const WorkloadChakraPhase& phase, uint64_t k)
{
    const uint32_t levels = Log2(phase.members.count);
    switch (phase.collective)
    {
    case WorkloadChakraCollective::REDUCE_SCATTER:
        return static_cast<uint32_t>(k);
    case WorkloadChakraCollective::ALL_GATHER:
        return static_cast<uint32_t>(levels - 1 - k);
    default:
        return static_cast<uint32_t>(k < levels ? k : 2 * levels - 1 - k);
    }
}

} // namespace

uint64_t
WorkloadChakraPhase::Steps() const
{
    const uint64_t n = members.count;
    const bool both = collective == WorkloadChakraCollective::ALL_REDUCE;
    switch (implementation.algorithm)
    {
    case WorkloadAstraAlgorithm::RING:
        // Each part of an all-to-all goes from neighbour to neighbour: 1 + 2 + ... + (n - 1) hops.
        return collective == WorkloadChakraCollective::ALL_TO_ALL ? n * (n - 1) / 2
                                                                  : (n - 1) * (both ? 2 : 1);
    case WorkloadAstraAlgorithm::DIRECT:
        return (n - 1) * (both ? 2 : 1);
    case WorkloadAstraAlgorithm::HALVING_DOUBLING:
        return uint64_t{Log2(members.count)} * (both ? 2 : 1);
    case WorkloadAstraAlgorithm::DOUBLE_BINARY_TREE:
        break;
    }
    return 0;
}

uint32_t
WorkloadChakraPhase::Window() const
{
    if (implementation.algorithm != WorkloadAstraAlgorithm::DIRECT)
    {
        return 1;
    }
    const uint32_t others = members.count - 1;
    return implementation.window == 0 ? others : std::min(implementation.window, others);
}

uint32_t
WorkloadChakraPhase::To(uint64_t k) const
{
    const uint64_t n = members.count;
    switch (implementation.algorithm)
    {
    case WorkloadAstraAlgorithm::DIRECT: {
        const uint64_t distance = k % (n - 1) + 1;
        return static_cast<uint32_t>((position + (backwards ? n - distance : distance)) % n);
    }
    case WorkloadAstraAlgorithm::HALVING_DOUBLING:
        return position ^ (1U << Level(*this, k));
    default:
        return static_cast<uint32_t>((position + (backwards ? n - 1 : 1)) % n);
    }
}

uint32_t
WorkloadChakraPhase::From(uint64_t k) const
{
    if (implementation.algorithm == WorkloadAstraAlgorithm::HALVING_DOUBLING)
    {
        return To(k);
    }
    const uint64_t n = members.count;
    return static_cast<uint32_t>((2 * uint64_t{position} + n - To(k)) % n);
}

uint64_t
WorkloadChakraPhase::Bytes(uint64_t k) const
{
    const bool gather = collective == WorkloadChakraCollective::ALL_GATHER;
    uint64_t size = gather ? bytes : bytes / members.count;
    if (implementation.algorithm == WorkloadAstraAlgorithm::HALVING_DOUBLING)
    {
        const uint32_t level = Level(*this, k);
        size = gather ? bytes << (Log2(members.count) - 1 - level) : bytes >> (level + 1);
    }
    return std::max<uint64_t>(size, 1);
}

uint64_t
WorkloadChakraPhase::Reduced(uint64_t k) const
{
    switch (collective)
    {
    case WorkloadChakraCollective::REDUCE_SCATTER:
        return Bytes(k);
    case WorkloadChakraCollective::ALL_REDUCE:
        return k < Steps() / 2 ? Bytes(k) : 0;
    default:
        return 0;
    }
}

uint64_t
WorkloadChakraPhase::Gate(uint64_t k) const
{
    const uint64_t half = Steps() / 2;
    return implementation.algorithm == WorkloadAstraAlgorithm::DIRECT &&
                   collective == WorkloadChakraCollective::ALL_REDUCE && k >= half
               ? half
               : 0;
}

uint64_t
WorkloadChakraPhase::Result() const
{
    switch (collective)
    {
    case WorkloadChakraCollective::ALL_GATHER:
        return bytes * members.count;
    case WorkloadChakraCollective::REDUCE_SCATTER:
        return bytes / members.count;
    default:
        return bytes;
    }
}

WorkloadChakraTreePlace
FindWorkloadChakraTreePlace(uint32_t position, uint32_t count, bool last)
{
    // The full part below the root, in order: position p is at the height of the lowest zero of p,
    // as in p = 0 1 2 3 4 5 6: heights 0 1 0 2 0 1 0. The root comes after it, or before.
    const uint32_t root = last ? count - 1 : 0;
    const uint32_t shift = last ? 0 : 1;
    const uint32_t top = count / 2 - 1 + shift;
    const uint32_t nobody = WORKLOAD_CHAKRA_NOBODY;
    if (position == root)
    {
        return {nobody, {top, nobody}};
    }
    const uint32_t p = position - shift;
    uint32_t half = 1; // subtree of p: 2 half - 1 positions
    while ((p & half) != 0)
    {
        half <<= 1;
    }
    WorkloadChakraTreePlace place{root, {nobody, nobody}};
    if (half > 1)
    {
        place.children[0] = p - half / 2 + shift;
        place.children[1] = p + half / 2 + shift;
    }
    if (position != top)
    {
        place.parent = ((p & (2 * half)) != 0 ? p - half : p + half) + shift;
    }
    return place;
}

} // namespace ns3

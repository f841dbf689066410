/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_CHAKRA_PHASE_H
#define WORKLOAD_CHAKRA_PHASE_H

#include "ns3/workload-astra-system.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload The ranks that take part in a phase, in the order of their ring. */
struct WorkloadChakraMembers
{
    const std::vector<uint32_t>* list{nullptr}; ///< of a communicator; null for a dimension
    uint32_t first{0};                          ///< rank of a dimension's first member
    uint32_t stride{1};                         ///< between neighbours of a dimension
    uint32_t count{1};

    /** \return the rank at a position */
    uint32_t Rank(uint32_t position) const
    {
        return list != nullptr ? (*list)[position] : first + position * stride;
    }
};

/**
 * \ingroup workload
 * \brief What one rank does in one dimension for one chunk, as ASTRA-sim's collectives do it.
 *
 * Except for trees, a phase is a row of steps: step k sends Bytes(k) to To(k), and awaits as much
 * from From(k). A step needs a token; there are Window() of them, and one comes free again when
 * what a step awaits is there and reduced. The k-th step of a sender meets the k-th step of the
 * receiver.
 */
struct WorkloadChakraPhase
{
    WorkloadChakraCollective collective{WorkloadChakraCollective::ALL_REDUCE};
    WorkloadAstraImplementation implementation;
    WorkloadChakraMembers members;
    uint32_t position{0}; ///< own, among the members
    uint64_t bytes{0};    ///< all-gather: that each member has at first; else that each has in all
    uint32_t dimension{0};
    bool backwards{false}; ///< sends to the predecessor instead of the successor
    int64_t endpointNs{0}; ///< before a message is sent, and after it is received

    /** \return steps of this rank; none for a tree */
    uint64_t Steps() const;

    /** \return steps that may be under way at once */
    uint32_t Window() const;

    /** \return position that step \p k sends to */
    uint32_t To(uint64_t k) const;

    /** \return position that step \p k receives from */
    uint32_t From(uint64_t k) const;

    /** \return bytes of a message: at least 1, rounded down as upstream does */
    uint64_t Bytes(uint64_t k) const;

    /** \return bytes that are reduced when what step \p k awaits is there */
    uint64_t Reduced(uint64_t k) const;

    /** \return receipts that step \p k waits for, besides a token: the direct all-reduce gathers
     * only what is completely reduced */
    uint64_t Gate(uint64_t k) const;

    /** \return bytes that each member has afterwards */
    uint64_t Result() const;
};

/** \ingroup workload A rank's place in a binary tree; positions, or WORKLOAD_CHAKRA_NOBODY. */
struct WorkloadChakraTreePlace
{
    uint32_t parent;
    uint32_t children[2];
};

/** \ingroup workload No position. */
constexpr uint32_t WORKLOAD_CHAKRA_NOBODY = UINT32_MAX;

/**
 * \ingroup workload
 *
 * The tree's root has one child; below it all levels are full; an in-order walk numbers the
 * positions.
 * \param position less than \p count
 * \param count a power of two, at least 2
 * \param last whether the root is the last position (otherwise the first)
 * \return the place of a position. O(log count)
 */
WorkloadChakraTreePlace FindWorkloadChakraTreePlace(uint32_t position, uint32_t count, bool last);

} // namespace ns3

#endif // WORKLOAD_CHAKRA_PHASE_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_COLLECTIVE_ALGORITHMS_H
#define WORKLOAD_COLLECTIVE_ALGORITHMS_H

#include "workload-collective-member.h"

namespace ns3
{

/**
 * \ingroup workload
 *
 * Adds an all-reduce, reduce-scatter or all-gather by rings, one per channel. In a ring of n, the
 * member at place r sends in step t = 0..n-2 of the reduce-scatter part r-1-t (modulo n) and adds
 * part r-2-t to its own, and in step t of the all-gather sends part r-t and gets part r-1-t. An
 * all-reduce is the one after the other: 2(n-1) steps.
 */
void AddWorkloadRing(WorkloadCollectiveJob& job);

/**
 * \ingroup workload
 *
 * Adds a broadcast or a reduce by chains, one per channel, along the ring: from the root to the
 * member before it, or from the member after the root to the root. n-1 hops, through which the
 * chunks follow each other.
 */
void AddWorkloadChain(WorkloadCollectiveJob& job);

/**
 * \ingroup workload
 *
 * Adds an all-reduce, broadcast or reduce by trees, one per channel: up to the root, down from it,
 * or one after the other, chunk by chunk. Channels of an all-reduce by a double binary tree take
 * the two trees in turn.
 */
void AddWorkloadTree(WorkloadCollectiveJob& job);

/**
 * \ingroup workload
 *
 * Adds an all-to-all: each member sends part j of its vector to member j, all at once, in the order
 * next member first. Its own part stays where it is.
 */
void AddWorkloadAllToAll(WorkloadCollectiveJob& job);

/** \ingroup workload Adds a shift: each member sends its vector to the next one of the ring. */
void AddWorkloadShift(WorkloadCollectiveJob& job);

} // namespace ns3

#endif // WORKLOAD_COLLECTIVE_ALGORITHMS_H

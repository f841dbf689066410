/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_UNMATCHED_H
#define WORKLOAD_UNMATCHED_H

#include "workload-messages.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload Ends of messages that find no other end. */
struct WorkloadUnmatched
{
    uint32_t channel{0}; ///< index into the channels
    uint32_t sends{0};
    uint32_t receives{0};
};

/**
 * \ingroup workload
 * \return channels of which something is left over when as many pairs as possible are made, by
 * destination.
 *
 * Without "any", pairs are made within channels. With it, pairs within channels of one source and
 * one tag come first: an exchange shows that the greatest number of pairs can be made so. What is
 * left of a destination is paired by a maximum flow between its channels (Dinic's algorithm).
 */
std::vector<WorkloadUnmatched> FindWorkloadUnmatched(const WorkloadMessages& messages);

} // namespace ns3

#endif // WORKLOAD_UNMATCHED_H

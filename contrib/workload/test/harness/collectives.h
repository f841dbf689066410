/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_COLLECTIVES_H
#define HARNESS_COLLECTIVES_H

#include "ns3/workload-collective.h"

#include <numeric>
#include <vector>

namespace harness
{

/** \return ranks 0 to \p count - 1 */
inline std::vector<uint32_t>
FirstRanks(uint32_t count)
{
    std::vector<uint32_t> ranks(count);
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

/** \return the schedule of one collective of the first \p members ranks */
inline ns3::WorkloadSchedule
MakeCollective(uint32_t members, const ns3::WorkloadCollective& collective)
{
    ns3::WorkloadScheduleBuilder builder(members);
    AddWorkloadCollective(builder, FirstRanks(members), collective);
    return builder.Build();
}

/** \return a collective, all else as by default */
inline ns3::WorkloadCollective
Collective(ns3::WorkloadCollectiveKind kind,
           ns3::WorkloadCollectiveAlgorithm algorithm,
           uint64_t bytes)
{
    ns3::WorkloadCollective collective;
    collective.kind = kind;
    collective.algorithm = algorithm;
    collective.bytes = bytes;
    return collective;
}

} // namespace harness

#endif // HARNESS_COLLECTIVES_H

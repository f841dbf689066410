/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_CYCLES_H
#define WORKLOAD_CYCLES_H

#include "ns3/workload-schedule.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Follows who waits for whom, each for one other, and finds the circles.
 * \param count how many there are, numbered from 0
 * \param next whom one waits for; WORKLOAD_NOBODY if for nobody. Called at most once for each
 * \param found called with the members of each circle, each waiting for the one behind it and the
 * last for the first; the first has the smallest number
 */
void FindWorkloadCircles(uint32_t count,
                         const std::function<uint32_t(uint32_t)>& next,
                         const std::function<void(const std::vector<uint32_t>&)>& found);

/** \ingroup workload Whom somebody waits for who waits for nobody. */
constexpr uint32_t WORKLOAD_NOBODY = UINT32_MAX;

/**
 * \ingroup workload
 * \brief Finds circles of dependencies in a rank: operations that wait for themselves.
 *
 * Every operation that waits for itself belongs to a tangle of circles of which at least one is
 * found. O(operations + dependencies); without memory if all dependencies point forward.
 * \param found called with the operations of each circle, as above
 */
void FindWorkloadCycles(const WorkloadRank& rank,
                        const std::function<void(const std::vector<uint32_t>&)>& found);

} // namespace ns3

#endif // WORKLOAD_CYCLES_H

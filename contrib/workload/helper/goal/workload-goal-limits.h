/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_GOAL_LIMITS_H
#define WORKLOAD_GOAL_LIMITS_H

#include "ns3/workload-schedule.h"

#include <cstdint>
#include <string>

namespace ns3
{

// What GOAL's binary files, and LogGOPSim, have room for.

/** \ingroup workload Most ranks: a rank is not WORKLOAD_ANY. */
constexpr uint32_t WORKLOAD_GOAL_MOST_RANKS = UINT32_MAX - 1;

/** \ingroup workload Highest compute stream: LogGOPSim counts streams in 8 bits. */
constexpr uint8_t WORKLOAD_GOAL_MOST_CPU = 254;

/** \ingroup workload Highest interface, for the same reason. */
constexpr uint8_t WORKLOAD_GOAL_MOST_NIC = 254;

/**
 * \ingroup workload
 * \param operation of a rank
 * \param ranks how many there are
 * \return why GOAL has no words for it, such as "cpu 255; at most 254"; empty if it has
 */
std::string WorkloadGoalFault(const WorkloadOperation& operation, uint32_t ranks);

} // namespace ns3

#endif // WORKLOAD_GOAL_LIMITS_H

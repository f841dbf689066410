/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_SCHEDULE_RUN_H
#define HARNESS_SCHEDULE_RUN_H

#include "ns3/workload-schedule.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace harness
{

/** What came of running a schedule on a network that takes no time. */
struct ScheduleRun
{
    std::string fault;    ///< empty if every operation ran, and every message matched one other
    uint64_t finishNs{0}; ///< of the last operation
    std::vector<std::vector<uint64_t>> endNs; ///< by rank and operation
};

/**
 * Runs every operation as early as its dependencies allow. A message takes no time, and its two
 * ends have source, destination, tag and size in common; no two messages have the first three.
 * \param rendezvous whether a send completes only when it is received
 */
ScheduleRun RunSchedule(const ns3::WorkloadSchedule& schedule, bool rendezvous);

/** Messages of a schedule. */
struct ScheduleTraffic
{
    uint64_t bytes{0};
    uint64_t messages{0};
};

/** \return what is sent, by category */
std::map<std::string, ScheduleTraffic> CountTraffic(const ns3::WorkloadSchedule& schedule);

} // namespace harness

#endif // HARNESS_SCHEDULE_RUN_H

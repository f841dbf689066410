/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_GOAL_H
#define WORKLOAD_GOAL_H

#include "workload-goal-reader.h"

#include "ns3/workload-schedule.h"

#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

// GOAL schedules as files. doc/goal.md describes the language, the binary form, and what differs
// from ATLAHS' txt2bin. All readers throw InputError. Categories of operations are not kept.

/**
 * \ingroup workload
 * \param file a GOAL file, text or binary: its content says which
 * \param notes filled in if given; for a text 4 bytes per operation
 * \return the schedule. Linear
 */
WorkloadSchedule ReadGoal(const std::string& file, WorkloadGoalNotes* notes = nullptr);

/** \ingroup workload As ReadGoal, from a stream. \param name stands for the file in messages */
WorkloadSchedule ReadGoalText(std::istream& in,
                              const std::string& name,
                              WorkloadGoalNotes* notes = nullptr);

/** \ingroup workload As ReadGoal, from a stream. \param name stands for the file in messages */
WorkloadSchedule ReadGoalBinary(std::istream& in, const std::string& name);

/** \ingroup workload Writes text; see WorkloadGoalTextWriter. \throws InputError if GOAL has no
 * words for an operation */
void WriteGoalText(std::ostream& out, const WorkloadSchedule& schedule);

/** \ingroup workload Writes LogGOPSim's binary form; \p out must be able to seek.
 * \throws InputError if GOAL has no words for an operation */
void WriteGoalBinary(std::ostream& out, const WorkloadSchedule& schedule);

/** \ingroup workload What a conversion went through. */
struct WorkloadGoalConversion
{
    uint32_t ranks{0};
    uint64_t operations{0};
    uint64_t dependencies{0};
    std::vector<std::string> warnings; ///< of the reader
};

/**
 * \ingroup workload
 *
 * Converts a GOAL file, holding one rank at a time.
 * \param in text or binary: its content says which
 * \param name stands for it in messages
 * \param out must be able to seek if \p binary
 * \param binary what to write
 */
WorkloadGoalConversion ConvertGoal(std::istream& in,
                                   const std::string& name,
                                   std::ostream& out,
                                   bool binary);

} // namespace ns3

#endif // WORKLOAD_GOAL_H

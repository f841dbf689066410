/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_GOAL_READER_H
#define WORKLOAD_GOAL_READER_H

#include "ns3/workload-schedule.h"

#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Where in a text the operations stand, and what the reader noticed; kept only if asked for.
 */
struct WorkloadGoalNotes
{
    /** A label that stands for two operations of a rank; the first is meant, as in txt2bin. */
    struct Duplicate
    {
        uint32_t rank;
        uint64_t line;
        std::string label;
    };

    /** Most duplicates that are kept. */
    static constexpr size_t MAX_DUPLICATES = 1000;

    std::vector<std::vector<uint32_t>> lines; ///< by rank and operation; none for a binary file
    std::vector<Duplicate> duplicates;        ///< the first ones
    uint64_t duplicateCount{0};

    /** \return the line of an operation; 0 if it is not known */
    uint32_t LineOf(uint32_t rank, uint32_t operation) const
    {
        return rank < lines.size() && operation < lines[rank].size() ? lines[rank][operation] : 0;
    }
};

/** \ingroup workload Reads a GOAL file rank by rank, holding one rank at a time. */
class WorkloadGoalReader
{
  public:
    virtual ~WorkloadGoalReader() = default;

    /** \return ranks that the file announces, at least 1 */
    virtual uint32_t GetRankCount() const = 0;

    /**
     * Reads the next rank; they come in ascending order.
     * \param rank set to it
     * \return false after the last one, when the rest of the file has been checked as well
     * \throws InputError for anything that is wrong
     */
    virtual bool Next(WorkloadRank& rank) = 0;

    /** \return what the user should know of what has been read so far, a line per kind:
     * `FILE:LINE: TEXT` */
    virtual std::vector<std::string> GetWarnings() const
    {
        return {};
    }
};

/**
 * \ingroup workload
 * \param in the file, text or binary: its first bytes say which; must outlive the reader
 * \param name stands for the file in messages
 * \param notes filled in as ranks are read, if given; must outlive the reader
 */
std::unique_ptr<WorkloadGoalReader> MakeWorkloadGoalReader(std::istream& in,
                                                           const std::string& name,
                                                           WorkloadGoalNotes* notes = nullptr);

/** \ingroup workload \return whether a GOAL file is binary, by its first bytes, which are not
 * consumed */
bool IsWorkloadGoalBinary(std::istream& in);

} // namespace ns3

#endif // WORKLOAD_GOAL_READER_H

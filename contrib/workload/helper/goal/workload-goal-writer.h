/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_GOAL_WRITER_H
#define WORKLOAD_GOAL_WRITER_H

#include "ns3/workload-schedule.h"

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Writes a GOAL file rank by rank.
 *
 * Whether the stream took everything is for the caller to ask it.
 */
class WorkloadGoalWriter
{
  public:
    virtual ~WorkloadGoalWriter() = default;

    /**
     * Writes the next rank.
     * \throws InputError if GOAL has no words for one of its operations
     */
    virtual void Write(const WorkloadRank& rank) = 0;

    /**
     * Appends an operation to the next rank, so that the rank need not be in memory as a whole; of
     * the binary form it is, for each record says where those are that wait for it.
     * \param dependencies of it, on operations that were appended before it, in their order
     * \throws InputError as Write()
     */
    virtual void Append(const WorkloadOperation& operation,
                        const std::vector<WorkloadDependency>& dependencies) = 0;

    /** Ends the rank whose operations were appended, perhaps none. */
    virtual void EndRank() = 0;

    /** To be called after the last rank. */
    virtual void Finish() = 0;
};

/**
 * \ingroup workload
 * \brief Writes GOAL text that every reader of it takes.
 *
 * Statements stand in column 1. Every operation has a label (l1, l2, ... in each rank) and every
 * message a tag. A dependency stands as early as possible, the dependencies on one operation in the
 * order of its waiters, so that reading the text gives the same schedule back.
 */
class WorkloadGoalTextWriter : public WorkloadGoalWriter
{
  public:
    /** \param out must outlive the writer \param ranks that will be written */
    WorkloadGoalTextWriter(std::ostream& out, uint32_t ranks);

    void Write(const WorkloadRank& rank) override;
    void Append(const WorkloadOperation& operation,
                const std::vector<WorkloadDependency>& dependencies) override;
    void EndRank() override;
    void Finish() override;

  private:
    /** Sorts the rank's dependencies by the operation behind which they can stand. */
    void PlaceDependencies(const WorkloadRank& rank);
    void Put(const char* text);
    void Put(uint64_t number);
    void BeginRank();
    void PutOperation(const WorkloadOperation& operation);
    void PutDependency(const WorkloadDependency& dependency);
    void Flush();

    std::ostream& m_out;
    const uint32_t m_ranks;
    uint32_t m_rank{0};
    uint32_t m_operations{0};                       //!< of the rank
    std::string m_text;                             //!< not handed to the stream so far
    std::vector<uint32_t> m_place;                  //!< per operation: end of its dependencies
    std::vector<WorkloadDependency> m_dependencies; //!< in the order of the text
};

/**
 * \ingroup workload
 * \brief Writes LogGOPSim's binary form of GOAL, byte for byte as ATLAHS' txt2bin does.
 *
 * The head is written by Finish(), so that the stream must be able to seek.
 */
class WorkloadGoalBinaryWriter : public WorkloadGoalWriter
{
  public:
    /** \param out at its beginning; must outlive the writer \param ranks that will be written */
    WorkloadGoalBinaryWriter(std::ostream& out, uint32_t ranks);

    void Write(const WorkloadRank& rank) override;
    void Append(const WorkloadOperation& operation,
                const std::vector<WorkloadDependency>& dependencies) override;
    void EndRank() override;
    void Finish() override;

  private:
    void Put(const std::vector<unsigned char>& bytes);
    void PutOperations(const WorkloadRank& rank);
    unsigned char* MakeRoom();
    void Flush();

    std::ostream& m_out;
    const uint32_t m_ranks;
    std::vector<uint64_t> m_ends;       //!< of each rank, without the magic
    std::vector<unsigned char> m_block; //!< of a rank, up to m_cursor; not handed to the stream
    unsigned char* m_cursor{nullptr};
    WorkloadRank m_appended;
    std::vector<WorkloadDependency> m_dependencies; //!< of what was appended
    uint8_t m_cpu{0};                               //!< highest so far
    uint8_t m_nic{0};
};

/**
 * \ingroup workload
 * \param out must outlive the writer; for the binary form at its beginning, and able to seek
 * \param ranks that will be written
 * \param binary which form
 * \return a writer of it
 */
std::unique_ptr<WorkloadGoalWriter> MakeWorkloadGoalWriter(std::ostream& out,
                                                           uint32_t ranks,
                                                           bool binary);

} // namespace ns3

#endif // WORKLOAD_GOAL_WRITER_H

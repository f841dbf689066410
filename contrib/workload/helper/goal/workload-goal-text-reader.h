/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_GOAL_TEXT_READER_H
#define WORKLOAD_GOAL_TEXT_READER_H

#include "workload-goal-labels.h"
#include "workload-goal-reader.h"
#include "workload-goal-scanner.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Reads GOAL text: all that ATLAHS' txt2bin accepts, except what it silently garbles.
 *
 * Also accepted, though txt2bin stumbles over it: blanks before a statement, comments behind one.
 * Tags are taken modulo 2^32, as there.
 * Refused, though txt2bin takes it without a word: other numbers that do not fit, ranks out of
 * order, peers out of range, a missing brace, statements outside ranks. doc/goal.md has the list.
 */
class WorkloadGoalTextReader : public WorkloadGoalReader
{
  public:
    /**
     * Reads up to the first rank.
     * \param in the text; must outlive the reader
     * \param name stands for the file in messages
     * \param notes filled in as ranks are read, if given
     * \throws InputError
     */
    WorkloadGoalTextReader(std::istream& in, const std::string& name, WorkloadGoalNotes* notes);

    uint32_t GetRankCount() const override
    {
        return m_ranks;
    }

    bool Next(WorkloadRank& rank) override;
    std::vector<std::string> GetWarnings() const override;

  private:
    /** Something accepted that is hardly meant. */
    struct Oddity
    {
        uint64_t count{0};
        uint64_t line{0}; //!< the first
        std::string what; //!< there
    };

    void Note(Oddity& oddity, const std::string& what);
    void Warn(const Oddity& oddity,
              const std::string& explanation,
              std::vector<std::string>& warnings) const;

    /** Reads up to the first rank's opening brace, or further if num_ranks comes later. */
    void ReadHead();
    void ReadRankCount();

    /** Reads `R {` of the rank that must come now. */
    void ReadRankHead();

    /** Reads statements up to the closing brace into m_operations and m_dependencies. */
    void ReadBlock();
    void ReadStatement();
    void ReadOperation();
    void ReadMessage(WorkloadOperation& operation);
    void ReadPeer(WorkloadOperation& operation);
    void ReadTag(WorkloadOperation& operation);

    /** Reads `requires LABEL` after a label, if it is there. */
    bool ReadDependency(const WorkloadGoalScanner::Word& label);

    uint32_t OperationOf(const WorkloadGoalScanner::Word& label) const;
    void AddLabel(const WorkloadGoalScanner::Word& label);
    void CheckPeer(uint32_t peer, uint64_t line) const;

    WorkloadGoalScanner m_in;
    WorkloadGoalNotes* const m_notes;
    uint32_t m_ranks{0};    //!< 0 until num_ranks was read
    uint32_t m_rank{0};     //!< current rank
    uint64_t m_rankLine{0}; //!< where it begins
    bool m_inRank{false};   //!< its head has been read
    bool m_rankRead{false}; //!< as a whole, ahead of Next()
    bool m_done{false};
    uint32_t m_highestPeer{0}; //!< before num_ranks was read
    uint64_t m_highestPeerLine{0};

    std::vector<WorkloadOperation> m_operations;
    std::vector<WorkloadDependency> m_dependencies;
    std::vector<uint32_t> m_operationLines;
    WorkloadGoalLabels m_labels;
    Oddity m_wideTags;
    Oddity m_doubleLabels;
};

} // namespace ns3

#endif // WORKLOAD_GOAL_TEXT_READER_H

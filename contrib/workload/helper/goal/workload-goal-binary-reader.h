/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_GOAL_BINARY_READER_H
#define WORKLOAD_GOAL_BINARY_READER_H

#include "workload-goal-reader.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Reads LogGOPSim's binary form of GOAL.
 *
 * Everything in it is checked: nothing that contradicts itself is read, and no number in the file
 * makes the reader take more memory than a small multiple of the bytes that are there.
 */
class WorkloadGoalBinaryReader : public WorkloadGoalReader
{
  public:
    /**
     * Reads the head and the jump table.
     * \param in the file; must outlive the reader
     * \param name stands for the file in messages
     * \throws InputError
     */
    WorkloadGoalBinaryReader(std::istream& in, const std::string& name);

    uint32_t GetRankCount() const override
    {
        return m_ranks;
    }

    bool Next(WorkloadRank& rank) override;

  private:
    /** Reads so many bytes into m_block. \p what names them in messages */
    void Read(uint64_t bytes, const std::string& what);
    void ReadHead();
    void ReadJumpTable();

    /** What comes after the last rank. */
    void CheckEnd();

    /** The records of the rank's operations, which begin at \p at in the block. */
    void ReadOperations(uint64_t at, uint32_t count, WorkloadRank& rank);

    /** The lists behind the records, of \p count operations. */
    void ReadWaiters(uint64_t at, uint32_t count, WorkloadRank& rank);
    void CheckDependencies(const WorkloadRank& rank) const;
    void CheckRoots(uint32_t count, const WorkloadRank& rank) const;

    /** \return a number in the block */
    template <typename T>
    T Load(uint64_t at) const;

    [[noreturn]] void Fail(const std::string& message) const;
    [[noreturn]] void FailAt(uint32_t operation, const std::string& message) const;

    std::istream& m_in;
    const std::string m_name;
    std::vector<unsigned char> m_block; //!< what was read last
    uint64_t m_offset{0};               //!< in the file, of the block's end
    uint32_t m_ranks{0};
    uint32_t m_rank{0}; //!< the next one
    uint8_t m_cpu{0};   //!< highest that the file announces
    uint8_t m_nic{0};
    uint8_t m_cpuSeen{0}; //!< highest so far
    uint8_t m_nicSeen{0};
    std::vector<uint64_t> m_ends; //!< of each rank, without the magic
};

} // namespace ns3

#endif // WORKLOAD_GOAL_BINARY_READER_H

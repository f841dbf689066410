/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MPI_OPERATIONS_H
#define WORKLOAD_MPI_OPERATIONS_H

#include "ns3/workload-goal-writer.h"
#include "ns3/workload-schedule.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief The operations of one rank, on their way to a file: those that may still change, and what
 * follows them, are in memory.
 */
class WorkloadMpiOperations
{
  public:
    /** An operation that has to be over, or only to have started. */
    struct Before
    {
        uint32_t operation;
        bool start;
    };

    using Befores = std::vector<Before>;

    /** \param writer of the file, behind the ranks before; must outlive this */
    explicit WorkloadMpiOperations(WorkloadGoalWriter& writer)
        : m_writer(writer)
    {
    }

    /** \return how many there are */
    uint32_t GetCount() const
    {
        return m_count;
    }

    /** \return how many dependencies they have */
    uint64_t GetDependencies() const
    {
        return m_dependencies;
    }

    /**
     * Adds an operation, which waits for others.
     * \param changes whether it may still change: until Settle()
     * \return its number
     */
    uint32_t Append(const WorkloadOperation& operation, const Befores& befores, bool changes);

    /** \return an operation that may still change */
    WorkloadOperation& Get(uint32_t operation);

    /** It does not change any more. */
    void Settle(uint32_t operation);

    /** Nothing changes or follows any more. */
    void End();

  private:
    struct Entry
    {
        WorkloadOperation operation;
        Befores befores;
        bool changes;
    };

    void Write(uint32_t number, const WorkloadOperation& operation, const Befores& befores);

    WorkloadGoalWriter& m_writer;
    std::deque<Entry> m_waiting; //!< from the first one on that may still change
    uint32_t m_count{0};
    uint64_t m_dependencies{0};
    std::vector<WorkloadDependency> m_written; //!< of the operation written last
};

} // namespace ns3

#endif // WORKLOAD_MPI_OPERATIONS_H

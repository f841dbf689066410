/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_STALL_REPORT_H
#define WORKLOAD_STALL_REPORT_H

#include "workload-runner.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Explains why a run has stopped short: see WorkloadRunner::ExplainStall. Linear in the
 * operations.
 */
class WorkloadStallReport
{
  public:
    WorkloadStallReport(const WorkloadJobs& jobs,
                        const WorkloadNetwork& network,
                        const WorkloadRunner& runner);

    /** \param max lines of either kind. \return circles, then processes */
    std::vector<std::string> Explain(size_t max) const;

  private:
    using State = WorkloadRunner::State;

    /** \return the processes that a process' messages wait for and that are not done either */
    std::vector<uint32_t> WaitsFor(uint32_t process) const;

    /** \return up to \p max circles of processes, each once */
    std::vector<std::vector<uint32_t>> FindCircles(size_t max) const;
    std::string DescribeCircle(const std::vector<uint32_t>& circle) const;

    /** \return a line, empty if the process is done */
    std::string DescribeProcess(uint32_t process) const;
    std::string DescribeIssued(WorkloadStep step) const;

    /** \return of each operation of the process, whether it waits for one that is in a loop, or is
     * in one: whether it would not become ready if all that is under way were to complete */
    std::vector<bool> FindStuck(uint32_t process) const;

    /** \return what operations of the process wait for each other, empty if none do */
    std::string DescribeLoop(uint32_t process) const;

    /** \return an operation as people write it */
    std::string Name(WorkloadStep step) const;

    /** \return whether an operation that is not complete is the other end of a message */
    bool HasCounterpart(WorkloadStep step) const;
    bool IsDone(uint32_t process) const;

    const WorkloadJobs& m_jobs;
    const WorkloadNetwork& m_network;
    const WorkloadRunner& m_runner;
    std::vector<bool> m_done; //!< by process
};

} // namespace ns3

#endif // WORKLOAD_STALL_REPORT_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_JOBS_H
#define WORKLOAD_JOBS_H

#include "workload-schedule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload One operation of one process. */
struct WorkloadStep
{
    uint32_t process{0};
    uint32_t operation{0}; ///< index in the process' rank
};

/** \ingroup workload A schedule and where its ranks run. */
struct WorkloadJob
{
    std::string name; ///< for results
    WorkloadSchedule schedule;
    std::vector<uint32_t> nodes; ///< of each rank
};

/**
 * \ingroup workload
 * \brief All jobs that run at once. A process is a rank of a job; processes are numbered from 0,
 * job by job.
 *
 * Several processes may share a node: they share its interfaces, but neither compute streams nor
 * tags.
 */
class WorkloadJobs
{
  public:
    /**
     * \param jobs each with a node per rank
     * \throws InputError if a job has not as many nodes as ranks, or a peer is out of range
     */
    explicit WorkloadJobs(std::vector<WorkloadJob> jobs);

    uint32_t GetProcessCount() const
    {
        return static_cast<uint32_t>(m_processes.size());
    }

    /** \return highest node of any process, plus 1 */
    uint32_t GetNodeCount() const
    {
        return m_nodes;
    }

    /** \return interfaces per node: the highest that any job uses, plus 1 */
    uint32_t GetNicCount() const
    {
        return m_nics;
    }

    const std::vector<WorkloadJob>& GetJobs() const
    {
        return m_jobs;
    }

    /** \return the graph of a process */
    const WorkloadRank& GetRank(uint32_t process) const
    {
        return *m_processes[process].rank;
    }

    const WorkloadOperation& GetOperation(WorkloadStep step) const
    {
        return m_processes[step.process].rank->operations[step.operation];
    }

    /** \return the node that a process runs on */
    uint32_t GetNode(uint32_t process) const
    {
        return m_processes[process].node;
    }

    /** \return index of the process' job */
    uint32_t GetJob(uint32_t process) const
    {
        return m_processes[process].job;
    }

    /** \return the process that \p rank of the job of \p process is */
    uint32_t GetPeer(uint32_t process, uint32_t rank) const
    {
        return m_first[m_processes[process].job] + rank;
    }

    /** \return rank of the process in its job */
    uint32_t GetRankNumber(uint32_t process) const
    {
        return process - m_first[m_processes[process].job];
    }

    /** \return an operation in words, for errors, with its job's file and its line there */
    std::string Describe(WorkloadStep step) const;

    /** \return the same of one of GetRank()'s operations. Linear in the processes */
    std::string Describe(const WorkloadOperation& operation) const;

    /** \return how the process is called in messages: "rank 3", or "job NAME, rank 3" if there are
     * several jobs */
    std::string GetProcessName(uint32_t process) const;

  private:
    struct Process
    {
        const WorkloadRank* rank;
        uint32_t job;
        uint32_t node;
    };

    std::vector<WorkloadJob> m_jobs;
    std::vector<uint32_t> m_first; //!< first process of each job
    std::vector<Process> m_processes;
    uint32_t m_nodes{0};
    uint32_t m_nics{1};
};

} // namespace ns3

#endif // WORKLOAD_JOBS_H
